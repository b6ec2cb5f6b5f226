"""What the given-when-then tests of all rooms share: a match under way, what was told last and how it refuses."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar

import pytest
from msgspec.structs import replace

from domain.chance import Chance, Scripted, Simulation
from domain.game import Game, Refusal, Seat, fold, put

E = TypeVar("E")


class Told:
    """A match under way: what is done goes through the public record, what was told last is kept."""

    game: ClassVar[Game[Any, Any, Any]]
    """Whose rules these are."""
    plays_forced: ClassVar[bool] = False
    """Whether forced moves are played after each move, as the engine does."""
    table: Any
    fields: dict[str, Any] = {}  # of the refusal that was asked for last, set anew by each
    """The fields of the last refusal."""

    def __init__(self, table: Any, chance: Chance | None = None) -> None:
        self.table = table
        self.told: Any = ()
        """The events that were told last; mypy would believe of a tuple that it stays what it was compared with."""
        self.chance: Chance = chance or Simulation(1)
        self.forced: list[tuple[Seat, Any]] = []
        """The moves that were forced after the last one."""

    def fold(self, *events: Any) -> Self:
        """Given these events."""
        self.told = events
        self.table = fold(self.game, self.table, events)
        return self

    def move(self, seat: Seat, *moves: Any, chance: Chance | None = None) -> Self:
        """When a seat makes moves, each of which must be legal; `chance`: what they draw, all of it."""
        for move in moves:
            assert seat in self.game.to_act(self.table)
            assert move in self.legal(seat), self.legal(seat)
            self.fold(*self.game.decide(self.table, seat, move, chance or self.chance))
            self.forced = []
            while self.plays_forced and (only := self.game.forced(self.table)) is not None:
                assert only[1] in self.legal(only[0])
                self.forced.append(only)
                before = self.told
                self.fold(*self.game.decide(self.table, *only, self.chance))
                self.told = (*before, *self.told)
        assert not isinstance(chance, Scripted) or chance.is_spent
        return self

    def place(self, seat: Seat) -> Any:
        """Return what lies before the seat."""
        return self.table.places[seat]

    def with_table(self, **changes: Any) -> Self:
        """Given that the table is otherwise in these fields."""
        self.table = replace(self.table, **changes)
        return self

    def with_place(self, seat: Seat, **changes: Any) -> Self:
        """Given that what lies before the seat is otherwise in these fields."""
        return self.with_table(places=put(self.table.places, seat, replace(self.place(seat), **changes)))

    def legal(self, seat: Seat, *kinds: type[Any]) -> tuple[Any, ...]:
        """Return the seat's legal moves; those of some classes, if any are named."""
        return tuple(move for move in self.game.legal(self.table, seat) if not kinds or isinstance(move, kinds))

    def refusal(self, seat: Seat, move: Any) -> tuple[str, str]:
        """Return clause and code of the refusal of a move, which must not be legal; its fields are kept."""
        assert move not in self.legal(seat)
        with pytest.raises(Refusal) as refused:
            self.game.decide(self.table, seat, move, Scripted())
        for lang, end in (("en", "."), ("ja", "。")):
            assert self.game.explain(refused.value, lang).endswith(end)
        self.fields = refused.value.fields
        return refused.value.clause, refused.value.code

    def of(self, kind: type[E]) -> tuple[E, ...]:
        """Return the events of a class among those told last."""
        return tuple(event for event in self.told if isinstance(event, kind))

    def one(self, kind: type[E]) -> E:
        """Return the only event of a class among those told last."""
        (event,) = self.of(kind)
        return event
