"""The answers about matches, games and the service itself, and the answer of every error."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from domain.scene import Style, Tone
from events.receipts import Receipt
from service.clocks import firing
from service.matches import CostlyMoment, Hint, orders, rows, terms
from service.shapes import Object, formatted, one_of
from service.store import lobby, talk
from service.streams import FORMS
from service.web.account_answers import AccountLimits
from service.web.contract.schemas import FIXED


class Problem(Struct, frozen=True):
    """A problem by RFC 9457, with a code for programs, and the clause if a game's rules refuse. `title` and `detail`
    are for people, in the requested language.
    """

    type: str
    """The code as a URI: `urn:foldtable:problem:` and the code."""
    title: str
    """The kind of problem, for people."""
    status: int
    """The HTTP status."""
    detail: str
    code: str
    clause: str | UnsetType = UNSET
    fields: Object | UnsetType = UNSET
    """The values that `detail` contains, by name; the code says which there are."""
    scope: str | UnsetType = UNSET
    """The scope that the token lacks."""
    errors: Object | UnsetType = UNSET
    """What is wrong, by field; `body` or `query` stands for the whole of it."""
    open: Object | UnsetType = UNSET
    """The decision that is open now, and its moves."""
    wrong: tuple[str, ...] | UnsetType = UNSET
    """The names of all faults that keep the service from working."""
    nearest: tuple[int, ...] | UnsetType = UNSET
    """The versions nearest to the requested one from which the match can be continued."""


class GameSummary(Struct, frozen=True):
    """A game that can be played here."""

    slug: str
    """The game's name in paths."""
    title: Object
    """The title, by language: `en` and `ja`."""
    version: int
    """The version of the rules. A match is played to its end by the version with which it was opened."""
    seats: tuple[int, ...]
    """The numbers of seats with which it can be played."""


class Games(Struct, frozen=True):
    """All games of this service."""

    games: list[GameSummary]


class Pack(Struct, frozen=True):
    """A set of printed numbers, and the names of its pieces."""

    name: str
    hash: str
    names: Object
    """The names of the pieces, in `en` and `ja`: by kind, and by the value that stands for them in moves and events."""


class BotKind(Struct, frozen=True):
    """A bot of the service that can play a seat."""

    name: str
    about: Object
    """How the bot chooses its moves, by language: `en` and `ja`."""


class Game(GameSummary, frozen=True, kw_only=True):
    """A game, with the JSON schemas of its options, views, moves and events."""

    bound: int
    """The most moves that a match can take, forced ones included."""
    packs: list[Pack]
    """The packs with which a match can be opened; the first is the default."""
    bots: list[BotKind]
    palette: tuple[Tone, ...]
    """The tones in which its pieces are drawn."""
    style: Style
    """How its table looks."""
    options: Object
    """The JSON schema of the options with which a match can be opened."""
    view: Object
    """The JSON schema of what a seat sees of the table."""
    moves: list[Object]
    """The JSON schema of each kind of move."""
    events: Object
    """The JSON schema of each event that a log can hold, by its type."""
    schemas: Object
    """The schemas to which the other ones refer, by name."""


class Room(Struct, frozen=True):
    """A limit on how many there may be at the same time."""

    name: str
    by: Annotated[str, one_of("address", "account")]
    most: int
    left: int | None
    """How many are left for you; null if you are not counted."""


class Rate(Room, frozen=True, kw_only=True):
    """A limit on how often something may be done."""

    seconds: int
    """The seconds in which a fully used limit becomes free again, evenly."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of the service."""

    body_bytes: int
    """The most bytes of a body."""
    page: Object
    """The lengths of pages by list: `default` and `most`."""
    wait_seconds: int
    """The most seconds that a request may wait."""
    waiting: int
    """The most requests that may wait at the same time."""
    name_characters: int
    """The most characters of a name."""
    sittings: Object
    """How often players may sit down in a match: one player, and all players for each seat."""
    invitations: int
    """The most seats that a player may keep for others at the same time."""
    accounts: AccountLimits
    bot_moves_per_minute: int
    """The most moves that the bots in one account's matches make in a minute; 0 for any number."""
    talk: Object
    """The limits of messages at tables: characters and lines of a message, messages of a player in a match, muted
    players, and the hours for which a message can be erased.
    """
    idempotency_key_hours: int
    """The hours for which an Idempotency-Key is remembered; those of moves are remembered for ever."""
    rates: list[Rate]
    """How often things may be done; after that the answer is 429."""
    at_once: list[Room]
    """How many requests and streams may be open at the same time."""
    quotas: list[Room]
    """How many things an account may have at the same time; after that the answer is 409."""


class Health(Struct, frozen=True):
    """The state of the service."""

    status: str
    """`ok` or `ready`."""


class Lobby(Struct, frozen=True):
    """A page of matches, the newest first."""

    matches: list[rows.MatchSummary]
    next: str | None


class Offers(Struct, frozen=True):
    """Seats that are offered."""

    offers: tuple[lobby.Offer, ...]


class Link(Struct, frozen=True):
    """The link to a match that the lobby does not list."""

    token: str
    """The token of the link: send it as `link` in the query of requests about the match."""
    url: Annotated[str, formatted("uri")]
    """The complete URL."""


class Clocks(Struct, frozen=True):
    """The clocks with a name, and the limits of pauses and vacations."""

    clocks: list[terms.Clock]
    """The clocks with a name."""
    pause_days: int
    """The number of days after which a match that stays paused is broken off."""
    vacation_days: int
    """The days of vacation that everybody has in a year."""


class DueDone(Struct, frozen=True):
    """The matches, in the order of the request."""

    matches: list[firing.Looked]


class StandingOrders(Struct, frozen=True):
    """Your standing orders in a match."""

    orders: tuple[orders.StandingOrder, ...]
    """The orders, in the order in which you gave them; they are tried in this order."""


class NewOrder(orders.StandingOrder, frozen=True):
    """An order that was just given, with the receipt for its event in your private log."""

    receipt: Receipt


class OrdersFollowed(Struct, frozen=True):
    """The matches, in the order of the request."""

    matches: list[orders.MatchFollowed]


class Reports(Struct, frozen=True):
    """A page of reports, the oldest first."""

    reports: tuple[talk.Report, ...]
    next: str | None


class Mutes(Struct, frozen=True):
    """The players whom you have muted."""

    mutes: tuple[talk.Muted, ...]


def forms_of(line: type[Struct], *others: str) -> dict[str, Any]:
    """Return the schemas of a stream whose lines are such structs, by the media types of its forms.

    `others` name further lines that it may have.
    """
    entry = {"$ref": f"#/components/schemas/{line.__name__}"}
    lines = {"description": "One line of the stream.", "oneOf": [entry, *map(FIXED.__getitem__, (*others, "end"))]}
    texts = {"type": "string", "description": "Server-Sent Events; the data of each is one such line."}
    return dict(zip(FORMS, (lines, texts), strict=True))


class Moments(Struct, frozen=True):
    """What cost you most, the latest review first."""

    moments: tuple[CostlyMoment, ...]
    """At most three of each match."""


class GivenHints(Struct, frozen=True):
    """The hints of a match, in the order of its decisions."""

    hints: tuple[Hint, ...]
    """What was asked for, and what was found out."""
