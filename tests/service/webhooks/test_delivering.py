"""Deliveries on their way to real receivers: signed, tried again, given up, never two at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from functools import partial
from threading import Event, Thread

import pytest

from service import clock
from service.outbox.loop import AT_ONCE, FAILING, LEAST, Slots
from service.signing import Signer
from service.store import DeliveryTable
from service.webhooks.channel import WebhookChannel
from service.webhooks.sending import sign
from tests.service.house import House
from tests.service.run.uprun import until
from tests.service.stored import change
from tests.service.webhooks.post import Hooked, deliveries, follower, loop
from tests.service.webhooks.receivers import Running


def never(deed: Callable[[], None]) -> bool:
    """See `Begin`: it is under way for good."""
    return True


def asked(ann: Hooked) -> str:
    """A match in which it is her turn, which is noted."""
    match = ann.open_with(seats=[None, {"bot": "random"}])
    with follower(ann.service) as follow:
        follow()
    return match


def test_a_turn_is_told_and_signed(ann: Hooked) -> None:
    ann.make("/ok")
    match = asked(ann)
    assert ann.run() == 1
    delivery = ann.delivery
    assert [delivery[name] for name in ("status", "answer", "problem", "tries")] == ["delivered", 200, None, 1]
    (sent,) = ann.heard(delivery["id"])
    body = json.loads(sent["body"])
    (turn,) = ann.get("/me/turns").json["turns"]
    assert body["type"] == "turn"
    assert body["data"] == {**turn, "game": "high-card", "url": f"https://play.example/api/matches/{match}"}
    headers = sent["headers"]
    assert headers["content-type"] == "application/json"
    moment = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == sign(ann.secret, delivery["id"], moment, sent["body"].encode())
    assert datetime.fromisoformat(body["timestamp"]).timestamp() == pytest.approx(moment, abs=30)
    assert ann.run() == 0, "once"


def test_a_turn_that_was_taken_meanwhile_is_dropped_and_told_on_demand(ann: Hooked) -> None:
    ann.make("/ok")
    match = asked(ann)
    assert ann.choose(match).status_code == 200
    ann.run()
    delivery = ann.delivery
    assert (delivery["status"], ann.heard(delivery["id"])) == ("dropped", [])
    assert ann.post(f"{ann.path}/deliveries/{delivery['id']}").status_code == 202
    ann.run()
    assert ann.delivery["status"] == "delivered"
    (sent,) = ann.heard(delivery["id"])
    assert json.loads(sent["body"])["data"]["due"] is None


def test_what_fails_is_tried_again_and_given_up(ann: Hooked) -> None:
    ann.make("/fails")
    id = ann.ping()
    first, *_, last = WebhookChannel.waits
    for number, wait, status in ((1, first, "waiting"), (len(WebhookChannel.waits) + 1, last, "failed")):
        change(ann.service, "UPDATE deliveries SET tries = :tries", tries=number - 1)
        assert ann.run() == 1
        told = [ann.delivery[name] for name in ("status", "answer", "problem", "tries")]
        assert told == [status, 500, "status", number]
        ann.moment.passes(seconds=wait * 0.9)
        assert ann.run() == 0
        ann.moment.passes(seconds=wait * 0.35 + 1)
    assert ann.run() == 0
    assert len(ann.heard(id)) == 2


def test_a_receiver_that_asks_for_time_is_given_it(ann: Hooked) -> None:
    ann.make("/busy")
    ann.ping()
    ann.run()
    for seconds, tries in ((3900, 0), (200, 1)):
        ann.moment.passes(seconds=seconds)
        assert ann.run() == tries


def test_after_days_of_failing_it_is_disabled_with_a_note(ann: Hooked) -> None:
    ann.make("/no-http")
    ann.ping()
    while (now := ann.webhook)["enabled"]:
        ann.run()
        ann.moment.passes(hours=6)
        assert ann.moment.later < 2 * FAILING
    assert now["disabled"]["reason"] == "failing"
    assert now["failing"] < now["disabled"]["at"]
    assert ann.moment.later > FAILING
    assert ann.delivery["tries"] >= LEAST
    ann.moment.passes(days=2)
    ann.run()
    assert ann.delivery["status"] == "dropped"


def test_who_is_gone_is_told_nothing_more(ann: Hooked) -> None:
    ann.make("/gone")
    ids = [ann.ping() for _ in range(2)]
    ann.run()
    assert ann.webhook["disabled"]["reason"] == "gone"
    assert sorted(one["status"] for one in deliveries(ann, ann.webhook["id"])) == ["dropped", "failed"]
    assert sum(len(ann.heard(id)) for id in ids) == 1


def test_what_works_again_counts_as_never_having_failed(ann: Hooked, receiving: Running) -> None:
    ann.make("/fails")
    ann.ping()
    ann.run()
    assert ann.webhook["failing"] is not None
    ann.patch(ann.path, {"url": receiving.url("/ok")})
    ann.moment.passes(minutes=1)
    ann.run()
    assert ann.webhook["failing"] is None
    assert ann.delivery["status"] == "delivered"


def test_a_secret_that_was_renewed_signs_beside_the_one_before_for_a_day(ann: Hooked) -> None:
    ann.make("/ok")
    renewed = ann.post(f"{ann.path}/secret").json["secret"]
    for hours, secrets in ((0, [renewed, ann.secret]), (25, [renewed])):
        ann.moment.passes(hours=hours)
        id = ann.ping()
        ann.run()
        (sent,) = ann.heard(id)
        at, body = int(sent["headers"]["webhook-timestamp"]), sent["body"].encode()
        assert sent["headers"]["webhook-signature"].split() == [sign(one, id, at, body) for one in secrets]


def test_where_the_services_secret_was_lost_it_is_said(ann: Hooked) -> None:
    ann.make("/ok")
    ann.ping()
    loop(ann.service, ann.moment, signer=Signer("x" * 32)).look()
    assert ann.webhook["disabled"]["reason"] == "secret"
    assert ann.post(f"{ann.path}/secret").status_code == 201
    assert ann.delivery["status"] == "failed"


def test_an_account_has_a_few_under_way_and_one_to_a_receiver_that_fails_and_leaves_room_to_others(
    house: House, ann: Hooked, receiving: Running
) -> None:
    bob = Hooked(house, receiving)
    courier = loop(ann.service, ann.moment, begin=never)
    ann.make("/slow")
    bob.make("/ok")
    for _ in range(3 * AT_ONCE):
        ann.ping()
    bob.ping()
    assert courier.tell(ann.id) == AT_ONCE
    assert courier.tell(ann.id) == 0, "as long as those are under way"
    assert courier.tell(bob.id) == 1
    now = clock.stamp(ann.moment())
    assert DeliveryTable(ann.service.recorder).who_is_due("webhook", now, 10) == (ann.id, bob.id)
    change(ann.service, "UPDATE subscriptions SET failing = '2026-01-01T00:00:00.000Z'")
    assert loop(ann.service, ann.moment, begin=never).tell(ann.id) == 1


def test_what_is_delivered_once_more_has_its_id(ann: Hooked) -> None:
    ann.make("/ok")
    id = ann.ping()
    path = f"{ann.path}/deliveries/{id}"
    assert ann.post(path).status_code == 202, "it waits already"
    ann.run()
    assert ann.post(path).json["status"] == "waiting"
    ann.run()
    assert len(ann.heard(id)) == 2


def test_nothing_is_sent_to_a_webhook_that_was_removed(ann: Hooked) -> None:
    ann.make("/ok")
    id = ann.ping()
    assert ann.delete(ann.path).status_code == 204
    ann.run()
    assert ann.heard(id) == []


def test_it_delivers_until_it_is_told_to_end(ann: Hooked) -> None:
    ann.make("/ok")
    stop = Event()
    thread = Thread(target=ann.courier.run, args=(stop,))
    thread.start()
    try:
        for _ in range(2):
            until(partial(ann.heard, ann.ping()), "the ping is delivered")
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
