"""The laws notice what they are there for: the toy, broken in one place, breaks the law of that place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.game import Game, Refusal
from tests.laws import alike, log, moves, secrecy
from tests.laws.rooms import room_of
from tests.laws.table import Played, play_match
from tests.toy.high_card.events import DieRolled
from tests.toy.high_card.moves import Pass, Raise, SetAside
from tests.toy.high_card.state import Table

TOY = "high-card"
GAME: Game[Table, Any, Any] = room_of(TOY).game


def bot_who_knows(state: Table, seat: int) -> float:
    """Looks at others' cards when it can."""
    return float(sum(card or 0 for place in state.places for card in place.hand))


def view_of_all(state: Table, seat: int | None) -> Any:
    """Shows whatever it is given."""
    return msgspec.structs.replace(GAME.view(state, seat), places=state.places)


def die_that_tells(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """A die that shows the cards still hidden in the stock."""
    told = GAME.decide(state, seat, move, chance)
    bottom = state.stock[-1] if state.stock else 0
    return tuple(DieRolled(seat=seat, pips=bottom or 1) if isinstance(event, DieRolled) else event for event in told)


def six_that_plays_itself(state: Table) -> Any:
    """The engine plays for whoever holds a 6, once somebody else has played: whoever sees it knows the hand."""
    if (only := GAME.forced(state)) is not None or GAME.secret(state):
        return only
    begun = any(place.aside for place in state.places)
    return next(
        ((seat, SetAside(card=6)) for seat in GAME.to_act(state) if begun and 6 in state.places[seat].hand), None
    )


def refusal_that_tells(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """A refusal that names another's card."""
    try:
        return GAME.decide(state, seat, move, chance)
    except Refusal as refusal:
        card = next((card for card in state.stock if card is not None), "?")
        raise Refusal("TOY-4", "not-to-act", seat=f"with {card}") from refusal


def imagine_what_is_not(seen: Table, seat: int | None, chance: Any) -> Table:
    """Puts all unknown cards anywhere, whoever knows them."""
    return GAME.imagine(
        msgspec.structs.replace(
            seen, places=tuple(msgspec.structs.replace(place, hand=(None,) * len(place.hand)) for place in seen.places)
        ),
        seat,
        chance,
    )


def lost_chips(state: Table, event: Any) -> Table:
    """A die costs a chip that goes nowhere."""
    after = GAME.evolve(state, event)
    return msgspec.structs.replace(after, pot=after.pot - 1) if isinstance(event, DieRolled) else after


def listed_twice(state: Table, seat: int) -> tuple[Any, ...]:
    """Equal cards are two choices."""
    if state.phase == "setting" and seat in GAME.to_act(state):
        return tuple(SetAside(card=card) for card in state.places[seat].hand)
    return GAME.legal(state, seat)


BROKEN: list[tuple[dict[str, Any], Callable[[Played], None]]] = [
    ({"evaluate": bot_who_knows}, secrecy.answers_from_what_is_seen_are_those_from_the_truth),
    ({"view": view_of_all}, secrecy.a_view_shows_the_same_from_what_is_seen_as_from_the_truth),
    ({"decide": die_that_tells}, alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it),
    ({"forced": six_that_plays_itself}, alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it),
    ({"decide": refusal_that_tells}, secrecy.an_imagined_state_refuses_its_seat_alike),
    ({"decide": refusal_that_tells}, secrecy.refusals_from_what_is_seen_are_those_from_the_truth),
    ({"imagine": imagine_what_is_not}, secrecy.an_imagined_state_looks_the_same_to_its_seat),
    ({"evolve": lost_chips}, moves.nothing_is_lost_and_nothing_comes_from_nowhere),
    ({"legal": listed_twice}, moves.lists_of_legal_moves_are_short_and_without_doubles),
    (
        {"legal": lambda state, seat: GAME.legal(state, seat)[:1]},
        moves.every_other_move_is_refused_with_a_clause_and_a_code,
    ),
    ({"bound": 3}, moves.a_match_ends_within_its_bound),
    ({"describe": lambda told, lang: str(told)}, secrecy.everything_told_can_be_said_in_every_language),
]


@pytest.mark.parametrize(
    ("changes", "law"), BROKEN, ids=[f"{next(iter(changes))}-{law.__name__}" for changes, law in BROKEN]
)
def test_a_broken_game_breaks_its_law(
    changes: dict[str, Any], law: Callable[[Played], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    moves.pool_of(TOY)
    room = room_of(TOY)
    monkeypatch.setattr(room, "game", dataclasses.replace(GAME, **changes))
    play_match.cache_clear()
    try:
        with pytest.raises(AssertionError):
            hold(law)
    finally:
        play_match.cache_clear()


def hold(law: Callable[[Played], None]) -> None:
    """As many matches as the toy is tried on elsewhere."""
    for seed in range(12):
        law(play_match(TOY, seed, "random"))


def test_a_state_that_is_no_value_is_noticed() -> None:
    log.check_value((1, "a", None, True, (Pass(), Raise())))
    for wrong in ([1], {"a": 1}, {1}, 1.5, (1, [2]), b"a"):
        with pytest.raises(AssertionError, match="no value of this house"):
            log.check_value(wrong)


def test_a_false_belief_is_found_where_it_stands() -> None:
    truth = (1, (2, 3), SetAside(card=4))
    assert secrecy.difference((None, (2, None), SetAside(card=None)), truth) == ""
    assert secrecy.difference((1, (2, 9), SetAside(card=4)), truth) == ".1.1: 9 is known, 3 is true"
    assert secrecy.difference((1, (2,), SetAside(card=4)), truth) == ".1: (2,) is known, (2, 3) is true"
    assert secrecy.unknown_in((1, (2, None))) == ".1.1"
    assert secrecy.unknown_in(truth) == ""
