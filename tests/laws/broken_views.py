"""Views of the toy that are broken in one place, each with the law that is to notice it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from domain.game import Game, Spoken
from tests.laws import secrecy, views
from tests.laws.rooms import room_of
from tests.toy.high_card.state import Table

GAME: Game[Table, Any, Any] = room_of("high-card").game


def view_of_all(state: Table, seat: int | None) -> Any:
    """Shows whatever it is given."""
    shown = GAME.view(state, seat)
    open_ = zip(shown.places, state.places, strict=True)
    return msgspec.structs.replace(
        shown, places=tuple(msgspec.structs.replace(place, hand=true.hand) for place, true in open_)
    )


class Loud(Spoken, frozen=True):
    """A name that says more than its languages."""

    loud: bool = True


def shown_with(**changes: Any) -> Callable[[Table, int | None], Any]:
    """The table shown with something else in a place."""
    return lambda state, seat: msgspec.structs.replace(GAME.view(state, seat), **changes)


def places_from_the_last(state: Table, seat: int | None) -> Any:
    """Shows the seats the other way round."""
    shown = GAME.view(state, seat)
    return msgspec.structs.replace(shown, places=shown.places[::-1])


def two_cards_aside(state: Table, seat: int | None) -> Any:
    """Shows two cards where there is one or none."""
    shown = GAME.view(state, seat)
    return msgspec.structs.replace(
        shown, places=tuple(msgspec.structs.replace(place, aside=(1, 2)) for place in shown.places)
    )


SAME = secrecy.a_view_shows_the_same_from_what_is_seen_as_from_the_truth
WHO = views.a_view_says_of_which_game_it_is_who_is_to_act_and_for_what
PLACES = views.what_lies_before_a_seat_is_in_places_by_seat
ABSENT = views.what_may_be_absent_is_a_row_and_none_is_what_is_unknown
NAMES = views.names_are_told_in_every_language

FAULTS: tuple[tuple[Callable[..., None], dict[str, Any]], ...] = (
    (SAME, {"view": view_of_all}),
    (WHO, {"view": shown_with(turn=())}),
    (WHO, {"view": shown_with(step="")}),
    (WHO, {"slug": "low-card"}),
    (PLACES, {"view": places_from_the_last}),
    (PLACES, {"view": shown_with(places=())}),
    (ABSENT, {"view": shown_with(pot=None)}),
    (ABSENT, {"view": shown_with(turn=[])}),
    (ABSENT, {"view": two_cards_aside}),
    (NAMES, {"view": shown_with(pot=Spoken("Pot", ""))}),
    (NAMES, {"view": shown_with(pot=Loud("Pot", "ポット"))}),
)
"""What is broken of the toy, by law."""
