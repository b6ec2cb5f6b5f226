"""One match's log read back: which rules it is played by, and what anyone knows of it at any moment.

This is where the two halves meet that don't know each other: the log of `events` and the rules of `domain`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any, ClassVar, Literal, Protocol, get_args

import msgspec

from domain import matches, orders, secrecy
from domain.catalogue import Catalogue, PackFile
from domain.game import ALL, Game, Lang
from domain.matches import Match, Status
from domain.play import Told
from events import canonical, chain
from events.chain import Head
from events.codec import Codec, Unreadable
from events.envelope import Secret, Stored
from events.store import Brief, Fact

TRUTH = ALL
"""The viewer that is told everything: the service that judges, and everybody once the match is over."""

Viewer = int | None
"""A seat; None is somebody without a seat; or `TRUTH`."""


class Streams(Protocol):
    """The part of a `Recorder` that a log is read from; an export has it too."""

    def read(self, stream: str, after: int = 0, limit: int | None = None) -> tuple[Stored, ...]:
        """See `Recorder.read`."""
        ...

    def facts(self, stream: str, after: int = 0) -> Iterable[Fact]:
        """See `Recorder.facts`."""
        ...

    def briefs(self, stream: str, after: int = 0) -> list[Brief]:
        """See `Recorder.briefs`."""
        ...

    def head(self, stream: str) -> Head:
        """See `Recorder.head`."""
        ...

    def private_streams(self, match: str) -> tuple[str, ...]:
        """See `Recorder.private_streams`."""
        ...

    def private_ends(self, match: str) -> tuple[Stored, ...]:
        """See `Recorder.private_ends`."""
        ...

    def proof(self, match: str) -> bytes | None:
        """See `Recorder.proof`."""
        ...


FOREIGN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What the rules may raise over events that they have not told."""


class UnknownMatch(LookupError):
    """No log of that id."""


class OtherRules(LookupError):
    """The log's game or pack is not at hand: it can't be folded. Or its game's version is not: it can't be played on,
    nor judged.
    """

    TEXTS: ClassVar[dict[Lang, dict[str, str]]] = {
        "en": {
            "game": "{match} is a match of {game}, version {version}, not at hand here.",
            "pack": "{match} is played with the pack {pack}, {pack_hash}, not at hand here.",
            "version": "{match} is played by version {version} of {game}; at hand here: {own}."
            " It can be read and replayed, but not played on.",
        },
        "ja": {
            "game": "{match}は{game}のバージョン{version}のマッチですが、そのゲームはここにありません。",
            "pack": "{match}はパック{pack}（{pack_hash}）で遊ばれていますが、そのパックはここにありません。",
            "version": "{match}は{game}のバージョン{version}で遊ばれていますが、ここにあるのはバージョン{own}です。"
            "見たり再生したりはできますが、続きは遊べません。",
        },
    }

    def __init__(self, what: Literal["game", "pack", "version"], **fields: str | int) -> None:
        """`what` is not at hand."""
        super().__init__(self.TEXTS["en"][what].format(**fields))
        self.what = what
        self.fields = fields

    @classmethod
    def of_version(cls, match_id: str, version: int, game: Game[Any, Any, Any]) -> OtherRules:
        """The error that the match's version of the game's rules is not at hand."""
        own = ", ".join(map(str, game.versions))
        return cls("version", match=match_id, game=game.slug, version=version, own=own)

    def say(self, lang: Lang) -> str:
        """What is not at hand, as one sentence."""
        return self.TEXTS[lang][self.what].format(**self.fields)


def classes(union: Any) -> tuple[type[Any], ...]:
    """The classes of a closed union, which may be a single one."""
    return get_args(union) or (union,)


@cache
def codec_of(game: Game[Any, Any, Any]) -> Codec:
    """The codec of a game's events and of the match around it."""
    own: dict[str, tuple[type[Any], Any]] = {f"{game.slug}/{cls.__name__}": (cls, cls) for cls in classes(game.Event)}
    generic = {matches.MoveMade: game.Move, matches.AnswerSealed: game.Move, matches.AnswersClosed: game.Move}
    generic[matches.Opened] = game.Options
    for cls in matches.EVENTS:
        own[f"match/{cls.__name__}"] = (cls, cls[generic[cls]] if cls in generic else cls)  # type: ignore[index]
    return Codec(
        own, split=secrecy.secrets, conceal=lambda event: secrecy.redact(event, None), upcasters=dict(game.upcasters)
    )


def seal(
    codec: Codec, head: chain.Head, stream: str, told: Iterable[Told], at: str, secret: bytes
) -> tuple[Stored, ...]:
    """Events that the rules told, in their places after the head of the stream."""
    drafts = tuple(codec.encode(one.event, one.actor, one.move) for one in told)
    return chain.seal(head, stream, drafts, at, secret)


def private_stream(match_id: str, seat: int) -> str:
    """The id of a seat's private log."""
    return f"{match_id}/seat:{seat}"


def seat_of(stream: str) -> int:
    """Whose private log it is."""
    return int(stream.rpartition(":")[2])


class _Heading(msgspec.Struct, frozen=True):
    """What says whose rules read the rest of the log."""

    game: str
    version: int
    pack: str
    pack_hash: str
    seats: int


_opening = msgspec.json.Decoder(_Heading)
_secrets = msgspec.json.Decoder(dict[str, Secret])


def rules_of(match_id: str, public: bytes, catalogue: Catalogue) -> tuple[_Heading, Game[Any, Any, Any], PackFile]:
    """What the opening event's public part says, and the rules and the pack that it names.

    Shape:   the game of the match's own version of the rules; where that is not at hand the newest, which only reads.
    Raises:  OtherRules, Unreadable.
    """
    try:
        opening = _opening.decode(public)
    except msgspec.DecodeError as error:
        raise Unreadable(f"The opening event of {match_id}: {error}") from error
    room = catalogue.rooms.get(opening.game)
    if room is None:
        raise OtherRules("game", match=match_id, game=opening.game, version=opening.version)
    pack = room.pack_of(opening.pack_hash)
    if pack is None:
        raise OtherRules("pack", match=match_id, pack=opening.pack, pack_hash=opening.pack_hash)
    return opening, room.game.by(opening.version) or room.game, msgspec.structs.replace(pack, name=opening.pack)


def secret_of(first: Stored) -> bytes | None:
    """The match's secret, by its opening event; None where that does not tell it.

    Raises:  NotCanonical, msgspec.DecodeError for one that is none.
    """
    hidden = _secrets.decode(first.secret).get("secret")
    return None if hidden is None else canonical.raw(msgspec.json.decode(bytes(hidden.value), type=str), 32)


def _is_text(said: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in said)


class Log:
    """A match's log, with the rules that read it."""

    def __init__(self, store: Streams, match_id: str, catalogue: Catalogue) -> None:
        """Raises UnknownMatch, OtherRules, Unreadable."""
        self.store = store
        self.id = match_id
        self.catalogue = catalogue
        # what is typed may be bytes of no text, which no store can be asked for
        first = store.read(match_id, 0, 1) if _is_text(match_id) else ()
        if not first or first[0].type != matches.OPENED:
            raise UnknownMatch(f"There is no match {match_id}.")
        self.opening, self.game, self.pack = rules_of(match_id, first[0].public, catalogue)
        self.codec = codec_of(self.game)
        self._secret = secret_of(first[0])

    @property
    def secret(self) -> bytes:
        """The match's secret. Raises LookupError where the log is not the whole one, but a running match's export."""
        if self._secret is None:
            raise LookupError(f"The secret of {self.id} is not known here.")
        return self._secret

    @property
    def has_own_rules(self) -> bool:
        """Whether the rules at hand are those that the match is played by: else it can be read, but not played on."""
        return self.opening.version == self.game.version

    def need_own_rules(self) -> None:
        """Raises OtherRules."""
        if not self.has_own_rules:
            raise OtherRules.of_version(self.id, self.opening.version, self.game)

    @property
    def is_open(self) -> bool:
        """Whether the match waits for its start, so that its seats can be left, and are told no more than anybody."""
        return matches.status_of([event.type for event in self.store.read(self.id)]) is Status.OPEN

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, so that all of its log is open."""
        last = self.store.read(self.id, self.store.head(self.id).version - 1)
        return last[0].type in matches.LAST

    def events(self, viewer: Viewer, after: int = 0, limit: int | None = None) -> list[Any]:
        """The typed events after a version, as the viewer was told them; `limit`: only so many."""
        if viewer is None:
            facts = islice(self.store.facts(self.id, after), limit)
            return self.codec.decode_all([(name, schema, public, b"{}") for name, schema, public, _ in facts])
        briefs = self.store.briefs(self.id, after)
        return self.codec.decode_briefs(briefs[:limit], None if viewer == TRUTH else viewer)

    def fold(self, viewer: Viewer, base: Match[Any] | None = None, at: int | None = None) -> Match[Any]:
        """What the viewer knows, on from `base` (their own fold up to then), up to version `at`.

        Private logs are not on top of it: see `on_top`.
        """
        after = base.version if base else 0
        events = self.events(viewer, after, None if at is None else at - after)
        if base is None:
            base = matches.begin(self.game, self.pack.pack, events.pop(0))
        return matches.fold(self.game, base, events)

    def on_top(self, state: Match[Any], viewer: Viewer) -> Match[Any]:
        """The state with the sealed answers on top that the viewer knows: their own, or for the truth all."""
        if viewer is None or not matches.is_sealed(self.game, state):
            return state
        return self.answered(state, self.private_ends(viewer))

    def private_ends(self, viewer: Viewer) -> tuple[Stored, ...]:
        """The last events of the private logs that the viewer may read: their own, or for the truth all."""
        if viewer == TRUTH:
            return self.store.private_ends(self.id)
        own = private_stream(self.id, viewer) if viewer is not None else ""
        return tuple(one for one in self.store.private_ends(self.id) if one.stream == own)

    def answered(self, state: Match[Any], ends: Iterable[Stored]) -> Match[Any]:
        """The state with the answers on top that these private logs hold; `ends`: the last event of each."""
        for end in ends:
            seat = seat_of(end.stream)
            for stored in self._last_answer(end):
                event = self.codec.decode(stored.type, stored.schema, stored.public, stored.secret)
                if stored.type == matches.SEALED:
                    state = matches.answered(self.game, state, seat, event, stored.hash.hex())
                else:
                    state = matches.timed(self.game, state, seat, event)
        return state

    def answers(self, seat: int) -> tuple[Stored, ...]:
        """The answers in a seat's private log, without what else stands there."""
        return tuple(one for one in self.store.read(private_stream(self.id, seat)) if one.type == matches.SEALED)

    def is_rung(self, stored: Stored) -> bool:
        """Whether it is what the clock says under seal, in words that are known here."""
        return stored.type == matches.RUNG and self.codec.is_current(stored.type, stored.schema)

    def ordered(self, seat: int) -> tuple[Stored, ...]:
        """The standing orders in a seat's private log, given and withdrawn, in words that are known here."""
        return tuple(
            one
            for one in self.store.read(private_stream(self.id, seat))
            if one.type in matches.ORDERS and self.codec.is_current(one.type, one.schema)
        )

    def standing(self, seat: int) -> tuple[orders.Standing, int]:
        """The orders of the seat that stand, and how many it has given."""
        standing: orders.Standing = {}
        given = 0
        for stored in self.ordered(seat):
            event = self.codec.decode(stored.type, stored.schema, stored.public, stored.secret)
            standing = orders.evolve(standing, event)
            given += stored.type == matches.ORDERED
        return standing, given

    def _last_answer(self, last: Stored) -> tuple[Stored, ...]:
        """The last answer of a private log, which is its last event or not far from it; and the rungs since."""
        if last.type == matches.SEALED:
            return (last,)
        end, few = last.version, 8
        found: list[Stored] = []
        while end:
            start = max(0, end - few)
            for stored in reversed(self.store.read(last.stream, start, end - start)):
                if stored.type == matches.SEALED:
                    return (stored, *reversed(found))
                if self.is_rung(stored):
                    found.append(stored)
            end, few = start, 8 * few
        return tuple(reversed(found))
