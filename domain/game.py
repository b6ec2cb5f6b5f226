"""What a game is: one frozen record of pure functions over immutable values.

A room (`domain/games/<game>/`) makes one `Game` and names it `GAME`. Everything else (matches, bots, replays, the
service) plays any game through this record alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Generic, NoReturn, TypeVar

import msgspec
from msgspec import Meta

from domain.chance import Chance

Seat = Annotated[
    int, Meta(title="Seat", description="A place at the table, from 0 in turn order.", extra_json_schema={"minimum": 0})
]
"""A place at the table, from 0 in turn order."""

ALL: Seat = -1
"""As a viewer: somebody from whom nothing is hidden any more, since the match is over."""

Lang = str
"""`"en"` or `"ja"`."""

Upcaster = Callable[[dict[str, Any]], tuple[str, int, dict[str, Any]]]
"""An older event's fields (unknowns are None) -> type, schema and fields of its successor."""

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
T = TypeVar("T")


class Value(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A part of a state, a view or an option: frozen, made of structs, tuples, ints, enums and strings only."""


Maybe = Annotated[tuple[T, ...], Meta(max_length=1)]
"""In a view, what may be absent: a row of none or one, for None means unknown and nothing else."""


Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
"""In a view: how many there are."""


class Spoken(Value, frozen=True):
    """A name or a text, in each language."""

    en: str
    """In English."""
    ja: str
    """In Japanese."""


class View(Value, frozen=True, tag_field="game"):
    """What a table shows to somebody. Its JSON names its game by the slug in `game`: `tag="<slug>"`.

    All views follow one convention: `turn` says who is to act and `step` what the table waits for, what lies before a
    seat is in `places` by seat, what may be absent is a row of none or one, what is unknown is None, names are
    `Spoken`.
    """

    turn: tuple[Seat, ...]
    """The seats that are to act, in their order, as far as the viewer may know; under seal only oneself."""


class Move(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag=True):
    """What a seat chooses. Its JSON names its class in `type`; fields are ints, bools, enums, strings and tuples."""


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What happened. The type's name and `schema` are stored beside the fields, see docs/log.md."""

    schema: ClassVar[int] = 1


Field = int | str | tuple[int | str, ...]
"""What a refusal tells besides its code: a number, a name, a row of these."""


class Refusal(Exception):
    """The rules say no: the clause that says it, a code for programs, and the fields that a sentence needs.

    It is computed from what its seat may see, and records nothing. `refusals.say` puts it in words.
    """

    def __init__(self, clause: str, code: str, **fields: Field) -> None:
        super().__init__(f"{clause} {code} {fields}".strip())
        self.clause = clause
        self.code = code
        self.fields = fields


class PackError(ValueError):
    """A pack that can't be played with: the file, the entry (a card, a table) and the field that is wrong."""

    def __init__(self, file: str, entry: str, field: str, message: str) -> None:
        super().__init__(f"{file}: {entry}: {field}: {message}" if entry else f"{file}: {field}: {message}")
        self.file = file
        self.entry = entry
        self.field = field


class Standing(Value, frozen=True):
    """Who is ahead, or who has won once it is over."""

    points: tuple[int, ...]
    """A number a seat, in the game's own unit."""
    ranking: tuple[int, ...]
    """A place a seat, 1 is first; seats that tie share the better place."""
    over: bool
    """Whether that is the result."""


class Measure(Value, frozen=True):
    """What a match tells about the balance of its pack."""

    rounds: int
    """Rounds or deals that were begun."""
    uses: tuple[tuple[str, tuple[Seat, ...]], ...]
    """Whatever the match had to offer (a card, a special), by name, with the seats that came to use it."""
    first: Seat | None = None
    """Who had the match's first turn, where that was for chance to say."""


def unmeasured(events: Iterable[Any]) -> Measure:
    """What a game measures that tells nothing of its balance: nothing."""
    return Measure(rounds=0, uses=())


def no_chapter(event: Any, lang: Lang) -> None:
    """None: what `Game.chapter` says where a match has no parts to be called by a name."""


def answered_openly(state: Any) -> bool:
    """False: what `Game.secret` says where no decision is answered under seal."""
    return False


def never_closed(state: Any, answers: tuple[Any, ...], chance: Chance) -> NoReturn:
    """What `Game.close` is where no decision is answered under seal: never to be called.

    Raises:  AssertionError.
    """
    raise AssertionError("no answer of this game is under seal: a game that has `secret` has `close`")


Names = dict[str, dict[str, str]]
"""By what sort of piece it is, and by what options, moves and events call it: its name."""


def nameless(pack: Any, lang: Lang) -> Names:
    """Of a game whose pieces have no names."""
    return {}


def nothing_printed(pack: Any, lang: Lang) -> tuple[Any, ...]:
    """Of a game whose pieces can't be looked at before they are played with."""
    return ()


def nothing_meant(seen: Any, seat: Seat, touched: str) -> tuple[Any, ...]:
    """Of a game that does not guess what a touch was for."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[S, M, E]):
    """One rule set. `state` is the truth, `seen` the fold of the events that a seat was told (unknowns are None)."""

    slug: str
    title: dict[Lang, str]
    version: int
    """Of the rules, from 1: what a match is opened with now, and by which it is played to its end."""
    seats: tuple[int, ...]
    """The numbers of seats it can be played with."""
    bound: int
    """The most moves, forced ones included, that a match can take."""

    Move: Any
    """The closed union of move classes (`A | B | ...`)."""
    Event: Any
    """The closed union of event classes."""
    View: type[Any]
    """What `view` returns: a `View`."""
    Options: type[Any]
    """A `Value` with a default for every field. What it may be stands in its JSON schema (`Meta(extra_json_schema=…)`);
    `check_options` judges."""
    Pack: type[Any]
    """The printed numbers, as a struct."""

    parse_pack: Callable[[bytes, str], Any]
    """(TOML bytes, file name for errors) -> the pack, checked; raises PackError."""
    check_options: Callable[[Any, int, Any], None]
    """(options, seats, pack): raises Refusal when the options can't be played."""
    initial: Callable[[Any, int, Any], S]
    """(options, seats, pack) -> the table before anything happened."""
    setup: Callable[[S, Chance], tuple[E, ...]]
    """What the dealer does."""
    to_act: Callable[[S], tuple[Seat, ...]]
    """Who owes an answer. Of a `seen` under seal: only those known to be asked."""
    legal: Callable[[S, Seat], tuple[M, ...]]
    """Every move the seat may make now: complete, at most 100, empty when it is not to act."""
    decide: Callable[[S, Seat, M, Chance], tuple[E, ...]]
    """What the move brings about. Raises Refusal for whatever is not in `legal`."""
    evolve: Evolve[S]
    """Writes one event down; total on stored events, judges nothing, takes unknowns."""
    forced: Callable[[S], tuple[Seat, M] | None]
    """The move that the engine plays by itself, if there is one: see the tells in RULES.md."""
    default: Callable[[S, Seat], M]
    """(seen, seat): what the clock plays for an absent seat."""
    view: Callable[[S, Seat | None], Any]
    """(seen, viewer) -> what a table shows, never more than `seen`. The viewer is a seat, None for a spectator, or
    `ALL`."""
    standing: Callable[[S], Standing]
    describe: Callable[[Any, Lang], str]
    """An event (also a redacted one) or a move in words, told without the state, in the third person. Seats are
    written as "seat 0" and "席0", counted as in the data, so that a name can be put in their place."""
    label: Callable[[S, Seat, M, Lang], str]
    """(seen, seat, move, lang): what a legal move of the seat's is in this position, as a line for somebody who sees
    nothing but this line: which card, what it costs, what it brings, what it bars. No two legal moves have the same."""
    explain: Callable[[Refusal, Lang], str]
    """A refusal of the game's own (it names a clause), as a sentence for the seat that it is told to."""
    scene: Callable[[Any, Lang], Any]
    """A view -> the `domain.scene.Scene` that a table shows: made of the view alone, so that it tells no more."""
    touches: Callable[[S, Seat, M], tuple[str, ...]]
    """(seen, seat, move) -> the path of the scene's ids by which a hand makes a legal move: first the card, then the
    place. No two legal moves have the same, and none begins another one."""
    palette: tuple[Any, ...]
    """Every `domain.scene.Tone` that its pieces have."""
    imagine: Callable[[S, Seat | None, Chance], S]
    """(seen, seat) -> a full state that looks the same to that seat."""
    evaluate: Callable[[S, Seat], float]
    """(seen, seat) -> how good the seat's position looks, in a unit of the game's own; more is better. It reads
    nothing that the seat may not know, even when it is given a full state."""
    secret: Callable[[S], bool] = answered_openly
    """Whether the open decisions are answered under seal; the same for every viewer. Without it none ever is."""
    close: Callable[[S, tuple[M | None, ...], Chance], tuple[E, ...]] = never_closed
    """All sealed answers are in (None: the seat was not asked): what they bring about. It belongs to `secret`."""
    measure: Callable[[Iterable[E]], Measure] = unmeasured
    """A match's events of the game -> what they tell about its balance."""
    meant: Callable[[S, Seat, str], tuple[M, ...]] = nothing_meant
    """(seen, seat, an id of the scene) -> what a hand may have meant by touching it when it begins no legal move, the
    likeliest first: the rules then say why not."""
    chapter: Callable[[Any, Lang], str | None] = no_chapter
    """An event of the game -> what the part of the match is called that begins with it ("Round 2"); None: none does."""
    names: Callable[[Any, Lang], Names] = nameless
    """(pack, lang) -> what cards and other pieces are called. Every language names the same ones."""
    showcase: Callable[[Any, Lang], tuple[Any, ...]] = nothing_printed
    """(pack, lang) -> the `domain.scene.Zone`s in which everything lies once that the pack prints, with its copies."""
    upcasters: tuple[tuple[tuple[str, int], Upcaster], ...] = ()
    """By (type, schema) of stored events whose classes are of the past: what brings their fields up to date."""
    earlier: tuple[tuple[int, Callable[[Any, int, Any], S]], ...] = ()
    """The earlier versions of the rules that can still be played, ascending, each with its `initial`: the state that it
    returns holds as data what differs from `version`, and all other functions of the record read it there."""

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the rules by which matches can be played here, ascending; the last one is `version`."""
        return (*(version for version, _ in self.earlier), self.version)

    def by(self, version: int) -> Game[S, M, E] | None:
        """The record that plays matches of that version of the rules; None where that version is not at hand."""
        return _by(self, version)


@lru_cache(maxsize=64)
def _by(game: Game[S, M, E], version: int) -> Game[S, M, E] | None:
    """See `Game.by`. A version has one record, so that what is kept by record (codecs) is kept once."""
    if version == game.version:
        return game
    for earlier, initial in game.earlier:
        if earlier == version:
            return replace(game, version=version, initial=initial, earlier=())
    return None


class Evolve(dict[type[Any], Callable[[S, Any], S]], Generic[S]):
    """`evolve(state, event) -> state`: how each class of events is written down.

    Loops look the function up themselves, which saves a call for each event.
    """

    def __call__(self, state: S, event: Any) -> S:
        """The state after the event. Raises KeyError for an event of no class of the game's."""
        return self[type(event)](state, event)


class EventBuffer(Generic[S, E]):
    """The events that a decision has told so far, and the state after them, which what follows in it reads."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, evolve: Evolve[S], state: S) -> None:
        self._evolve = evolve
        self.state = state
        self.events: list[E] = []

    def tell(self, event: E) -> S:
        """Add the event, and return the state after it."""
        self.events.append(event)
        self.state = self._evolve[type(event)](self.state, event)
        return self.state


def fold(game: Game[S, M, E], state: S, events: tuple[E, ...]) -> S:
    """The state after these events of the game."""
    evolve = game.evolve
    for event in events:
        state = evolve[type(event)](state, event)
    return state


@lru_cache(maxsize=4096)
def move_id(move: Any) -> str:
    """A short name of the move that clients may send instead of it: unique among the legal moves of a decision.

    The class and the fields in their order: `Discard(at=3, reach=True)` is `discard-3-reach`; a False is left out.
    """
    parts = [type(move).__name__.lower()]
    for name in move.__struct_fields__:
        value = getattr(move, name)
        if value is True:
            parts.append(name)
        elif value is not False:
            parts.extend(
                str(part).lower().replace(" ", "_") for part in (value if isinstance(value, tuple) else (value,))
            )
    return "-".join(parts)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The values, with another one at that index. Raises IndexError beyond their end."""
    changed = [*values]
    changed[at] = value
    return tuple(changed)


def rank(keys: tuple[Any, ...]) -> tuple[int, ...]:
    """Places from 1 by key, the greatest first; equal keys share the better place."""
    best_first = sorted(keys, reverse=True)
    return tuple([1 + best_first.index(key) for key in keys])
