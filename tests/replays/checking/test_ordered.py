"""Standing orders in private logs are judged: they are the game's, counted from one, and withdrawn once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain import orders
from domain.happenings import Comparison, OrderGiven, OrderWithdrawn, Pattern, Rule
from domain.play import Told
from events.memory import MemoryRecorder
from replays.log import Log, private_stream
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.checking.test_clocked_tampered import rehash
from tests.replays.exported import audited, export, games, private_key
from tests.replays.forgery import Forger
from tests.replays.staged import Stage

PASS = Rule(
    play=(Pattern(type="Pass"), Pattern(type="Discard", where=(Comparison(of="at", relation="<=", value=1),))),
    unless=(Pattern(type="Ron"),),
    when=(Comparison(of="deal.wall", relation=">", value=3),),
)


def ordered(*events: OrderGiven | OrderWithdrawn) -> Stage:
    """A match with orders of seat 1 between its moves, some of which are answers under seal."""
    staged = Stage(MemoryRecorder(), games().rooms["three-magic"], "m_1", ["greedy"] * 3, laps=1)
    staged.seat_all()
    for event in events:
        staged._append(private_stream("m_1", 1), (orders.told(event, 1),))
        for _ in range(12):
            staged.step()
    return staged


@cache
def whole() -> Stage:
    return ordered(OrderGiven(order=1, rule=PASS), OrderWithdrawn(order=1), OrderGiven(order=2, rule=PASS))


@needs_node
def test_a_log_with_orders_holds_for_both_verifiers_while_it_runs_and_when_it_is_over(tmp_path: Path) -> None:
    staged = whole()
    running = [export(staged, seat) for seat in (None, 0, 1, 2)]
    assert Log(staged.recorder, "m_1", games()).standing(1) == ({2: PASS}, 2)
    over = export(ended())
    assert [audited(data).failures for data in (*running, over)] == [()] * 5
    assert [named(verdict) for verdict in verdicts(tmp_path, [*running, over])] == [[]] * 5


@cache
def ended() -> Stage:
    staged = ordered(OrderGiven(order=1, rule=PASS), OrderWithdrawn(order=1), OrderGiven(order=2, rule=PASS))
    staged.abort()
    return staged


def of_order(number: int) -> Callable[[list[Any]], Any]:
    """The private event of that number among the orders."""
    return lambda events: [one for one in events if one["type"].startswith("match/Order")][number]


@pytest.mark.parametrize(
    ("number", "change", "clause"),
    [
        (0, lambda one: one["public"].update(order=2), "LOG-14"),
        (2, lambda one: one["public"].update(order=1), "LOG-14"),
        (0, lambda one: one["public"]["rule"]["play"].clear(), "LOG-12"),
        (0, lambda one: one["public"]["rule"]["play"][0].update(type="Castle"), "LOG-12"),
        (0, lambda one: one["public"]["rule"]["play"][1]["where"][0].update(of="nowhere"), "LOG-12"),
        (0, lambda one: one["public"]["rule"]["when"][0].update(of="a word"), "LOG-12"),
        (1, lambda one: one["public"].update(order=7), "LOG-12"),
        (1, lambda one: one.update(actor="seat:2"), "LOG-14"),
        (0, lambda one: one.update(move=3), "LOG-14"),
        (0, lambda one: one["public"]["rule"].update(note="hello"), "LOG-11"),
    ],
)
def test_an_order_that_could_not_be_given_is_named(number: int, change: Callable[[Any], object], clause: str) -> None:
    bad = Forger(export(ended()))
    order = of_order(number)(bad.events)
    change(order)
    rehash(bad)
    report = audited(bad.reseal(private_key()))
    found = [(one.stream, one.version, one.clause) for one in report.failures]
    assert found[:1] == [("m_1/seat:1", order["version"], clause)]


def test_one_more_than_may_stand_is_named() -> None:
    staged = Stage(MemoryRecorder(), games().rooms["three-magic"], "m_1", ["greedy"] * 3, laps=1)
    staged.seat_all()
    for number in range(1, orders.MOST + 2):
        staged._append(private_stream("m_1", 0), (Told(OrderGiven(order=number, rule=PASS), "seat:0", 0),))
    staged.abort()
    report = audited(export(staged))
    assert [(one.stream, one.version, one.clause) for one in report.failures] == [
        ("m_1/seat:0", orders.MOST + 1, "LOG-12")
    ]
