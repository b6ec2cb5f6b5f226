"""Standing orders: what a seat leaves to be played for it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain import matches, orders
from domain.catalogue import Catalogue
from domain.game import Refusal
from domain.games.magicative.components import School
from domain.games.magicative.moves import End, Fix
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, PremoveGiven, Relation, Rule
from domain.play import Told
from tests.domain.table import GAME, PAIRS, refused, start_match
from tests.rows import each
from tests.toy.high_card.moves import SetAside


def rule(*play: Pattern, unless: tuple[Pattern, ...] = (), when: tuple[Comparison, ...] = ()) -> Rule:
    return Rule(play=play, unless=unless, when=when)


def aside(relation: Relation, card: Any) -> Pattern:
    return Pattern(type="SetAside", where=(Comparison(of="card", relation=relation, value=card),))


def chosen(*rules: Rule) -> Any:
    """What these orders make of the first decision, in which seat 0 holds 6, 6 and 1."""
    standing = {number: OrderGiven(order=number, rule=each) for number, each in enumerate(rules, 1)}
    return orders.chosen(GAME, start_match(PAIRS), 0, standing)


def test_the_first_pattern_of_the_first_order_that_fits_one_legal_move_decides() -> None:
    between = (Comparison(of="card", relation=">=", value=1), Comparison(of="card", relation="<", value=5))
    for rules, card in each(
        ([rule(aside("=", 1))], 1),
        ([rule(aside("<", 5))], 1),
        ([rule(aside(">=", 6))], 6),
        ([rule(aside("!=", 6))], 1),
        ([rule(Pattern(type="SetAside", where=between))], 1),
        ([rule(aside("=", 4))], None),
        ([rule(Pattern(type="SetAside"))], None),  # there are two
        ([rule(Pattern(type="Pass"))], None),  # it is not legal
        ([rule(aside("=", 4), Pattern(type="SetAside"), aside("=", 6), aside("=", 1))], 6),
        ([rule(aside("=", 1), unless=(aside("=", 6),))], None),
        ([rule(aside("=", 1), unless=(aside("=", 5),))], 1),
        ([rule(aside("=", 4)), rule(aside("=", 6)), rule(aside("=", 1))], 6),
    ):
        assert chosen(*rules) == (None if card is None else SetAside(card=card))


def test_no_order_says_anything_to_who_is_not_asked() -> None:
    state = start_match(PAIRS)
    assert orders.chosen(GAME, state, 0, {}) is None
    after = msgspec.structs.replace(state, status=matches.Status.ABORTED)
    assert orders.chosen(GAME, after, 0, {1: OrderGiven(order=1, rule=rule(aside("=", 1)))}) is None


def test_what_is_seen_is_compared_and_what_is_not_seen_never_is() -> None:
    for of, relation, value, holds in each(
        ("no.such", "=", 1, False),
        ("no.such", "!=", 1, False),
        ("hands.9", "=", 1, False),
        ("hands.me.size", "=", 3, True),
        ("hands.me.size", "<", 3, False),
        ("hands.0.0", ">=", 1, True),
        ("hands.me.0", "=", "6", False),
        ("hands", "=", 3, False),
        ("hands.2", "=", 1, False),
        ("hands.0.0000000002", "=", 6, True),
        ("hands.first", "=", 1, False),
        ("me", "=", 0, False),
        ("0", "=", 0, False),
        ("size", "=", 1, False),
    ):
        view = {"hands": [[1, 6, 6], None]}
        found = orders.at(view, of, 0)
        one = Comparison(of=of, relation=relation, value=value)
        assert orders._holds(one, found) is holds


def test_what_is_seen_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    state = start_match(PAIRS)
    seen = orders.seen_by(GAME, state.table, 0)
    ways = [way for way in _ways(seen) if orders.at(seen, way, 0) is not orders.NOTHING]
    numbers = [(way, orders.at(seen, way, 0)) for way in ways if type(orders.at(seen, way, 0)) is int]
    assert numbers
    for way, number in numbers:
        when = (Comparison(of=way, relation="=", value=number),)
        assert chosen(rule(aside("=", 1), when=when)) == SetAside(card=1)
        other = (*when, Comparison(of=way, relation=">", value=number))
        assert chosen(rule(aside("=", 1), when=other)) is None


def _ways(view: Any, before: str = "") -> list[str]:
    found = []
    for step, inner in view.items() if isinstance(view, dict) else enumerate(view):
        found.append(f"{before}{step}")
        if isinstance(inner, dict | list | tuple):
            found += _ways(inner, f"{before}{step}.")
    return found


def test_what_can_be_no_order_of_the_game_is_refused() -> None:
    for wrong, code in each(
        (rule(), "order-size"),
        (rule(*[Pattern(type="Pass")] * 21), "order-size"),
        (rule(Pattern(type="Pass"), unless=(Pattern(type="Raise"),) * 21), "order-size"),
        (rule(Pattern(type="SetAside", where=(Comparison(of="card", relation="=", value=1),) * 21)), "order-size"),
        (rule(Pattern(type="Pass"), when=(Comparison(of="a", relation="=", value=1),) * 21), "order-size"),
        (rule(Pattern(type="Ron")), "no-such-move"),
        (rule(Pattern(type="SetAside", where=(Comparison(of="cards", relation="=", value=1),))), "no-such-field"),
        (rule(Pattern(type="Pass", where=(Comparison(of="cards", relation="=", value=1),))), "no-such-field"),
        (rule(aside("=", 10**10)), "order-value"),
        (rule(aside("<", "six")), "order-relation"),
        (rule(aside(">", True)), "order-relation"),
        (rule(Pattern(type="Pass"), when=(Comparison(of="a..b", relation="=", value=1),)), "order-way"),
        (rule(Pattern(type="Pass"), when=(Comparison(of="a b", relation="=", value=1),)), "order-way"),
        (rule(Pattern(type="Pass"), when=(Comparison(of=".".join("a" * 9), relation="=", value=1),)), "order-way"),
        (rule(Pattern(type="Pass"), when=(Comparison(of=f"a.{'9' * 65}", relation="=", value=1),)), "order-way"),
        (rule(aside("=", -(10**9) - 1)), "order-value"),
        (rule(Pattern(type="Pass"), when=(Comparison(of="a", relation="<", value="six"),)), "order-relation"),
    ):
        with refused(code):
            orders.give(GAME, {}, 0, wrong)


def test_of_what_is_refused_no_more_than_64_characters_are_repeated() -> None:
    for wrong, named in each(
        (rule(Pattern(type="x" * 65)), "type"),
        (rule(Pattern(type="SetAside", where=(Comparison(of="x" * 65, relation="=", value=1),))), "of"),
        (rule(Pattern(type="Pass"), when=(Comparison(of="é" * 65, relation="=", value=1),)), "of"),
    ):
        with pytest.raises(Refusal) as refusal:
            orders.give(GAME, {}, 0, wrong)
        assert len(str(refusal.value.fields[named])) == 64


def test_of_a_word_that_the_game_does_not_have_no_more_than_64_characters_are_repeated() -> None:
    long = rule(Pattern(type="Pass"), when=(Comparison(of="x" * 65, relation="=", value=1),))
    with refused("order-word", word="x" * 64):
        orders.check_words(long, frozenset())


def test_an_order_may_be_as_large_as_can_be() -> None:
    most, least = Comparison(of="card", relation="<=", value=10**9), Comparison(of="card", relation=">", value=-(10**9))
    pattern = Pattern(type="SetAside", where=(most, least) * 10)
    when = Comparison(of=".".join(["9" * 64] * 8), relation="!=", value="six")
    orders.check(GAME, rule(*[pattern] * 20, unless=(pattern,) * 20, when=(when,) * 20))


def test_of_a_field_that_is_not_there_those_are_told_that_are() -> None:
    for type, known in (("SetAside", ("card",)), ("Pass", ("-",))):
        with refused("no-such-field", of="cards", known=known):
            orders.check(GAME, rule(Pattern(type=type, where=(Comparison(of="cards", relation="=", value=1),))))


def test_an_order_belongs_to_its_seat_and_to_no_move() -> None:
    for event in (OrderGiven(order=1, rule=rule(Pattern(type="Pass"))), OrderWithdrawn(order=1)):
        assert orders.told(event, 1) == Told(event, "seat:1", 0)


def test_orders_are_counted_from_one_and_there_are_so_many() -> None:
    standing: orders.Standing = {}
    for number in range(16):
        event = orders.give(GAME, standing, number, rule(Pattern(type="Pass")))
        assert event == OrderGiven(order=number + 1, rule=rule(Pattern(type="Pass")))
        standing = orders.evolve(standing, event)
    with refused("too-many-orders", most=16, ever=500):
        orders.give(GAME, standing, 16, rule(Pattern(type="Pass")))
    ended = orders.withdraw(standing, 3)
    assert ended == OrderWithdrawn(order=3)
    standing = orders.evolve(standing, ended)
    assert 3 not in standing
    with refused("no-such-order"):
        orders.withdraw(standing, 3)
    assert orders.give(GAME, standing, 16, rule(Pattern(type="Pass"))).order == 17
    assert orders.give(GAME, {}, 499, rule(Pattern(type="Pass"))).order == 500
    with refused("too-many-orders", most=16, ever=500):
        orders.give(GAME, {}, 500, rule(Pattern(type="Pass")))


def test_an_order_like_a_move_makes_it_again_where_no_other_kinds_of_moves_are_legal() -> None:
    state = start_match(PAIRS)
    view, legal = orders.seen_by(GAME, state.table, 0), GAME.legal(state.table, 0)
    others = tuple(Pattern(type=name) for name in ("Raise", "Pass", "Roll"))
    again = orders.like(GAME, view, legal, SetAside(card=1), is_for_part=False)
    assert again == rule(aside("=", 1), unless=others)
    assert chosen(again) == SetAside(card=1)
    in_round = orders.like(GAME, view, legal, SetAside(card=1), is_for_part=True)
    assert in_round == rule(aside("=", 1), unless=others, when=(Comparison(of="round", relation="=", value=1),))
    assert chosen(in_round) == SetAside(card=1)
    later = msgspec.structs.replace(in_round, when=(Comparison(of="round", relation="=", value=2),))
    assert chosen(later) is None


def test_no_order_is_like_a_move_that_names_several_pieces_or_for_a_part_that_the_game_has_not() -> None:
    state = start_match(PAIRS)
    view, legal = orders.seen_by(GAME, state.table, 0), GAME.legal(state.table, 0)
    game = Catalogue().rooms["magicative"].game
    with refused("order-like"):
        orders.like(game, view, legal, Fix(school=School.MAGIC, numbers=(1, 2, 3)), is_for_part=False)
    with refused("order-part"):
        orders.like(game, view, legal, End(), is_for_part=True)


def test_a_premove_tells_after_which_event_it_was_given_and_stands_among_the_orders() -> None:
    passing = rule(Pattern(type="Pass"))
    given = orders.give(GAME, {}, 4, passing, after=17)
    assert given == PremoveGiven(order=5, rule=passing, after=17)
    order = OrderGiven(order=4, rule=passing)
    standing = orders.evolve({4: order}, given)
    assert standing == {4: order, 5: given}
    assert orders.premoves(standing) == (given,)
    assert orders.evolve(standing, orders.withdraw(standing, 5)) == {4: order}


def test_an_order_says_words_of_the_game_and_nothing_else() -> None:
    """No name, and no message, comes into the log."""
    words = orders.words_of(GAME, {"hands": [["red"]]}, ["six"])
    fine = Comparison(of="hands.me.0", relation="=", value="red")
    orders.check_words(rule(aside("=", 1), when=(fine,)), words)
    for of, value in (("hands.Ann", 1), ("hands.0", "Ann loves Bob"), ("Ann", 1)):
        wrong = rule(aside("=", 1), when=(Comparison(of=of, relation="=", value=value),))
        with refused("order-word"):
            orders.check_words(wrong, words)
    with refused("order-word"):
        orders.check_words(rule(aside("=", "Ann")), words)
