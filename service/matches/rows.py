"""A match as the lobby and a player's profile list it: who sits there, its status, and how it ended."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict

from domain.happenings import ClockSet
from domain.matches import Status
from service import store
from service.accounts import Accounts
from service.clock import format_duration
from service.matches.states import Lobby, page_of, parse_cursor
from service.matches.terms import GENERAL, RESIGNATIONS
from service.shapes import Moment, one_of
from service.store import Conduct, Entry, History, Player, Rival, Who, lobby, people

STATUSES = tuple(status.value for status in Status)
TALK = ("seats", "after", "open", "none")
HOW = ("played", "agreement", "operator", "pause")

RIVALS = 20
"""The most rivals in a profile."""

LATELY = 200
"""The number of a player's newest matches in which they are counted."""

RUNNING = 50
"""The most running matches whose players the player is taken to know."""


class Chair(Struct, frozen=True):
    """A seat and who has it."""

    seat: int
    player: Who | None
    bot: str | None
    stand_in: str | None
    """The bot that plays for the player."""
    resigned: bool
    reserved: Who | None
    """The player for whom the seat is kept; null if it is for anybody."""
    conduct: Conduct | None
    """What happened to the seat; null until the match is over."""


class Allowance(Struct, frozen=True):
    """The time that seats have."""

    allowance: str
    """The time for a decision; an ISO 8601 duration, like the next two."""
    claims: str
    """The time for an answer under seal, which never costs time of the bank."""
    bank: str
    """The further time of each seat for all its decisions together."""
    defaults: int


class Points(Struct, frozen=True):
    """The points and places by seat."""

    points: tuple[int, ...]
    """The points, by seat."""
    ranking: tuple[int, ...]
    """The place of each seat, from 1; equal seats share a place. Rules may rank by more than points."""


class Result(Points, frozen=True):
    """The result of a match that was played to its end."""

    winners: list[int]
    """The seats that came first."""


class Rematch(Struct, frozen=True):
    """The matches of the same players on other seats."""

    of: str | None
    """The match whose rematch this is; null if it is none."""
    next: str | None
    """The rematch of this match; null if there is none. You may not know of it if you declined your seat there."""


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A match, as the lobby lists it."""

    id: str
    """The match's id."""
    game: str
    status: Annotated[str, one_of(*STATUSES)]
    visibility: lobby.Visibility
    created: Moment
    talk: Annotated[str, one_of(*TALK)]
    """Who may read the messages at the table."""
    clock: Allowance | None
    resignation: Annotated[str, one_of(*RESIGNATIONS)]
    moves_made: int
    """The number of moves made."""
    moved: Moment | None
    """When the last move was made; null if none was."""
    ended: Moment | None
    """When the match ended; null if it has not."""
    how: Annotated[str, one_of(*HOW)] | None
    """How the match ended: `played`, to its end or until one of two resigned, or why it was broken off; null if it has
    not ended."""
    result: Result | None
    """The result; null until the match ends, and if it was broken off."""
    rematch: Rematch
    seats: list[Chair]
    """The seats, in turn order."""


def summary(entry: Entry) -> MatchSummary:
    """Return the match as the lobby lists it."""
    return MatchSummary(
        id=entry.id,
        game=entry.game,
        status=entry.status,
        visibility=entry.visibility,
        created=entry.created,
        talk=entry.talk or "seats",
        clock=None if entry.clock is None else allowance(entry.clock),
        resignation=entry.resignation or GENERAL.resignation,
        moves_made=entry.moves or 0,
        moved=entry.moved,
        ended=entry.ended,
        how=entry.how,
        result=result(tuple(chair.points for chair in entry.chairs), tuple(chair.place for chair in entry.chairs)),
        rematch=Rematch(entry.origin, entry.rematch),
        seats=[chair(entry, each) for each in entry.chairs],
    )


def allowance(terms: ClockSet) -> Allowance:
    """Return the clock in the form of answers."""
    return Allowance(
        format_duration(terms.allowance), format_duration(terms.claims), format_duration(terms.bank), terms.defaults
    )


def result(points: tuple[int | None, ...], ranking: tuple[int | None, ...]) -> Result | None:
    """Return the points and places; None if the match was not played to its end."""
    reached = tuple(number for number in points if number is not None)
    places = tuple(number for number in ranking if number is not None)
    if not points or len(reached) < len(points) or len(places) < len(ranking):
        return None
    return Result(reached, places, [seat for seat, place in enumerate(places) if place == 1])


def chair(entry: Entry, of: store.Chair) -> Chair:
    """Return the seat in the form of answers; only a match that is over shows its conduct."""
    return Chair(
        seat=of.seat,
        player=people.who(of.player, of.player_name, of.player_kind),
        bot=of.bot,
        stand_in=of.stand_in,
        resigned=of.resigned,
        reserved=people.who(of.reserved, of.reserved_name, of.reserved_kind),
        conduct=None if entry.ended is None else Conduct(of.has_quit, of.by_clock, tuple(of.handed.split())),
    )


class Played(MatchSummary, frozen=True, kw_only=True):
    """A finished match of a player."""

    seat: int
    """The player's seat."""
    place: int
    """The player's place, from 1; several players may share one."""
    result: Result
    """The result."""


class Profiles:
    """Finds the profiles of players. Raises Unknown for a player who does not exist or was erased."""

    def __init__(self, accounts: Accounts, lobby: Lobby, history: History) -> None:
        self._accounts = accounts
        self._lobby = lobby
        self._history = history

    def owner(self, player: Player) -> Who | None:
        """Return the account that made a bot account; None for others."""
        if player.owner is None:
            return None
        owner = self._accounts.find(player.owner)
        return people.who(owner.id, owner.name, owner.kind)

    def rivals(self, player: Player, lately: int = LATELY) -> tuple[Rival, ...]:
        """Return whom the player's `lately` newest matches were against, those met most often first."""
        return self._history.rivals(player.id, RIVALS, lately)

    def met(self, player: Player, lately: int = LATELY) -> tuple[Who, ...]:
        """Return whom the player knows: the rivals that are players, then those of running matches. Each has a name."""
        rivals = (rival.player for rival in self.rivals(player, lately) if rival.player is not None)
        known = {who.id: who for who in (*rivals, *self._history.beside(player.id, RUNNING)) if who.name}
        return tuple(known.values())

    def page(self, player: Player, limit: int, cursor: str | None) -> tuple[list[Played], str | None]:
        """Return the player's matches, newest first, and the cursor to older ones. Raises Malformed."""
        pasts = self._history.page(player.id, limit + 1, parse_cursor("played", cursor))
        page, more = page_of("played", pasts, limit, lambda past: (past.created, past.match))
        played = [
            Played(**asdict(summary(entry)), seat=past.seat, place=entry.chairs[past.seat].place or 0)
            for past in page
            if (entry := self._lobby.find(past.match)) is not None
        ]
        return played, more
