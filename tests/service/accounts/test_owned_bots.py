"""Bot accounts: made by a person, marked as bots wherever they are told, and that person's to erase."""

from __future__ import annotations

import pytest

from service.accounts import OwnedBots
from service.accounts.passwords import PASSWORDS
from service.deeds import Front
from service.store import people
from service.store.mailing import wishes_of
from tests.service.accounts.insiders import WORD, asked_at_once, entered, log_in
from tests.service.accounts.test_mailboxes import confirm, letters, link, recover
from tests.service.house import HIGH_CARD, House, Visitor, play_out, refusal
from tests.service.stored import rows
from tests.service.together import meanwhile


def bot_of(house: House, owner: Visitor, name: str = "Robot") -> Visitor:
    return entered(house, owner.post("/me/bots", {"name": name}))


def test_a_bot_account_is_marked_wherever_it_is_told_and_whose_it_is_and_erased_by_its_owner(house: House) -> None:
    ann = house.player("Ann")
    robot = bot_of(house, ann)
    who = {"id": robot.id, "name": "Robot", "kind": "bot"}
    match = ann.open(HIGH_CARD, [None, {"player": robot.id}])
    assert house.stranger.look(match)["seats"][1]["reserved"] == who
    robot.sit(match)
    for told in (house.stranger.look(match), house.stranger.get("/matches").json["matches"][0]):
        assert told["seats"][1]["player"] == who
    robot.open(HIGH_CARD, [None, {"player": ann.id}])
    assert ann.get("/me/invitations").json["invitations"][0]["by"] == who
    told = house.stranger.get(f"/players/{robot.id}").json
    assert (told["kind"], told["owner"]) == ("bot", {"id": ann.id, "name": "Ann", "kind": "human"})
    assert robot.get("/me").json["owner"] == ann.id
    assert robot.post("/me/bots", {"name": "Child"}).json["code"] == "not-for-bots"
    assert [one["id"] for one in ann.get("/me/bots").json["bots"]] == [robot.id]
    free = house.stranger.post("/players", {"name": "Free", "kind": "bot"}).json
    assert house.stranger.get(f"/players/{free['id']}").json["owner"] is None
    ann.sit(match)
    play_out(match, [ann, robot])
    assert ann.delete(f"/me/bots/{robot.id}").status_code == 204
    assert robot.get("/me").status_code == 401
    assert ann.get("/me/bots").json["bots"] == []
    assert ann.look(match)["seats"][1]["player"] == {"id": robot.id, "name": "", "kind": "erased"}


def test_a_bot_s_tokens_are_its_owner_s_to_manage_and_nobody_else_s(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    robot = bot_of(house, ann)
    path = f"/me/bots/{robot.id}/tokens"
    given = ann.post(path, {"name": "second", "scopes": ["match:read", "match:play"]}).json
    second = Visitor(ann.client, given["token"])
    assert second.get("/me").json["id"] == robot.id
    assert [one["name"] for one in ann.get(path).json["tokens"]] == ["first", "second"]
    for answer in (ann.get(f"/me/bots/{bob.id}/tokens"), ann.delete(f"/me/bots/{ann.id}")):
        assert (answer.status_code, answer.json["code"]) == (404, "unknown-player")
    assert ann.delete(f"{path}/{given['id']}").status_code == 204
    assert second.get("/me").status_code == 401


def test_nobody_comes_back_to_a_bot_whose_owner_has_revoked_all_of_its_tokens(house: House) -> None:
    ann = house.player("Ann")
    robot = bot_of(house, ann)
    robot.post("/me/login", {"login": "robot"})
    for lang, text in (("en", "that has an owner can't have a password"), ("ja", "パスワードを設定できません")):
        answer = robot.post("/me/password", {"new": WORD}, lang=lang)
        assert refusal(answer) == (403, "no-password-for-bots")
        assert text in answer.json["detail"]
    assert not robot.get("/me").json["has_password"]
    robot.post("/me/email", {"email": "robot@example.org"})
    confirm(house)
    house.stranger.post("/recovery", {"email": "robot@example.org"})
    (letter,) = letters(house, "recover")
    assert house.service.mailboxes.of_letter(letter) is None, "nor is one set by mail"
    feed = robot.put("/me/feed", {}).json["url"].partition("/api")[2]
    assert robot.post("/webhooks", {"url": "https://thief.example.org/x", "name": "hook"}).json["enabled"]
    ann.post(f"/me/bots/{robot.id}/tokens", {"name": "another"})
    first, last = ann.get(f"/me/bots/{robot.id}/tokens").json["tokens"]
    for token, kept in ((first, (200, True, True)), (last, (404, False, False))):
        ann.delete(f"/me/bots/{robot.id}/tokens/{token['id']}")
        has_mail = wishes_of(house.service.recorder, robot.id) is not None
        (hook,) = rows(house.service, "SELECT disabled IS NULL FROM subscriptions WHERE channel = 'webhook'")
        assert (house.stranger.get(feed).status_code, has_mail, bool(hook[0])) == kept
    assert robot.get("/me").status_code == 401


def test_of_two_last_tokens_that_are_revoked_at_once_nothing_stays(house: House) -> None:
    ann = house.player()
    bot = ann.post("/me/bots", {"name": "Robot"}).json
    path = f"/me/bots/{bot['id']}/tokens"
    assert Visitor(ann.client, bot["token"]).put("/me/feed", {}).status_code == 200
    ann.post(path, {"name": "another"})
    first, last = (f"{path}/{token['id']}" for token in ann.get(path).json["tokens"])
    with meanwhile(lambda: ann.delete(last), house.service.accounts, "forget"):
        ann.delete(first)
    assert ann.get(path).json["tokens"] == []
    assert rows(house.service, "SELECT disabled IS NULL FROM subscriptions") == []


def test_an_old_password_of_a_bot_is_shown_and_lets_nobody_in(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = house.player("Ann")
    robot = bot_of(house, ann)
    robot.post("/me/login", {"login": "robot"})
    robot.post("/me/email", {"email": "robot@example.org"})
    confirm(house)
    house.stranger.post("/recovery", {"email": "robot@example.org"})
    house.service.recorder.write([people.set_password(robot.id, PASSWORDS.hash(WORD))])
    with monkeypatch.context() as before:
        before.setattr("service.accounts.mailboxes._may_recover", lambda account: True)
        token = link(house, "recover")
    assert [one["has_password"] for one in ann.get("/me/bots").json["bots"]] == [True]
    for login in ("robot", "robot@example.org", robot.id):
        assert refusal(log_in(house, login)) == (401, "login-refused")
    assert refusal(recover(house, token)) == (409, "link-used")
    assert refusal(robot.post("/me/password", {"old": WORD, "new": "another horse"})) == (403, "no-password-for-bots")
    assert robot.get("/me").status_code == 200, "its tokens stay"


def test_who_wants_a_token_for_a_bot_account_that_is_erased_meanwhile_is_not_signed_out(house: House) -> None:
    ann = house.player("Ann")
    path = f"/me/bots/{bot_of(house, ann).id}"
    with meanwhile(lambda: ann.delete(path), Front, "write"):
        assert refusal(ann.post(f"{path}/tokens", {"name": "second"})) == (404, "unknown-player")


def test_a_person_has_so_many_bots_however_many_are_made_at_once(house: House) -> None:
    ann = house.player("Ann")
    asker = house.service.accounts.asker(ann.token)
    many = asked_at_once(
        house, OwnedBots.MOST + 6, lambda one, key: one.owned_bots.make(asker, f"R {key.id[:9]}", once=key)[0].kind
    )
    assert sorted(many) == ["bot"] * OwnedBots.MOST + ["too-many-bots"] * 6
    assert len(ann.get("/me/bots").json["bots"]) == OwnedBots.MOST
