"""Films: every event of a match in words, with the table after it as a viewer saw it then. Each film is made once.

From a decision of a seat in a match that is over it can also be played on, and seen what would have been.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import accumulate
from threading import Lock
from typing import Annotated, Any

import msgspec

from bots import BOTS
from domain import matches, play
from domain.chance import Simulation
from domain.game import Lang, Refusal, move_id
from domain.matches import Answer, Match
from domain.scene import Scene
from domain.secrecy import redact
from replays import film, words
from replays.files import exports
from replays.film import Thought, ahead_since, gains, namer, reel, thoughts
from replays.log import TRUTH, Log, Viewer, is_seen
from replays.table.picture import Easel
from service.matches import rows, shown
from service.matches.answers import Answered, NextChoice, WhatIf
from service.matches.states import Look, Recent
from service.problems import Conflict, Say, TooMany
from service.shapes import Object, one_of
from service.store import Entry

FILMS = 64
"""The number of films that are kept, compressed; one takes some tens of kibibytes."""

FOLDED = 32
"""The number of matches that are kept folded, each as one seat saw it."""

FRAMES = 4000
"""The most events in one part of a film."""

DRAWN, AFTER = 16, 5
"""The most pictures that wait to be drawn, and the seconds after which a refused one may be asked for again."""

STEPS = 5
"""The most events that are named for each seat as those that made its result."""

LINES = 4096
"""The number of seats for which the line of the lobby is kept."""

PLACES = 256
"""The number of positions on lines that are kept, so that a further move costs only itself."""

EYES = {TRUTH: "all", None: "nobody"}


class Film(msgspec.Struct, frozen=True, kw_only=True):
    """A match, event by event, as somebody saw it."""

    id: str
    game: str
    status: Annotated[str, one_of(*rows.STATUSES)]
    version: int
    """The version of the last event."""
    seat: int | None
    """The seat as which it is seen; null for no seat, or for all cards."""
    eyes: str
    """`seat`: what the seat saw; `nobody`: what anybody saw; `all`: all cards, of a match that is over."""
    names: tuple[str, ...]
    """The names of the seats; "" for an unnamed one."""
    reel: Object
    """The events, and what the table showed after each."""
    thoughts: tuple[Thought, ...]
    """The decisions whose answers are known, and how long each took."""
    forks: tuple[int, ...]
    """The versions from which the match can be continued, once it is over."""
    next: int | None
    """The `after` of the next part; null if this is the last."""


class Contribution(msgspec.Struct, frozen=True):
    """An event that counts for the result."""

    version: int
    points: int
    """What it gave to the seat; below 0 if it took that away."""
    text: str


class Breakdown(msgspec.Struct, frozen=True):
    """How the result of a match came about."""

    ahead: Contribution | None
    """The event since which those who have won were in front; `points` is 0. None if all share the first place."""
    start: tuple[int, ...]
    """The points of each seat when play began."""
    steps: tuple[tuple[Contribution, ...], ...]
    """For each seat the events that gave or took most, in their order."""
    rest: tuple[int, ...]
    """For each seat the sum of all other changes of its points."""
    more: tuple[int, ...]
    """For each seat how many these are."""


class Films:
    """Makes films, and plays on from them. It keeps what was asked for last."""

    def __init__(self) -> None:
        self.easel = Easel()
        self._kept: Recent[tuple[Any, ...], bytes] = Recent(FILMS)
        self._folded: Recent[tuple[str, int], film.Film] = Recent(FOLDED)
        """Matches that are over, as a seat saw them, whose decisions are asked for one by one."""
        self._breakdowns: Recent[tuple[Any, ...], Breakdown] = Recent(FILMS)
        self._drawn: dict[tuple[Any, ...], Future[bytes]] = {}
        """Pictures that are being drawn, or wait for it."""
        self._lock = Lock()
        self._lines: Recent[tuple[Any, ...], str] = Recent(LINES)
        self._places: Recent[tuple[Any, ...], Reached] = Recent(PLACES)
        self._turn = Lock()
        """It is held while a move of a line is played, and then for as long again: others are served meanwhile."""

    def packed(self, look: Look, viewer: Viewer, after: int, lang: Lang) -> bytes:
        """Return the film from the event after that version on, as JSON compressed by gzip."""
        key = (look.log.id, self.tag(look, viewer, lang), after)
        return self._kept.get_or(
            key, lambda: gzip.compress(msgspec.json.encode(told(look, viewer, after, lang)), 6, mtime=0)
        )

    def breakdown(self, look: Look, lang: Lang) -> Breakdown:
        """Return how the result of the match, which is finished, came about."""
        return self._breakdowns.get_or((look.log.id, self.tag(look, TRUTH, lang)), lambda: broken_down(look, lang))

    def next_choice(self, look: Look, seat: int, after: int, lang: Lang) -> NextChoice:
        """Return the first decision of the seat that was answered after that version, in a match that is over.

        Raises:  Conflict; OtherRules, since only its own rules say what could be chosen.
        """
        if not look.state.is_over:
            raise Conflict("not-over")
        look.log.need_own_rules()
        game, say = look.log.game, shown.naming(look.entry, lang)
        taken = self.folded(look.log, seat)
        for before, frame, move in film.answers(taken, seat, after):
            if len(legal := game.legal(before.table, seat)) < 2:
                continue
            choices = [shown.choice(game, before.table, seat, each, lang, say) for each in legal]
            scene = shown.drawn(game, before.table, seat, lang, say)
            return NextChoice(
                Answered(game=game.slug, version=frame.version, scene=scene, moves=choices, chosen=move_id(move))
            )
        return NextChoice(None)

    def folded(self, log: Log, seat: int) -> film.Film:
        """Return a match that is over as a seat saw it; it is kept."""
        return self._folded.get_or((log.id, seat), lambda: film.Film(log, seat))

    def what_if(self, look: Look, seat: int, after: int, ids: Sequence[str], bot: str, lang: Lang) -> WhatIf:
        """Return the position after these moves from the seat's first decision that was answered after that version.

        The match is played on from there against that bot, without a log. A line is the seat's moves, by their ids.
        Nothing of it is stored. The seat sees what it knew then and what the line's events tell it. Chance is the
        match's own, so the same moves lead to the same position.

        Raises:  Conflict if the match is not over or the seat had no further decision; Refusal if a move is not legal
                 there; OtherRules, since only the match's own rules play on.
        """
        if not look.state.is_over:
            raise Conflict("not-over")
        log, game = look.log, look.log.game
        log.need_own_rules()
        line, say = _Line(log, seat, bot), shown.naming(look.entry, lang)
        place = self._reached(line, (log.id, seat, after, bot), ids, lambda: line.begin(self, after, say))
        table, decision = place.seen[seat], matches.decision_of(game, place.truth, seat)
        return WhatIf(
            decision=decision or None,
            game=game.slug,
            moves=[shown.choice(game, table, seat, each, lang, say) for each in line.legal(place)],
            version=place.version,
            played=move_id(place.played),
            scene=shown.drawn(game, table, seat, lang, say),
            told=words.describe_all(game, place.told, lang, say),
            standing=play.standing(game, place.truth),
        )

    def _reached(self, line: _Line, key: tuple[Any, ...], ids: Sequence[str], begin: Callable[[], Reached]) -> Reached:
        """Return the position after these moves, played on from the last one that is kept. Raises as `what_if`."""
        keys = list(accumulate(ids, lambda before, id: (*before, id), initial=key))
        kept = ((at, self._places.get(keys[at])) for at in range(len(ids), -1, -1))
        known, place = next(((at, found) for at, found in kept if found is not None), (0, None))
        if place is None:
            with self._turn:
                place = self._places.get_or(key, begin)
        for at in range(known, len(ids)):
            with self._turn:
                begun = time.monotonic()
                place = self._places.get_or(keys[at + 1], partial(line.on, place, ids[at]))
                if at + 1 < len(ids):
                    # not `from time import sleep`: gevent replaces time.sleep when it patches the module
                    time.sleep(time.monotonic() - begun)
        return place

    def pictured(self, look: Look, lang: Lang, draw: Callable[[], bytes]) -> bytes:
        """Return a picture of the match as it stands. It is made once, however many ask for it meanwhile.

        Raises:  what `draw` raises; TooMany.
        """
        key = (look.log.id, self.tag(look, None, lang), "picture")
        with self._lock:
            # not before: meanwhile it could be made, and then be made again
            if (picture := self._kept.get(key)) is not None:
                return picture
            made = self._drawn.get(key)
            if made is None and len(self._drawn) >= DRAWN:
                raise TooMany("too-many-pictures", after=AFTER)
            mine = self._drawn.setdefault(key, Future())
        if made is not None:
            return made.result()
        try:
            mine.set_result(draw())
            self._kept.put(key, mine.result())
        except BaseException as error:
            mine.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._drawn[key]
        return mine.result()

    def line(self, entry: Entry, seat: int, decision: int, lang: Lang, look: Callable[[], Look]) -> str:
        """Return what is going on, for a seat that is asked; made once while nobody moves. `look`: as that seat."""
        key = (entry.id, seat, decision, entry.moves, entry.moved, shown.names_of(entry, lang), lang)
        return self._lines.get_or(key, lambda: shown.line(look(), lang))

    def tag(self, look: Look, viewer: Viewer, lang: Lang) -> str:
        """Return a tag that changes whenever the film does."""
        return f"{EYES.get(viewer, viewer)}.{look.etag(lang)}"


def viewer_of(look: Look, *, as_seat: bool, as_nobody: bool) -> Viewer:
    """Return the viewer of the film: of a finished match one who sees everything, unless another is asked for."""
    if as_nobody:
        return None
    return look.reader if as_seat else look.viewer


def seen_by_anybody(look: Look, lang: Lang) -> Scene | None:
    """Return the table now as somebody without a seat sees it, even if the match is over; None if there is none."""
    state = look.log.fold(None)
    if not is_seen(state, None):
        return None
    return shown.drawn(look.log.game, state.table, None, lang, shown.naming(look.entry, lang))


def told(look: Look, viewer: Viewer, after: int, lang: Lang) -> Film:
    """Return the film as data."""
    log, names = look.log, shown.names_of(look.entry, lang)
    taken = film.Film(log, viewer)
    frames = taken.frames[after : after + FRAMES]
    return Film(
        id=log.id,
        game=log.game.slug,
        status=taken.status,
        version=taken.head,
        seat=viewer if viewer != TRUTH else None,
        eyes=EYES.get(viewer, "seat"),
        names=names,
        reel=reel(taken, lang, names, shown.resting(frames)),
        thoughts=thoughts(log, taken),
        forks=points(log),
        next=frames[-1].version if frames and frames[-1].version < taken.head else None,
    )


def broken_down(look: Look, lang: Lang) -> Breakdown:
    """Return how the result of the match, which is finished, came about."""
    taken, say = film.Film(look.log, TRUTH), namer(shown.names_of(look.entry, lang))

    def step(version: int, points: int = 0) -> Contribution:
        return Contribution(version, points, say(words.describe(look.log.game, taken.frame(version).event, lang)))

    every = gains(taken)
    most = [sorted(sorted(own, key=lambda gain: -abs(gain.points))[:STEPS]) for own in every]
    others = [[gain for gain in own if gain not in named] for own, named in zip(every, most, strict=True)]
    return Breakdown(
        # nobody has won where all are first, for example an exam that nobody passes
        ahead=step(ahead_since(taken)) if set(taken.frames[-1].ranking) != {1} else None,
        start=next(frame.points for frame in taken.frames if frame.points),
        steps=tuple(tuple(step(*gain) for gain in own) for own in most),
        rest=tuple(sum(gain.points for gain in own) for own in others),
        more=tuple(map(len, others)),
    )


def points(log: Log) -> tuple[int, ...]:
    """Return the versions from which the match can be continued."""
    return exports.fork_points(log) if log.is_over and log.has_own_rules else ()


class Reached(msgspec.Struct, frozen=True):
    """A position on a line, at a decision of the seat or at the end."""

    version: int
    """The version of the match's log at which the line began."""
    played: Any
    """The move that the seat made there in the match."""
    truth: Match[Any]
    seen: tuple[Any, ...]
    """The table as each seat knows it."""
    told: tuple[Any, ...]
    """The events of the game since the seat's last move, as the seat may read them."""


class _Line:
    """The rules of lines, for one seat of a match and the bots on the others."""

    def __init__(self, log: Log, seat: int, bot: str) -> None:
        self._log = log
        self._game = log.game
        self._seat = seat
        self._bot = BOTS[bot]

    def begin(self, films: Films, after: int, say: Say) -> Reached:
        """Return the position at the seat's first decision that was answered after that version.

        `say`: names seats in a text.

        Raises:  Conflict.
        """
        first = next(film.answers(films.folded(self._log, self._seat), self._seat, after), None)
        if first is None:
            raise Conflict("no-decision", say=say, seat=self._seat)
        before, _, move = first
        truth = self._log.fold(TRUTH, at=before.version)
        seen = [films.folded(self._log, each).frame(before.version).table for each in range(len(truth.taken))]
        return Reached(before.version, move, truth, tuple(seen), ())

    def legal(self, place: Reached) -> tuple[Any, ...]:
        """Return the seat's moves; none if the match is over."""
        if self._seat not in matches.to_act(self._game, place.truth):
            return ()
        legal: tuple[Any, ...] = self._game.legal(place.seen[self._seat], self._seat)
        return legal

    def on(self, place: Reached, id: str) -> Reached:
        """Return the position after that move, and what the others do then. Raises Refusal if it is not legal."""
        move = next((each for each in self.legal(place) if move_id(each) == id), None)
        if move is None:
            raise Refusal("", "not-legal", id=id)
        place = self._step(msgspec.structs.replace(place, told=()), self._seat, move)
        while (asked := matches.to_act(self._game, place.truth)) and self._seat not in asked:
            place = self._step(place, asked[0], self._pick(place, asked[0]))
        return place

    def _pick(self, place: Reached, seat: int) -> Any:
        chance = Simulation(f"{self._log.id} {place.truth.version} {seat}")
        return self._bot.choose(self._game, place.seen[seat], seat, chance)

    def _step(self, place: Reached, seat: int, move: Any) -> Reached:
        """Return the position after the seat's move; under seal the others who are asked answer too."""
        game, truth = self._game, place.truth
        if matches.is_sealed(game, truth):
            answers = tuple(
                [
                    Answer(answer=move if each == seat else self._pick(place, each), sealed="")
                    if each in game.to_act(truth.table)
                    else answer
                    for each, answer in enumerate(truth.answers)
                ]
            )
            told, after = play.closed(game, msgspec.structs.replace(truth, answers=answers), play.dice(truth))
        else:
            decision = matches.decision_of(game, truth, seat)
            told, after = play.played(game, truth, seat, decision, move, play.dice(truth))
        events = [each.event for each in told if not isinstance(each.event, matches.EVENTS)]
        seen = tuple([_seen(game, table, events, each) for each, table in enumerate(place.seen)])
        own = tuple([redact(event, self._seat) for event in events])
        return msgspec.structs.replace(place, truth=after, seen=seen, told=(*place.told, *own))


def _seen(game: Any, table: Any, events: Sequence[Any], seat: int) -> Any:
    """Return the table as the seat knows it after these events."""
    for event in events:
        table = game.evolve(table, redact(event, seat))
    return table
