"""A match played by bots through the frame, with everything kept that the laws look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

from bots.choose import Bot, Eager, Greedy, Random
from domain import clocks, matches, play, telling
from domain.catalogue import PackFile, Room
from domain.chance import Chance, Simulation
from domain.game import Game, Lang, Seat
from domain.matches import Match
from domain.play import Dice, Told
from domain.secrecy import redact
from events import chain
from events.chain import Stored
from replays.log import codec_of, private_stream, seal
from tests.laws.rooms import known_of, room_of

Viewer = Seat | None
BOTS: dict[str, Bot] = {"random": Random(), "greedy": Greedy(), "eager": Eager()}
AT = "2026-01-01T00:00:00.000Z"
STREAM = "m1"
SAMPLE = 80
"""The most positions of a match that costly laws look at: those that see a table with everybody's eyes. Soak plays
thousands of matches.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """One append, or one answer under seal: what was before it, what was done and what was told."""

    truth: Match[Any]
    seen: dict[Viewer, Match[Any]]
    seat: Viewer
    """Who moved; None: a seat was taken, or answers were closed."""
    move: Any
    told: tuple[Told, ...]
    """Into the match's log: empty for an answer under seal."""

    @property
    def table(self) -> Any:
        """The game's true state."""
        return self.truth.table


@dataclass(slots=True, eq=False)
class Played:
    """A whole match, or its beginning."""

    room: Room
    pack: PackFile
    opened: Told
    dice_of: Callable[[Match[Any]], Dice]
    is_derived: bool
    """Whether chance comes from the secret, so that the log can be derived again."""
    truth: Match[Any]
    seen: dict[Viewer, Match[Any]]
    steps: list[Step] = field(default_factory=list)
    private: dict[Seat, list[Stored]] = field(default_factory=dict)
    kept: dict[tuple[Any, ...], Any] = field(default_factory=dict)
    """What several laws ask for and is made once: by what it is, and by identities of parts of the match."""

    @property
    def game(self) -> Game[Any, Any, Any]:
        """Whose rules these are."""
        return self.room.game

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Every seat, and somebody without one."""
        return (*range(len(self.truth.taken)), None)

    @property
    def told(self) -> list[Told]:
        """The whole log."""
        return [self.opened, *(one for step in self.steps for one in step.told)]

    @property
    def secret(self) -> bytes:
        """The match's secret."""
        return bytes.fromhex(self.opened.event.secret)

    @property
    def positions(self) -> list[Step]:
        """The steps at which a game is on, with what was done there."""
        return [step for step in self.steps if step.truth.status == matches.Status.PLAYING]

    @property
    def sample(self) -> list[Step]:
        """Positions for costly laws: all of a short match, and so many of a longer one, drawn by its length."""
        return once(self, ("sample",), self._draw)  # type: ignore[no-any-return]

    def _draw(self) -> list[Step]:
        positions = self.positions
        order = Simulation(f"sample of {len(positions)}").shuffle(tuple(range(len(positions))))
        return [positions[number] for number in sorted(order[:SAMPLE])]

    def asked(self) -> Iterator[tuple[Step, Seat, Any]]:
        """Yield the positions, each once for every seat that owes an answer there, and the table as it sees it."""
        for step in self.positions:
            for seat in matches.to_act(self.game, step.truth):
                yield step, seat, step.seen[seat].table

    def stored(self) -> tuple[Stored, ...]:
        """The log in its chain."""
        return seal(codec_of(self.game), chain.Head(), STREAM, self.told, AT, self.secret)

    def tell(self, told: tuple[Told, ...], seat: Viewer = None, move: Any = None) -> None:
        """Events happen: everybody is told their part."""
        self.steps.append(Step(self.truth, self.seen, seat, move, told))
        self.truth = matches.fold(self.game, self.truth, [one.event for one in told])
        self.seen = {
            viewer: matches.fold(self.game, seen, [redact(one.event, viewer) for one in told])
            for viewer, seen in self.seen.items()
        }

    def answer(self, seat: Seat, told: Told, move: Any) -> None:
        """An answer goes into the seat's private log: it and the truth know."""
        self.steps.append(Step(self.truth, self.seen, seat, move, ()))
        log = self.private.setdefault(seat, [])
        head = chain.head_of(tuple(log)) if log else chain.Head()
        log += seal(codec_of(self.game), head, private_stream(STREAM, seat), [told], AT, self.secret)
        hash = log[-1].hash.hex()
        self.truth = matches.answered(self.game, self.truth, seat, told.event, hash)
        own = matches.answered(self.game, self.seen[seat], seat, told.event, hash)
        self.seen = {**self.seen, seat: own}


def open_table(
    room: Room, pack: str, seats: int, options: Any, secret: bytes, dice_of: Callable[[Match[Any]], Dice] | None = None
) -> Played:
    """A match that nobody has joined."""
    found = room.packs[pack]
    opened, truth = play.open_match(
        room.game, found.pack, pack_name=pack, pack_hash=found.hash, seats=seats, options=options, secret=secret.hex()
    )
    seen: dict[Viewer, Match[Any]] = {
        viewer: matches.begin(room.game, found.pack, redact(opened.event, viewer)) for viewer in (*range(seats), None)
    }
    return Played(room, found, opened, dice_of or play.dice, dice_of is None, truth, seen)


def sit_down(played: Played, luck: Chance) -> None:
    """Seats are taken in any order; half of them bring a nonce."""
    for seat in luck.shuffle(tuple(range(len(played.truth.taken)))):
        nonce = sha256(f"nonce of {seat}".encode()).hexdigest() if luck.below(2) else ""
        played.tell(play.take_seat(played.game, played.truth, seat, nonce, played.dice_of))


def take_turn(played: Played, bots: tuple[Bot, ...], luck: Chance) -> None:
    """Somebody who owes an answer gives it."""
    seat = luck.choose(matches.to_act(played.game, played.truth))
    make(played, seat, bots[seat].choose(played.game, played.seen[seat].table, seat, luck))


def make(played: Played, seat: Seat, move: Any) -> None:
    """The seat moves; the last answer under seal closes them."""
    game, truth = played.game, played.truth
    decision = matches.decision_of(game, played.seen[seat], seat)
    if not matches.is_sealed(game, truth):
        played.tell(play.played(game, truth, seat, decision, move, played.dice_of(truth))[0], seat, move)
        return
    played.answer(seat, play.seal(game, truth, seat, decision, move), move)
    if play.is_complete(game, played.truth):
        played.tell(play.closed(game, played.truth, played.dice_of(played.truth))[0])


@lru_cache(maxsize=12)
def play_match(slug: str, seed: int, kind: str = "", wanted: Any = None, turns: int | None = None) -> Played:
    """A whole match by seed: options, bots (all of one kind, or any) and everything else come from it.

    `wanted` are options to play with instead of those drawn; after so many `turns` seat 0 concedes a match of two.
    """
    room, luck = room_of(slug), Simulation(f"{slug} {seed} {kind}")
    pack, seats, options = known_of(slug).options(luck)
    if wanted is not None:
        options = wanted
    bots = tuple(BOTS[kind or luck.choose(tuple(BOTS))] for _ in range(seats))
    played = open_table(room, pack, seats, options, sha256(f"secret {seed}".encode()).digest())
    sit_down(played, luck)
    made = 0
    while not played.truth.is_over:
        if turns is not None and made >= turns and not matches.is_sealed(played.game, played.truth):
            played.tell(clocks.concede(played.game, played.truth, 0))
            break
        take_turn(played, bots, luck)
        made += 1
    return played


def play_drawn(slug: str, luck: Chance, dice: Dice, turns: int) -> Played:
    """The first turns of a match whose every choice and draw comes from outside."""
    room = room_of(slug)
    pack, seats, options = known_of(slug).options(luck)
    bots: tuple[Bot, ...] = (Random(),) * seats
    played = open_table(room, pack, seats, options, bytes(32), lambda _: dice)
    sit_down(played, luck)
    for _ in range(turns):
        if played.truth.is_over:
            break
        take_turn(played, bots, luck)
    return played


def inside(value: object) -> list[tuple[object, object]]:
    """What a tuple or a struct is made of, by place or by name; anything else of nothing."""
    if isinstance(value, msgspec.Struct):
        return [(name, getattr(value, name)) for name in value.__struct_fields__]
    return list(enumerate(value)) if isinstance(value, tuple) else []


def once(played: Played, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """What is kept of the match by that key, made when it is first asked for."""
    if key not in played.kept:
        played.kept[key] = make()
    return played.kept[key]


def imagined(played: Played, seen: Match[Any], viewer: Viewer) -> Any:
    """A table that could be, of what the viewer sees in a match."""
    luck = Simulation(f"{seen.version} {viewer}")
    return once(played, ("imagined", id(seen.table), viewer), lambda: played.game.imagine(seen.table, viewer, luck))


def drawn(played: Played, table: Any, viewer: Viewer, lang: Lang) -> str:
    """A table as it is told to who sees it so."""
    game = played.game
    key = ("drawn", id(table), viewer, lang)
    return str(once(played, key, lambda: telling.drawn(game, game.view(table, viewer), lang)))


def with_table(state: Match[Any], table: Any, viewer: Viewer) -> Match[Any]:
    """Another match that looks the same to the viewer: another table, another secret, others' answers not given."""
    answers = tuple(
        one if seat == viewer else matches.Answer[Any](answer=matches.NOT_ASKED, sealed=None)
        for seat, one in enumerate(state.answers)
    )
    return msgspec.structs.replace(state, table=table, secret="ee" * 32, answers=answers)
