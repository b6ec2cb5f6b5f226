"""Standing orders: kept in the seat's private log, asked before the player is, and nobody else's business."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from freezegun import freeze_time

from domain import orders
from events.receipts import Receipt
from events.store import StoreError
from service import clock
from service.config import Config
from service.matches.deadlines import Hesitation
from service.matches.orders import Orders
from service.matches.playing import Playing
from service.store import Ordered
from tests.service.clocks.timing import audit, moves_made
from tests.service.house import THREE_MAGIC, House, Visitor, beside, refusal, step
from tests.service.matches.test_receipts import sealing
from tests.service.stored import rows
from tests.service.together import at_once, meanwhile
from tests.service.webhooks.post import deliveries, hook, note

CARD = {"of": "card", "relation": "="}
LOWEST = {"play": [{"type": "SetAside", "where": [{"of": "card", "relation": "<=", "value": 6}]}]}
PASS = {"play": [{"type": "Pass"}], "unless": [{"type": "Ron"}]}
NEVER = {"play": [{"type": "Raise"}], "unless": [{"type": "Pass"}]}


def give(visitor: Visitor, match: str, rule: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = visitor.post(f"/matches/{match}/orders", rule, **more)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def follow(house: House, *matches: str) -> None:
    """As the worker does when the sweep has found something."""
    found = Ordered(house.service.recorder).due("", 64)
    answer = house.worker.post("/orders", {"matches": [*(matches or found or ("m_none",))]})
    assert answer.status_code == 200, answer.json


def aside(visitor: Visitor, match: str) -> dict[str, Any]:
    """An order that sets one of the seat's cards aside, whichever it is."""
    card = visitor.moves(match)["moves"][0]["move"]["card"]
    return {"play": [{"type": "SetAside", "where": [{**CARD, "value": card}]}]}


def test_an_order_is_told_to_its_seat_alone_and_stays_in_its_log_when_it_is_withdrawn(house: House) -> None:
    match, (ann, bob) = house.table()
    version = house.stranger.look(match)["version"]
    given = give(ann, match, NEVER)
    assert (given["order"], given["rule"]["play"]) == (1, [{"type": "Raise", "where": []}])
    receipt = Receipt(**given["receipt"])
    assert (receipt.stream, receipt.version) == (f"{match}/seat:0", 1)
    give(ann, match, PASS | {"unless": []})
    assert [one["order"] for one in ann.get(f"/matches/{match}/orders").json["orders"]] == [1, 2]
    assert bob.get(f"/matches/{match}/orders").json == {"orders": []}
    assert house.stranger.look(match)["version"] == version
    (first, _) = ann.events(match, private="true")
    assert (first["actor"], first["text"]) == ("seat:0", "Standing order 1: raise, unless this is legal: pass.")
    assert bob.events(match, private="true") == []
    assert refusal(house.player().get(f"/matches/{match}/orders")) == (403, "not-seated")
    assert ann.delete(f"/matches/{match}/orders/1").status_code == 204
    assert refusal(ann.delete(f"/matches/{match}/orders/1")) == (409, "no-such-order")
    assert give(ann, match, NEVER)["order"] == 3
    kinds = [one["type"].partition("/")[2] for one in ann.events(match, private="true")]
    assert kinds == ["OrderGiven", "OrderGiven", "OrderWithdrawn", "OrderGiven"]
    assert rows(house.service, "SELECT seat FROM orders") == [(0,)]


def test_what_can_be_no_order_is_told(house: House) -> None:
    match, (ann, _) = house.table()
    term, plays = {"of": "a", "relation": "=", "value": 1}, {"play": [{"type": "Pass"}]}
    for code, rule in (
        ("malformed", {"play": []}),
        ("malformed", {**plays, "note": "for Bob"}),
        ("malformed", {**plays, "when": [{**term, "relation": "~"}]}),
        *(("malformed", {**plays, "when": [{**term, "value": value}]}) for value in (1.5, 1e300, 10**12, None)),
        ("malformed", {**plays, "when": [{**term, "value": "x" * 65}]}),
        ("malformed", {**plays, "once": "yes"}),
        ("malformed", {**plays, "like": {"decision": 1, "id": "x"}}),
        ("no-such-move", {"play": [{"type": "Ron"}]}),
        ("order-word", {**plays, "when": [{**term, "of": "hands.0", "value": "I know"}]}),
    ):
        refused = ann.post(f"/matches/{match}/orders", rule, lang="ja")
        assert refusal(refused) == (422, code), rule
        assert refused.json["detail"]
    assert ann.events(match, private="true") == []


def test_an_order_is_for_a_match_that_is_played(house: House) -> None:
    ann = house.player()
    waiting = ann.open_with()
    assert ann.get(f"/matches/{waiting}/orders").json == {"orders": []}
    assert refusal(ann.post(f"/matches/{waiting}/orders", NEVER)) == (409, "match-open")
    match, (ann, bob) = house.table()
    give(ann, match, NEVER)
    house.operator.post(f"/matches/{match}/abort")
    for answer in (ann.post(f"/matches/{match}/orders", NEVER), ann.delete(f"/matches/{match}/orders/1")):
        assert refusal(answer) == (409, "match-aborted")
    assert rows(house.service, "SELECT * FROM orders") == []
    (opened,) = bob.events(match, private="true", seat=0)
    assert opened["type"] == "match/OrderGiven", "it is open, as all secrets are"


def test_an_order_makes_its_move_also_of_what_is_asked_now(house: House) -> None:
    match, (ann, bob) = house.table()
    rule = aside(ann, match)
    give(ann, match, rule)
    decision = ann.moves(match)["decision"]
    follow(house)
    (made,) = [one for one in bob.events(match) if one["type"] == "match/MoveMade"]
    assert (made["public"]["seat"], made["public"]["decision"], made["public"]["cause"]) == (0, decision, "seat")
    assert made["actor"] == "seat:0"
    services = [house.service, *(beside(house.service) for _ in range(3))]
    asker = house.service.accounts.asker(house.worker.token)
    give(bob, match, aside(bob, match))
    bob.delete(f"/matches/{match}/orders/1")
    told = at_once(*(partial(one.orders.follow, asker, [match]) for one in services))
    assert [[(one.match, one.problem) for one in followed] for followed in told] == [[(match, None)]] * 4
    assert len(moves_made(house, match)) == 1, "nothing that was withdrawn"


def test_where_no_order_says_anything_the_player_is_asked_and_the_sweep_looks_no_more(house: House) -> None:
    match, (ann, _) = house.table()
    give(ann, match, NEVER)
    ordered = Ordered(house.service.recorder)
    assert ordered.due("", 10) == (match,)
    follow(house)
    assert ordered.due("", 10) == ()
    assert [one["match"] for one in ann.get("/me/turns").json["turns"]] == [match]
    give(ann, match, aside(ann, match))
    assert ordered.due("", 10) == (match,), "a new one is asked of what is open"
    follow(house)
    assert ann.get("/me/turns").json["turns"] == []


def test_an_order_calls_seats_by_who_sits_there(house: House) -> None:
    match, (ann, bob) = house.table("ttmp")
    name = bob.get("/me").json["name"]
    stones = {"play": [{"type": "TakeStone", "where": [{"of": "seat", "relation": "=", "value": 1}]}]}
    assert give(ann, match, stones)["text"] == f"Take one of {name}'s stones"
    for visitor, text in ((ann, f"Take one of {name}'s stones"), (bob, "Take one of your stones")):
        if visitor is bob:
            give(bob, match, stones)
        assert [one["text"] for one in visitor.get(f"/matches/{match}/orders").json["orders"]] == [text]


def test_a_move_can_be_left_to_be_made_again_as_an_order_that_its_words_tell(house: House) -> None:
    match, (ann, _) = house.table()
    asked = ann.moves(match)
    one = {"decision": asked["decision"], "id": asked["moves"][0]["id"]}
    card = asked["moves"][0]["move"]["card"]
    given = give(ann, match, {"like": one})
    assert given["text"] == f"Set {card} aside, when the choice is: set a card aside"
    assert [each["type"] for each in given["rule"]["unless"]] == ["Raise", "Pass", "Roll"]
    in_round = give(ann, match, {"like": {**one, "part": True}}, lang="ja")
    assert in_round["rule"]["when"] == [{"of": "round", "relation": "=", "value": 1}]
    assert in_round["text"].endswith("条件は第1ラウンドであること")
    again = {"text": f"{given['text']}, as long as it is round 1"}
    listed = ann.get(f"/matches/{match}/orders").json["orders"]
    assert [(each["text"], each["once"]) for each in listed] == [(each["text"], False) for each in (given, again)]
    odd = give(ann, match, {"play": [{"type": "SetAside", "where": [{**CARD, "value": "Pass"}]}]})
    assert odd["text"] == "Set a card aside (card = Pass)", "no move has that field"
    follow(house)
    assert len(moves_made(house, match)) == 1
    for wrong, answer in (
        ({"like": one}, (409, "decision-closed")),
        ({"like": {**one, "id": "raise"}}, (409, "decision-closed")),
        ({"like": one, **PASS}, (422, "malformed")),
        ({"like": {"id": "pass"}}, (422, "malformed")),
        ({"once": True}, (422, "malformed")),
    ):
        assert refusal(ann.post(f"/matches/{match}/orders", wrong)) == answer, wrong


ANYTHING = [{"type": "Pass"}, *({"type": "SetAside", "where": [{**CARD, "value": card}]} for card in range(1, 7))]
"""Whatever may be asked, one of these fits one move."""


@pytest.mark.parametrize("plays", [True, False])
def test_a_premove_stands_for_the_next_decision_alone_whether_it_plays_or_not(house: House, plays: bool) -> None:
    match, (ann, bob) = house.table()
    ann.choose(match)
    rule = {"play": ANYTHING, "unless": [] if plays else [{"type": "Pass"}, {"type": "SetAside"}], "once": True}
    assert give(ann, match, rule)["once"]
    follow(house)
    assert len(ann.get(f"/matches/{match}/orders").json["orders"]) == 1, "she is not asked yet"
    while not (asked := ann.moves(match))["moves"]:
        bob.choose(match)
    follow(house)
    assert ann.get(f"/matches/{match}/orders").json["orders"] == []
    assert (ann.moves(match)["decision"] == asked["decision"]) is not plays
    told = [one["match"] for one in ann.get("/me/turns").json["turns"]]
    assert plays or told == [match]
    kinds = [one["type"].partition("/")[2] for one in ann.events(match, private="true")]
    assert [kind for kind in kinds if kind != "AnswerSealed"] == ["PremoveGiven", "OrderWithdrawn"]
    assert rows(house.service, "SELECT * FROM orders") == []
    audit(house, match)


def test_an_order_for_a_round_that_is_over_ends_when_its_seat_is_asked_again(house: House) -> None:
    match, (ann, bob) = house.table()
    in_round = {**NEVER, "when": [{"of": "round", "relation": "=", "value": 1}]}
    give(ann, match, in_round)
    give(ann, match, NEVER)
    while ann.look(match)["view"]["round"] == 1 or not ann.moves(match)["moves"]:
        (ann if ann.moves(match)["moves"] else bob).choose(match)
        follow(house)
        listed = ann.get(f"/matches/{match}/orders").json["orders"]
        assert [each["order"] for each in listed] == ([1, 2] if ann.look(match)["view"]["round"] == 1 else [2])
    kinds = [one["type"].partition("/")[2] for one in ann.events(match, private="true")]
    assert [kind for kind in kinds if kind != "AnswerSealed"] == ["OrderGiven", "OrderGiven", "OrderWithdrawn"]
    assert [one["match"] for one in ann.get("/me/turns").json["turns"]] == [match]
    audit(house, match)


def test_a_premove_that_plays_nothing_ends_in_one_transaction_with_telling_the_turn(house: House) -> None:
    match, (ann, bob) = house.table()
    ann.choose(match)
    give(ann, match, {"play": ANYTHING, "unless": [{"type": "Pass"}, {"type": "SetAside"}], "once": True})
    assert ann.put("/me/feed", {"kinds": ["turn"]}).status_code == 200
    while not ann.moves(match)["moves"]:
        bob.choose(match)

    def end() -> None:
        raise StoreError("the process ends here")

    with meanwhile(end, house.service.changes, "change", after=True):
        assert house.worker.post("/orders", {"matches": [match]}).status_code == 503
    assert rows(house.service, "SELECT * FROM orders") == []
    decision = ann.moves(match)["decision"]
    assert rows(house.service, "SELECT decision FROM deliveries WHERE kind = 'turn'") == [(decision,)]


def test_a_premove_whose_decision_the_seat_answered_itself_plays_nothing_later(house: House) -> None:
    match, (ann, bob) = house.table()
    give(ann, match, {"play": ANYTHING, "once": True})
    give(ann, match, NEVER)
    ann.choose(match)
    listed = ann.get(f"/matches/{match}/orders").json["orders"]
    assert [each["order"] for each in listed] == [2], "the premove is listed no more, also before orders are evaluated"
    while not ann.moves(match)["moves"]:
        bob.choose(match)
    follow(house)
    assert ann.moves(match)["moves"], "her next decision was to set a card aside"
    assert [each["order"] for each in ann.get(f"/matches/{match}/orders").json["orders"]] == [2]
    assert rows(house.service, "SELECT seat FROM orders") == [(0,)]


def test_what_is_withdrawn_while_it_is_followed_is_not_followed(house: House) -> None:
    """By another process, between the moment at which it was read and the one at which its move would be stored."""
    match, (ann, _) = house.table()
    give(ann, match, aside(ann, match))
    there = House(beside(house.service)).again(ann)
    with meanwhile(lambda: there.delete(f"/matches/{match}/orders/1"), orders, "chosen", after=True):
        follow(house, match)
    assert ann.shown(f"/matches/{match}/orders") == {"orders": []}
    assert moves_made(house, match) == []
    assert ann.moves(match)["moves"]


def test_orders_that_are_given_at_once_have_numbers_of_their_own(house: House) -> None:
    match, (ann, _) = house.table()
    houses = [House(beside(house.service)) for _ in range(4)]
    given = at_once(*[partial(give, there.again(ann), match, NEVER) for there in houses] * 2)
    assert sorted(one["order"] for one in given) == list(range(1, 9))


def test_a_webhook_is_told_of_a_turn_when_no_order_answers(house: House) -> None:
    match, (ann, bob) = house.table()
    mine, his = (hook(one, "https://hooks.example/")["id"] for one in (ann, bob))
    give(ann, match, NEVER)
    bob.choose(match)
    note(house.service)
    assert deliveries(ann, mine) == [], "her orders are asked first"
    follow(house)
    note(house.service)
    assert len(deliveries(ann, mine)) == 1
    assert deliveries(bob, his) == []


@pytest.mark.parametrize("most", [12, pytest.param(10_000, marks=pytest.mark.soak)])
def test_under_seal_who_could_win_is_asked_every_other_claim_is_declined_and_the_log_holds(
    house: House, most: int
) -> None:
    match, players = house.table(THREE_MAGIC, 3, options={"laps": 1})
    for player in players:
        give(player, match, PASS)
    draw, windows = random.Random(1), 0
    while windows < most and (look := house.stranger.look(match))["status"] == "playing":
        if look["sealed"]:
            windows += 1
            could_win = {player.id for player in players if "ron" in str(player.moves(match)["moves"])}
            follow(house, match)
            assert bool(could_win) is (house.stranger.look(match)["version"] == look["version"])
            asked = {player.id for player in players if player.moves(match)["moves"]}
            assert not could_win or asked == could_win
        assert step(match, players, draw) or house.stranger.look(match)["status"] != "playing"
    assert windows
    audit(house, match)


def test_an_order_takes_a_moment_as_bots_do(house: House, config: Config) -> None:
    """How fast an answer comes tells nobody that it was left to be given."""
    service = beside(house.service)
    parts = service.recorder, service.changes, service.states, service.lobby
    service.orders = Orders(*parts, Playing(*parts, Hesitation(0.4, clock.now, "s" * 32), None, service.front))
    there = House(service)
    match, (ann, _) = there.table()
    give(ann, match, aside(ann, match))
    follow(there, match)
    assert ann.moves(match)["moves"], "not yet"
    assert Ordered(service.recorder).due("", 10) == (match,), "it is looked at again"
    with freeze_time("2036-01-01T00:00:00Z"):
        service.orders.follow(service.accounts.asker(there.worker.token), [match])
    assert ann.moves(match)["moves"] == []


def test_an_answer_under_seal_that_a_premove_came_after_is_not_its_decision(house: House) -> None:
    """The closing that tells the answer comes later than the premove."""
    match, (ann, bob) = sealing(house)
    ann.choose(match)
    give(ann, match, {"play": ANYTHING, "once": True})
    bob.choose(match)
    before = ann.moves(match)["decision"]
    assert before, "the next round"
    follow(house)
    assert ann.moves(match)["decision"] != before
    assert ann.get(f"/matches/{match}/orders").json["orders"] == []
