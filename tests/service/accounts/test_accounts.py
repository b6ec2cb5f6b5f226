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


def test_no_player_gets_the_scopes_of_the_house(house: House) -> None:
    for scope in ("bot:play", "admin"):
        assert house.player().post("/me/tokens", {"scopes": [scope]}).status_code == 422, scope


def test_a_token_that_is_nobodys_is_refused_everywhere(house: House) -> None:
    for said in ("Bearer nobodys", "Bearer ", "Basic YTpi", "x", None):
        answer = house.stranger.get("/games" if said else "/me", headers={"Authorization": said} if said else {})
        code = "unknown-token" if said else "token-missing"
        assert (answer.status_code, answer.json["code"]) == (401, code), said
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
