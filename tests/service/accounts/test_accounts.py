"""Players and tokens."""

from __future__ import annotations

import pytest

from tests.service.house import House, Visitor
from tests.service.stored import rows


def test_a_name_suffices_to_sign_up(house: House) -> None:
    answer = house.stranger.post("/players", {"name": "Ann"})
    assert answer.status_code == 201
    assert {**answer.json, "id": "", "token": "", "created": ""} == {
        "id": "",
        "name": "Ann",
        "kind": "human",
        "email": None,
        "created": "",
        "token": "",
        "owner": None,
        "login": None,
        "confirmed": None,
        "email_next": None,
        "has_password": False,
    }
    assert answer.json["id"].startswith("p_")
    assert len(answer.json["token"]) >= 43


def test_a_player_may_be_a_bot_and_have_an_address(house: House) -> None:
    answer = house.stranger.post("/players", {"name": "R. Daneel", "kind": "bot", "email": "r@example.org"})
    assert (answer.json["kind"], answer.json["email"]) == ("bot", "r@example.org")


def test_me_is_whose_token_asks_without_the_token(house: House) -> None:
    ann = house.player("Ann")
    answer = ann.get("/me")
    assert answer.status_code == 200
    assert (answer.json["id"], answer.json["name"]) == (ann.id, "Ann")
    assert "token" not in answer.json


@pytest.mark.sqlite
def test_tokens_are_kept_as_hashes_only(house: House) -> None:
    ann = house.player()
    assert ann.token is not None
    for (table,) in rows(house.service, "SELECT name FROM sqlite_schema WHERE type = 'table'"):
        assert ann.token not in repr(rows(house.service, f'SELECT * FROM "{table}"'))


def test_further_tokens_grant_no_more_than_the_asking_one(house: House) -> None:
    ann = house.player()
    reading = ann.post("/me/tokens", {"name": "reader", "scopes": ["match:read"]})
    assert reading.status_code == 201
    assert reading.json["scopes"] == ["match:read"]
    reader = Visitor(ann.client, reading.json["token"], ann.id)
    assert reader.get("/me").json["id"] == ann.id
    refused = reader.post("/me/tokens", {"scopes": ["match:play"]})
    assert (refused.status_code, refused.json["code"]) == (403, "scope-missing")
    refused = reader.post("/matches", {"game": "high-card", "seats": [None, None]})
    assert (refused.status_code, refused.json["code"], refused.json["scope"]) == (403, "scope-missing", "match:create")


def test_no_player_gets_the_scope_of_the_workers(house: House) -> None:
    answer = house.player().post("/me/tokens", {"scopes": ["bot:play"]})
    assert answer.status_code == 422


def test_tokens_are_listed_and_revoked(house: House) -> None:
    ann = house.player()
    second = ann.post("/me/tokens", {"name": "second"}).json
    listed = ann.get("/me/tokens").json["tokens"]
    assert [token["name"] for token in listed] == ["first", "second"]
    assert all("token" not in token for token in listed)
    assert ann.delete(f"/me/tokens/{second['id']}").status_code == 204
    gone = Visitor(ann.client, second["token"]).get("/me")
    assert (gone.status_code, gone.json["code"]) == (401, "unknown-token")
    for gone_id in (second["id"], "t_%00"):
        assert ann.delete(f"/me/tokens/{gone_id}").json["code"] == "unknown-token-id"


def test_nobody_revokes_anothers_token(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    own = ann.get("/me/tokens").json["tokens"][0]["id"]
    assert bob.delete(f"/me/tokens/{own}").status_code == 404
    assert ann.get("/me").status_code == 200


def test_without_a_token_there_is_no_me(house: House) -> None:
    for path in ("/me", "/me/tokens", "/me/turns"):
        answer = house.stranger.get(path)
        assert (answer.status_code, answer.json["code"]) == (401, "token-missing")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_an_unknown_token_is_refused_everywhere(house: House) -> None:
    for said in ("Bearer nobodys", "Bearer ", "Basic YTpi", "x"):
        answer = house.stranger.get("/games", headers={"Authorization": said})
        assert (answer.status_code, answer.json["code"]) == (401, "unknown-token"), said
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_worker_is_no_player(house: House) -> None:
    assert house.worker.get("/me").json["code"] == "no-player"
    assert house.worker.post("/matches", {"game": "high-card", "seats": [None, None]}).status_code == 403


def test_the_operator_is_no_player(house: House) -> None:
    assert house.operator.get("/me").json["code"] == "no-player"
    assert house.operator.post("/matches", {"game": "high-card", "seats": [None, None]}).status_code == 403
    assert house.player().post("/me/tokens", {"scopes": ["admin"]}).status_code == 422


def test_the_workers_token_is_for_its_owner_only_and_stays(house: House) -> None:
    from service import folder

    file = house.service.config.worker_token
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(bytes.fromhex(file.read_text())) == 32
    assert folder.prepare(house.service.config).worker == file.read_text()


def test_turns_are_the_decisions_that_wait_for_me(house: House) -> None:
    match, (ann, bob) = house.table()
    assert ann.get("/me/turns").json == {"turns": [{"match": match, "seat": 0, "decision": 8, "due": None}]}
    assert house.player("Cid").get("/me/turns").json == {"turns": []}
    ann.move(match, ann.moves(match)["moves"][0]["id"])
    assert ann.get("/me/turns").json == {"turns": []}
    assert [turn["match"] for turn in bob.get("/me/turns").json["turns"]] == [match]
