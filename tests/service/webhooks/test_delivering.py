"""Deliveries on their way to real receivers: signed, tried again, given up, never two at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from threading import Event, Thread
from typing import Any

import pytest

from service import clock
from service.outbox import DeliveryLoop
from service.outbox.loop import AT_ONCE, FAILING, LEAST, Slots
from service.signing import Signer
from service.store import DeliveryTable
from service.webhooks.channel import WebhookChannel
from service.webhooks.sending import sign
from service.wiring import Service
from tests.service.house import House, Visitor
from tests.service.run.uprun import until
from tests.service.stored import change
from tests.service.webhooks.post import Moment, deliveries, follower, hook, loop
from tests.service.webhooks.receivers import Running


def never(deed: Callable[[], None]) -> bool:
    """See `Begin`: it is under way for good."""
    return True


def run(courier: DeliveryLoop) -> int:
    """Deliver what is due to everybody, until nothing is: how many tries that were."""
    begun = 0
    while made := courier.look():
        begun += made
    return begun


def ping(visitor: Visitor, webhook: str) -> str:
    answer = visitor.post(f"/webhooks/{webhook}/deliveries")
    assert answer.status_code == 202, answer.json
    assert (answer.json["kind"], answer.json["status"]) == ("ping", "waiting")
    return str(answer.json["id"])


def heard(receiving: Running, id: str) -> list[dict[str, Any]]:
    """What the receiver was sent under that id."""
    return [one for one in receiving.heard() if one["headers"].get("webhook-id") == id]


@pytest.fixture
def ann(house: House) -> Visitor:
    return house.player()


def state(visitor: Visitor, webhook: str) -> dict[str, Any]:
    (delivery,) = deliveries(visitor, webhook)
    return delivery


def asked(house: House, visitor: Visitor) -> str:
    """A match in which it is the visitor's turn, which is noted."""
    match = visitor.open(seats=[None, {"bot": "random"}])
    visitor.sit(match)
    with follower(house.service) as follow:
        follow()
    return match


def test_a_turn_is_told_and_signed(house: House, ann: Visitor, courier: DeliveryLoop, receiving: Running) -> None:
    made = hook(ann, receiving.url("/ok"))
    match = asked(house, ann)
    assert run(courier) == 1
    delivery = state(ann, made["id"])
    assert [delivery[name] for name in ("status", "answer", "problem", "tries")] == ["delivered", 200, None, 1]
    (sent,) = heard(receiving, delivery["id"])
    body = json.loads(sent["body"])
    (turn,) = ann.get("/me/turns").json["turns"]
    assert body["type"] == "turn"
    assert body["data"] == {**turn, "game": "high-card", "url": f"https://play.example/api/matches/{match}"}
    headers = sent["headers"]
    assert headers["content-type"] == "application/json"
    moment = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == sign(made["secret"], delivery["id"], moment, sent["body"].encode())
    assert datetime.fromisoformat(body["timestamp"]).timestamp() == pytest.approx(moment, abs=30)
    assert run(courier) == 0, "once"


def test_a_turn_that_was_taken_meanwhile_is_dropped_and_told_on_demand(
    house: House, ann: Visitor, courier: DeliveryLoop, receiving: Running
) -> None:
    made = hook(ann, receiving.url("/ok"))["id"]
    match = asked(house, ann)
    assert ann.move(match, ann.moves(match)["moves"][0]["id"]).status_code == 200
    run(courier)
    delivery = state(ann, made)
    assert (delivery["status"], heard(receiving, delivery["id"])) == ("dropped", [])
    assert ann.post(f"/webhooks/{made}/deliveries/{delivery['id']}").status_code == 202
    run(courier)
    assert state(ann, made)["status"] == "delivered"
    (sent,) = heard(receiving, delivery["id"])
    assert json.loads(sent["body"])["data"]["due"] is None


def test_what_fails_is_tried_again_and_given_up(
    ann: Visitor, service: Service, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    made = hook(ann, receiving.url("/fails"))["id"]
    id = ping(ann, made)
    for number, wait in enumerate(WebhookChannel.waits, 1):
        assert run(courier) == 1
        delivery = state(ann, made)
        assert [delivery[name] for name in ("status", "answer", "problem", "tries")] == [
            *("waiting", 500, "status", number)
        ]
        moment.passes(seconds=wait * 0.9)
        assert run(courier) == 0
        moment.passes(seconds=wait * 0.35 + 1)
        change(service, "UPDATE subscriptions SET failing = NULL")
    assert run(courier) == 1
    assert state(ann, made)["status"] == "failed"
    moment.passes(days=5)
    assert run(courier) == 0
    assert len(heard(receiving, id)) == len(WebhookChannel.waits) + 1


def test_a_receiver_that_asks_for_time_is_given_it(
    ann: Visitor, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ping(ann, hook(ann, receiving.url("/busy"))["id"])
    run(courier)
    for seconds, tries in ((3900, 0), (200, 1)):
        moment.passes(seconds=seconds)
        assert run(courier) == tries


def test_after_days_of_failing_it_is_disabled_with_a_note(
    ann: Visitor, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    made = hook(ann, receiving.url("/no-http"))["id"]
    ping(ann, made)
    while (now := ann.get(f"/webhooks/{made}").json)["enabled"]:
        run(courier)
        moment.passes(hours=6)
        assert moment.later < 2 * FAILING
    assert now["disabled"]["reason"] == "failing"
    assert now["failing"] < now["disabled"]["at"]
    assert moment.later > FAILING
    assert state(ann, made)["tries"] >= LEAST
    moment.passes(days=2)
    run(courier)
    assert state(ann, made)["status"] == "dropped"


def test_who_is_gone_is_told_nothing_more(ann: Visitor, courier: DeliveryLoop, receiving: Running) -> None:
    made = hook(ann, receiving.url("/gone"))["id"]
    ids = [ping(ann, made) for _ in range(2)]
    run(courier)
    assert ann.get(f"/webhooks/{made}").json["disabled"]["reason"] == "gone"
    assert sorted(delivery["status"] for delivery in deliveries(ann, made)) == ["dropped", "failed"]
    assert sum(len(heard(receiving, id)) for id in ids) == 1


def test_what_works_again_counts_as_never_having_failed(
    ann: Visitor, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    made = hook(ann, receiving.url("/fails"))["id"]
    ping(ann, made)
    run(courier)
    assert ann.get(f"/webhooks/{made}").json["failing"] is not None
    ann.client.patch(f"/api/webhooks/{made}", json={"url": receiving.url("/ok")}, headers=ann.headers)
    moment.passes(minutes=1)
    run(courier)
    assert ann.get(f"/webhooks/{made}").json["failing"] is None
    assert state(ann, made)["status"] == "delivered"


def test_a_secret_that_was_renewed_signs_beside_the_one_before_for_a_day(
    ann: Visitor, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    made = hook(ann, receiving.url("/ok"))
    renewed = ann.post(f"/webhooks/{made['id']}/secret").json
    for hours, secrets in ((0, [renewed["secret"], made["secret"]]), (25, [renewed["secret"]])):
        moment.passes(hours=hours)
        id = ping(ann, made["id"])
        run(courier)
        (sent,) = heard(receiving, id)
        at, body = int(sent["headers"]["webhook-timestamp"]), sent["body"].encode()
        assert sent["headers"]["webhook-signature"].split() == [sign(one, id, at, body) for one in secrets]


def test_where_the_services_secret_was_lost_it_is_said(
    ann: Visitor, service: Service, receiving: Running, moment: Moment
) -> None:
    made = hook(ann, receiving.url("/ok"))["id"]
    ping(ann, made)
    run(loop(service, moment, signer=Signer("x" * 32)))
    assert ann.get(f"/webhooks/{made}").json["disabled"]["reason"] == "secret"
    assert ann.post(f"/webhooks/{made}/secret").status_code == 201
    assert state(ann, made)["status"] == "failed"


def test_an_account_has_a_few_under_way_and_one_to_a_receiver_that_fails_and_leaves_room_to_others(
    house: House, service: Service, ann: Visitor, receiving: Running, moment: Moment
) -> None:
    bob, courier = house.player("Bob"), loop(service, moment, begin=never)
    hers, his = hook(ann, receiving.url("/slow"))["id"], hook(bob, receiving.url("/ok"))["id"]
    for _ in range(3 * AT_ONCE):
        ping(ann, hers)
    ping(bob, his)
    assert courier.tell(ann.id) == AT_ONCE
    assert courier.tell(ann.id) == 0, "as long as those are under way"
    assert courier.tell(bob.id) == 1
    now = clock.stamp(moment())
    assert DeliveryTable(service.recorder).who_is_due("webhook", now, 10) == (ann.id, bob.id)
    change(service, "UPDATE subscriptions SET failing = '2026-01-01T00:00:00.000Z'")
    assert loop(service, moment, begin=never).tell(ann.id) == 1


def test_what_is_delivered_once_more_has_its_id(ann: Visitor, courier: DeliveryLoop, receiving: Running) -> None:
    made = hook(ann, receiving.url("/ok"))["id"]
    id = ping(ann, made)
    path = f"/webhooks/{made}/deliveries/{id}"
    assert ann.post(path).status_code == 202, "it waits already"
    run(courier)
    assert ann.post(path).json["status"] == "waiting"
    run(courier)
    assert len(heard(receiving, id)) == 2


def test_nothing_is_sent_to_a_webhook_that_was_removed(ann: Visitor, courier: DeliveryLoop, receiving: Running) -> None:
    made = hook(ann, receiving.url("/ok"))["id"]
    id = ping(ann, made)
    assert ann.delete(f"/webhooks/{made}").status_code == 204
    run(courier)
    assert heard(receiving, id) == []


def test_it_delivers_until_it_is_told_to_end(ann: Visitor, courier: DeliveryLoop, receiving: Running) -> None:
    made, stop = hook(ann, receiving.url("/ok"))["id"], Event()
    thread = Thread(target=courier.run, args=(stop,))
    thread.start()
    try:
        for _ in range(2):
            until(partial(heard, receiving, ping(ann, made)), "the ping is delivered")
    finally:
        stop.set()
        thread.join()


def test_who_ends_waits_for_what_is_under_way() -> None:
    slots, done = Slots(2), Event()

    def act() -> None:
        Event().wait(0.2)  # a receiver that is slow
        done.set()

    assert slots.begin(act)
    slots.close(60.0)
    assert done.is_set()
