"""What the given-when-then tests of all rooms share: a match under way, what it was told and how it refuses."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import pytest

from domain.chance import Scripted
from domain.game import Game, Refusal, Seat

E = TypeVar("E")


class Told:
    """A match under way: its table, and the events that were told last."""

    game: ClassVar[Game[Any, Any, Any]]
    """Whose rules these are."""
    table: Any
    told: tuple[Any, ...] = ()
    fields: dict[str, Any] = {}  # of the refusal that was asked for last, set anew by each
    """The fields of the last refusal."""

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
