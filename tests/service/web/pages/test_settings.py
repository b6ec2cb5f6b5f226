"""Settings: a guest keeps the account, passwords and addresses change, programs are let in, and somebody goes."""

from __future__ import annotations

import re

import pytest

from events.store import Statement
from service.store import mailing
from tests.service.house import House, Visitor
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite

GOOD, OTHER = "a long enough one", "another long one"
MAIL = {"email": "ann@example.org"}

WRONG = [
    *(("name", {"name": name}, "own-name") for name in ("", "x" * 65, "a\u202eb")),
    ("password", {"old": "no", "new": OTHER}, "old"),
    ("password", {"new": OTHER}, "old"),
    ("password", {"old": GOOD, "new": "ann"}, "new"),
    ("password", {"old": GOOD, "new": "password1"}, "new"),
    *(("login", {"login": login}, "login-name") for login in ("bob", "")),
    ("email", MAIL, "email-password"),
    ("email", {"email": "x", "password": GOOD}, "email-address"),
    *(("vacation", {"days": days}, "days") for days in ("", "x", "9999", "-1")),
    ("erase", {"confirm": "Bob", "password": GOOD}, "confirm"),
    ("erase", {"confirm": "Ann", "password": "x"}, "erase-password"),
    ("programs/tokens", {"name": "\u202e"}, "token-name"),
    ("programs/bots", {"name": ""}, "bot-name"),
]
"""What is wrong in forms: the form, its fields, and the field beside which that is said."""


def person(house: House) -> Browser:
    """Somebody with a login and a password, at their settings."""
    return signed_up(house, "Ann", login="ann", password=GOOD)


def secret_of(page: str) -> str:
    found = re.search(r'<input id="secret-[a-z]+" value="([^"]+)"', page)
    assert found
    return found[1]


def test_what_is_wrong_is_said_beside_its_field(house: House) -> None:
    signed_up(house, "Bob", login="bob", password=GOOD)
    ann = person(house)
    for path, fields, field in WRONG:
        page = ann.send(f"/settings/{path}", status=422, **fields).text
        assert f'id="{field}-about"><b class="wrong"' in page, (path, fields)
    for scopes in ({"scopes": "admin"}, {}):
        assert 'role="alert"' in ann.send("/settings/programs/tokens", status=422, name="x", **scopes).text
    wanted = {"on": "yes", "turns": "digest", "hour": "7", "zone": "Asia/Tokyo", "lang": "ja"}
    for name, wrong in (("turns", "often"), ("hour", "24"), ("hour", "x"), ("lang", "xx"), ("zone", "../x")):
        assert 'role="alert"' in ann.send("/settings/mail", status=422, **{**wanted, name: wrong}).text, name


def test_a_form_of_another_session_or_of_nobody_changes_nothing(house: House) -> None:
    ann = person(house)
    eve = signed_up(house, "Eve")
    for path in ("", "/programs"):
        assert Browser(house).client.get(f"/settings{path}").headers["Location"] == f"/sign-in?next=/settings{path}"
        assert ann.client.get(f"/settings{path}").headers["Cache-Control"] == "no-store"
    for path in ("login", "erase", "programs/tokens"):
        ann.csrf = eve.csrf
        assert "older session" in ann.send(f"/settings/{path}", status=403, login="eve").text
    assert 'value="eve"' not in ann.look("/settings")


def test_a_guest_keeps_the_account_with_a_login_and_a_password(house: House) -> None:
    guest = Browser(house)
    guest.follow("/guest")
    assert "Keep this account" in guest.look("/settings")
    assert '/settings#keep"' in guest.look("/lobby")
    assert '/settings#keep"' in guest.look("/turns")
    # whose only session leads nowhere else: whoever revokes it is told
    programs = guest.look("/settings/programs")
    assert "<b>signed in</b>" in programs
    assert 'data-sure="Nothing leads back to this account' in programs
    page = guest.send("/settings/keep", status=422, login="x", new=GOOD).text
    assert 'value="x"' in page
    assert 'id="keep-login-about"' in page
    assert 'id="keep-new-about"><b class="wrong"' in guest.send("/settings/keep", status=422, login="ann", new="x").text
    common = guest.send("/settings/keep", status=422, login="ann", new="12345678").text
    assert 'id="keep-new-about"><b class="wrong"' in common, "what the store of passwords says of it"
    page = guest.follow("/settings/keep", login="Ann", new=GOOD)
    assert "✓ Saved." in page
    assert "Keep this account" not in page
    assert "/settings#keep" not in guest.look("/turns")
    assert "Guest " in Browser(house).follow("/sign-in", login="ann", password=GOOD)


def test_a_bot_is_told_why_it_can_t_have_a_password(house: House) -> None:
    owner = house.player("Ann")
    made = owner.post("/me/bots", {"name": "Robot"}).json
    robot = Browser(house, who=Visitor(owner.client, made["token"], made["id"]))
    page = robot.look("/settings")
    assert "A bot account has no password" in page
    assert 'name="new"' not in page
    for path, fields in (("keep", {"login": "robot", "new": GOOD}), ("password", {"new": GOOD})):
        page = robot.send(f"/settings/{path}", status=422, **fields).text
        assert "A bot account that has an owner can&#39;t have a password." in page, path
    robot.headers["Accept-Language"] = "ja"
    assert "パスワードを設定できません" in robot.send("/settings/password", status=422, new=GOOD).text


def test_name_login_and_vacation_change(house: House) -> None:
    ann, bob = person(house), house.player("<i>Bob</i>")
    match = house.player("Zoe").open(seats=[{"player": ann.id}, None], talk="open")
    page = ann.follow("/settings/name", name="  Ánn   ＆ Co ")
    assert "✓ Saved." in page
    assert ">Ánn &amp; Co</a>" in page
    assert house.stranger.look(match)["seats"][0]["reserved"]["name"] == "Ánn & Co"
    assert 'value="anna"' in ann.follow("/settings/login", login="anna")
    assert "All days that you name are spent" in ann.look("/settings"), "it is told before"
    assert "You are away until" in ann.follow("/settings/vacation", days="3")
    page = ann.follow("/settings/vacation", back="yes")
    assert "You are away until" not in page
    assert "Muted players" not in page
    ann.follow(f"/matches/{match}/do/mute", player=bob.id)
    page = ann.look("/settings")
    assert "Muted players" in page
    assert "&lt;i&gt;Bob&lt;/i&gt;" in page
    assert "Muted players" not in ann.follow("/settings/muted", player=bob.id)


def test_an_address_is_said_with_the_password_and_what_is_sent_there_is_chosen(house: House) -> None:
    ann = person(house)
    page = ann.follow("/settings/email", **MAIL, password=GOOD)
    assert "A link was sent to ann@example.org" in page
    assert "What is sent there" not in page
    mine = ann.id
    confirm = Statement("UPDATE players SET confirmed = created WHERE id = :id", {"id": mine})
    house.service.recorder.write([confirm, mailing.confirm(mine, MAIL["email"], "en", "")])
    assert "ann@example.org is confirmed." in ann.look("/settings")
    wanted = {"on": "yes", "turns": "digest", "hour": "7", "zone": "Asia/Tokyo", "lang": "ja"}
    page = ann.follow("/settings/mail", **wanted)
    assert re.search(r'value="digest" selected.*value="7" selected.*value="Asia/Tokyo"', page, re.DOTALL)
    zoe = house.player("Zoe")
    match, secret = zoe.open(), zoe.open(visibility="private")
    house.service.recorder.write([mailing.hush(match, mine), mailing.hush(secret, mine)])
    page = ann.look("/settings")
    assert (f'href="/matches/{match}"' in page, secret in page) == (True, False), "one may know of the first one only"
    assert match not in ann.follow("/settings/quiet", match=match)
    # it signs Ann in without a login, so one of them stays
    assert 'value="ann"' not in ann.follow("/settings/login", login="")
    page = ann.send("/settings/email", status=422, email="", password=GOOD).text
    assert "Keep a login name or a confirmed mail address" in page
    assert "ann@example.org is confirmed." in ann.follow("/settings/login", login="ann")
    page = ann.follow("/settings/email", email="", password=GOOD)
    assert "✓" in page
    assert MAIL["email"] not in page


def test_a_token_is_told_once_does_what_was_chosen_and_can_be_revoked(house: House) -> None:
    ann = person(house)
    fields = {"csrf": ann.csrf, "name": "laptop", "scopes": ["match:read", "match:play"], "lasts": "month"}
    told = Visitor(house.app.test_client(), secret_of(ann.client.post("/settings/programs/tokens", data=fields).text))
    assert told.get("/me").status_code == 200
    assert told.post("/matches", {"game": "high-card", "seats": [None, None]}).status_code == 403
    page = ann.look("/settings/programs")
    assert (told.token or "") not in page
    assert "Nothing leads back" not in page
    kept = re.search(r"<b>laptop</b>.*?/settings/programs/tokens/(t_\w+)", page, re.DOTALL)
    assert kept
    ann.follow(f"/settings/programs/tokens/{kept[1]}")
    assert told.get("/me").status_code == 401
    ann.send("/settings/programs/tokens/none", status=404)
    # and so can the address of a feed
    url = secret_of(ann.send("/settings/programs/feed", status=200, do="make").text)
    # it is where Ann came from, since the operator names no address
    assert url.startswith("http://localhost/api/feeds/")
    path = url.partition("/api")[2]
    assert house.stranger.get(path).status_code == 200
    page = ann.look("/settings/programs")
    assert url not in page
    assert "Another address" in page
    assert "Revoke the address" not in ann.follow("/settings/programs/feed", do="revoke")
    assert house.stranger.get(path).status_code == 404


def test_a_bot_account_is_made_given_another_token_and_erased(house: House) -> None:
    ann = person(house)
    page = ann.send("/settings/programs/bots", status=200, name="Robo").text
    bot = Visitor(house.app.test_client(), secret_of(page))
    told = bot.get("/me").json
    assert (told["kind"], told["name"]) == ("bot", "Robo")
    path = f"/settings/programs/bots/{told['id']}"
    assert Visitor(house.app.test_client(), secret_of(ann.send(path, status=200, do="token").text)).get("/me").json
    signed_up(house, "Eve").send(path, status=404, do="erase")
    assert "Robo" not in ann.follow(path, do="erase")
    assert bot.get("/me").status_code == 401


def test_a_house_without_mail_asks_for_no_address_but_lets_one_be_taken_away(house: House, sending: House) -> None:
    assert 'id="email-address"' in signed_up(sending, "Bob", login="bob", password=GOOD).look("/settings")
    ann = person(house)
    page = ann.look("/settings")
    assert "This server sends no mail" in page
    assert 'id="email-address"' not in page
    assert 'id="email-address"' in ann.follow("/settings/email", **MAIL, password=GOOD)
