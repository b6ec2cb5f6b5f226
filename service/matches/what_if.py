"""What if: a match that is over is played on from a decision of a seat, against bots, without a log.

A line is the seat's moves, by their ids. Nothing of it is stored. The seat sees what it knew then and what the line's
events tell it. Chance is the match's own, so the same moves lead to the same position.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from threading import Lock
from typing import Any

import msgspec

from bots import BOTS
from domain import matches, play
from domain.chance import Simulation
from domain.game import Lang, Refusal, move_id
from domain.matches import Answer, Match
from domain.secrecy import redact
from replays import film, words
from replays.log import TRUTH, Log
from service.matches import shown
from service.matches.answers import WhatIf
from service.matches.states import Look, Recent
from service.problems import Conflict

KEPT = 256
"""The number of positions on lines that are kept, so that a further move costs only itself."""


FilmOf = Callable[[Log, int], film.Film]
"""(a log, a seat) -> the match as the seat saw it."""


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


class WhatIfs:
    """Plays lines, and keeps the positions that were looked at last."""

    def __init__(self, film_of: FilmOf) -> None:
        self._film_of = film_of
        self._kept: Recent[tuple[Any, ...], Reached] = Recent(KEPT)
        self._turn = Lock()
        """It is held while a move of a line is played, and then for as long again: others are served meanwhile."""

    def look(self, look: Look, seat: int, after: int, ids: Sequence[str], bot: str, lang: Lang) -> WhatIf:
        """Return the position after these moves from the seat's first decision that was answered after that version.

        Raises:  Conflict if the match is not over or the seat had no further decision; Refusal if a move is not legal
                 there; OtherRules, since only the match's own rules play on.
        """
        if not look.state.is_over:
            raise Conflict("not-over")
        log, game = look.log, look.log.game
        log.need_own_rules()
        line = _Line(log, seat, bot)
        place = self._reached(line, (log.id, seat, after, bot), ids, lambda: line.begin(self._film_of, after))
        say = shown.naming(look.entry, lang)
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
        """Return the position after these moves, played on from the last one that is kept. Raises as `look`."""
        keys = list(accumulate(ids, lambda before, id: (*before, id), initial=key))
        kept = ((at, self._kept.get(keys[at])) for at in range(len(ids), -1, -1))
        known, place = next(((at, found) for at, found in kept if found is not None), (0, None))
        if place is None:
            with self._turn:
                place = self._kept.get_or(key, begin)
        for at in range(known, len(ids)):
            with self._turn:
                begun = time.monotonic()
                place = self._kept.get_or(keys[at + 1], partial(line.on, place, ids[at]))
                if at + 1 < len(ids):
                    # not `from time import sleep`: gevent replaces time.sleep when it patches the module
                    time.sleep(time.monotonic() - begun)
        return place


class _Line:
    """The rules of lines, for one seat of a match and the bots on the others."""

    def __init__(self, log: Log, seat: int, bot: str) -> None:
        self._log = log
        self._game = log.game
        self._seat = seat
        self._bot = BOTS[bot]

    def begin(self, film_of: FilmOf, after: int) -> Reached:
        """Return the position at the seat's first decision that was answered after that version. Raises Conflict."""
        first = next(film.answers(film_of(self._log, self._seat), self._seat, after), None)
        if first is None:
            raise Conflict("no-decision", seat=self._seat)
        before, _, move = first
        truth = self._log.fold(TRUTH, at=before.version)
        seen = [film_of(self._log, each).frame(before.version).table for each in range(len(truth.taken))]
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
