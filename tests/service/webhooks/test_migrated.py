"""What waited in a store of the first version of the tables is delivered after its migration, once."""

from __future__ import annotations

from contextlib import closing

from service import clock
from tests.service.house import House, build
from tests.service.store.first_version import carried_back, enter
from tests.service.stored import rows
from tests.service.webhooks.post import Moment, follower, hook, loop
from tests.service.webhooks.receivers import Running


def test_a_turn_that_waited_is_delivered_once(house: House, receiving: Running, moment: Moment) -> None:
    ann = house.player()
    made = hook(ann, receiving.url("/ok"))["id"]
    match = ann.open(seats=[None, {"bot": "random"}])
    ann.sit(match)
    with follower(house.service) as follow:
        follow()
    ((secret, body, decision),) = rows(
        house.service,
        "SELECT secret, body, decision FROM deliveries JOIN subscriptions ON subscriptions.id = target",
    )
    store, at = house.service.recorder, clock.stamp(clock.now())
    carried_back(store)
    webhook = {"id": made, "player": ann.id, "number": 1, "name": "", "url": receiving.url("/ok"), "kinds": " turn "}
    enter(store, "webhooks", "", **webhook, secret=secret, created=at)
    waiting = {"home": match, "id": f"{made}_key", "webhook": made, "player": ann.id, "kind": "turn", "body": body}
    waiting |= {"seat": 0, "decision": decision, "at": at, "status": "waiting", "due": at}
    enter(store, "deliveries", match, **waiting, asked=0, tries=0)
    house.service.close()
    with closing(build(house.service.config)) as service, follower(service) as follow:
        for _ in range(2):
            follow()
            loop(service, moment).look()
    assert [one["headers"]["webhook-id"] for one in receiving.heard() if match in str(one["body"])] == [f"{made}_key"]
