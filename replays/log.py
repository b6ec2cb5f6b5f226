"""One match's log read back: the rules by which it is played, and what any viewer knows of it at any moment.

Here the log of `events` and the rules of `domain`, which do not know each other, come together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from domain import matches, orders, secrecy, texts
from domain.catalogue import Catalogue, PackFile
from domain.game import ALL, Game, Lang, classes
from domain.happenings import PremoveGiven
from domain.matches import Cause, Match, MoveMade, Status
from domain.play import Told
from events import chain
from events.chain import Stored, is_match_id, secrets_of
from events.codec import Codec, Unreadable
from events.store import Streams

TRUTH = ALL
"""The viewer who may see everything: the service that judges, and everybody once the match is over."""

Viewer = int | None
"""A seat; None for a viewer without a seat; or `TRUTH`."""


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
"""What may be raised over events that the rules at hand did not make, also if these can't be read or found here."""


class UnknownMatch(LookupError):
    """There is no log with that id."""


class OtherRules(LookupError):
    """The log's game or pack is not available: it can't be folded. Or its version is not: it can't be played on."""

    TEXTS: ClassVar[texts.Texts] = texts.read("replays", "other_rules")

    def __init__(self, what: Literal["game", "pack", "version"], **fields: str | int) -> None:
        """Make the error. `what` is not available."""
        super().__init__(self.TEXTS["en"][what].format(**fields))
        self.what = what
        self.fields = fields

    @classmethod
    def of_version(cls, match_id: str, version: int, game: Game[Any, Any, Any]) -> OtherRules:
        """Return the error that the match's version of the game's rules is not available."""
        own = ", ".join(map(str, game.versions))
        return cls("version", match=match_id, game=game.slug, version=version, own=own)

    def say(self, lang: Lang) -> str:
        """Return the error as a sentence."""
        return self.TEXTS[lang][self.what].format(**self.fields)


@cache
def codec_of(game: Game[Any, Any, Any]) -> Codec:
    """Return the codec of a game's events and of the match around it."""
    own: dict[str, tuple[type[Any], Any]] = {f"{game.slug}/{cls.__name__}": (cls, cls) for cls in classes(game.Event)}
    generic = {matches.MoveMade: game.Move, matches.AnswerSealed: game.Move, matches.AnswersClosed: game.Move}
    generic[matches.Opened] = game.Options
    for cls in matches.EVENTS:
        own[f"match/{cls.__name__}"] = (cls, cls[generic[cls]] if cls in generic else cls)  # type: ignore[index]
    conceal = partial(secrecy.redact, seat=None)
    return Codec(own, split=secrecy.secrets, conceal=conceal, upcasters=dict(game.upcasters))


def seal(
    codec: Codec, head: chain.Head, stream: str, entries: Iterable[Told], at: str, secret: bytes
) -> tuple[Stored, ...]:
    """Return the events of the rules as stored events that follow the head of the stream."""
    drafts = codec.encode_all([(entry.event, entry.actor, entry.move) for entry in entries])
    return chain.seal(head, stream, drafts, at, secret)


def private_stream(match_id: str, seat: int) -> str:
    """Return the id of a seat's private log."""
    return f"{match_id}/seat:{seat}"


def seat_of(stream: str) -> int:
    """Return the seat of a private log."""
    return int(stream.rpartition(":")[2])


def is_set_up(state: Match[Any]) -> bool:
    """Return whether there is a table. An aborted match may never have had one; a fork has it before anybody sits."""
    return state.is_fork or (state.status != Status.OPEN and all(state.taken))


def is_seen(state: Match[Any], viewer: Viewer) -> bool:
    """Return whether there is a table for the viewer to see. Nobody sees a fork's before it starts."""
    return is_set_up(state) and (state.status != Status.OPEN or viewer == TRUTH)


MOST_SEATS = 100
"""More seats than any match has. A file that says more is not read: it would take all memory."""


class Heading(msgspec.Struct, frozen=True):
    """The part of an opening event that decides whose rules read the log."""

    game: str
    version: int
    pack: str
    pack_hash: str
    seats: Annotated[int, msgspec.Meta(ge=0, le=MOST_SEATS)]


_opening = msgspec.json.Decoder(Heading)


def heading_of(match_id: str, public: bytes) -> Heading:
    """Return the public part of the opening event. Raises Unreadable."""
    try:
        return _opening.decode(public)
    except msgspec.DecodeError as error:
        raise Unreadable(f"The opening event of {match_id}: {error}") from error


def rules_of(match_id: str, public: bytes, catalogue: Catalogue) -> tuple[Heading, Game[Any, Any, Any], PackFile]:
    """Return the public part of the opening event, and the rules and the pack that it names.

    Shape:   the game of the match's own version of the rules; if that is not available the newest, which can only read.
    Raises:  OtherRules, Unreadable.
    """
    opening = heading_of(match_id, public)
    room = catalogue.rooms.get(opening.game)
    if room is None:
        raise OtherRules("game", match=match_id, game=opening.game, version=opening.version)
    pack = room.pack_of(opening.pack_hash)
    if pack is None:
        raise OtherRules("pack", match=match_id, pack=opening.pack, pack_hash=opening.pack_hash)
    return opening, room.game.by(opening.version) or room.game, msgspec.structs.replace(pack, name=opening.pack)


def secret_of(first: Stored) -> bytes | None:
    """Return the match's secret from its opening event; None if that does not show it.

    Raises:  NotCanonical, msgspec.DecodeError for a malformed one.
    """
    hidden = secrets_of(first).get("secret")
    return None if hidden is None else chain.raw_bytes(msgspec.json.decode(bytes(hidden.value), type=str), 32)


def status_of(store: Streams, match_id: str) -> Status:
    """Return the status of a match, without needing its rules."""
    last = store.read(match_id, store.head(match_id).version - 1)[0]
    # the whole log is needed only for a match that is not over
    return matches.status_of([last.type] if last.type in matches.LAST else [kind for kind, *_ in store.facts(match_id)])


class Log:
    """A match's log, with the rules that read it."""

    def __init__(self, store: Streams, match_id: str, catalogue: Catalogue) -> None:
        """Read the opening event. Raises UnknownMatch, OtherRules, Unreadable."""
        self.store = store
        self.id = match_id
        self.catalogue = catalogue
        # a command line may hold bytes that are not text, which no store accepts
        first = store.read(match_id, 0, 1) if is_match_id(match_id) else ()
        if not first or first[0].type != matches.OPENED:
            raise UnknownMatch(f"There is no match {match_id}.")
        self.opening, self.game, self.pack = rules_of(match_id, first[0].public, catalogue)
        self.codec = codec_of(self.game)
        self._secret = secret_of(first[0])
        self.has_own_rules = self.opening.version == self.game.version
        """Whether the rules are the version by which the match is played; if not, it can be read but not played on."""

    @property
    def secret(self) -> bytes:
        """The match's secret. Raises LookupError for the export of a running match, which does not have it."""
        if self._secret is None:
            raise LookupError(f"The secret of {self.id} is not known here.")
        return self._secret

    def need_own_rules(self) -> None:
        """Check that the match can be played on. Raises OtherRules."""
        if not self.has_own_rules:
            raise OtherRules.of_version(self.id, self.opening.version, self.game)

    @property
    def is_open(self) -> bool:
        """Whether the match has not started, so that its seats can be left, and may know no more than anybody."""
        return status_of(self.store, self.id) is Status.OPEN

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, so that all its secrets are open."""
        last = self.store.read(self.id, self.store.head(self.id).version - 1)
        return last[0].type in matches.LAST

    def decoded(self, stored: Stored) -> Any:
        """Return the typed event, with all its secrets. Raises Unreadable, UnknownEvent."""
        return self.codec.decode(stored.type, stored.schema, stored.public, stored.secret)

    def events(self, viewer: Viewer, after: int = 0, limit: int | None = None) -> list[Any]:
        """Return at most `limit` typed events after a version, as the viewer may read them."""
        if viewer is None:
            facts = islice(self.store.facts(self.id, after), limit)
            return self.codec.decode_all([(name, schema, public, b"{}") for name, schema, public, _ in facts])
        briefs = self.store.briefs(self.id, after)
        return self.codec.decode_briefs(briefs[:limit], None if viewer == TRUTH else viewer)

    def fold(self, viewer: Viewer, base: Match[Any] | None = None, at: int | None = None) -> Match[Any]:
        """Return what the viewer knows at version `at`, continuing `base`, their own fold of an earlier version.

        Private logs are not included: see `on_top`.
        """
        after = base.version if base else 0
        events = self.events(viewer, after, None if at is None else at - after)
        if base is None:
            base = matches.begin(self.game, self.pack.pack, events.pop(0))
        return matches.fold(self.game, base, events)

    def on_top(self, state: Match[Any], viewer: Viewer) -> Match[Any]:
        """Return the state with the sealed answers added that the viewer may know: their own, or for the truth all."""
        if viewer is None or not matches.is_sealed(self.game, state):
            return state
        return self.answered(state, self.private_ends(viewer))

    def private_ends(self, viewer: Viewer) -> tuple[Stored, ...]:
        """Return the last events of the private logs that the viewer may read: their own, or for the truth all."""
        if viewer == TRUTH:
            return self.store.private_ends(self.id)
        own = private_stream(self.id, viewer) if viewer is not None else ""
        return tuple(end for end in self.store.private_ends(self.id) if end.stream == own)

    def answered(self, state: Match[Any], ends: Iterable[Stored]) -> Match[Any]:
        """Return the state with the answers of these private logs added; `ends`: the last event of each."""
        for end in ends:
            seat = seat_of(end.stream)
            for stored in self._last_answer(end):
                event = self.decoded(stored)
                if stored.type == matches.SEALED:
                    state = matches.answered(self.game, state, seat, event, stored.hash.hex())
                else:
                    state = matches.timed(self.game, state, seat, event)
        return state

    def answers(self, seat: int) -> tuple[Stored, ...]:
        """Return the answers in a seat's private log, without its other events."""
        return tuple(event for event in self.store.read(private_stream(self.id, seat)) if event.type == matches.SEALED)

    def sealed_by_clock(self) -> frozenset[str]:
        """Return the hashes, as closings name them, of the answers under seal that the clock gave in a match."""
        answers = [stored for seat in range(self.opening.seats) for stored in self.answers(seat)]
        return frozenset(stored.hash.hex() for stored in answers if self.decoded(stored).cause is Cause.CLOCK)

    def is_rung(self, stored: Stored) -> bool:
        """Return whether it is a deadline under seal, in a schema that is known."""
        return stored.type == matches.RUNG and self.codec.is_current(stored.type, stored.schema)

    def ordered(self, seat: int) -> tuple[Stored, ...]:
        """Return the events of standing orders in a seat's private log whose schema is known."""
        return tuple(
            event
            for event in self.store.read(private_stream(self.id, seat))
            if event.type in matches.ORDERS and self.codec.is_current(event.type, event.schema)
        )

    def standing(self, seat: int) -> tuple[orders.Standing, int]:
        """Return the seat's orders that stand, and how many it has given."""
        standing: orders.Standing = {}
        given = 0
        for stored in self.ordered(seat):
            event = self.decoded(stored)
            standing = orders.evolve(standing, event)
            given += stored.type in matches.ORDERED
        return standing, given

    def has_answered(self, seat: int, premove: PremoveGiven) -> bool:
        """Return whether the seat has answered a decision since it gave the premove.

        An answer under seal counts from when it was given, not from the closing that tells it.
        """
        given = [stored for stored in self.ordered(seat) if stored.type in matches.ORDERED]
        at = next(stored.version for stored in given if self.decoded(stored) == premove)
        if any(answer.version > at for answer in self.answers(seat)):
            return True
        return any(
            isinstance(event, MoveMade) and event.seat == seat and event.cause is not Cause.FORCED
            for event in self.events(seat, premove.after)
        )

    def _last_answer(self, last: Stored) -> tuple[Stored, ...]:
        """Return the last answer of a private log, which is at or near its end, and the deadlines after it."""
        if last.type == matches.SEALED:
            return (last,)
        end, few = last.version, 8
        rungs: list[Stored] = []
        while end:
            start = max(0, end - few)
            for stored in reversed(self.store.read(last.stream, start, end - start)):
                if stored.type == matches.SEALED:
                    return (stored, *reversed(rungs))
                if self.is_rung(stored):
                    rungs.append(stored)
            end, few = start, 8 * few
        return tuple(reversed(rungs))
