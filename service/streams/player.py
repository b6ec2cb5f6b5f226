"""Everything in a player's matches, in one order: what their seats are told, their turns, and their invitations.

The order is the store's, partition by partition, so that one place says what was told of all matches. What was told
stands before the place and all else after it, whatever is cut off in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain.game import Lang
from events.codec import UnknownEvent, Unreadable
from events.store import Decision, Store, match_of, partition_of
from replays.log import OtherRules, UnknownMatch, private_stream
from service.accounts import Asker
from service.matches import Invitations, Views, answers
from service.problems import Problem
from service.shapes import Moment, one_of
from service.signing import Signer
from service.store import lobby, told
from service.streams.places import StreamPlace, seal, short, unseal

MOST = 100
"""Events that are looked up in one go."""

INVITATIONS = 100
"""Most that are told; `GET /api/me/invitations` pages through more."""

HANDED_BACK = "match/SeatHandedBack"

UNTOLD = (Problem, OtherRules, UnknownMatch, Unreadable, UnknownEvent)
"""Why nothing is told of a match: it can't be read here, or not by the player any longer."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a player is told: which of the members are there is said by `kind`."""

    kind: Annotated[str, one_of("now", "event", "turn", "invitations")]
    """`now`: how things stand where it begins, with `turns` and `invitations`; `event`: one of a match, or of your
    seat's private log; `turn`: a decision is open to you; `invitations`: all that stand.
    """
    match: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    """Yours."""
    event: answers.Event | UnsetType = UNSET
    decision: int | UnsetType = UNSET
    due: Moment | UnsetType | None = UNSET
    turns: list[answers.Turn] | UnsetType = UNSET
    invitations: list[lobby.Invitation] | UnsetType = UNSET
    """The seats that are kept for you, the newest first."""
    cursor: str
    """From where to go on after it."""


class MyEvents(msgspec.Struct, frozen=True):
    """A page of what a player is told."""

    items: list[Item]
    """What happened, in order."""
    next: str
    """The cursor to go on from, now or later."""
    more: bool
    """Whether there is more already."""


class _Next(msgspec.Struct, frozen=True, order=True):
    """An event that is to be told."""

    partition: int
    position: int
    stream: str
    version: int
    seat: int


class PlayerLog:
    """What a player is told, from a place on."""

    def __init__(
        self, store: Store, views: Views, invitations: Invitations, signer: Signer, asker: Asker, lang: Lang | None
    ) -> None:
        self.asker = asker
        self._store = store
        self._views = views
        self._invitations = invitations
        self._signer = signer
        self._lang = lang
        self._me = f"player:{asker.player}"
        self.place = StreamPlace((0,) * store.partitions)
        self._is_new = True
        self.has_more = False
        self._known: dict[str, int] = {}
        """By stream, a version that was told."""
        self._live: set[str] = set()

    @property
    def cursor(self) -> str:
        """The place where it is."""
        return seal(self._signer, self.asker.player, self.place)

    def begin(self, cursor: str | None) -> list[Item]:
        """Go on from there. Without a cursor all begins now, and it is told how things stand. Raises Malformed."""
        if cursor is not None:
            self.place = unseal(self._signer, self.asker.player, cursor, self._store.partitions)
            return []
        self._is_new = False
        self.place = StreamPlace(told.ends(self._store))
        turns, invited = self._views.turns(self.asker).turns, self._invited()
        self._live = {sitting.match for sitting in told.sittings(self._store, self.asker.player, over=False)}
        return [self._item("now", turns=turns, invitations=invited)]

    def look(self, about: set[str], most: int = MOST) -> Iterator[Item]:
        """What is to be told now. `about`: matches that something may be told of, beside those that are played."""
        is_first, self._is_new = self._is_new, False
        if is_first and not self.place.is_done:
            yield from self._rest()
        if is_first or about:
            before = self.place.invited
            invited = self._invited()
            if self.place.invited != before:
                yield self._item("invitations", invitations=invited)
        ends = told.ends(self._store)
        found, self.has_more = self._found(ends, about, most, over=is_first)
        for stream, events in _runs(found):
            yield from self._events(stream, events)
        if self.has_more:
            # those of matches that are over are looked for again
            self._is_new = is_first
        else:
            self.place = msgspec.structs.replace(self.place, positions=ends, is_done=True)

    def _found(self, ends: tuple[int, ...], about: set[str], most: int, *, over: bool) -> tuple[list[_Next], bool]:
        """The next events to be told, and whether there are more than that."""
        store, me = self._store, self.asker.player
        seats = list(told.sittings(store, me, over=over))
        live = {sitting.match for sitting in seats}
        for match_id in sorted((self._live | about) - live):
            seats += told.sitting(store, me, match_id)
        self._live = self._live | live if over else live
        found: list[_Next] = []
        is_cut = False
        for sitting in seats:
            partition = partition_of(sitting.match, store.partitions)
            after, end = self.place.positions[partition], ends[partition]
            own = private_stream(sitting.match, sitting.seat)
            for stream, last in ((sitting.match, sitting.last), (own, sitting.own)):
                if last > after:
                    known = self._known.get(stream, 0)
                    rows = told.between(store, sitting.match, stream, known, after, end, most)
                    found += [_Next(partition, position, stream, version, sitting.seat) for position, version in rows]
                    is_cut |= len(rows) == most
        # of each stream the first are there, so the first of all are
        return sorted(found)[:most], is_cut or len(found) > most

    def _events(self, stream: str, events: list[_Next]) -> Iterator[Item]:
        """A run of events of one stream, and after each what follows from it for the player."""
        match_id, first, seat = match_of(stream), events[0], events[0].seat
        try:
            look = self._views.look(match_id, self.asker)
            is_private = stream != match_id
            page = self._views.events(look, first.version - 1, len(events), self._lang, private=is_private).events
            game = look.log.game.slug
        except UNTOLD:
            page, game = [], ""
        # after the events: a decision that was opened by one of them is found
        asked = self._asked(match_id)
        sat = self._sat(match_id, seat) if stream == match_id else 0
        # what came before they sat down concerned others, whenever it is looked at
        shown = {event.version: event for event in page if event.version >= sat}
        for one in events:
            self._known[stream] = one.version
            self._go(one.partition, one.position)
            if (event := shown.get(one.version)) is None:
                continue
            yield self._item("event", match=match_id, game=game, seat=seat, event=event)
            if stream == match_id and (turn := _turn(asked, one.version, event, seat)) is not None:
                self.place = msgspec.structs.replace(self.place, is_done=True)
                yield self._item("turn", game=game, **asdict(turn))

    def _sat(self, match_id: str, seat: int) -> int:
        """Since when the player sits there; once it was told of nothing earlier can come."""
        return 0 if match_id in self._known else told.sat(self._store, match_id, seat)

    def _rest(self) -> Iterator[Item]:
        """What follows from the event that was told last, and was not told any more."""
        place, self.place = self.place, msgspec.structs.replace(self.place, is_done=True)
        found = told.at(self._store, place.partition, place.positions[place.partition])
        if found is None or "/" in found[0]:
            return
        stream, version = found
        try:
            look = self._views.look(stream, self.asker)
            events = self._views.events(look, version - 1, 1, None).events
        except UNTOLD:
            return
        turn = None if look.seat is None else _turn(self._asked(stream), version, events[0], look.seat)
        if turn is not None:
            yield self._item("turn", game=look.log.game.slug, **asdict(turn))

    def _asked(self, match_id: str) -> tuple[Decision, ...]:
        return tuple(one for one in self._store.decisions(self._me, match_id) if one.who == self._me)

    def _invited(self) -> list[lobby.Invitation]:
        """The seats that are kept for the player; the place notes which these are."""
        found, _ = self._invitations.page(self.asker, INVITATIONS, None)
        named = short(" ".join(f"{one.match}:{one.seat}" for one in found)) if found else StreamPlace(()).invited
        self.place = msgspec.structs.replace(self.place, invited=named)
        return list(found)

    def _go(self, partition: int, position: int) -> None:
        positions = list(self.place.positions)
        positions[partition] = position
        self.place = msgspec.structs.replace(self.place, positions=tuple(positions), partition=partition, is_done=False)

    def _item(self, kind: str, **more: Any) -> Item:
        return Item(kind=kind, **more, cursor=self.cursor)


def _runs(found: list[_Next]) -> Iterator[tuple[str, list[_Next]]]:
    """Those that follow one another in one stream, together."""
    run: list[_Next] = []
    for one in found:
        if run and (one.stream, one.version) != (run[-1].stream, run[-1].version + 1):
            yield run[0].stream, run
            run = []
        run.append(one)
    if run:
        yield run[0].stream, run


def _turn(asked: tuple[Decision, ...], version: int, event: answers.Event, seat: int) -> answers.Turn | None:
    """The player's decision that follows from an event of the match, as long as it is open."""
    is_back = event.type == HANDED_BACK and msgspec.json.decode(event.public).get("seat") == seat
    for one in asked:
        if one.since == version or is_back:
            return answers.Turn(one.match, one.seat, one.since, one.due or None)
    return None
