"""Labels of the toy that tell too much, or what is not so, each in one place. See `test_laws_notice.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.game import Game
from tests.laws import alike, claims, moves, secrecy, texts
from tests.laws.rooms import room_of
from tests.toy.high_card.state import Table

GAME: Game[Table, Any, Any] = room_of("high-card").game


def that_tells(seen: Table, seat: int, move: Any, lang: str) -> str:
    """A line that changes with the cards that lie in the stock."""
    return f"{GAME.label(seen, seat, move, lang)}, {sum(card or 0 for card in seen.stock)}"


def that_tells_in_japanese(seen: Table, seat: int, move: Any, lang: str) -> str:
    """The same, for those alone who read it."""
    return (that_tells if lang == "ja" else GAME.label)(seen, seat, move, lang)


def that_asks_for_more(seen: Table, seat: int, move: Any, lang: str) -> str:
    """All chips are said to be paid."""
    chips = seen.places[seat].chips
    return GAME.label(seen, seat, move, lang).replace("pay 1 of", f"pay {chips} of")


def that_counts_what_nobody_checks(seen: Table, seat: int, move: Any, lang: str) -> str:
    """A number that no claim of the room is about."""
    return f"{GAME.label(seen, seat, move, lang)}; 2 more to come"


def that_counts_otherwise_in_japanese(seen: Table, seat: int, move: Any, lang: str) -> str:
    """A number that English does not have."""
    return GAME.label(seen, seat, move, lang) + ("、残り8枚" if lang == "ja" else "")


def with_a_hyphen(seen: Table, seat: int, move: Any, lang: str) -> str:
    """A loss that is no loss but a hyphen."""
    return GAME.label(seen, seat, move, lang) + " -3"


FAULTS: tuple[tuple[Callable[[Any], None], dict[str, Any]], ...] = (
    (moves.a_label_tells_nothing_that_its_seat_does_not_know, {"label": that_tells}),
    (moves.a_label_tells_nothing_that_its_seat_does_not_know, {"label": that_tells_in_japanese}),
    (secrecy.an_imagined_state_looks_the_same_to_its_seat, {"label": that_tells}),
    (claims.a_label_claims_what_then_happens, {"label": that_asks_for_more}),
    (claims.a_label_claims_what_then_happens, {"label": that_counts_what_nobody_checks}),
    (claims.both_languages_claim_the_same_numbers, {"label": that_counts_otherwise_in_japanese}),
    (texts.less_than_nothing_is_written_with_a_minus_sign, {"label": with_a_hyphen}),
    (alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it, {"label": that_tells}),
    (alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it, {"label": that_tells_in_japanese}),
)
"""Each law of labels, and what breaks it."""
