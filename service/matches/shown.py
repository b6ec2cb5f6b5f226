"""A match as answers show it to an asker."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain import matches
from domain.game import Game, Lang, move_id
from domain.matches import Match
from domain.telling import explained
from events.chain import Stored, readable, secrets_of
from events.codec import tell
from replays import words
from replays.files.exports import forked_from
from replays.log import Viewer
from service.matches import answers, rows, scenes, timing
from service.matches.answers import Breaking, Forked, Move, Moves, Rules, Table
from service.matches.look import Look
from service.matches.timing import Pausing
from service.store import Chair, Entry

BOT_NAMES: dict[Lang, str] = {"en": "{bot} bot", "ja": "ボット{bot}"}
DOUBLES: dict[Lang, str] = {"en": "{name} (seat {seat})", "ja": "{name}（席{seat}）"}


def text_of(look: Look, event: Stored, lang: Lang, *, is_open: bool) -> str:
    """Return the event in words, as far as its reader may know it."""
    typed = _told(look, event, is_open=is_open)
    text = words.describe(look.log.game, typed, lang)
    return text if isinstance(typed, words.UNNAMED) else words.named(text, names_of(look.entry, lang))


def described(look: Look, event: Stored, lang: Lang, *, is_open: bool) -> str:
    """Return the event in words, as far as its reader may know it, with seats by number."""
    return words.describe(look.log.game, _told(look, event, is_open=is_open), lang)


def _told(look: Look, event: Stored, *, is_open: bool) -> Any:
    """Return the event with those of its secrets that its reader may know."""
    secrets = readable(secrets_of(event), look.reader, is_open=is_open)
    return look.log.codec.read(event.type, event.schema, tell(event.public, secrets) if secrets else event.public)


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
    text = words.named(game.label(seen, seat, move, lang), names)
    return Move(move_id(move), move, text, game.touches(seen, seat, move), final)


def table(look: Look, state: Match[Any], viewer: Viewer, lang: Lang, *, scene: bool = False) -> Table:
    """Return what is on the table once it is dealt. `TRUTH`, when the match is over, sees everything face up.

    A fork's table is there before anybody sits down. Only the match's own rules say who is ahead. `scene`: whether to
    include how it is drawn.
    """
    if not scenes.is_set_up(state):
        return Table(None, None, None, None if scene else UNSET)
    game, names = look.log.game, names_of(look.entry, lang)
    view = game.view(state.table, viewer)
    standing = game.standing(state.table) if look.is_playable else None
    text = words.named(explained(game, view, lang), names)
    return Table(view, text, standing, scenes.drawn(game, state.table, viewer, lang, names) if scene else UNSET)


def line(look: Look, lang: Lang) -> str:
    """Return what is going on at the table, as the asker may see it; "" before it is dealt."""
    if not scenes.is_set_up(look.state):
        return ""
    return scenes.drawn(look.log.game, look.state.table, look.viewer, lang, names_of(look.entry, lang)).line


def forked(look: Look) -> Forked | None:
    """Return what the match continues; None if it is no fork."""
    if not look.state.is_fork:
        return None
    parent = forked_from(look.log.store.read(look.log.id, 1, 1))
    assert parent is not None, "it is a fork by that event"
    return Forked(parent.parent, parent.version)


def shown(look: Look, lang: Lang, moved: str | None, *, scene: bool = False) -> answers.Match:
    """Return the match as the asker may see it now.

    `moved`: when the last move was made. `scene`: whether to include how its table is drawn.
    """
    game, state, opened = look.log.game, look.state, look.state.opened
    fields = {
        **asdict(rows.summary(look.entry)),
        "status": state.status,
        "moves_made": state.moves,
        "moved": moved,
        "result": rows.result(state.points, state.ranking),
        "clock": timing.clock(look),
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
        deadlines=timing.deadlines_of(look),
        pause=Pausing(look.state.clocks.is_paused, look.pausing),
        forked=forked(look),
    )
