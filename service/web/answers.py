"""What is answered about games, keys and the service itself, and by whom an answer is refused: each a struct."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from domain.scene import Tone
from events.receipts import Key
from service.shapes import Object, one_of
from service.web.account_answers import AccountLimits


class Problem(Struct, frozen=True):
    """RFC 9457, with a code for programs, and the clause where the rules refuse. `title` and `detail` are for people,
    in the language that the request asks for.
    """

    type: str
    """The code as a URI: `urn:foldtable:problem:` and the code."""
    title: str
    """Of which kind the problem is, for people."""
    status: int
    """The status of the answer."""
    detail: str
    """The problem in a sentence, for people, in the language that was asked for."""
    code: str
    """Which problem it is, for programs."""
    clause: str | UnsetType = UNSET
    """The clause of the game's rules that says no, as its rules number it."""
    fields: Object | UnsetType = UNSET
    """What `detail` names: numbers, names, rows of these; by code."""
    scope: str | UnsetType = UNSET
    """The one that the token lacks."""
    errors: Object | UnsetType = UNSET
    """What is wrong, by field, and in that by what it holds; `body` or `query` where it is with all of it."""
    open: Object | UnsetType = UNSET
    """The decision that is open now, and its moves."""
    wrong: tuple[str, ...] | UnsetType = UNSET
    """What keeps the service from working: all of it, by name."""
    nearest: tuple[int, ...] | UnsetType = UNSET
    """The versions next to the one named that can be forked."""


class Keys(Struct, frozen=True):
    """The oldest first; the last one signs."""

    keys: tuple[Key, ...]
    """The keys, the oldest first."""


class GameSummary(Struct, frozen=True):
    """A game that can be played here."""

    slug: str
    """What the game is called in paths."""
    title: Object
    """The title, by language: `en` and `ja`."""
    version: int
    """Of the rules; a match is played to its end under the one it was opened with."""
    seats: tuple[int, ...]
    """With how many seats it can be played."""


class Games(Struct, frozen=True):
    """All of them."""

    games: list[GameSummary]


class Pack(Struct, frozen=True):
    """A set of printed numbers, and what its cards are called."""

    name: str
    hash: str
    names: Object
    """By sort and by what options, moves and events call a piece: its name, `en` and `ja`."""


class BotKind(Struct, frozen=True):
    """A bot that a seat can be given to, and how it chooses, in `en` and `ja`."""

    name: str
    about: Object
    """What it is, by language: `en` and `ja`."""


class Game(GameSummary, frozen=True, kw_only=True):
    """A game, with JSON schemas of what is sent and told."""

    bound: int
    """The most moves that a match can take, forced ones included."""
    packs: list[Pack]
    """The packs that a match may be opened with; the first is taken where none is named."""
    bots: list[BotKind]
    palette: tuple[Tone, ...]
    """The tones in which its pieces are drawn."""
    options: Object
    """The JSON schema of what can be agreed on before a match."""
    view: Object
    """The JSON schema of what is seen of its table."""
    moves: list[Object]
    """The JSON schema of each kind of move."""
    events: Object
    """The JSON schema of each event that a log can hold, by its type."""
    schemas: Object
    """What the other schemas refer to, by name."""


class Room(Struct, frozen=True):
    """How many there may be at the same time."""

    name: str
    by: Annotated[str, one_of("address", "account")]
    most: int
    left: int | None
    """For you; null where you are not counted."""


class Rate(Room, frozen=True, kw_only=True):
    """How much may be asked for."""

    seconds: int
    """Within which all that was used comes back, evenly."""


class Limits(Struct, frozen=True, kw_only=True):
    """What the service allows."""

    body_bytes: int
    """How long a body may be."""
    page: Object
    """How long pages are: `default` and `most`, by list."""
    wait_seconds: int
    """For how many seconds a request may wait."""
    waiting: int
    """How many requests may wait at a time."""
    name_characters: int
    """How many characters a name may have."""
    sittings: Object
    """How often seats of a match are taken: by a player, and for each."""
    invitations: int
    """How many seats a player may keep for others at a time."""
    accounts: AccountLimits
    bot_moves_per_minute: int
    """How many the bots in one account's matches make; 0: any."""
    talk: Object
    """What may be said at tables: characters and lines of a message, messages of a player in a match, players muted,
    and for how many hours a message can be erased.
    """
    idempotency_key_hours: int
    """For how many hours an Idempotency-Key is remembered; of moves it is for ever."""
    rates: list[Rate]
    """What may be asked for, and how often; past it, it is 429."""
    at_once: list[Room]
    """What there may be of at the same time."""
    quotas: list[Room]
    """What may be kept at a time; past it, it is 409."""


class Health(Struct, frozen=True):
    """Whether it lives."""

    status: str
    """`ok` or `ready`."""
