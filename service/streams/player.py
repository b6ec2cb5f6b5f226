"""All that happens in a player's matches, in one order: the events that their seats may read, turns, and invitations.

The order is the store's, partition by partition. So one place says what was sent of all matches: what was sent is
before the place, and all else after it, also if the stream is cut off. Clients get places sealed, and all of one
length. Nobody outside may see the positions of the store's events: they would show how much others do, under seal too.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import groupby
from time import monotonic
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain.game import Lang
from events.store import Decision, Store, match_of, partition_of
from replays.log import private_stream
from service.accounts import Asker
from service.matches import Seats, Views, answers
from service.problems import Malformed, left_out
from service.shapes import Moment, one_of
from service.signing import NotOurs, Signer
from service.store import lobby, logs
from service.streams.match import ASKED, Form, MatchStream, Streams

PURPOSE = "a place in a player's events"
SHORT = 8
"""Bytes of a digest: it must only differ from the digests before it."""


class StreamPlace(msgspec.Struct, frozen=True):
    """A place between two items of a player's stream."""

    positions: tuple[int, ...]
    """By partition, the position of the last event that was sent or was not to be sent."""
    partition: int = 0
    """The partition of the event that was sent last."""
    is_done: bool = True
    """Whether the turn that follows from that event was sent too."""
    invited: bytes = bytes(SHORT)
    """The digest of the invitations that were sent."""


def short(text: str) -> bytes:
    """Return a digest of the text."""
    return sha256(text.encode()).digest()[:SHORT]


def seal(signer: Signer, player: str, place: StreamPlace) -> str:
    """Return the place as a cursor, which only this player can use."""
    packed = struct.pack(
        f">{SHORT}s{SHORT}sB?{len(place.positions)}Q",
        short(player),
        place.invited,
        place.partition,
        place.is_done,
        *place.positions,
    )
    return signer.seal(PURPOSE, base64.b64encode(packed).decode("ascii"))


def unseal(signer: Signer, player: str, cursor: str, partitions: int) -> StreamPlace:
    """Return the place of a cursor. Raises Malformed if it is no cursor of this player in this store."""
    try:
        packed = base64.b64decode(signer.unseal(PURPOSE, cursor))
        whose, invited, partition, is_done, *positions = struct.unpack(f">{SHORT}s{SHORT}sB?{partitions}Q", packed)
    except (NotOurs, struct.error, binascii.Error) as error:
        raise Malformed("malformed-cursor") from error
    if whose != short(player) or partition >= partitions:
        raise Malformed("malformed-cursor")
    return StreamPlace(tuple(positions), partition, is_done, invited)


MOST = 100
"""The most events that are looked up at a time."""

INVITATIONS = 100
"""The most invitations that are sent; `GET /api/me/invitations` lists all, page by page."""

HANDED_BACK = "match/SeatHandedBack"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened for a player; `kind` says which members it has."""

    kind: Annotated[str, one_of("now", "event", "turn", "invitations")]
    """`now`: the state where the stream begins, with `turns` and `invitations`; `event`: an event of a match, or of
    your seat's private log; `turn`: a decision is open to you; `invitations`: all your open invitations.
    """
    match: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    """Your seat."""
    event: answers.Event | UnsetType = UNSET
    decision: int | UnsetType = UNSET
    due: Moment | UnsetType | None = UNSET
    turns: list[answers.Turn] | UnsetType = UNSET
    invitations: list[lobby.Invitation] | UnsetType = UNSET
    cursor: str
    """The cursor to go on from after this item."""


class MyEvents(msgspec.Struct, frozen=True):
    """A page of what happened in a player's matches."""

    items: list[Item]
    """What happened, in order."""
    next: str
    """The cursor to go on from, now or later."""
    more: bool
    """Whether there are more items already."""


class _Next(msgspec.Struct, frozen=True, order=True):
    """An event that is to be sent."""

    partition: int
    position: int
    stream: str
    version: int
    seat: int


class PlayerLog:
    """The items that are sent to a player, from a place on."""

    def __init__(
        self, store: Store, views: Views, seats: Seats, signer: Signer, asker: Asker, lang: Lang | None
    ) -> None:
        self.asker = asker
        self._store = store
        self._views = views
        self._seats = seats
        self._signer = signer
        self._lang = lang
        self._me = f"player:{asker.player}"
        self.place = StreamPlace((0,) * store.partitions)
        self._is_new = True
        self.has_more = False
        self._known: dict[str, int] = {}
        """By stream, a version that was sent."""
        self._live: set[str] = set()

    @property
    def cursor(self) -> str:
        """The cursor of the place that it has reached."""
        return seal(self._signer, self.asker.player, self.place)

    def begin(self, cursor: str | None) -> list[Item]:
        """Go on from the cursor. Without a cursor, begin now, and return an item `now`. Raises Malformed."""
        if cursor is not None:
            self.place = unseal(self._signer, self.asker.player, cursor, self._store.partitions)
            return []
        self._is_new = False
        self.place = StreamPlace(logs.ends(self._store))
        turns, invited = self._views.turns(self.asker).turns, self._invited()
        self._live = {sitting.match for sitting in logs.sittings(self._store, self.asker.player, over=False)}
        return [self._item("now", turns=turns, invitations=invited)]

    def look(self, about: set[str], most: int = MOST) -> Iterator[Item]:
        """Return what is to be sent now. `about`: further matches in which something may have happened."""
        is_first, self._is_new = self._is_new, False
        if is_first and not self.place.is_done:
            yield from self._rest()
        if is_first or about:
            before = self.place.invited
            invited = self._invited()
            if self.place.invited != before:
                yield self._item("invitations", invitations=invited)
        ends = logs.ends(self._store)
        due, self.has_more = self._found(ends, about, most, over=is_first)
        for stream, events in _runs(due):
            yield from self._events(stream, events)
        if self.has_more:
            # search matches that are over again
            self._is_new = is_first
        else:
            self.place = msgspec.structs.replace(self.place, positions=ends, is_done=True)

    def _found(self, ends: tuple[int, ...], about: set[str], most: int, *, over: bool) -> tuple[list[_Next], bool]:
        """Return the next events to be sent, and whether there are more."""
        store, me = self._store, self.asker.player
        seats = list(logs.sittings(store, me, over=over))
        live = {sitting.match for sitting in seats}
        for match_id in sorted((self._live | about) - live):
            seats += logs.sitting(store, me, match_id)
        due: list[_Next] = []
        is_cut = False
        for sitting in seats:
            partition = partition_of(sitting.match, store.partitions)
            after, end = self.place.positions[partition], ends[partition]
            own = private_stream(sitting.match, sitting.seat)
            for stream, last in ((sitting.match, sitting.last), (own, sitting.own)):
                if last > after:
                    known = self._known.get(stream, 0)
                    rows = logs.between(store, sitting.match, stream, known, after, end, most)
                    due += [_Next(partition, position, stream, version, sitting.seat) for position, version in rows]
                    is_cut |= len(rows) == most
        # a match that has ended is looked into until all of it was found
        has_more = is_cut or len(due) > most
        self._live = self._live | about | live if over or has_more else live
        # `due` has the first events of each stream, so it has the first of all
        return sorted(due)[:most], has_more

    def _events(self, stream: str, events: list[_Next]) -> Iterator[Item]:
        """Return the items of a run of events of one stream: each event, and the player's turn that follows from it."""
        match_id, first, seat = match_of(stream), events[0], events[0].seat
        is_private = stream != match_id
        page, game = list[answers.Event](), ""
        with left_out():
            look = self._views.look(match_id, self.asker)
            page = self._views.events(look, first.version - 1, len(events), self._lang, private=is_private).events
            game = look.log.game.slug
        # read after the events, so that a decision which one of them opened is among them
        asked = self._asked(match_id)
        # events before the player came to the seat concerned others, whenever the events are read
        known = self._known.get(match_id, 0)
        came = logs.came(self._store, match_id, seat, known, is_private=is_private)
        shown = {event.version: event for event in page}
        for due in events:
            self._known[stream] = due.version
            self._go(due.partition, due.position)
            if due.position < came or (event := shown.get(due.version)) is None:
                continue
            yield self._item("event", match=match_id, game=game, seat=seat, event=event)
            if not is_private and (turn := _turn(asked, due.version, event, seat)) is not None:
                self.place = msgspec.structs.replace(self.place, is_done=True)
                yield self._item("turn", game=game, **asdict(turn))

    def _rest(self) -> Iterator[Item]:
        """Return the turn that follows from the event that was sent last, if the stream was cut off before the turn."""
        place, self.place = self.place, msgspec.structs.replace(self.place, is_done=True)
        last = logs.event_at(self._store, place.partition, place.positions[place.partition])
        if last is None or "/" in last[0]:
            return
        (stream, version), turn, game = last, None, ""
        with left_out():
            look = self._views.look(stream, self.asker)
            [event] = self._views.events(look, version - 1, 1, None).events
            turn = None if look.seat is None else _turn(self._asked(stream), version, event, look.seat)
            game = look.log.game.slug
        if turn is not None:
            yield self._item("turn", game=game, **asdict(turn))

    def _asked(self, match_id: str) -> tuple[Decision, ...]:
        return tuple(one for one in self._store.decisions(self._me, match_id) if one.who == self._me)

    def _invited(self) -> list[lobby.Invitation]:
        """Return the seats that are kept for the player, and note them in the place."""
        invited, _ = self._seats.invited(self.asker, INVITATIONS, None)
        named = short(" ".join(f"{seat.match}:{seat.seat}" for seat in invited)) if invited else bytes(SHORT)
        self.place = msgspec.structs.replace(self.place, invited=named)
        return list(invited)

    def _go(self, partition: int, position: int) -> None:
        positions = list(self.place.positions)
        positions[partition] = position
        self.place = msgspec.structs.replace(self.place, positions=tuple(positions), partition=partition, is_done=False)

    def _item(self, kind: str, **more: Any) -> Item:
        return Item(kind=kind, **more, cursor=self.cursor)


def _runs(found: list[_Next]) -> Iterator[tuple[str, list[_Next]]]:
    """Return the events in runs: events that follow one another in one stream, with the stream."""
    # within a run versions grow as the numbers do
    for (stream, _), run in groupby(enumerate(found), lambda pair: (pair[1].stream, pair[1].version - pair[0])):
        yield stream, [event for _, event in run]


def _turn(asked: tuple[Decision, ...], version: int, event: answers.Event, seat: int) -> answers.Turn | None:
    """Return the player's decision that follows from an event of the match, if it is open."""
    is_back = event.type == HANDED_BACK and msgspec.json.decode(event.public).get("seat") == seat
    for decision in asked:
        if decision.since == version or is_back:
            return answers.Turn(decision.match, decision.seat, decision.since, decision.due or None)
    return None


class PlayerStream:
    """The stream of one player for one client."""

    def __init__(
        self,
        streams: Streams,
        log: PlayerLog,
        begun: list[Item],
        form: Form,
        asker: Callable[[], Asker],
        over: Callable[[], object],
    ) -> None:
        """Hang the stream's bell.

        Shape:   `begun` is sent first; `asker` returns who asks, or raises Unauthorized if their token is no longer
                 valid; `over` is called when the stream has ended.
        Raises:  TooMany.
        """
        self._streams = streams
        self._log = log
        self._form = form
        self._asker = asker
        self._asked_at = monotonic()
        self._begun = begun
        self._call = -1
        self.is_over = False
        self.bell = streams.players.hang(log.asker.player, over)

    @property
    def has_more(self) -> bool:
        """See `MatchStream.has_more`."""
        return self._log.has_more

    def check(self) -> None:
        """See `MatchStream.check`."""
        self._log.asker, self._asked_at = self._asker(), monotonic()

    def news(self) -> bytes:
        """See `MatchStream.news`. Raises Unauthorized, StoreError."""
        about, call = self.bell.about(), self._streams.bells.call(self.bell.names[0])
        if call == self._call and not about and not self.has_more:
            return b""
        self._call = call
        if monotonic() - self._asked_at > ASKED:
            self.check()
        begun, self._begun = self._begun, []
        items = (*begun, *self._log.look(about))
        return b"".join([self._form.tell(msgspec.json.encode(item), item.cursor) for item in items])

    def stop(self, why: str) -> bytes:
        """See `MatchStream.stop`."""
        cursor = self._log.cursor
        return self._form.end(why, cursor, after=cursor)


Stream = MatchStream | PlayerStream
"""A stream to one client, whose bell rings when there may be something to send."""
