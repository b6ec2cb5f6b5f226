"""A match as answers show it to an asker: its table, scenes and events, its moves, and moves that are tried out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain import matches, play, refusals
from domain.chance import Scripted
from domain.game import Game, Lang, Refusal, move_id
from domain.matches import Match, Status
from domain.scene import Scene, said_by
from domain.telling import explained
from domain.texts import named
from domain.trying import tried
from events import chain
from events.chain import Shown, Stored
from replays import words
from replays.files.exports import forked_from
from replays.log import TRUTH, Viewer
from service.matches import answers, rows, terms
from service.matches.answers import Breaking, Forked, Move, Moves, Rules, Table, TouchRefusal, Trial
from service.matches.states import Look, Recent
from service.matches.terms import Pausing
from service.problems import Conflict
from service.store import Chair, Entry

BOT_NAMES: dict[Lang, str] = {"en": "{bot} bot", "ja": "ボット{bot}"}
DOUBLES: dict[Lang, str] = {"en": "{name} (seat {seat})", "ja": "{name}（席{seat}）"}


def texts_of(look: Look, events: Iterable[Shown], lang: Lang) -> list[str]:
    """Return the events in words, with what their reader may know."""
    typed = look.log.codec.read_all(events)
    names = names_of(look.entry, lang)
    return words.describe_all(look.log.game, typed, lang, names)


def text_of(look: Look, event: Stored, lang: Lang, *, is_open: bool, is_named: bool = True) -> str:
    """Return the event in words, as far as its reader may know it. `is_named`: with names, else with seats' numbers."""
    shown = chain.show(event, look.reader, look.log.secret, is_open=is_open)
    names = names_of(look.entry, lang) if is_named else ()
    return words.describe_all(look.log.game, look.log.codec.read_all([shown]), lang, names)[0]


def names_of(entry: Entry, lang: Lang) -> tuple[str, ...]:
    """Return the seats' names, those of players and bots; where two are the same, with their numbers."""
    return _names(entry.chairs, lang)


@lru_cache(maxsize=2048)
def _names(chairs: tuple[Chair, ...], lang: Lang) -> tuple[str, ...]:
    names = [
        chair.player_name or (BOT_NAMES[lang].format(bot=chair.bot) if chair.bot is not None else "")
        for chair in chairs
    ]
    return tuple(
        DOUBLES[lang].format(name=name, seat=seat) if name and names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def moves(look: Look, lang: Lang) -> Moves:
    """Return the asker's open decision and its moves, each with what it is in this position."""
    game, decision, seat = look.log.game, look.decision, look.seat
    if decision is None or seat is None:
        return Moves(game=game.slug)
    seen, names = look.state.table, names_of(look.entry, lang)
    moves = [choice(game, seen, seat, move, lang, names) for move in game.legal(seen, seat)]
    return Moves(decision=decision, game=game.slug, moves=moves)


def choice(
    game: Game[Any, Any, Any],
    seen: Any,
    seat: int,
    move: Any,
    lang: Lang,
    names: tuple[str, ...],
    final: bool | UnsetType = UNSET,
) -> Move:
    """Return a legal move: what it is in this position, and the touches that make it."""
    text = named(game.label(seen, seat, move, lang), names)
    return Move(move_id(move), move, text, game.touches(seen, seat, move), final)


def table(look: Look, state: Match[Any], viewer: Viewer, lang: Lang, *, scene: bool = False) -> Table:
    """Return what is on the table once it is dealt. `TRUTH`, when the match is over, sees everything face up.

    A fork's table is there before anybody sits down. Only the match's own rules say who is ahead. `scene`: whether to
    include how it is drawn.
    """
    if not is_set_up(state):
        return Table(None, None, None, None if scene else UNSET)
    game, names = look.log.game, names_of(look.entry, lang)
    view = game.view(state.table, viewer)
    standing = play.standing(game, state) if look.is_playable else None
    whole: Scene = game.scene(view, lang)
    text = named(explained(whole, lang), names)
    return Table(view, text, standing, said_by(whole, partial(named, names=names)) if scene else UNSET)


def line(look: Look, lang: Lang) -> str:
    """Return what is going on at the table, as the asker may see it; "" before it is dealt."""
    if not is_set_up(look.state):
        return ""
    return drawn(look.log.game, look.state.table, look.viewer, lang, names_of(look.entry, lang)).line


def forked(look: Look) -> Forked | None:
    """Return what the match continues; None if it is no fork."""
    if not look.state.is_fork:
        return None
    parent = forked_from(look.log.store.read(look.log.id, 1, 1))
    assert parent is not None, "it is a fork by that event"
    return Forked(parent.parent, parent.version)


def shown(look: Look, lang: Lang, moved: str | None, *, scene: bool = False) -> answers.Match:
    """Return the match as the asker may see it now, with its scene if asked. `moved`: when the last move was made."""
    game, state, opened = look.log.game, look.state, look.state.opened
    fields = {
        **asdict(rows.summary(look.entry)),
        "status": state.status,
        "moves_made": state.moves,
        "moved": moved,
        "result": rows.result(state.points, state.ranking),
        "clock": terms.clock(look),
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
        abort=Breaking(look.agreed),
        deadlines=terms.deadlines_of(look),
        pause=Pausing(look.state.clocks.is_paused, look.pausing),
        forked=forked(look),
    )


def is_set_up(state: Match[Any]) -> bool:
    """Return whether there is a table to see; a fork has one before anybody sits down."""
    return state.is_fork or (state.status != Status.OPEN and all(state.taken))


def drawn(game: Game[Any, Any, Any], table: Any, viewer: Viewer, lang: Lang, names: tuple[str, ...]) -> Scene:
    """Return the table as the viewer may see it, with these names of seats."""
    scene: Scene = game.scene(game.view(table, viewer), lang)
    return said_by(scene, partial(named, names=names))


Kept = Recent[tuple[str, Viewer], Match[Any]]
"""By match and viewer: what they knew after the last event whose scene they got."""


def after_each(
    look: Look, after: int, versions: Iterable[int], lang: Lang, names: tuple[str, ...], kept: Kept
) -> Iterator[Any]:
    """Yield the scene after each of these consecutive events, the first of which follows `after`.

    Yields None where the event left the table as it was, or there was none yet. Before the start a seat can be left,
    and sees no more than anybody. `kept` lets a reader who continues begin where they were.
    """
    log, game, wanted = look.log, look.log.game, tuple(versions)
    if not wanted:
        return
    viewer = look.viewer
    known = kept.get((log.id, viewer))
    base = known if known is not None and known.version <= after else None
    state = base if base and base.version == after else log.fold(viewer, base, after) if after else None
    shown = _seen(state, viewer) if state else None
    for event in log.events(viewer, after, len(wanted)):
        state = matches.begin(game, log.pack.pack, event) if state is None else matches.evolve(game, state, event)
        # the last state has the asker's own sealed answer added
        table = _seen(look.state if state.version == look.state.version else state, viewer)
        is_new, shown = table is not None and table is not shown, table
        if state.version == wanted[-1]:
            kept.put((log.id, viewer), state)
        yield drawn(game, table, viewer, lang, names) if is_new else None


def _seen(state: Match[Any], viewer: Viewer) -> Any:
    """Return the table if it can be seen, else None."""
    may_see = is_set_up(state) and (state.status != Status.OPEN or viewer == TRUTH)
    return state.table if may_see else None


def trial(look: Look, ids: Sequence[str], lang: Lang) -> Trial:
    """Return the moves after these moves, and how the table looks then. Raises Conflict if one can't be tried there."""
    seat, decision = look.seat, look.decision
    if seat is None or decision is None:
        return Trial(game=look.log.game.slug)
    game, names = look.log.game, names_of(look.entry, lang)
    table = after_moves(look, ids)
    return Trial(
        decision=decision,
        game=game.slug,
        moves=[
            choice(game, table, seat, move, lang, names, then is None)
            for move, then in tried(game, table, seat, game.legal(table, seat))
        ],
        tried=tuple(ids),
        scene=drawn(game, table, seat, lang, names),
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
            sentence = named(refusals.say(game, refusal, lang), names_of(look.entry, lang))
            return TouchRefusal(refusal.code, refusal.clause, sentence)
    return None
