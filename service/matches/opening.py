"""Opening matches: new ones, forks and rematches. The first append seats the bots."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
import structlog

from domain import clocks, matches, play
from domain.catalogue import Catalogue, PackFile, Room
from domain.game import Game, Refusal
from domain.matches import Match
from domain.play import Told
from events.chain import fresh_id
from replays.files import exports
from replays.files.packs import Packs
from replays.log import Log
from service import clock
from service.accounts import Accounts
from service.deeds import CREATE, Asker, Deed
from service.limits import INVITATIONS, OPENINGS, Settings
from service.matches.change import Changes
from service.matches.invitations import Invitations
from service.matches.lobby import Lobby
from service.matches.quota import OpenMatches
from service.matches.states import States
from service.matches.terms import Clock
from service.problems import Conflict, Malformed, Unknown, refused
from service.store import LINK, PRIVATE, PUBLIC, Chair, Entry, Once, Statement, Terms, lobby
from service.store import clocks as kept

logger = structlog.get_logger(__name__)


HIDDEN = {PUBLIC: 0, LINK: 1, PRIVATE: 2}
"""The visibilities: the higher the number, the fewer people may know of the match."""


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
    clock: Clock | None = None
    talk: str | None = None
    """Who may read the messages at the table; None for those who sit there."""


class ForkWanted(msgspec.Struct, frozen=True, kw_only=True):
    """A fork to be opened: it continues a match that is over, from one of its versions."""

    version: int
    seats: tuple[Place, ...]
    visibility: str | None = None
    """None for that of the parent."""
    clock: Clock | None = None


class Opener:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(
        self,
        changes: Changes,
        catalogue: Catalogue,
        packs: Packs,
        states: States,
        found: Lobby,
        accounts: Accounts,
        invitations: Invitations,
        bots: Iterable[str],
        limits: Settings,
    ) -> None:
        self._changes = changes
        self._catalogue = catalogue
        self._packs = packs
        self._states = states
        self._lobby = found
        self._accounts = accounts
        self._invitations = invitations
        self.quota = OpenMatches(found, limits.open_matches)
        self.front = changes.front
        self._bots = frozenset(bots)
        self._now = changes.front.now

    def room(self, slug: str) -> Room:
        """Return the game's room. Raises Unknown."""
        try:
            return self._catalogue.rooms[slug]
        except KeyError:
            raise Unknown("unknown-game", game=slug) from None

    @Deed("openMatch", (CREATE,), limits=(OPENINGS,), by_said=(INVITATIONS,))
    def open(self, asker: Asker, wanted: MatchWanted, *, once: Once | None = None) -> str:
        """Open a match, seat its bots, and start it if all seats are taken. Returns the match's id."""
        self._count_invited(asker, wanted.seats, once)

        def deed() -> str:
            with self.quota.one_more(asker):
                return self._open(asker, wanted, once)

        return self.front.do(once, deed)

    def _open(self, asker: Asker, wanted: MatchWanted, once: Once | None) -> str:
        chairs = self._chairs(wanted.seats, asker)
        room = self.room(wanted.game)
        pack = self._pack(room, wanted.pack)
        entries, state = self._timed(room.game, *self._opening(room, pack, wanted), wanted.clock)
        return self._begin(
            room.game, pack, entries, state, chairs, wanted.visibility, asker, once, wanted.clock, talk=wanted.talk
        )

    @Deed("forkMatch", (CREATE,), limits=(OPENINGS,), by_said=(INVITATIONS,))
    def fork(self, asker: Asker, match_id: str, wanted: ForkWanted, *, once: Once | None = None) -> str:
        """Open a fork of the match, and seat its bots. Returns the fork's id."""
        self._count_invited(asker, wanted.seats, once)

        def deed() -> str:
            with self.quota.one_more(asker):
                return self._fork(match_id, asker, wanted, once)

        return self.front.do(once, deed)

    def _count_invited(self, asker: Asker, places: tuple[Place, ...], once: Once | None) -> None:
        if others := {place.player for place in places} - {None, asker.player}:
            self.front.count(asker, (INVITATIONS,), once, cost=len(others))

    def _fork(self, match_id: str, asker: Asker, wanted: ForkWanted, once: Once | None) -> str:
        entry = self._lobby.entry(match_id, asker)
        if len(wanted.seats) != len(entry.chairs):
            raise Malformed("seats", match=match_id, seats=len(entry.chairs))
        if wanted.visibility is not None and HIDDEN[wanted.visibility] < HIDDEN[entry.visibility]:
            raise Conflict("parent-private")
        chairs = self._chairs(wanted.seats, asker)
        log = self._states.log(match_id)
        entries, state = self._timed(log.game, *forked(log, wanted.version), wanted.clock)
        visibility = wanted.visibility or entry.visibility
        return self._begin(log.game, log.pack, entries, state, chairs, visibility, asker, once, wanted.clock)

    def again(
        self,
        log: Log,
        entries: tuple[Told, ...],
        state: Match[Any],
        before: Entry,
        places: tuple[Place, ...],
        asker: Asker,
        once: Once | None,
        terms: Terms | None,
    ) -> str:
        """Open the rematch of the match `before`, and seat its bots. Returns its id. Fails if there is one already.

        `terms`: the terms of that match's clock which its log does not hold.
        """

        def follow(entry: Entry) -> list[Statement]:
            return [lobby.follow(before.id, entry.id), *([kept.keep(entry.id, terms)] if terms else [])]

        def deed() -> str:
            with self.quota.one_more(asker):
                chairs, game = self._chairs(places, asker), log.catalogue.game(log.game.slug)
                more: dict[str, Any] = {"origin": before.id, "beside": follow, "talk": before.talk}
                return self._begin(game, log.pack, entries, state, chairs, before.visibility, asker, once, None, **more)

        return self.front.do(once, deed)

    def _begin(
        self,
        game: Game[Any, Any, Any],
        pack: PackFile,
        entries: tuple[Told, ...],
        state: Match[Any],
        chairs: tuple[Chair, ...],
        visibility: str,
        asker: Asker,
        once: Once | None,
        clock_wanted: Clock | None,
        *,
        origin: str | None = None,
        talk: str | None = None,
        beside: Callable[[Entry], Iterable[Statement]] = lambda entry: (),
    ) -> str:
        """Seat the bots, and store the new match in one append. `origin`: the match whose rematch it is."""
        self._packs.keep(game.slug, pack)
        for chair in chairs:
            if chair.bot is not None:
                more = play.take_seat(game, state, chair.seat)
                state = matches.fold(game, state, (each.event for each in more))
                entries += more
        entry = Entry(
            id=fresh_id("m"),
            game=game.slug,
            status=state.status,
            visibility=visibility,
            creator=asker.player,
            created=clock.stamp(self._now()),
            chairs=chairs,
            link=0 if visibility == LINK else None,
            origin=origin,
            talk=talk,
        )
        alongside = [*self.front.remember(once, entry.id), *beside(entry)]
        if clock_wanted is not None:
            alongside.append(kept.keep(entry.id, clock_wanted.kept))
        self._changes.open(entry, game, entries, state, alongside)
        return entry.id

    def _timed(
        self, game: Game[Any, Any, Any], entries: tuple[Told, ...], state: Match[Any], wanted: Clock | None
    ) -> tuple[tuple[Told, ...], Match[Any]]:
        """Return the opening events and the match after them, with a clock if one is wanted."""
        if wanted is None:
            return entries, state
        self._check_bot(wanted.bot)
        more = clocks.set_clock(state, wanted.told)
        return (*entries, *more), matches.fold(game, state, [each.event for each in more])

    def _check_bot(self, name: str) -> None:
        if name not in self._bots:
            raise Malformed("unknown-bot", bot=name, known=tuple(sorted(self._bots)))

    def _chairs(self, places: tuple[Place, ...], asker: Asker) -> tuple[Chair, ...]:
        awaited = [place.player for place in places if place.player is not None]
        for player in awaited:
            self._accounts.find(player)
        if len(set(awaited)) != len(awaited):
            raise Malformed("player-twice")
        for place in places:
            if place.bot is not None:
                self._check_bot(place.bot)
        self._invitations.check_room(asker, len([player for player in awaited if player != asker.player]))
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
        for error in self._packs.refresh():
            logger.warning("a pack can't be played with", error=str(error))

    def _opening(self, room: Room, pack: PackFile, wanted: MatchWanted) -> tuple[tuple[Told, ...], Match[Any]]:
        try:
            options = msgspec.convert(wanted.options, room.game.Options, strict=True)
        except msgspec.ValidationError as error:
            raise Malformed("malformed-options", reason=str(error)) from error
        try:
            opened, state = play.open_match(
                room.game,
                pack.pack,
                pack_name=pack.name,
                pack_hash=pack.hash,
                seats=len(wanted.seats),
                options=options,
                secret=secrets.token_hex(32),
            )
        except Refusal as refusal:
            raise refused(Malformed, room.game, refusal) from refusal
        return (opened,), state


def forked(log: Log, version: int) -> tuple[tuple[Told, ...], Match[Any]]:
    """Return the fork's first events and its state. Raises Conflict, with the nearest versions to fork; OtherRules."""
    try:
        return exports.fork(log, version, secrets.token_hex(32))
    except Refusal as refusal:
        if refusal.code != "fork-point":
            raise
        raise refused(Conflict, log.game, refusal, nearest=exports.nearest_fork_points(log, version)) from refusal
