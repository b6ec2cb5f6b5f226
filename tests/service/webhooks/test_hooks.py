"""An account's webhooks: made, looked at, changed, tried out, and nobody else's business."""

from __future__ import annotations

from typing import Any

import pytest

from events.store import MissingValue
from service.deeds import Front
from service.webhooks.webhooks import MOST, Hooks
from tests.service.accounts.insiders import asked_at_once
from tests.service.house import House, refusal
from tests.service.webhooks.post import hook

URL = "https://hooks.example/turns?a=b"


def test_a_webhook_is_made_with_a_secret_that_is_told_once(house: House) -> None:
    ann = house.player()
    made = hook(ann, URL, "match.finished", "turn", name="mine")
    assert made.pop("secret").startswith("whsec_")
    assert (made["url"], made["name"], made["kinds"]) == (URL, "mine", ["turn", "match.finished"])
    assert (made["enabled"], made["failing"], made["disabled"]) == (True, None, None)
    assert ann.get(f"/webhooks/{made['id']}").json == made
    assert ann.get("/webhooks").json == {"webhooks": [made]}


def test_what_can_be_no_webhook_is_told_by_field(house: House) -> None:
    ann = house.player()
    for field, said in (
        *(("url", {}), ("url", {"url": 5}), ("url", {"url": "https://10.0.0.1/"})),
        *(("kinds", {"url": URL, "kinds": []}), ("kinds", {"url": URL, "kinds": ["everything"]})),
        *(("name", {"url": URL, "name": ""}), ("secret", {"url": URL, "secret": "mine"})),
    ):
        refused = ann.post("/webhooks", said)
        assert (refused.status_code, [*refused.json["errors"]]) == (422, [field]), said


def test_what_is_named_is_changed_and_the_rest_stays_until_it_is_removed(house: House) -> None:
    ann = house.player()
    made = hook(ann, URL)
    assert made["kinds"] == ["turn"], "unless it asks for something else"
    path = f"/webhooks/{made['id']}"
    assert ann.patch(path, {"kinds": ["reminder", "invitation"]}).json["kinds"] == ["invitation", "reminder"]
    found = ann.patch(path, {"url": "https://other.example/", "name": "Other"}).json
    assert [found[name] for name in ("url", "name")] == ["https://other.example/", "Other"]
    assert found["kinds"] == ["invitation", "reminder"]
    pinged = ann.post(f"{path}/deliveries", key="ping")
    again = ann.post(f"{path}/deliveries/{pinged.json['id']}", key="again")
    off = ann.patch(path, {"enabled": False}).json
    assert ann.post(f"{path}/deliveries", key="ping").json == pinged.json, "a repeat is answered as before"
    assert ann.post(f"{path}/deliveries/{pinged.json['id']}", key="again").status_code == again.status_code
    assert (off["enabled"], off["disabled"]["reason"]) == (False, "owner")
    assert refusal(ann.post(f"{path}/deliveries")) == (409, "webhook-disabled")
    on = ann.patch(path, {"enabled": True}).json
    assert (on["enabled"], on["disabled"]) == (True, None)
    assert ann.patch(path, {"url": "ftp://x"}).status_code == 422
    assert ann.get(path).json == on
    assert ann.delete(path).status_code == 204
    assert ann.get(path).status_code == ann.delete(path).status_code == 404
    assert ann.get("/webhooks").json == {"webhooks": []}
    assert ann.get("/webhooks/w%00").status_code == 404


def test_of_two_who_change_it_at_once_neither_takes_back_what_the_other_did(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = house.player()
    path = f"/webhooks/{hook(ann, URL)['id']}"
    check = Hooks._check

    def meanwhile(hooks: Hooks, url: str) -> None:
        check(hooks, url)
        assert ann.patch(path, {"name": "Other", "kinds": ["reminder"]}).status_code == 200

    monkeypatch.setattr(Hooks, "_check", meanwhile)
    found = ann.patch(path, {"url": "https://other.example/"}).json
    assert [found[name] for name in ("url", "name", "kinds")] == ["https://other.example/", "Other", ["reminder"]]


def test_a_secret_is_renewed_and_told_once(house: House) -> None:
    ann = house.player()
    made = hook(ann, URL)
    path = f"/webhooks/{made['id']}/secret"
    renewed = ann.post(path, key="k")
    assert renewed.status_code == 201
    assert renewed.json["secret"] != made["secret"]
    assert refusal(ann.post(path, key="k")) == (409, "secret-already-told")
    assert ann.post(path).json["secret"] != renewed.json["secret"]


def test_an_account_has_so_many_and_no_more_also_if_many_are_made_at_once(house: House) -> None:
    ann = house.player()
    asker = house.service.accounts.asker(ann.token)
    made = asked_at_once(house, 24, lambda one, key: one.webhooks.make(asker, "w", URL, ["turn"], once=key)[0].id)
    hooks = [webhook["id"] for webhook in ann.get("/webhooks").json["webhooks"]]
    assert (len(hooks), made.count("too-many-webhooks")) == (MOST, 24 - MOST)
    refused = ann.post("/webhooks", {"url": URL})
    assert (*refusal(refused), refused.json["fields"]) == (409, "too-many-webhooks", {"most": MOST})
    (limit,) = [one for one in ann.get("/limits").json["quotas"] if one["name"] == "webhooks"]
    assert (limit["most"], limit["left"]) == (MOST, 0)
    assert ann.delete(f"/webhooks/{hooks[4]}").status_code == 204
    hook(ann, URL)


def test_who_has_too_many_is_not_signed_out_if_one_is_removed_at_that_moment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = house.player()
    hooks = [hook(ann, URL)["id"] for _ in range(MOST)]
    write = Front.write

    def meanwhile(front: Front, *args: Any) -> Any:
        try:
            return write(front, *args)
        except MissingValue:
            monkeypatch.undo()
            assert ann.delete(f"/webhooks/{hooks[0]}").status_code == 204
            raise

    monkeypatch.setattr(Front, "write", meanwhile)
    assert refusal(ann.post("/webhooks", {"url": URL})) == (409, "too-many-webhooks")


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


def test_a_delivery_of_another_s_webhook_is_unknown(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    theirs, own = (f"/webhooks/{hook(who, URL)['id']}" for who in (ann, bob))
    ping = ann.post(f"{theirs}/deliveries").json["id"]
    assert bob.post(f"{own}/deliveries/{ping}").json["code"] == "unknown-delivery"
