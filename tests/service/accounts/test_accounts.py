"""Players, their names and tokens: what a token grants, who manages tokens, and how long one lasts."""

from __future__ import annotations

import pytest
from freezegun import freeze_time

from service.accounts import STRANGER
from service.problems import Forbidden, Unauthorized
from tests.service.house import House, Visitor, beside


def test_a_name_suffices_to_sign_up(house: House) -> None:
    answer = house.stranger.post("/players", {"name": "Ann"})
    assert answer.status_code == 201
    told = dict(answer.json)
    id, token, created = told.pop("id"), told.pop("token"), told.pop("created")
    nothing = dict.fromkeys(("email", "owner", "login", "confirmed", "email_next"))
    assert told == {**nothing, "name": "Ann", "kind": "human", "has_password": False}
    assert id.startswith("p_")
    assert len(token) >= 43
    assert Visitor(house.app.test_client(), token).get("/me").json == {**told, "id": id, "created": created}
    bot = house.stranger.post("/players", {"name": "R. Daneel", "kind": "bot", "email": "r@example.org"}).json
    assert (bot["kind"], bot["email"]) == ("bot", "r@example.org")


def test_tokens_are_listed_and_revoked_by_their_owner(house: House) -> None:
    ann = house.player("Ann")
    second = ann.post("/me/tokens", {"name": "second"}).json
    listed = ann.get("/me/tokens").json["tokens"]
    assert [token["name"] for token in listed] == ["first", "second"]
    assert all("token" not in token for token in listed)
    assert ann.delete(f"/me/tokens/{second['id']}").status_code == 204
    assert Visitor(ann.client, second["token"]).get("/me").json["code"] == "unknown-token"
    for gone_id in (second["id"], "t_%00"):
        assert ann.delete(f"/me/tokens/{gone_id}").json["code"] == "unknown-token-id"


def test_a_token_that_is_nobodys_is_refused_everywhere(house: House) -> None:
    for said in ("Bearer nobodys", "Bearer ", "Basic YTpi", "x", None):
        answer = house.stranger.get("/games" if said else "/me", headers={"Authorization": said} if said else {})
        code = "unknown-token" if said else "token-missing"
        assert (answer.status_code, answer.json["code"]) == (401, code), said
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


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
        said: tuple[tuple[str, tuple[object, ...]], ...] = (
            ("malformed", ("2026-03-02T12:00:00", "2026-03-02", "soon", 5, "", True, [], "0001-01-01T00:00:00+01:00")),
            ("already-past", ("2026-03-01T12:00:00Z", "2025-01-01T00:00:00Z", "2026-03-01T12:30:00+01:00")),
        )
        for code, ends in said:
            for expires in ends:
                answer = ann.post("/me/tokens", {"expires": expires})
                assert (answer.status_code, answer.json["code"]) == (422, code), expires
                assert code != "malformed" or list(answer.json["errors"]) == ["expires"]
        assert len(ann.get("/me/tokens").json["tokens"]) == 1


def test_a_player_is_called_so_in_every_match_once_renamed_by_who_manages_the_account(house: House) -> None:
    match, (ann, _) = house.table()
    narrow = ann.post("/me/tokens", {"name": "x", "scopes": ["match:play"]}).json["token"]
    accounts = house.service.accounts
    for asker, refused in (
        (STRANGER, Unauthorized),
        (accounts.asker(narrow), Forbidden),
        (accounts.asker(house.operator.token), Forbidden),
    ):
        with pytest.raises(refused):
            accounts.rename(asker, "Eve")
    known = {"If-None-Match": house.stranger.get(f"/matches/{match}").headers["ETag"]}
    assert house.stranger.get(f"/matches/{match}", known).status_code == 304
    accounts.rename(accounts.asker(ann.token), "Somebody")
    assert house.stranger.get(f"/matches/{match}", known).status_code == 200
    assert [seat["player"]["name"] for seat in house.stranger.look(match)["seats"]] == ["Somebody", "Player 1"]
    # another process knows it too
    assert beside(house.service).accounts.find(ann.id).name == "Somebody"
