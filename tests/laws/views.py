"""Laws of views: all games show their tables by one convention, which clients are written against."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Any

import msgspec

from domain.game import ALL, View
from tests.laws.log import check_value
from tests.laws.secrecy import unknown_in
from tests.laws.table import Played, inside


@lru_cache(maxsize=4)
def shown(played: Played) -> tuple[tuple[Any, Any], ...]:
    """Some tables as their viewers see them, and as they are when nothing is hidden, each with its view."""
    view = played.game.view
    seen = ((seen.table, viewer) for step in played.sample for viewer, seen in step.seen.items())
    true = ((step.table, ALL) for step in played.sample)
    over = ((played.truth.table, ALL),)
    return tuple((table, view(table, viewer)) for part in (seen, true, over) for table, viewer in part)


def a_view_says_of_which_game_it_is_who_is_to_act_and_for_what(played: Played) -> None:
    """By its slug in `game`, by `turn` and by `step`; under seal of others nothing."""
    game = played.game
    for table, view in shown(played):
        assert type(view) is game.View
        assert isinstance(view, View)
        assert msgspec.json.decode(msgspec.json.encode(view))["game"] == game.slug
        assert isinstance(view.step, StrEnum)  # type: ignore[attr-defined]  # each game has its own
        assert view.turn == game.to_act(table), f"the turn of a view is to_act(seen): {game.to_act(table)}"


def what_lies_before_a_seat_is_in_places_by_seat(played: Played) -> None:
    """From when anybody is to act."""
    seats = list(range(len(played.truth.taken)))
    for _, view in shown(played):
        assert [place.seat for place in view.places] in (seats, [] if not view.turn else seats)


def what_may_be_absent_is_a_row_and_none_is_what_is_unknown(played: Played) -> None:
    """So where nothing is hidden nothing is None; rows of none or one are read back as such."""
    for step in played.sample:
        view = played.game.view(step.table, ALL)
        assert not (missing := unknown_in(view, set())), f"{missing} is None, and nothing is hidden"
    met: set[int] = set()
    for _, view in shown(played):
        check_value(view, met)
        try:
            again = msgspec.json.decode(msgspec.json.encode(view), type=played.game.View)
        except msgspec.ValidationError as error:
            raise AssertionError(f"a view is not what its class says: {error}") from error
        assert again == view


def names_are_told_in_every_language(played: Played) -> None:
    """As `{en, ja}`, and so is every text."""
    met: set[int] = set()
    for _, view in shown(played):
        for part in parts_of(view, met):
            fields = {name: getattr(part, name) for name in part.__struct_fields__}
            if fields.keys() & {"en", "ja"}:
                assert fields.keys() == {"en", "ja"}, f"{part} is a name and more"
                assert all(fields.values()), f"{part} is not told in every language"
            for name in fields.keys() & {"name", "text"}:
                assert fields[name].__struct_fields__ == ("en", "ja"), f"{name} of {part}"


def parts_of(value: object, met: set[int]) -> Iterator[Any]:
    """Every struct in a view, the view too, but for what was met before, by identity: views share most of it."""
    if not isinstance(value, msgspec.Struct | tuple) or id(value) in met:
        return
    met.add(id(value))
    if isinstance(value, msgspec.Struct):
        yield value
    for _, part in inside(value):
        yield from parts_of(part, met)
