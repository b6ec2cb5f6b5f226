"""Opening matches: new ones, forks and rematches. The first append seats the bots."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog

from bots import BOTS
from domain import clocks, matches, play
from domain.catalogue import Catalogue, PackFile, Room
from domain.game import Game, Refusal
from domain.matches import Match
from domain.play import Told
from events.chain import fresh_id
from events.store import MissingValue
from replays.files import exports
from replays.files.packs import Packs
from replays.log import TRUTH, Log
from service.accounts import Accounts
from service.deeds import CREATE, PLAY, Asker, Deed, Front
from service.limits import INVITATIONS, OPENINGS
from service.matches.change import Changes
from service.matches.seats import Seats
from service.matches.states import Lobby, States, is_open_to
from service.matches.terms import TimeControl, untimed
from service.problems import Conflict, Forbidden, Malformed, Unknown, refused
from service.store import LINK, PRIVATE, PUBLIC, Chair, Entry, Once, Statement, Terms, Timetable, lobby, people
from service.store import clocks as kept

logger = structlog.get_logger(__name__)


HIDDEN = {PUBLIC: 0, LINK: 1, PRIVATE: 2}
"""The visibilities: the higher the number, the fewer people may know of the match."""

TRIES = 32
"""The most tries to open a match, if others of the same account are opened at that moment and room is scarce."""


class Place(msgspec.Struct, frozen=True):
    """A seat of a match to be opened: for a bot, for a player, or for anybody."""

    bot: str | None = None
    player: str | None = None


class MatchWanted(msgspec.Struct, frozen=True, kw_only=True):
    """A match to be opened."""

    game: str
    seats: tuple[Place, ...]
    options: dict[str, Any] = {}
    pack: str | None = None
    visibility: str = PUBLIC
    clock: TimeControl | None = None
    talk: str | None = None
    """Who may read the messages at the table; None for those who sit there."""


class ForkWanted(msgspec.Struct, frozen=True, kw_only=True):
    """A fork to be opened: it continues a match that is over, from one of its versions."""

    version: int
    seats: tuple[Place, ...]
    visibility: str | None = None
    """None for that of the parent."""
    clock: TimeControl | None = None


class _Start(msgspec.Struct, frozen=True):
    """A match that is to be opened."""

    game: Game[Any, Any, Any]
    pack: PackFile
    entries: tuple[Told, ...]
    """Its first events."""
    state: Match[Any]
    """The match after them."""
    terms: Terms | None = None
    """What the log does not hold of its clock."""

    def then(self, entries: tuple[Told, ...], terms: Terms | None = None) -> _Start:
        """Return the match with these further events, and by these terms."""
        state = matches.fold(self.game, self.state, [entry.event for entry in entries])
        return _Start(self.game, self.pack, (*self.entries, *entries), state, terms or self.terms)


@dataclass
class Opener:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    front: Front
    changes: Changes
    catalogue: Catalogue
    packs: Packs
    states: States
    lobby: Lobby
    accounts: Accounts
    seats: Seats
    times: Timetable
    most_open: int
    """The most unfinished matches of an account."""
    wake: Callable[[str], None]
    """Wakes those who wait for a match."""

    def room(self, slug: str) -> Room:
        """Return the game's room. Raises Unknown."""
        try:
            return self.catalogue.rooms[slug]
        except KeyError:
            raise Unknown("unknown-game", game=slug) from None

    @Deed("openMatch", (CREATE,), limits=(OPENINGS,), by_said=(INVITATIONS,))
    def open(self, asker: Asker, wanted: MatchWanted, *, once: Once | None = None) -> str:
        """Open a match, seat its bots, and start it if all seats are taken. Returns the match's id."""

        def begin() -> str:
            chairs, room = self._chairs(wanted.seats), self.room(wanted.game)
            start = self._timed(_opening(room.game, self._pack(room, wanted.pack), wanted), wanted.clock)
            return self._begin(asker, once, start, chairs, wanted.visibility, talk=wanted.talk)

        return self._do(asker, once, begin, wanted.seats)

    @Deed("forkMatch", (CREATE,), limits=(OPENINGS,), by_said=(INVITATIONS,))
    def fork(self, asker: Asker, match_id: str, wanted: ForkWanted, *, once: Once | None = None) -> str:
        """Open a fork of the match, and seat its bots. Returns the fork's id."""

        def begin() -> str:
            entry = self.lobby.entry(match_id, asker)
            if len(wanted.seats) != len(entry.chairs):
                raise Malformed("seats", match=match_id, seats=len(entry.chairs))
            if wanted.visibility is not None and HIDDEN[wanted.visibility] < HIDDEN[entry.visibility]:
                raise Conflict("parent-private")
            chairs = self._chairs(wanted.seats)
            start = self._timed(_forked(self.states.log(match_id), wanted.version), wanted.clock)
            return self._begin(asker, once, start, chairs, wanted.visibility or entry.visibility)

        return self._do(asker, once, begin, wanted.seats)

    # counted as one invitation, since its players have just played together
    @Deed("openRematch", (PLAY, CREATE), limits=(OPENINGS, INVITATIONS))
    def rematch(self, asker: Asker, match_id: str, *, once: Once | None = None) -> tuple[str, bool]:
        """Open the match's rematch, or find the open one: the same players and bots, on other seats.

        Returns its id, and whether this request opened it.
        Raises:  Forbidden if the asker neither sat there, nor was awaited there to the end, nor opened the match;
                 Conflict if it is not over, or if the asker may not know of its rematch.
        """
        before = self._over(match_id, asker)
        if before.rematch is not None:
            return self._known(before.rematch, asker), self.front.answer(once) is not None
        log = self.states.log(match_id)
        log.need_own_rules()
        start = _again(log, self.states.folded(log, TRUTH), self.times.terms(match_id))
        # with who never came they have not played
        awaited = tuple(Place(player=chair.reserved) for chair in before.chairs if chair.is_free)

        def begin() -> str:
            # read again: somebody may have been erased meanwhile
            chairs = self._chairs(self._moved_on(self._over(match_id, asker)))
            return self._begin(asker, once, start, chairs, before.visibility, talk=before.talk, origin=before.id)

        def begin_again() -> str:
            with suppress(Unknown):
                return begin()
            return begin()  # without who was erased at that moment

        try:
            rematch = self._do(asker, once, begin_again, awaited)
        except Exception:
            # of two requests at once the store lets one pass, and the other one fails in whatever way
            if (there := self._over(match_id, asker).rematch) is None:
                raise
            return self._known(there, asker), False
        # no event of this match tells of it
        self.wake(match_id)
        return rematch, True

    def _over(self, match_id: str, asker: Asker) -> Entry:
        entry = self.lobby.entry(match_id, asker)
        if asker.player not in {entry.creator, *(chair.player or chair.reserved for chair in entry.chairs)}:
            raise Forbidden("not-seated")
        if not entry.is_over:
            raise Conflict("not-over")
        return entry

    def _known(self, rematch: str, asker: Asker) -> str:
        """Return the rematch. Raises Conflict if the asker, who has declined their seat, may not know of it."""
        entry = self.lobby.find(rematch)
        if entry is None or not is_open_to(entry, asker):
            raise Conflict("not-invited")
        return rematch

    def _moved_on(self, entry: Entry) -> tuple[Place, ...]:
        """Return the seats: everybody moves one seat forward, and the first one moves to the last seat.

        Whoever is still awaited in a match that has never begun is awaited again. Anybody may take the seat of an
        account that was erased.
        """
        chairs = (*entry.chairs[1:], *entry.chairs[:1])
        return tuple(
            Place(
                bot=chair.bot,
                player=None
                if people.ERASED in {chair.player_kind, chair.reserved_kind}
                else chair.player or chair.reserved,
            )
            for chair in chairs
        )

    def _do(self, asker: Asker, once: Once | None, act: Callable[[], str], places: tuple[Place, ...] = ()) -> str:
        """Open a match once for the request; count whom the asker invites to these places."""
        if others := {place.player for place in places} - {None, asker.player}:
            self.front.count(asker, (INVITATIONS,), once, cost=len(others))
        return self.front.do(once, act)

    def _begin(
        self,
        asker: Asker,
        once: Once | None,
        start: _Start,
        chairs: tuple[Chair, ...],
        visibility: str,
        *,
        origin: str | None = None,
        talk: str | None = None,
    ) -> str:
        """Seat the bots, and store the new match in one append, which fails if its `origin` has a rematch already."""
        self.packs.keep(start.game.slug, start.pack)
        for chair in chairs:
            if chair.bot is not None:
                start = start.then(play.take_seat(start.game, start.state, chair.seat))
        entry = Entry(
            id=fresh_id("m"),
            game=start.game.slug,
            status=start.state.status,
            visibility=visibility,
            creator=asker.player,
            created=self.front.at(),
            chairs=chairs,
            link=0 if visibility == LINK else None,
            origin=origin,
            talk=talk,
            resignation=None if start.terms is None else start.terms.resignation,
        )
        beside = self.front.remember(once, entry.id)
        if origin is not None:
            beside = [*beside, lobby.follow(origin, entry.id)]
        if start.terms is not None:
            beside = [*beside, kept.keep(entry.id, start.terms, outage=0)]
        begun = start.game, start.entries, start.state
        self._hold(asker, chairs, lambda held: self.changes.open(entry, *begun, [*held, *beside]))
        return entry.id

    def _hold(self, asker: Asker, chairs: tuple[Chair, ...], store: Callable[[list[Statement]], None]) -> None:
        """Call `store` with what must come first in its transaction; again if the asker has used up room meanwhile.

        Raises:  Conflict if the asker may not open or invite more; Unknown, Unauthorized if an account was erased.
        """
        others = [who for chair in chairs if (who := chair.reserved) is not None and who != asker.player]
        demands = people.demand_accounts([asker.player, *others])
        for _ in range(TRIES):
            room = [*self._check_room(asker), *self.seats.check_room(asker, len(others))]
            try:
                return store([*demands, *room])
            except MissingValue:
                for other in others:
                    self.accounts.find(other)
                self.accounts.player(asker)
        raise Conflict("too-many-open", most=self.most_open)

    def _check_room(self, asker: Asker) -> list[Statement]:
        """Return the statements that fail if the asker can't open one more match by then. Raises Conflict: not now."""
        counted = self.accounts.people.counted(people.OPENED, asker.player)
        room = self.most_open - 1 - sum(counted)
        if room < 0:
            raise Conflict("too-many-open", most=self.most_open)
        return people.demand_counted(people.OPENED, asker.player, counted, room)

    def _timed(self, start: _Start, wanted: TimeControl | None) -> _Start:
        """Return the match with the clock that is wanted, if any, and with what happens when somebody resigns."""
        seats = len(start.state.taken)
        if wanted is None:
            return start.then((), untimed(seats))
        self._check_bot(wanted.bot)
        return start.then(clocks.set_clock(start.state, wanted.told), wanted.kept(seats))

    def _check_bot(self, name: str) -> None:
        if name not in BOTS:
            raise Malformed("unknown-bot", bot=name, known=tuple(sorted(BOTS)))

    def _chairs(self, places: tuple[Place, ...]) -> tuple[Chair, ...]:
        awaited = [place.player for place in places if place.player is not None]
        for player in awaited:
            self.accounts.find(player)
        if len(set(awaited)) != len(awaited):
            raise Malformed("player-twice")
        for place in places:
            if place.bot is not None:
                self._check_bot(place.bot)
        return tuple(Chair(seat, bot=place.bot, reserved=place.player) for seat, place in enumerate(places))

    def _pack(self, room: Room, name: str | None) -> PackFile:
        """Return the pack of that name, also if it is new in the folder, or the game's first. Raises Malformed."""
        self.refresh_packs()
        if name is None:
            return next(iter(room.packs.values()))
        if (pack := room.packs.get(name)) is None:
            raise Malformed("unknown-pack", pack=name, known=tuple(room.packs))
        return pack

    def refresh_packs(self) -> None:
        """Read the operator's packs anew into the catalogue, and log those that can't be played with."""
        for error in self.packs.refresh():
            logger.warning("a pack can't be played with", error=str(error))


def _opening(game: Game[Any, Any, Any], pack: PackFile, wanted: MatchWanted) -> _Start:
    try:
        options = msgspec.convert(wanted.options, game.Options, strict=True)
    except msgspec.ValidationError as error:
        raise Malformed("malformed-options", reason=str(error)) from error
    try:
        return _new(game, pack, len(wanted.seats), options)
    except Refusal as refusal:
        raise refused(Malformed, game, refusal) from refusal


def _again(log: Log, before: Match[Any], terms: Terms | None) -> _Start:
    """Return a match with the same game, pack, options and clock, by the newest version of the rules."""
    start = _new(log.catalogue.game(log.game.slug), log.pack, len(before.taken), before.opened.options)
    clock = before.clocks.terms
    return start.then(() if clock is None else clocks.set_clock(start.state, clock), terms)


def _new(game: Game[Any, Any, Any], pack: PackFile, seats: int, options: Any) -> _Start:
    opened, state = play.open_match(
        game,
        pack.pack,
        pack_name=pack.name,
        pack_hash=pack.hash,
        seats=seats,
        options=options,
        secret=secrets.token_hex(32),
    )
    return _Start(game, pack, (opened,), state)


def _forked(log: Log, version: int) -> _Start:
    """Return the fork of the match at that version. Raises Conflict, with the nearest versions to fork; OtherRules."""
    try:
        return _Start(log.game, log.pack, *exports.fork(log, version, secrets.token_hex(32)))
    except Refusal as refusal:
        if refusal.code != "fork-point":
            raise
        raise refused(Conflict, log.game, refusal, nearest=exports.nearest_fork_points(log, version)) from refusal
