"""An account's webhooks: made, looked at, changed, tried out, and nobody else's business."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.config import Config
from service.problems import Conflict
from service.webhooks.webhooks import MOST
from tests.service.house import House, Visitor, beside
from tests.service.stored import rows
from tests.service.webhooks.post import deliveries, hook

URL = "https://hooks.example/turns?a=b"


def test_a_webhook_is_made_with_a_secret_that_is_told_once(house: House) -> None:
    ann = house.player()
    made = hook(ann, URL, "match.finished", "turn", name="mine")
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert (made["url"], made["name"], made["kinds"]) == (URL, "mine", ["turn", "match.finished"])
    assert (made["enabled"], made["failing"], made["disabled"]) == (True, None, None)
    assert ann.get(f"/webhooks/{made['id']}").json == made
    assert ann.get("/webhooks").json == {"webhooks": [made]}
    kept = str(rows(house.service, "SELECT * FROM subscriptions"))
    assert secret not in kept
    assert secret.removeprefix("whsec_") not in kept


def test_a_webhook_is_told_turns_unless_it_asks_for_something_else(house: House) -> None:
    assert hook(house.player(), URL)["kinds"] == ["turn"]


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"url": "http://hooks.example/"},
        {"url": "https://10.0.0.1/"},
        {"url": "https://u:p@hooks.example/"},
        {"url": URL, "kinds": []},
        {"url": URL, "kinds": ["everything"]},
        {"url": URL, "name": ""},
        {"url": URL, "secret": "mine"},
        {"url": 5},
    ],
)
def test_what_can_be_no_webhook_is_told_by_field(house: House, said: dict[str, Any]) -> None:
    refused = house.player().post("/webhooks", said, lang="ja")
    # the operator of these tests lets them be on this machine, so a name without TLS may mean that
    if said.get("url") == "http://hooks.example/":
        assert refused.status_code == 201
        return
    assert (refused.status_code, refused.json["code"]) == (422, "malformed")
    assert refused.json["errors"]
    assert refused.json["detail"]


def test_nobody_sees_or_changes_anothers(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    path = f"/webhooks/{hook(ann, URL)['id']}"
    ping = ann.post(f"{path}/deliveries").json["id"]
    asked = (
        bob.get(path),
        bob.delete(path),
        bob.post(f"{path}/secret"),
        bob.get(f"{path}/deliveries"),
        bob.post(f"{path}/deliveries"),
        bob.post(f"{path}/deliveries/{ping}"),
        changed(bob, path, {"name": "his"}),
    )
    assert {(one.status_code, one.json["code"]) for one in asked} == {(404, "unknown-webhook")}
    assert bob.get("/webhooks").json == {"webhooks": []}
    own = f"/webhooks/{hook(bob, URL)['id']}"
    other = bob.post(f"{own}/deliveries/{ping}")
    assert (other.status_code, other.json["code"]) == (404, "unknown-delivery")


def test_who_may_not_is_told_so(house: House) -> None:
    ann = house.player()
    for visitor, status in ((house.stranger, 401), (house.worker, 403), (house.operator, 403)):
        assert visitor.get("/webhooks").status_code == status
        assert visitor.post("/webhooks", {"url": URL}).status_code == status
    token = ann.post("/me/tokens", {"scopes": ["match:read", "match:play", "match:create"]}).json["token"]
    lacking = Visitor(ann.client, token).post("/webhooks", {"url": URL})
    assert (lacking.status_code, lacking.json["scope"]) == (403, "webhook:write")
    token = ann.post("/me/tokens", {"scopes": ["webhook:write"]}).json["token"]
    assert Visitor(ann.client, token).post("/webhooks", {"url": URL}).status_code == 201


def changed(visitor: Visitor, path: str, said: dict[str, Any]) -> Any:
    return visitor.client.patch(f"/api{path}", json=said, headers=visitor.headers)


def test_what_is_named_is_changed_and_the_rest_stays(house: House) -> None:
    ann = house.player()
    path = f"/webhooks/{hook(ann, URL)['id']}"
    assert changed(ann, path, {"kinds": ["reminder", "invitation"]}).json["kinds"] == ["invitation", "reminder"]
    found = changed(ann, path, {"url": "https://other.example/", "name": "Other"}).json
    assert (found["url"], found["name"], found["kinds"]) == (
        "https://other.example/",
        "Other",
        ["invitation", "reminder"],
    )
    off = changed(ann, path, {"enabled": False}).json
    assert (off["enabled"], off["disabled"]["reason"]) == (False, "owner")
    refused = ann.post(f"{path}/deliveries")
    assert (refused.status_code, refused.json["code"]) == (409, "webhook-disabled")
    on = changed(ann, path, {"enabled": True}).json
    assert (on["enabled"], on["disabled"]) == (True, None)
    assert changed(ann, path, {"url": "ftp://x"}).status_code == 422
    assert ann.get(path).json == on


def test_a_removed_one_is_gone(house: House) -> None:
    ann = house.player()
    path = f"/webhooks/{hook(ann, URL)['id']}"
    assert ann.delete(path).status_code == 204
    assert ann.get(path).status_code == ann.delete(path).status_code == 404
    assert ann.get("/webhooks").json == {"webhooks": []}
    assert ann.get("/webhooks/w%00").status_code == 404


def test_a_secret_is_renewed_and_told_once(house: House) -> None:
    ann = house.player()
    made = hook(ann, URL)
    path = f"/webhooks/{made['id']}/secret"
    renewed = ann.post(path, key="k")
    assert renewed.status_code == 201
    assert renewed.json["secret"] != made["secret"]
    again = ann.post(path, key="k")
    assert (again.status_code, again.json["code"]) == (409, "secret-already-told")
    assert ann.post(path).json["secret"] != renewed.json["secret"]


def test_one_that_is_asked_for_twice_is_made_once(house: House) -> None:
    ann = house.player()
    first, again = (ann.post("/webhooks", {"url": URL}, key="k") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 409)
    assert again.json["code"] == "secret-already-told"
    assert len(ann.get("/webhooks").json["webhooks"]) == 1
    path = f"/webhooks/{first.json['id']}/deliveries"
    assert ann.post(path, key="p").json["id"] == ann.post(path, key="p").json["id"]
    assert len(deliveries(ann, first.json["id"])) == 1


def test_an_account_has_so_many_and_no_more(house: House) -> None:
    ann = house.player()
    made = [hook(ann, URL)["id"] for _ in range(MOST)]
    refused = ann.post("/webhooks", {"url": URL})
    assert (refused.status_code, refused.json["code"], refused.json["fields"]) == (
        409,
        "too-many-webhooks",
        {"most": MOST},
    )
    (limit,) = [one for one in ann.get("/limits").json["quotas"] if one["name"] == "webhooks"]
    assert (limit["most"], limit["left"]) == (MOST, 0)
    assert ann.delete(f"/webhooks/{made[4]}").status_code == 204
    hook(ann, URL)


def test_many_that_are_made_at_once_are_no_more_than_may_be(house: House) -> None:
    """By two services on one store, as two processes would."""
    ann = house.player()
    asker = house.service.accounts.asker(ann.token)
    services = (house.service, beside(house.service))

    def make(number: int) -> str:
        try:
            return services[number % 2].webhooks.make(asker, "w", URL, ["turn"])[0].id
        except Conflict as error:
            return error.code

    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(make, range(24)))
    assert len(ann.get("/webhooks").json["webhooks"]) == MOST
    assert made.count("too-many-webhooks") == 24 - MOST


def test_deliveries_come_a_page_at_a_time(house: House) -> None:
    ann = house.player()
    made = hook(ann, URL)["id"]
    pings = {ann.post(f"/webhooks/{made}/deliveries").json["id"] for _ in range(5)}
    seen, cursor = [], None
    while True:
        more: dict[str, Any] = {"cursor": cursor} if cursor else {}
        page = ann.get(f"/webhooks/{made}/deliveries", limit=2, **more)
        seen += [one["id"] for one in page.json["deliveries"]]
        cursor = page.json["next"]
        if cursor is None:
            break
        assert 'rel="next"' in page.headers["Link"]
    assert (len(seen), set(seen)) == (5, pings)


def test_where_the_operator_allows_nothing_tls_is_needed(config: Config, house: House) -> None:
    assert config.webhook_private
    strict = beside(house.service)
    asker = house.service.accounts.asker(house.player().token)
    hooks = type(strict.webhooks)(strict.recorder, strict.front, strict.signer, ())
    with pytest.raises(Exception, match="malformed"):
        hooks.make(asker, "w", "http://hooks.example/", ["turn"])
