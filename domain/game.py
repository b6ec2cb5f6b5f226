"""The interface of a game: one frozen record of pure functions over immutable values.

A room (`domain/games/<game>/`) makes one `Game` and names it `GAME`. Everything else (matches, bots, replays, the
service) plays any game through this record alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import add
from typing import Annotated, Any, ClassVar, Generic, NoReturn, TypeVar, get_args

import msgspec
from msgspec import Meta

from domain.chance import Chance

Seat = Annotated[
    int, Meta(title="Seat", description="A place at the table, from 0 in turn order.", extra_json_schema={"minimum": 0})
]
"""A place at the table, from 0 in turn order."""

ALL: Seat = -1
"""As a viewer: someone who may see everything, since the match is over."""

Lang = str
"""`"en"` or `"ja"`."""

Upcaster = Callable[[dict[str, Any]], tuple[str, int, dict[str, Any]]]
"""Takes an older event's fields (unknown ones are None); returns type, schema and fields of its successor."""

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")
T = TypeVar("T")


def total(numbers: Iterable[float]) -> float:
    """Return the sum, added one number after the other: from Python 3.12 on `sum` adds floats in another way.

    A bot has to play by every Python as it does by the others.
    """
    return reduce(add, numbers, 0.0)


class Value(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A part of a state, a view or an option: frozen, made of structs, tuples, ints, enums and strings only."""


Maybe = Annotated[tuple[T, ...], Meta(max_length=1)]
"""In a view: a value that may be absent, as a row of none or one; None means unknown and nothing else."""

Count = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
"""In a view: a number of things."""


class Spoken(Value, frozen=True):
    """A name or a text, in each language."""

    en: str
    """In English."""
    ja: str
    """In Japanese."""


class View(Value, frozen=True, tag_field="game"):
    """What a table shows to somebody. Its JSON names its game by the slug in `game`: `tag="<slug>"`.

    All views follow one convention: `turn` has the seats that are to act, `step` what the table waits for, `places`
    what lies before each seat. What may be absent is a row of none or one, what is unknown is None, names are `Spoken`.
    """

    turn: tuple[Seat, ...]
    """The seats that are to act, in order, as far as the viewer may know: who is asked under seal may be a secret."""


class Move(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", tag=True):
    """What a seat chooses. Its JSON names its class in `type`; fields are ints, bools, enums, strings and tuples."""


class Event(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What happened. The type's name and `schema` are stored beside the fields: see docs/log.md."""

    schema: ClassVar[int] = 1


Field = int | str | tuple[int | str, ...]
"""What a refusal holds besides its code: a number, a name, or a row of these."""


class Refusal(Exception):
    """A move or request that the rules refuse: the clause, a code for programs, and the fields that a sentence needs.

    It depends only on what its seat may see, and records nothing. `refusals.say` puts it in words.
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
    """Who is ahead; once the game is over, who has won."""

    points: tuple[int, ...]
    """One number for each seat, in the game's own unit."""
    ranking: tuple[int, ...]
    """One place for each seat, 1 is first; seats that tie share the better place."""
    over: bool
    """Whether this is the final result."""


class Measure(Value, frozen=True):
    """What a match says about the balance of its pack."""

    rounds: int
    """The number of rounds or deals that were begun."""
    uses: tuple[tuple[str, tuple[Seat, ...]], ...]
    """What the match offered (a card, a special), by name, with the seats that used it."""
    first: Seat | None = None
    """The seat that had the first turn, if chance decided it."""


def classes(union: Any) -> tuple[type[Any], ...]:
    """Return the classes of a closed union of moves or events, which may be a single class."""
    return get_args(union) or (union,)


def answered_openly(state: Any) -> bool:
    """Return False, for games in which no decision is answered under seal."""
    return False


def never_closed(state: Any, answers: tuple[Any, ...], chance: Chance) -> NoReturn:
    """Raise AssertionError, for games in which no decision is answered under seal."""
    raise AssertionError("no answer of this game is under seal: a game that has `secret` has `close`")


Terms = dict[str, float]
"""What a position is worth to a seat, in parts by name."""


def halfway(state: Any) -> float:
    """Return 0.5, for games that do not say how far a match has come."""
    return 0.5


def undivided(seen: Any, seat: Seat) -> Terms:
    """Return no parts, for games that don't say of what their evaluation is made."""
    return {}


Names = dict[str, dict[str, str]]
"""Names of pieces: by the sort of piece, then by what options, moves and events call it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[S, M, E]):
    """The rules of one game. `state` is the truth; `seen` is the fold of what a seat was told (unknowns are None)."""

    slug: str
    title: dict[Lang, str]
    version: int
    """The version of the rules, from 1, with which a match is opened now and played to its end."""
    seats: tuple[int, ...]
    """The possible numbers of seats."""
    bound: int
    """The most moves that a match can take, forced ones included."""

    Move: Any
    """The closed union of move classes (`A | B | ...`); a class alone, if there is one. See `classes`."""
    Event: Any
    """The closed union of event classes."""
    View: type[Any]
    """What `view` returns: a `View`."""
    Options: type[Any]
    """A `Value` with a default for every field.

    Its JSON schema says which values are possible (`Meta(extra_json_schema=…)`); `check_options` judges them.
    """
    Pack: type[Any]
    """A struct of the printed numbers."""

    parse_pack: Callable[[bytes, str], Any]
    """(TOML bytes, file name for errors) -> the pack, checked; raises PackError."""
    check_options: Callable[[Any, int, Any], None]
    """(options, seats, pack): raises Refusal when the options can't be played."""
    initial: Callable[[Any, int, Any], S]
    """(options, seats, pack) -> the table before anything has happened."""
    setup: Callable[[S, Chance], tuple[E, ...]]
    """(state, chance) -> the dealer's events."""
    to_act: Callable[[S], tuple[Seat, ...]]
    """(state) -> the seats that owe an answer. Of a `seen` under seal: only those known to be asked."""
    legal: Callable[[S, Seat], tuple[M, ...]]
    """(state, seat) -> every move that the seat may make now: complete, at most 100, empty when it is not to act."""
    decide: Callable[[S, Seat, M, Chance], tuple[E, ...]]
    """(state, seat, move, chance) -> the events that the move brings about. Raises Refusal unless it is in `legal`."""
    evolve: Evolve[S]
    """(state, event) -> the state after it. Accepts every stored event and unknown values, and judges nothing."""
    forced: Callable[[S], tuple[Seat, M] | None]
    """(state) -> the move that the engine plays by itself, if there is one: see the tells in RULES.md."""
    default: Callable[[S, Seat], M]
    """(seen, seat) -> the move that the clock plays for an absent seat."""
    view: Callable[[S, Seat | None], Any]
    """(seen, viewer) -> what a table shows, never more than `seen`. Viewers: a seat, None for a spectator, `ALL`."""
    standing: Callable[[S], Standing]
    describe: Callable[[Any, Lang], str]
    """(event or move, lang) -> a sentence in the third person; it needs no state, and the event may be redacted.

    Seats are written as "seat 0" and "席0", counted as in the data, so that names can be put in their place.
    """
    label: Callable[[S, Seat, M, Lang], str]
    """(seen, seat, move, lang) -> a legal move as a line for somebody who sees nothing but this line.

    It says which card, what it costs, what it brings, what it prevents. No two legal moves have the same label.
    """
    explain: Callable[[Refusal, Lang], str]
    """(refusal, lang) -> a refusal with a clause of this game, as a sentence for the seat that was refused."""
    scene: Callable[[Any, Lang], Any]
    """(view, lang) -> the `domain.scene.Scene` that a table shows, made of the view alone, so it shows no more."""
    touches: Callable[[S, Seat, M], tuple[str, ...]]
    """(seen, seat, move) -> the ids of the scene that a hand touches to make a legal move: the card, then the place.

    No two legal moves have the same path, and none is the beginning of another.
    """
    palette: tuple[Any, ...]
    """Every `domain.scene.Tone` that the game's pieces use."""
    imagine: Callable[[S, Seat | None, Chance], S]
    """(seen, seat, chance) -> a complete state that looks the same to that seat."""
    evaluate: Callable[[S, Seat], float]
    """(seen, seat) -> how good the seat's position looks, in the game's own unit; more is better.

    It reads nothing that the seat may not know, even in a complete state.
    """
    ways: Callable[[S, Seat, M], tuple[tuple[str, ...], ...]] = lambda seen, seat, move: ()
    """(seen, seat, move) -> further paths that make a legal move, as its cards in another order; by default none."""
    terms: Callable[[S, Seat], Terms] = undivided
    """(seen, seat) -> the parts of which `evaluate` is the sum; what they are called is in `names` under "term"."""
    progress: Callable[[S], float] = halfway
    """(state) -> how far the match has come, from 0 at its start to 1 at its end, by what everybody sees."""
    tuning: Any = None
    """The `domain.tuning.Tuning` with which a searcher looks ahead; None: the default one."""
    secret: Callable[[S], bool] = answered_openly
    """(state) -> whether the open decisions are answered under seal; the same for every viewer. By default none is."""
    close: Callable[[S, tuple[M | None, ...], Chance], tuple[E, ...]] = never_closed
    """(state, answers, chance) -> the events of all sealed answers together (None: not asked). Needed with `secret`."""
    measure: Callable[[Iterable[E]], Measure] = lambda events: Measure(rounds=0, uses=())
    """(a match's events of the game) -> what they say about its balance; by default nothing."""
    meant: Callable[[S, Seat, str], tuple[M, ...]] = lambda seen, seat, touched: ()
    """(seen, seat, an id of the scene) -> the moves that a touch may have meant if it begins no legal one.

    The likeliest is first; the rules then say why it is refused.
    """
    chapter: Callable[[Any, Lang], str | None] = lambda event, lang: None
    """(event, lang) -> the name of the part of the match that begins with the event ("Round 2"), or None."""
    names: Callable[[Any, Lang], Names] = lambda pack, lang: {}
    """(pack, lang) -> the names of cards and other pieces. Every language names the same ones."""
    kinds: Callable[[Lang], Mapping[str, str]] = lambda lang: {}
    """(lang) -> what the moves of a class are called, by the class's name; by default nothing."""
    never: Callable[[Any], tuple[type[Any], ...]] = lambda options: ()
    """(options) -> the classes of moves that no match with these options ever allows; by default none."""
    part: str = ""
    """The path in what is seen to the number of the part of the match, which only grows, as of a round or deal;
    "" if there are none."""
    style: Any = None
    """The `domain.scene.Style` of its table; None: that of any game."""
    showcase: Callable[[Any, Lang], tuple[Any, ...]] = lambda pack, lang: ()
    """(pack, lang) -> `domain.scene.Zone`s with everything that the pack prints, each thing once, with its copies."""
    upcasters: tuple[tuple[tuple[str, int], Upcaster], ...] = ()
    """By (type, schema) of stored events without a class of today: the functions that bring their fields up to date."""
    earlier: tuple[tuple[int, Callable[[Any, int, Any], S]], ...] = ()
    """The earlier versions of the rules that can still be played, ascending, each with its `initial`.

    The state which that returns holds as data what differs from `version`; all other functions read it there.
    """

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the rules by which matches can be played here, ascending; the last is `version`."""
        return (*(version for version, _ in self.earlier), self.version)

    def by(self, version: int) -> Game[S, M, E] | None:
        """Return the record that plays matches by that version of the rules; None if the version is not available."""
        return _by(self, version)


@lru_cache(maxsize=64)
def _by(game: Game[S, M, E], version: int) -> Game[S, M, E] | None:
    """See `Game.by`. A version has one record, so that what is cached by record (codecs) is cached once."""
    if version == game.version:
        return game
    for earlier, initial in game.earlier:
        if earlier == version:
            return replace(game, version=version, initial=initial, earlier=())
    return None


class Evolve(Generic[S]):
    """Applies any event of a game, by the function of the event's class.

    Loops look the function up in `by_class` themselves, which saves a call for each event.
    """

    __slots__ = ("by_class",)

    def __init__(self, by_class: dict[type[Any], Callable[[S, Any], S]]) -> None:
        self.by_class = by_class

    def __call__(self, state: S, event: Any) -> S:
        """Return the state after the event. Raises KeyError if its class is none of the game's."""
        return self.by_class[type(event)](state, event)


class EventBuffer(Generic[S, E]):
    """The events of a decision so far, and the state after them, which the rest of the decision reads."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, evolve: Evolve[S], state: S, told: tuple[E, ...] = ()) -> None:
        """`told`: the first events of the decision, if there are any; `state` is as it was before them."""
        by_class = self._evolve = evolve.by_class
        for event in told:
            state = by_class[type(event)](state, event)
        self.state = state
        self.events: list[E] = [*told]

    def tell(self, event: E) -> S:
        """Add the event, and return the state after it."""
        self.events.append(event)
        self.state = self._evolve[type(event)](self.state, event)
        return self.state


def fold(game: Game[S, M, E], state: S, events: tuple[E, ...]) -> S:
    """Return the state after these events of the game."""
    evolve = game.evolve.by_class
    for event in events:
        state = evolve[type(event)](state, event)
    return state


@lru_cache(maxsize=4096)
def move_id(move: Any) -> str:
    """Return a short name of the move, which clients may send instead of it: unique among a decision's legal moves.

    It has the class and the fields in their order: `Discard(at=3, reach=True)` is `discard-3-reach`; False is left out.
    """
    parts = [type(move).__name__.lower()]
    for name in move.__struct_fields__:
        value = getattr(move, name)
        if value is True:
            parts.append(name)
        elif value is not False:
            values = value if isinstance(value, tuple) else (value,)
            parts.extend(str(part).lower().replace(" ", "_") for part in values)
    return "-".join(parts)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return the values with another one at that index. Raises IndexError beyond the end."""
    changed = [*values]
    changed[at] = value
    return tuple(changed)


def rank(keys: tuple[Any, ...]) -> tuple[int, ...]:
    """Return places from 1 by key, the greatest key first; equal keys share the better place."""
    best_first = sorted(keys, reverse=True)
    return tuple([1 + best_first.index(key) for key in keys])
