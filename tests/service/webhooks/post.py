"""What tests of webhooks share: a clock that is set, what is noted, and who has a webhook."""

from __future__ import annotations

from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any

from service import clock
from service.followers import Follower, claims_of
from service.outbox import DeliveryLoop, Noting
from service.outbox.loop import Begin, at_once
from service.signing import Signer
from service.store import open_effects
from service.webhooks import Sender, WebhookChannel
from service.wiring import Service
from tests.service.followers.stands import look_until_done
from tests.service.house import House, Visitor
from tests.service.webhooks.receivers import Running

HERE = (ip_network("127.0.0.0/8"),)


class Moment:
    """The time, later by as much as a test says."""

    def __init__(self) -> None:
        self.later = timedelta()

    def __call__(self) -> datetime:
        return clock.now() + self.later

    def passes(self, **length: float) -> None:
        self.later += timedelta(**length)


def loop(service: Service, now: clock.Now, begin: Begin = at_once, signer: Signer | None = None) -> DeliveryLoop:
    """Delivers to webhooks, by itself before it is asked for more."""
    # it has patience with a machine that has much else to do
    channel = WebhookChannel(signer or service.signer, Sender(HERE, 20.0), "https://play.example", now)
    return DeliveryLoop(service.recorder, channel, now, begin)


def note(service: Service) -> None:
    """Have noted what has happened, as `service follow` does."""
    effects = open_effects(service.config.store_url)
    found = Follower(Noting(effects.log), effects, claims_of(service.config.store_url, Noting.name))
    try:
        look_until_done(found)
    finally:
        found.leave()
        effects.close()


def hook(visitor: Visitor, url: str, *kinds: str, **more: Any) -> dict[str, Any]:
    """A webhook of the visitor's, as it was answered."""
    said = {"url": url, **({"kinds": list(kinds)} if kinds else {}), **more}
    answer = visitor.post("/webhooks", said)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def deliveries(visitor: Visitor, webhook: str, **query: Any) -> list[dict[str, Any]]:
    """Those of the webhook, the latest first."""
    answer = visitor.get(f"/webhooks/{webhook}/deliveries", **query)
    assert answer.status_code == 200, answer.json
    return list(answer.json["deliveries"])


class Hooked(Visitor):
    """Somebody with a webhook at the receiver, and what delivers to it."""

    def __init__(self, house: House, receiving: Running) -> None:
        player = house.player()
        super().__init__(player.client, player.token, player.id)
        self.service = house.service
        self.moment = Moment()
        self.courier = loop(house.service, self.moment)
        self._receiving = receiving
        self.path = self.secret = ""

    def make(self, path: str, *kinds: str) -> None:
        """Make the webhook, at that path of the receiver."""
        made = hook(self, self._receiving.url(path), *kinds)
        self.path, self.secret = f"/webhooks/{made['id']}", made["secret"]

    @property
    def webhook(self) -> dict[str, Any]:
        return dict(self.shown(self.path))

    @property
    def delivery(self) -> dict[str, Any]:
        """The only one."""
        (delivery,) = deliveries(self, self.webhook["id"])
        return delivery

    def ping(self) -> str:
        """Ask for one: the delivery's id."""
        answer = self.post(f"{self.path}/deliveries")
        assert answer.status_code == 202, answer.json
        assert (answer.json["kind"], answer.json["status"]) == ("ping", "waiting")
        return str(answer.json["id"])

    def run(self) -> int:
        """Deliver what is due to everybody, until nothing is: how many tries that were."""
        begun = 0
        while made := self.courier.look():
            begun += made
        return begun

    def heard(self, id: str) -> list[dict[str, Any]]:
        """What the receiver was sent under that id."""
        return [one for one in self._receiving.heard() if one["headers"].get("webhook-id") == id]
