"""The state of a match as a seat sees it when a mail is written, and the signed addresses by which it is answered.

The addresses and links of mails contain small signed texts, the tokens. The service does not store them. The part of an
address before the @ has at most 64 characters, and some servers fold its case, so the tokens of addresses are a packed
value and the start of its signature in lower-case base32. The token of a link is the signer's text.
"""

from __future__ import annotations

import re
import struct
from base64 import b32decode, b32encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from hashlib import sha256
from hmac import compare_digest
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from domain import matches
from domain.game import Lang
from domain.matches import Cause
from domain.scene import Scene, Tone
from events import chain
from events.chain import Stored
from events.store import Reader
from replays.log import TRUTH
from replays.words import CAUSES, is_told
from service.accounts import PLAY, READ, Asker
from service.mail.paper import StandingLine
from service.mail.words import word
from service.matches import Look, Views, shown
from service.signing import NotOurs, Signer
from service.store import PUBLIC, Delivery, Wishes, deliveries
from service.wording import COMMA

REPLY, PROPOSAL, BOUNCE, UNSUBSCRIBE = "mail reply", "mail proposal", "mail bounce", "mail unsubscribe"
PLAY_TO, BOUNCE_TO = "play+", "bounce+"

SIGNED = 14
"""Bytes of the signature: 112 bits."""

_ID, _KEY = 10, 12
"""Bytes of an id, as `events.chain.fresh_id` draws them, and of the key of a notice."""

INVITED = 0
"""It stands in place of a decision, which is a version of the log, if an invitation is answered."""

_SHAPE = struct.Struct(f">{_ID}sBI4s")


class Reply(msgspec.Struct, frozen=True):
    """The content of a reply address. The player is part of its signature only, and not of its content."""

    match: str
    seat: int
    decision: int
    moves: bytes
    """The digest of the moves that were numbered: see `moves_digest`."""


class MailTokens:
    """Makes and reads tokens."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def reply(self, player: str, match: str, seat: int, decision: int, moves: list[str]) -> str | None:
        """Return the token of the address that answers the decision; None if the match's id is not of our form."""
        try:
            packed = _SHAPE.pack(_unname("m_", match), seat, decision, moves_digest(moves))
        except (ValueError, struct.error):
            return None
        return _text(packed + self._signature(REPLY, packed, player))

    def read_reply(self, text: str, whose: Callable[[Reply], Iterable[str]]) -> tuple[Reply, str]:
        """Return a token's content, and the player. `whose` returns the players who may answer it. Raises NotOurs."""
        packed, signature = _split(text, _SHAPE.size)
        match, seat, decision, moves = _SHAPE.unpack(packed)
        reply = Reply(f"m_{_text(match)}", seat, decision, moves)
        for player in whose(reply):
            if compare_digest(signature, self._signature(REPLY, packed, player)):
                return reply, player
        raise NotOurs(REPLY)

    def proposal(self, notice: Delivery) -> str | None:
        """Return the token of the address that answers a proposal, by what names its notice; None as `bounce`."""
        player, _, key = notice.id.removeprefix(f"{deliveries.MAIL}:").rpartition("_")
        try:
            packed = _unname("p_", player) + bytes.fromhex(key)
        except ValueError:
            return None
        return _text(packed + self._signature(PROPOSAL, packed, ""))

    def read_proposal(self, text: str) -> str:
        """Return the id of the notice that a token names. Raises NotOurs."""
        packed, signature = _split(text, _ID + _KEY)
        if not compare_digest(signature, self._signature(PROPOSAL, packed, "")):
            raise NotOurs(PROPOSAL)
        return f"{deliveries.MAIL}:p_{_text(packed[:_ID])}_{packed[_ID:].hex()}"

    def bounce(self, player: str, address: str) -> str | None:
        """Return the token of the address to which undelivered mail comes back; None if the id is not of our form."""
        try:
            packed = _unname("p_", player) + _mark(address)
        except ValueError:
            return None
        return _text(packed + self._signature(BOUNCE, packed, ""))

    def read_bounce(self, text: str) -> tuple[str, Callable[[str], bool]]:
        """Return the player, and a function that returns whether the mail was sent to an address. Raises NotOurs."""
        packed, signature = _split(text, _ID + 5)
        if not compare_digest(signature, self._signature(BOUNCE, packed, "")):
            raise NotOurs(BOUNCE)
        return f"p_{_text(packed[:_ID])}", lambda address: _mark(address) == packed[_ID:]

    def unsubscribe(self, player: str, match: str = "") -> str:
        """Return the token of the link that ends the mails of a match, or all mails if it is ""."""
        return self._signer.sign(UNSUBSCRIBE, [player, match])

    def read_unsubscribe(self, text: str) -> tuple[str, str]:
        """Return the player and the match of a token that ends mails about a match. Raises NotOurs."""
        player, match = self._signer.read(UNSUBSCRIBE, text)
        return player, match

    def name(self, *parts: Any) -> str:
        """Return a mail's name: the same for the same parts each time, and nobody can find the parts from it."""
        return sha256(self._signer.sign("mail name", list(parts)).encode()).hexdigest()[:32]

    def _signature(self, purpose: str, packed: bytes, player: str) -> bytes:
        return sha256(self._signer.sign(purpose, [packed.hex(), player]).encode()).digest()[:SIGNED]


def moves_digest(moves: list[str]) -> bytes:
    """Return a digest of a list of moves: a number means the same move only in the same list."""
    return sha256("\n".join(moves).encode()).digest()[:4]


def _mark(address: str) -> bytes:
    return sha256(address.lower().encode()).digest()[:5]


def _unname(kind: str, id: str) -> bytes:
    """Return the random bytes of an id. Raises ValueError."""
    drawn = b32decode(id.removeprefix(kind).upper())
    if kind + _text(drawn) != id or len(drawn) != _ID:
        raise ValueError(id)
    return drawn


def _text(packed: bytes) -> str:
    return b32encode(packed).decode().lower().rstrip("=")


def _split(text: str, size: int) -> tuple[bytes, bytes]:
    """Return the packed value and the signature of a token. Raises NotOurs."""
    folded = text.upper()
    try:
        raw = b32decode(folded + "=" * (-len(folded) % 8))
    except ValueError as error:
        raise NotOurs(REPLY) from error
    if len(raw) != size + SIGNED or _text(raw) != text.lower():
        raise NotOurs(REPLY)
    return raw[:size], raw[size:]


BACK = 400
"""The most events that are searched for the reader's last move."""

TOLD = 40
"""The most events since that move whose texts are in the mail."""

MOVED = "match/MoveMade"


NO_ZONE = (ZoneInfoNotFoundError, ValueError, OSError)
"""What may be raised over the name of a zone."""

MOMENT = re.compile(r"\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b", re.ASCII)
"""A moment in the texts of events (`replays.words.moment`), which is told in the reader's time zone."""


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
    is_public: bool
    """Whether everybody may see the match."""
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
    conceded: str
    """The name of the seat that gave the match up; "" if none did."""
    since: tuple[str, ...]
    """The texts of the last events since the seat's last move."""
    earlier: int
    """How many events since that move have no text in `since`."""
    is_from_begin: bool
    """Whether the seat has made no move yet: then the events are all of the match."""
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
    """Return what a player sees of the match, in their language and zone. Raises Unknown; OtherRules, Unreadable."""
    look, lang = views.look(match, asker_of(wishes.player)), wishes.lang
    asked = shown.moves(look, lang) if look.is_playable else None
    table = shown.table(look, look.state, look.viewer, lang, scene=True)
    names = tuple(name or word("seat", lang, seat=seat) for seat, name in enumerate(shown.names_of(look.entry, lang)))
    standing = table.standing
    rows = zip(names, standing.points, standing.ranking, strict=True) if standing else ()
    end = look.state.version
    tail = tuple(event for event in store.read(look.log.id, max(0, end - BACK), BACK) if event.version <= end)
    begin = _after_own(tail, look.seat)
    recent = tail[begin:][-TOLD:]
    return Situation(
        match=match,
        game=look.log.game.title[lang],
        seat=look.seat,
        names=names,
        is_public=look.entry.visibility == PUBLIC,
        status=str(look.state.status),
        decision=asked.decision if asked else None,
        is_sealed=look.is_playable and matches.is_sealed(look.log.game, look.state),
        moves=tuple((move.id, move.text) for move in asked.moves) if asked else (),
        text=table.text or "",
        scene=table.scene or None,
        tones=look.log.game.palette,
        standing=tuple(StandingLine(*row, number == look.seat) for number, row in enumerate(rows)),
        conceded="" if look.state.conceded is None else names[look.state.conceded],
        since=tuple(
            MOMENT.sub(lambda match: moment(f"{match[1]}T{match[2]}Z", wishes.zone), line)
            for line in happened(look, recent, lang)
        ),
        earlier=len(tail) - begin - len(recent),
        is_from_begin=tail[begin].version == 1,
        version=look.state.version,
        hash=tail[-1].hash.hex(),
    )


def _after_own(tail: tuple[Stored, ...], seat: int | None) -> int:
    """Return the index of the seat's last move that was not forced; 0 if there is none."""
    for number, event in reversed([*enumerate(tail)]):
        if event.type == MOVED:
            made = msgspec.json.decode(event.public, type=_Made)
            if made.seat == seat and made.cause != Cause.FORCED:
                return number
    return 0


def happened(look: Look, events: Sequence[Stored], lang: Lang) -> Iterator[str]:
    """Return the texts of the events, each move once: by the game's own event, if that tells of the mover."""
    is_open = look.viewer == TRUTH
    known = [chain.show(event, look.reader, look.log.secret, is_open=is_open) for event in events]
    typed = [*look.log.codec.read_all(known), None]
    by_clock = ""
    for (text, _), event, following in zip(shown.told(look, known, lang), typed, typed[1:], strict=False):
        if isinstance(event, matches.MoveMade) and is_told(look.log.game, event, following):
            by_clock = CAUSES[lang][event.cause] if event.cause is Cause.CLOCK else ""
            continue
        yield text + by_clock
        by_clock = ""


def moment(at: str, zone: str) -> str:
    """Return the moment in the time of a zone."""
    known = zone_of(zone)
    return f"{datetime.fromisoformat(at).astimezone(known):%Y-%m-%d %H:%M} ({known})"


def zone_of(name: str) -> tzinfo:
    """Return the zone of that name; UTC if this machine does not know it, though another one did."""
    try:
        return ZoneInfo(name)
    except NO_ZONE:
        return UTC
