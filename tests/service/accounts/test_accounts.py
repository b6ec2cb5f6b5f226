"""Players and tokens."""

from __future__ import annotations

from tests.service.house import House, Visitor


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
    ann, bob = house.player("Ann"), house.player("Bob")
    second = ann.post("/me/tokens", {"name": "second"}).json
    listed = ann.get("/me/tokens").json["tokens"]
    assert [token["name"] for token in listed] == ["first", "second"]
    assert all("token" not in token for token in listed)
    assert bob.delete(f"/me/tokens/{second['id']}").status_code == 404
    assert ann.delete(f"/me/tokens/{second['id']}").status_code == 204
    gone = Visitor(ann.client, second["token"]).get("/me")
    assert (gone.status_code, gone.json["code"]) == (401, "unknown-token")
    for gone_id in (second["id"], "t_%00"):
        assert ann.delete(f"/me/tokens/{gone_id}").json["code"] == "unknown-token-id"


def test_turns_are_the_decisions_that_wait_for_me(house: House) -> None:
    match, (ann, bob) = house.table()
    assert ann.get("/me/turns").json == {"turns": [{"match": match, "seat": 0, "decision": 8, "due": None}]}
    assert house.player("Cid").get("/me/turns").json == {"turns": []}
    ann.move(match, ann.moves(match)["moves"][0]["id"])
    assert ann.get("/me/turns").json == {"turns": []}
    assert [turn["match"] for turn in bob.get("/me/turns").json["turns"]] == [match]


def test_a_token_that_is_nobodys_is_refused_everywhere(house: House) -> None:
    for said in ("Bearer nobodys", "Bearer ", "Basic YTpi", "x", None):
        answer = house.stranger.get("/games" if said else "/me", headers={"Authorization": said} if said else {})
        code = "unknown-token" if said else "token-missing"
        assert (answer.status_code, answer.json["code"]) == (401, code), said
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
