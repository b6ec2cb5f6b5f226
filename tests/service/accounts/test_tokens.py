"""What a token grants, who manages tokens, and how long one lasts."""

from __future__ import annotations

from freezegun import freeze_time

from tests.service.house import House, Visitor

SCOPES = ["match:read", "match:play", "match:create", "webhook:write"]


def test_the_scopes_to_manage_tokens_and_of_the_house_are_handed_out_to_no_further_one(house: House) -> None:
    ann = house.player()
    assert ann.get("/me/tokens").json["tokens"][0]["scopes"] == [*SCOPES, "account"]
    for scope in ("account", "bot:play", "admin"):
        refused = ann.post("/me/tokens", {"scopes": ["match:read", scope]})
        assert (refused.status_code, refused.json["code"]) == (422, "malformed")
    assert ann.post("/me/tokens", {}).json["scopes"] == SCOPES


def test_a_token_lasts_as_long_as_was_said(house: House) -> None:
    with freeze_time("2026-03-01T12:00:00Z") as time:
        ann = house.player()
        made = ann.post("/me/tokens", {"name": "guest", "expires": "2026-03-01T14:00:00.5+01:00"}).json
        assert made["expires"] == "2026-03-01T13:00:00.500Z"
        guest = Visitor(ann.client, made["token"], ann.id)
        assert [token["expires"] for token in ann.get("/me/tokens").json["tokens"]] == [None, made["expires"]]
        time.move_to("2026-03-01T13:00:00.499Z")
        assert guest.get("/me").status_code == 200
        time.move_to("2026-03-01T13:00:00.500Z")
        for answer in (guest.get("/me"), guest.get("/games")):
            assert (answer.status_code, answer.json["code"]) == (401, "token-expired")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert ann.get("/me").status_code == 200, "sign-up's lasts"
        assert ann.delete(f"/me/tokens/{made['id']}").status_code == 204
        assert guest.get("/me").json["code"] == "unknown-token"


def test_an_end_that_can_not_be(house: House) -> None:
    with freeze_time("2026-03-01T12:00:00Z"):
        ann = house.player()
        for code, ends in (
            ("malformed", ("2026-03-02T12:00:00", "2026-03-02", "soon", 5, "", True, [], "0001-01-01T00:00:00+01:00")),
            ("already-past", ("2026-03-01T12:00:00Z", "2025-01-01T00:00:00Z", "2026-03-01T12:30:00+01:00")),
        ):
            for expires in ends:
                answer = ann.post("/me/tokens", {"expires": expires})
                assert (answer.status_code, answer.json["code"]) == (422, code), expires
                assert code != "malformed" or list(answer.json["errors"]) == ["expires"]
        assert len(ann.get("/me/tokens").json["tokens"]) == 1
