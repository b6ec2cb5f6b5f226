"""Deliveries on their way to real receivers: signed, tried again, given up, never two at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from threading import Event, Thread
from typing import Any

import msgspec
import pytest

from service import clock
from service.outbox import DeliveryLoop
from service.outbox.loop import AT_ONCE, FAILING, LEAST, Slots
from service.signing import Signer
from service.store import DeliveryTable
from service.store import deliveries as kept
from service.webhooks.channel import WebhookChannel
from service.webhooks.sending import Sender, sign
from service.wiring import Service
from tests.service.house import House, Visitor, beside
from tests.service.run.uprun import until
from tests.service.stored import change, rows
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


def state(visitor: Visitor, webhook: str) -> dict[str, Any]:
    (one,) = deliveries(visitor, webhook)
    return one


def test_a_turn_is_told_and_signed(house: House, courier: DeliveryLoop, receiving: Running) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))
    match = ann.open(seats=[None, {"bot": "random"}])
    ann.sit(match)
    with follower(house.service) as follow:
        follow()
    assert run(courier) == 1
    one = state(ann, made["id"])
    assert (one["status"], one["answer"], one["problem"], one["tries"]) == ("delivered", 200, None, 1)
    (sent,) = heard(receiving, one["id"])
    body = json.loads(sent["body"])
    (turn,) = ann.get("/me/turns").json["turns"]
    assert body["type"] == "turn"
    assert body["data"] == {**turn, "game": "high-card", "url": f"https://play.example/api/matches/{match}"}
    headers = sent["headers"]
    assert headers["content-type"] == "application/json"
    moment = int(headers["webhook-timestamp"])
    assert headers["webhook-signature"] == sign(made["secret"], one["id"], moment, sent["body"].encode())
    assert datetime.fromisoformat(body["timestamp"]).timestamp() == pytest.approx(moment, abs=30)
    assert run(courier) == 0, "once"


def test_a_turn_that_was_taken_meanwhile_is_dropped_and_told_on_demand(
    house: House, courier: DeliveryLoop, receiving: Running
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    match = ann.open(seats=[None, {"bot": "random"}])
    ann.sit(match)
    with follower(house.service) as follow:
        follow()
    assert ann.move(match, ann.moves(match)["moves"][0]["id"]).status_code == 200
    run(courier)
    one = state(ann, made)
    assert (one["status"], heard(receiving, one["id"])) == ("dropped", [])
    assert ann.post(f"/webhooks/{made}/deliveries/{one['id']}").status_code == 202
    run(courier)
    assert state(ann, made)["status"] == "delivered"
    (sent,) = heard(receiving, one["id"])
    assert json.loads(sent["body"])["data"]["due"] is None


def test_what_fails_is_tried_again_later_each_time_and_given_up(
    house: House, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/fails"))["id"]
    id = ping(ann, made)
    waits = []
    for number, wait in enumerate(WebhookChannel.waits, 1):
        assert run(courier) == 1
        one = state(ann, made)
        assert (one["status"], one["answer"], one["problem"], one["tries"]) == ("waiting", 500, "status", number)
        waits.append((datetime.fromisoformat(one["next"]) - datetime.fromisoformat(one["tried"])).total_seconds())
        assert wait <= waits[-1] <= 1.2 * wait + 1
        moment.passes(seconds=wait * 0.9)
        assert run(courier) == 0
        moment.passes(seconds=wait * 0.35 + 1)
        change(house.service, "UPDATE subscriptions SET failing = NULL")
    assert waits == sorted(waits)
    assert run(courier) == 1
    assert state(ann, made)["status"] == "failed"
    moment.passes(days=5)
    assert run(courier) == 0
    assert len(heard(receiving, id)) == len(WebhookChannel.waits) + 1


def test_a_receiver_that_asks_for_time_is_given_it(
    house: House, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/busy"))["id"]
    ping(ann, made)
    run(courier)
    moment.passes(seconds=3900)
    assert run(courier) == 0
    moment.passes(seconds=200)
    assert run(courier) == 1


def test_after_days_of_failing_it_is_disabled_with_a_note(
    house: House, service: Service, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    courier = loop(service, moment)
    path = f"/webhooks/{hook(ann, receiving.url('/no-http'))['id']}"
    ping(ann, path.rpartition("/")[2])
    while (now := ann.get(path).json)["enabled"]:
        run(courier)
        moment.passes(hours=6)
        assert moment.later < 2 * FAILING
    assert now["disabled"]["reason"] == "failing"
    assert now["failing"] < now["disabled"]["at"]
    assert moment.later > FAILING
    assert state(ann, now["id"])["tries"] >= LEAST
    moment.passes(days=2)
    run(courier)
    assert state(ann, now["id"])["status"] == "dropped"


def test_who_is_gone_is_told_nothing_more(house: House, courier: DeliveryLoop, receiving: Running) -> None:
    ann = house.player()
    path = f"/webhooks/{hook(ann, receiving.url('/gone'))['id']}"
    first, second = ping(ann, path.rpartition("/")[2]), ping(ann, path.rpartition("/")[2])
    run(courier)
    assert ann.get(path).json["disabled"]["reason"] == "gone"
    by_id = {one["id"]: one for one in deliveries(ann, path.rpartition("/")[2])}
    assert sorted(by_id[id]["status"] for id in (first, second)) == ["dropped", "failed"]
    assert len(heard(receiving, first)) + len(heard(receiving, second)) == 1


def test_what_works_again_counts_as_never_having_failed(
    house: House, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    path = f"/webhooks/{hook(ann, receiving.url('/fails'))['id']}"
    ping(ann, path.rpartition("/")[2])
    run(courier)
    assert ann.get(path).json["failing"] is not None
    ann.client.patch(f"/api{path}", json={"url": receiving.url("/ok")}, headers=ann.headers)
    moment.passes(minutes=1)
    run(courier)
    assert ann.get(path).json["failing"] is None
    assert state(ann, path.rpartition("/")[2])["status"] == "delivered"


def test_a_secret_that_was_renewed_signs_beside_the_one_before_for_a_day(
    house: House, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
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
    house: House, service: Service, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    ping(ann, made)
    run(loop(service, moment, signer=Signer("x" * 32)))
    assert ann.get(f"/webhooks/{made}").json["disabled"]["reason"] == "secret"
    assert ann.post(f"/webhooks/{made}/secret").status_code == 201
    assert state(ann, made)["status"] == "failed"


def test_a_private_address_is_not_sent_to_where_nobody_allows_it(
    house: House, service: Service, receiving: Running, moment: Moment
) -> None:
    """It was allowed when the webhook was made."""
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    id = ping(ann, made)
    run(loop(service, moment, Sender((), 1.0)))
    assert (state(ann, made)["answer"], state(ann, made)["problem"]) == (None, "no-address")
    assert heard(receiving, id) == []


def test_two_never_deliver_one_at_once(house: House, service: Service, receiving: Running, moment: Moment) -> None:
    """By services on one store, as processes would; each delivery is slow, so that they meet."""
    ann = house.player()
    made = hook(ann, receiving.url("/slow"))["id"]
    ids = [ping(ann, made) for _ in range(6)]
    threads: list[Thread] = []

    def beside_it(deed: Any) -> bool:
        threads.append(Thread(target=deed))
        threads[-1].start()
        return True

    couriers = [loop(other, moment, begin=beside_it) for other in (service, beside(service), beside(service))]
    with ThreadPoolExecutor(6) as pool:
        for _ in range(4):
            list(pool.map(lambda one: one.tell(ann.id), couriers * 2))
            for thread in threads:
                thread.join()
    assert {one["status"] for one in deliveries(ann, made)} == {"delivered"}
    assert [len(heard(receiving, id)) for id in ids] == [1] * 6


def test_whoever_claimed_it_and_died_leaves_it_to_others(
    house: House, service: Service, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    id = ping(ann, made)

    class Dies(Sender):
        def send(self, *_: Any) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop(service, moment, Dies()).tell(ann.id)
    moment.passes(seconds=WebhookChannel.claim.total_seconds() * 0.8)
    assert run(courier) == 0, "it may be on its way"
    moment.passes(seconds=WebhookChannel.claim.total_seconds() * 0.3)
    assert run(courier) == 1
    assert len(heard(receiving, id)) == 1


def test_an_account_has_a_few_under_way_and_leaves_room_to_others(
    house: House, service: Service, receiving: Running, moment: Moment
) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    courier = loop(service, moment, begin=never)
    hers, his = hook(ann, receiving.url("/slow"))["id"], hook(bob, receiving.url("/ok"))["id"]
    for _ in range(3 * AT_ONCE):
        ping(ann, hers)
    ping(bob, his)
    assert courier.tell(ann.id) == AT_ONCE
    assert courier.tell(ann.id) == 0, "as long as those are under way"
    assert courier.tell(bob.id) == 1
    now = clock.stamp(moment())
    assert DeliveryTable(service.recorder).who_is_due("webhook", now, 10) == (ann.id, bob.id)


def test_where_a_receiver_fails_one_at_a_time_is_enough(
    house: House, service: Service, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/fails"))["id"]
    for _ in range(3):
        ping(ann, made)
    change(service, "UPDATE subscriptions SET failing = '2026-01-01T00:00:00.000Z'")
    courier = loop(service, moment, begin=never)
    assert courier.tell(ann.id) == 1


def test_what_is_delivered_once_more_has_its_id(house: House, courier: DeliveryLoop, receiving: Running) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    id = ping(ann, made)
    path = f"/webhooks/{made}/deliveries/{id}"
    assert ann.post(path).status_code == 202, "it waits already"
    run(courier)
    assert ann.post(path).json["status"] == "waiting"
    run(courier)
    assert len(heard(receiving, id)) == 2
    assert len({one["headers"]["webhook-id"] for one in heard(receiving, id)}) == 1


def test_what_came_of_it_is_forgotten_after_a_week(
    house: House, service: Service, courier: DeliveryLoop, receiving: Running, moment: Moment
) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    ping(ann, made)
    run(courier)
    waiting = ping(ann, made)
    moment.passes(days=6)
    courier.tidy()
    assert len(deliveries(ann, made)) == 2
    moment.passes(days=2)
    courier.tidy()
    assert [one["id"] for one in deliveries(ann, made)] == [waiting], "what waits is not forgotten"
    assert rows(service, "SELECT count(*) FROM deliveries WHERE status = 'delivered'") == [(0,)]


def test_nothing_is_sent_to_a_webhook_that_was_removed(house: House, courier: DeliveryLoop, receiving: Running) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    id = ping(ann, made)
    assert ann.delete(f"/webhooks/{made}").status_code == 204
    run(courier)
    assert heard(receiving, id) == []


def test_whoever_took_longer_than_the_claim_holds_does_not_say_what_came_of_anothers_try(
    house: House, service: Service, receiving: Running
) -> None:
    ann = house.player()
    id = ping(ann, hook(ann, receiving.url("/ok"))["id"])
    one = DeliveryTable(service.recorder).find(id)
    assert one is not None
    first, second = "2026-01-01T00:00:30.000Z", "2026-01-01T00:01:30.000Z"
    mine, theirs = (msgspec.structs.replace(one, due=until) for until in (first, second))
    done = msgspec.structs.replace(mine, status=kept.DELIVERED, answer=200)
    assert service.recorder.write([kept.change(one, mine)]) == (1,)
    assert service.recorder.write([kept.change(one, theirs)]) == (0,), "it is somebody's"
    assert service.recorder.write([kept.change(mine, theirs)]) == (1,)
    assert service.recorder.write([kept.change(mine, done)]) == (0,)


def test_it_delivers_until_it_is_told_to_end(house: House, courier: DeliveryLoop, receiving: Running) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    stop = Event()
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
