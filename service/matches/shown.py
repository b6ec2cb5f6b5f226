"""A match as answers show it to an asker: its table, scenes and events, its moves, and moves that are tried out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain import deadlines, matches, play, refusals
from domain.chance import Scripted
from domain.game import Game, Lang, Refusal, move_id
from domain.matches import Match
from domain.scene import Scene, said_by
from domain.telling import explained, scene_of
from domain.texts import named
from domain.trying import tried
from events.chain import Shown
from replays import words
from replays.files.exports import forked_from
from replays.log import Viewer, is_seen, is_set_up
from service.accounts import Asker, called
from service.clock import format_duration
from service.matches import answers, rows, terms
from service.matches.answers import Breaking, Forked, Move, Moves, Rules, Table, TouchRefusal, Trial
from service.matches.states import Look, Recent, moment_of, seat_of
from service.problems import Conflict
from service.store import Chair, Entry

BOT_NAMES: dict[Lang, str] = {"en": "{bot} bot", "ja": "ボット{bot}"}
DOUBLES: dict[Lang, str] = {"en": "{name} (seat {seat})", "ja": "{name}（席{seat}）"}

T = TypeVar("T")

Say = Callable[[str], str]
"""Puts into a text who the seats are."""


def sayer(look: Look, lang: Lang) -> Say:
    """Return what puts names in the place of the seats' numbers in texts, and "you" in that of the reader's seat."""
    return partial(named, names=names_of(look.entry, lang), you=look.you)


def naming(entry: Entry, lang: Lang) -> Say:
    """Return what puts names in the place of the seats' numbers in texts."""
    return partial(named, names=names_of(entry, lang))


def told(look: Look, events: Iterable[Shown], lang: Lang) -> list[tuple[str, bool]]:
    """Return the events in words, with what their reader may know, and whether lists can leave them out."""
    game, typed = look.log.game, list(look.log.codec.read_all(events))
    texts = words.describe_all(game, typed, lang, sayer(look, lang))
    return list(zip(texts, words.asides(game, typed), strict=True))


def names_of(entry: Entry, lang: Lang) -> tuple[str, ...]:
    """Return the seats' names, those of players and bots; where two are the same, with their numbers."""
    return _names(entry.chairs, lang)


@lru_cache(maxsize=2048)
def _names(chairs: tuple[Chair, ...], lang: Lang) -> tuple[str, ...]:
    names = [name_of(chair, lang) for chair in chairs]
    return tuple(
        DOUBLES[lang].format(name=name, seat=seat) if name and names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def name_of(chair: Chair, lang: Lang) -> str:
    """Return the name of who has the seat, a player or a bot; "" if nobody has it, or they have no name."""
    if chair.player_name:
        return called(chair.player_name, lang)
    return "" if chair.bot is None else BOT_NAMES[lang].format(bot=chair.bot)


def moves(look: Look, lang: Lang) -> Moves:
    """Return the asker's open decision and its moves, each with what it is in this position."""
    game, decision, seat = look.log.game, look.decision, look.seat
    if decision is None or seat is None:
        return Moves(game=game.slug)
    seen, say = look.state.table, sayer(look, lang)
    moves = [choice(game, seen, seat, move, lang, say) for move in game.legal(seen, seat)]
    return Moves(decision=decision, game=game.slug, moves=moves)


def choice(
    game: Game[Any, Any, Any],
    seen: Any,
    seat: int,
    move: Any,
    lang: Lang,
    say: Say,
    final: bool | UnsetType = UNSET,
) -> Move:
    """Return a legal move: what it is in this position, and the touches that make it."""
    touches, ways = game.touches(seen, seat, move), game.ways(seen, seat, move) or UNSET
    return Move(move_id(move), move, say(game.label(seen, seat, move, lang)), touches, ways, final)


def table(look: Look, state: Match[Any], viewer: Viewer, lang: Lang, *, scene: bool = False) -> Table:
    """Return what is on the table once it is dealt. `TRUTH`, when the match is over, sees everything face up.

    A fork's table is there before anybody sits down. Only the match's own rules say who is ahead. `scene`: whether to
    include how it is drawn.
    """
    if not is_set_up(state):
        return Table(None, None, None, None if scene else UNSET)
    game, say = look.log.game, sayer(look, lang)
    view = game.view(state.table, viewer)
    standing = play.standing(game, state) if look.is_playable else None
    whole = scene_of(game, view, lang, is_over=state.is_over)
    return Table(view, say(explained(whole, lang)), standing, said_by(whole, say) if scene else UNSET)


def line(look: Look, lang: Lang) -> str:
    """Return what is going on at the table, as the asker may see it; "" before it is dealt."""
    if not is_set_up(look.state):
        return ""
    return drawn(look.log.game, look.state.table, look.viewer, lang, sayer(look, lang)).line


def is_kept_for(asker: Asker, entry: Entry) -> bool:
    """Return whether a free seat is kept for the asker, who has none yet."""
    kept = any(chair.is_free and chair.reserved == asker.player for chair in entry.chairs if chair.reserved)
    return kept and seat_of(entry, asker) is None


def forked(look: Look) -> Forked | None:
    """Return what the match continues; None if it is no fork."""
    if not look.state.is_fork:
        return None
    parent = forked_from(look.log.store.read(look.log.id, 1, 1))
    assert parent is not None, "it is a fork by that event"
    return Forked(parent.parent, parent.version)


def shown(look: Look, lang: Lang, moved: str | None, *, scene: bool = False) -> answers.Match:
    """Return the match as the asker may see it now, with its scene if asked. `moved`: when the last move was made."""
    game, state, opened, chairs = look.log.game, look.state, look.state.opened, look.entry.chairs
    fields = {
        **asdict(rows.summary(look.entry)),
        "status": state.status,
        "moves_made": state.moves,
        "moved": moved,
        "result": rows.result(state.points, state.ranking),
        "clock": clock_of(look),
        **asdict(table(look, state, look.viewer, lang, scene=scene)),
    }
    return answers.Match(
        **fields,
        version=state.version,
        rules=Rules(opened.version, opened.pack, opened.pack_hash),
        options=opened.options,
        playable=look.is_playable,
        to_act=matches.to_act(game, state) if look.is_playable else (),
        sealed=look.is_playable and matches.is_sealed(game, state),
        decision=look.decision,
        seat=look.seat,
        abort=Breaking([chair.seat for chair in chairs if chair.agreed]),
        deadlines=deadlines_of(look),
        pause=answers.Pausing(state.clocks.is_paused, [chair.seat for chair in chairs if chair.pausing]),
        forked=forked(look),
    )


def clock_of(look: Look) -> answers.MatchClock | None:
    """Return the clock of the match; None if it has none."""
    logged, kept = look.state.clocks.terms, asdict(look.terms or terms.GENERAL)
    if logged is None:
        return None
    full = terms.TimeControl(**asdict(logged), **{name: kept[name] for name in ("bot", "resignation", "preset")})
    banks = [format_duration(deadlines.bank(look.state.clocks, chair.seat)) for chair in look.entry.chairs]
    return answers.MatchClock(**asdict(terms.described(full)), banks=banks)


def deadlines_of(look: Look) -> list[answers.Deadline]:
    """Return the deadlines that the asker may know: under seal only their own."""
    state, game = look.state, look.log.game
    if not look.is_playable or state.clocks.terms is None or state.clocks.is_paused:
        return []
    deadlines_known = []
    for seat in matches.to_act(game, state):
        moment = moment_of(matches.due_of(game, state, seat))
        if moment and look.entry.chairs[seat].is_asked_itself:
            deadlines_known.append(answers.Deadline(seat, matches.decision_of(game, state, seat), moment))
    return deadlines_known


def drawn(game: Game[Any, Any, Any], table: Any, viewer: Viewer, lang: Lang, say: Say) -> Scene:
    """Return the table as the viewer may see it."""
    scene: Scene = game.scene(game.view(table, viewer), lang)
    return said_by(scene, say)


def resting(items: Iterable[T]) -> Iterator[T]:
    """Yield the items; after each of them others are served, since to draw a whole match takes seconds."""
    for item in items:
        yield item
        # not `from time import sleep`: gevent replaces time.sleep when it patches the module
        time.sleep(0)


Kept = Recent[tuple[str, Viewer], Match[Any]]
"""By match and viewer: what they knew after the last event whose scene they got."""


def after_each(look: Look, after: int, versions: Iterable[int], lang: Lang, kept: Kept) -> Iterator[Any]:
    """Yield the scene after each of these consecutive events, the first of which follows `after`.

    Yields None where the event left the table as it was, or there was none yet. Before the start a seat can be left,
    and sees no more than anybody. `kept` lets a reader who continues begin where they were.
    """
    log, game, wanted = look.log, look.log.game, tuple(versions)
    if not wanted:
        return
    viewer, say = look.viewer, sayer(look, lang)
    known = kept.get((log.id, viewer))
    base = known if known is not None and known.version <= after else None
    state = base if base and base.version == after else log.fold(viewer, base, after) if after else None
    shown = state.table if state and is_seen(state, viewer) else None
    for event in resting(log.events(viewer, after, len(wanted))):
        state = matches.begin(game, log.pack.pack, event) if state is None else matches.evolve(game, state, event)
        # the last state has the asker's own sealed answer added
        last = look.state if state.version == look.state.version else state
        table = last.table if is_seen(last, viewer) else None
        is_new, shown = table is not None and table is not shown, table
        if state.version == wanted[-1]:
            kept.put((log.id, viewer), state)
        yield drawn(game, table, viewer, lang, say) if is_new else None


def trial(look: Look, ids: Sequence[str], lang: Lang) -> Trial:
    """Return the moves after these moves, and how the table looks then. Raises Conflict if one can't be tried there."""
    seat, decision = look.seat, look.decision
    if seat is None or decision is None:
        return Trial(game=look.log.game.slug)
    game, say = look.log.game, sayer(look, lang)
    table = after_moves(look, ids)
    return Trial(
        decision=decision,
        game=game.slug,
        moves=[
            choice(game, table, seat, move, lang, say, then is None)
            for move, then in tried(game, table, seat, game.legal(table, seat))
        ],
        tried=tuple(ids),
        scene=drawn(game, table, seat, lang, say),
    )


def after_moves(look: Look, ids: Sequence[str]) -> Any:
    """Return the table after these moves, as far as the asker can know it. Raises Conflict."""
    game, seat, table = look.log.game, look.seat, look.state.table
    if seat is None:
        return table
    for id in ids:
        move = next((each for each in game.legal(table, seat) if move_id(each) == id), None)
        if move is None:
            raise Conflict("not-to-try", id=id)
        ((_, then),) = tried(game, table, seat, (move,))
        if then is None:
            raise Conflict("for-good", id=id)
        table = then
    return table


def why_not(look: Look, touched: str, ids: Sequence[str], lang: Lang) -> TouchRefusal | None:
    """Return the refusal of the move that was probably meant by a touch; None if none was. Raises Conflict."""
    game, seat = look.log.game, look.seat
    if seat is None or look.decision is None:
        return None
    table = after_moves(look, ids)
    legal = game.legal(table, seat)
    for move in game.meant(table, seat, touched):
        if move in legal:
            continue
        try:
            game.decide(table, seat, move, Scripted())
        except Refusal as refusal:
            sentence = sayer(look, lang)(refusals.say(game, refusal, lang))
            return TouchRefusal(refusal.code, refusal.clause, sentence)
    return None
