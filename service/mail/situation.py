"""The state of a match as a seat sees it when a mail is written: what the service would answer its player, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from domain import matches
from domain.game import Lang
from domain.matches import Cause
from domain.scene import Scene, Tone
from events.chain import Stored
from events.store import Reader
from replays.log import TRUTH
from replays.words import CAUSES
from service.accounts import PLAY, READ, Asker
from service.mail.sheet import StandingLine
from service.mail.words import COMMA, word
from service.matches import Look, Views, shown
from service.store import Wishes

BACK = 400
"""The most events that are searched for the reader's last move."""

TOLD = 40
"""The most events since that move whose texts are in the mail."""

MOVED = "match/MoveMade"


MOMENT = re.compile(r"\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b", re.ASCII)
"""A moment in the texts of events (`replays.words.moment`)."""


class _Made(msgspec.Struct):
    seat: int
    cause: str


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A match, as one of its players may see it."""

    match: str
    game: str
    """The title of the game."""
    seat: int | None
    names: tuple[str, ...]
    status: str
    decision: int | None
    is_sealed: bool
    moves: tuple[tuple[str, str], ...]
    """The ids and texts of the legal moves."""
    text: str
    """The table in words."""
    scene: Scene | None
    """The table as it is drawn."""
    tones: tuple[Tone, ...]
    """The game's colours."""
    standing: tuple[StandingLine, ...]
    since: tuple[str, ...]
    """The texts of the last events since the seat's last move."""
    earlier: int
    """How many events since that move have no text in `since`."""
    version: int
    hash: str
    """The log's head, in hexadecimal."""

    @property
    def me(self) -> str:
        """The name of the reader's seat."""
        return "" if self.seat is None else self.names[self.seat]

    def others(self, lang: Lang) -> str:
        """Return the names of the other seats."""
        return COMMA[lang].join(name for seat, name in enumerate(self.names) if seat != self.seat)


def asker_of(player: str) -> Asker:
    """Return the player as an asker who may read and play, and nothing else."""
    return Asker(player=player, scopes=frozenset({READ, PLAY}), site="")


def see(store: Reader, views: Views, match: str, wishes: Wishes) -> Situation:
    """Return what a player sees of the match, in the player's language and time zone.

    Raises:  Unknown; OtherRules, Unreadable.
    """
    look, lang = views.look(match, asker_of(wishes.player)), wishes.lang
    asked = shown.moves(look, lang) if look.is_playable else None
    table = shown.table(look, look.state, look.viewer, lang, scene=True)
    names = tuple(name or word("seat", lang, seat=seat) for seat, name in enumerate(shown.names_of(look.entry, lang)))
    tail = _tail(store, look)
    begin = _after_own(tail, look.seat)
    recent = tail[begin:][-TOLD:]
    return Situation(
        match=match,
        game=look.log.game.title[lang],
        seat=look.seat,
        names=names,
        status=str(look.state.status),
        decision=asked.decision if asked else None,
        is_sealed=look.is_playable and matches.is_sealed(look.log.game, look.state),
        moves=tuple((move.id, move.text) for move in asked.moves) if asked else (),
        text=table.text or "",
        scene=table.scene or None,
        tones=look.log.game.palette,
        standing=_standing(table.standing, names, look.seat),
        since=tuple(by_clocks_of(line, wishes.zone) for line in happened(look, recent, lang)),
        earlier=len(tail) - begin - len(recent),
        version=look.state.version,
        hash=tail[-1].hash.hex(),
    )


def _tail(store: Reader, look: Look) -> tuple[Stored, ...]:
    """Return the last events of the log, up to the version that the reader sees."""
    end = look.state.version
    return tuple(event for event in store.read(look.log.id, max(0, end - BACK), BACK) if event.version <= end)


def _after_own(tail: tuple[Stored, ...], seat: int | None) -> int:
    """Return the index of the seat's last move that was not forced; 0 if there is none."""
    for number, event in reversed([*enumerate(tail)]):
        if event.type == MOVED:
            made = msgspec.json.decode(event.public, type=_Made)
            if made.seat == seat and made.cause != Cause.FORCED:
                return number
    return 0


def happened(look: Look, events: Sequence[Stored], lang: Lang) -> Iterator[str]:
    """Return the texts of the events, each move once: the event MoveMade is left out if the game's own event after it
    is a sentence about the mover.
    """
    is_open = look.viewer == TRUTH
    by_clock = ""
    for event, following in zip_longest(events, events[1:]):
        if event.type == MOVED and following is not None and following.move == event.move:
            made = msgspec.json.decode(event.public, type=_Made)
            text = shown.described(look, following, "en", is_open=is_open)
            if text.startswith((f"Seat {made.seat} ", f"Seat {made.seat}'s ")):
                by_clock = CAUSES[lang][Cause(made.cause)] if made.cause == Cause.CLOCK else ""
                continue
        yield shown.text_of(look, event, lang, is_open=is_open) + by_clock
        by_clock = ""


def _standing(found: Any, names: tuple[str, ...], seat: int | None) -> tuple[StandingLine, ...]:
    if found is None:
        return ()
    rows = [
        StandingLine(name, points, place, number == seat)
        for number, (name, points, place) in enumerate(zip(names, found.points, found.ranking, strict=True))
    ]
    return tuple(rows)


def by_clocks_of(text: str, zone: str) -> str:
    """Return the text with its moments, which are in UTC, in the time of the zone."""
    return MOMENT.sub(lambda found: moment(f"{found[1]}T{found[2]}Z", zone), text)


def moment(at: str, zone: str) -> str:
    """Return the moment in the time of a zone."""
    return f"{datetime.fromisoformat(at).astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})"
