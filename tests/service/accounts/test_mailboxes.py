"""An address is the player's once they have followed the link that was sent there; it lets them in again."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest
from freezegun import freeze_time

from service.accounts.mailboxes import is_reachable
from service.accounts.passwords import Passwords
from service.config import Config
from service.limits.settings import ACCOUNT, ADDRESS, Rate
from service.store import Letter
from tests.service.accounts.insiders import WORD, leave, log_in, session, with_password
from tests.service.house import Answer, House, Visitor, beside
from tests.service.matches.test_secrecy import told_in
from tests.service.stored import rows
from tests.service.together import at_once, meanwhile
from tests.service.web.test_limits import Guest, housed


def letters(house: House, kind: str | None = None) -> list[Letter]:
    """Those that are to be sent, the oldest first."""
    found = rows(house.service, "SELECT body FROM deliveries WHERE target = '' ORDER BY at, id")
    told = [msgspec.json.decode(body, type=Letter) for (body,) in found]
    return [one for one in told if kind in {None, one.kind}]


def link(house: House, kind: str) -> str:
    """What the last link of that kind holds."""
    url = house.service.mailboxes.of_letter(letters(house, kind)[-1])
    assert url is not None
    assert url.startswith(house.service.config.address)
    return url.partition("?token=")[2]


def confirm(house: House, token: str | None = None) -> Answer:
    return house.stranger.post("/email/confirmation", {"token": token or link(house, "confirm")})


def confirmed(house: House, login: str = "ann", email: str = "ann@example.org") -> Visitor:
    """Somebody whose address is confirmed."""
    ann = with_password(house, login, email=email)
    assert confirm(house).json == {"email": email}
    return ann


def test_an_address_is_confirmed_by_the_link_that_was_sent_there(house: House) -> None:
    ann = with_password(house, email="Ann@Example.org")
    (letter,) = letters(house)
    assert (letter.kind, letter.player, letter.address, letter.about) == ("confirm", ann.id, "Ann@Example.org", "{}")
    assert ann.get("/me").json["confirmed"] is None
    assert log_in(house, "ann@example.org").status_code == 401, "nobody knows yet whose it is"
    token = link(house, "confirm")
    assert [confirm(house, token).json["email"] for _ in range(2)] == ["Ann@Example.org"] * 2
    assert [one.kind for one in letters(house)] == ["confirm"], "no other address was changed for it"
    assert ann.get("/me").json["confirmed"] is not None
    assert log_in(house, "ann@EXAMPLE.org").status_code == 201


def test_a_letter_that_nobody_waits_for_any_longer_has_no_link(house: House) -> None:
    ann = with_password(house, email="ann@example.org")
    (letter,) = letters(house)
    first = house.service.mailboxes.of_letter(letter)
    assert first == house.service.mailboxes.of_letter(letter), "tried again it is the same"
    ann.post("/me/email", {"email": "other@example.org", "password": WORD})
    assert house.service.mailboxes.of_letter(letter) is None
    assert [one.address for one in letters(house)] == ["other@example.org"]
    assert confirm(house, (first or "").partition("=")[2]).json["code"] == "link-used"


def test_no_other_text_confirms_anything_and_a_link_is_good_for_a_week(house: House) -> None:
    with freeze_time("2026-05-01T12:00:00Z") as clock:
        ann = with_password(house, email="ann@example.org")
        (letter,), token, signer = letters(house), link(house, "confirm"), house.service.signer
        for said in (
            *("x", token[:-1], f"x{token}", "\x00"),
            signer.sign("recover", [ann.id, letter.at, "ann@example.org"]),
            signer.sign("confirm", "ann"),
            signer.sign("confirm", [ann.id]),
        ):
            assert confirm(house, said).json["code"] == "unknown-link", said
        clock.move_to("2026-05-08T12:00:00Z")
        assert confirm(house, token).json["code"] == "link-past"
        assert house.service.mailboxes.of_letter(letter) is None
        assert ann.get("/me").json["confirmed"] is None
        clock.move_to("2026-05-08T11:59:59.999Z")
        assert confirm(house, token).json == {"email": "ann@example.org"}


def test_a_letter_for_a_new_password_has_a_link_while_its_address_is_the_confirmed_one(house: House) -> None:
    ann = confirmed(house)
    ask(house, "ann@example.org")
    (letter,) = letters(house, "recover")
    links = house.service.mailboxes
    assert links.of_letter(letter) is not None
    for wrong in ({"address": "eve@example.org"}, {"player": None}, {"player": "p_none"}):
        assert links.of_letter(msgspec.structs.replace(letter, **wrong)) is None, wrong
    ann.post("/me/email", {"email": None, "password": WORD})
    ann.post("/me/email", {"email": "ann@example.org", "password": WORD})
    assert links.of_letter(letter) is None, "it is to be confirmed anew"


def test_a_confirmed_address_stays_until_the_new_one_is_confirmed_and_is_told_of_it(house: House) -> None:
    ann = confirmed(house)
    for said in ({}, {"password": "wrong horse"}):
        assert ann.post("/me/email", {"email": "new@example.org", **said}).status_code == 403
    told = ann.post("/me/email", {"email": "new@example.org", "password": WORD}).json
    assert (told["email"], told["email_next"]) == ("ann@example.org", "new@example.org")
    assert log_in(house, "ann@example.org").status_code == 201
    again = ann.post("/me/email", {"email": "ann@example.org", "password": WORD}).json
    assert again["email_next"] is None, "it is confirmed already"
    assert house.service.mailboxes.of_letter(letters(house, "confirm")[-1]) is None
    ann.post("/me/email", {"email": "new@example.org", "password": WORD})
    assert confirm(house).json == {"email": "new@example.org"}
    told = ann.get("/me").json
    assert (told["email"], told["email_next"]) == ("new@example.org", None)
    assert [one.address for one in letters(house, "address-changed")] == ["ann@example.org"]
    assert log_in(house, "ann@example.org").status_code == 401
    assert log_in(house, "new@example.org").status_code == 201
    told = ann.post("/me/email", {"email": None, "password": WORD}).json
    assert (told["email"], told["confirmed"]) == (None, None)
    assert letters(house) == []


def test_with_a_password_stays_a_login_or_a_confirmed_address(house: House) -> None:
    ann, bob = confirmed(house), with_password(house, "bob", email="bob@example.org")
    refused = bob.post("/me/login", {"login": None})
    assert (refused.status_code, refused.json["code"]) == (409, "no-way-in")
    assert bob.post("/me/email", {"email": None, "password": WORD}).json["email"] is None, "no way in has gone"
    eve = house.stranger.post("/players", {"name": "Eve", "password": WORD}).json["token"]
    assert Visitor(bob.client, eve).post("/me/login", {"login": None}).status_code == 200, "she had none"
    gone = {"/me/login": {"login": None}, "/me/email": {"email": None, "password": WORD}}
    answers = at_once(*[partial(ann.post, path, body) for path, body in gone.items()])
    assert sorted(answer.json.get("code", "") for answer in answers) == ["", "no-way-in"]


def test_of_two_accounts_one_has_an_address_and_nobody_else_is_told(house: House) -> None:
    confirmed(house)
    answer = house.stranger.post("/players", {"name": "Eve", "email": "ANN@example.org"})
    assert answer.status_code == 201
    assert confirm(house).json["code"] == "address-taken"
    assert log_in(house, "ann@example.org").json["player"]["name"] == "Ann"


def ask(house: House, email: str) -> Answer:
    return house.stranger.post("/recovery", {"email": email})


def recover(house: House, token: str, password: str = "another horse") -> Answer:
    return house.stranger.post("/recovery/password", {"token": token, "password": password})


def test_whoever_asks_for_a_link_can_t_tell_who_is_there_and_who_is_written_to_now_and_then(house: House) -> None:
    with freeze_time("2026-05-01T12:00:00Z") as clock:
        confirmed(house)
        house.stranger.post("/players", {"name": "Bob", "email": "bob@example.org"})
        answers = [ask(house, f"{name}@example.org") for name in ("ann", "bob", "no", "ann")]
        assert len({(answer.status_code, answer.data, *told_in(answer.headers)) for answer in answers}) == 1
        (first,) = letters(house, "recover")
        assert first.address == "ann@example.org", "nobody else is written to"
        assert "ann" not in repr(rows(house.service, "SELECT * FROM recoveries"))
        there = House(beside(house.service))
        for somewhere in (there, house):
            ask(somewhere, "ANN@example.org")
        clock.tick(299)
        ask(there, "ann@example.org")
        assert letters(house, "recover") == [first]
        clock.tick(1)
        ask(there, "ann@example.org")
        assert [one.id == first.id for one in letters(house, "recover")] == [False]


def test_a_link_for_a_new_password_is_good_for_an_hour_and_while_all_is_as_it_was(house: House) -> None:
    with freeze_time("2026-05-01T12:00:00Z") as clock:
        ann = confirmed(house)
        ask(house, "ann@example.org")
        token = link(house, "recover")
        clock.move_to("2026-05-01T12:59:59.999Z")
        assert link(house, "recover") == token
        clock.move_to("2026-05-01T13:00:00Z")
        assert recover(house, token).json["code"] == "link-past"
        assert house.service.mailboxes.of_letter(letters(house, "recover")[0]) is None
        ask(house, "ann@example.org")
        token = link(house, "recover")
        ann.post("/me/password", {"old": WORD, "new": "a third horse"})
        assert recover(house, token).json["code"] == "link-used"


def test_who_has_forgotten_a_password_sets_another_one_by_mail_once(house: House) -> None:
    ann = confirmed(house)
    (first,) = ann.get("/me/tokens").json["tokens"]
    kept = session(house)
    assert ask(house, "ann@example.org").status_code == 202
    assert ann.delete(f"/me/tokens/{first['id']}").status_code == 204, "also who has no token left"
    token = link(house, "recover")
    answers = at_once(*(partial(recover, house, token, f"another horse {one}") for one in range(4)))
    codes = [answer.status_code for answer in answers]
    assert sorted(codes) == [204, 409, 409, 409]
    assert kept.get("/me").json["code"] == "unknown-token", "whoever had got in is out"
    assert log_in(house, "ann").status_code == 401
    assert [log_in(house, "ann", f"another horse {one}").status_code for one in range(4)] == [
        201 if code == 204 else 401 for code in codes
    ]
    assert recover(house, token, "a third horse").json["code"] == "link-used"
    (used,) = letters(house, "recover")
    ask(house, "Ann@example.org")
    assert used not in letters(house, "recover"), "whose link is used may ask again at once"
    assert [one.address for one in letters(house, "password-changed")] == ["ann@example.org"]


def test_a_new_password_ends_whatever_a_thief_of_the_old_one_made(house: House) -> None:
    ann = confirmed(house)
    thief = session(house)
    assert thief.post("/me/email", {"email": "thief@example.org", "password": WORD}).status_code == 200
    theirs = link(house, "confirm")
    bot = thief.post("/me/bots", {"name": "Robot"}).json["token"]
    Visitor(ann.client, bot).post("/me/email", {"email": "robot@thief.example.org"})
    assert confirm(house).status_code == 200
    feeds = []
    for one in (thief, Visitor(ann.client, bot)):
        made = one.put("/me/feed", {}).json
        feeds.append(made["url"].partition("/api")[2])
        assert house.stranger.get(feeds[-1]).status_code == 200
        hook = {"url": "https://thief.example.org/x", "name": "hook"}
        assert one.post("/webhooks", hook).json["enabled"]
    ask(house, "ann@example.org")
    assert recover(house, link(house, "recover"), "another horse").status_code == 204
    assert [house.stranger.get(feed).status_code for feed in feeds] == [404, 404]
    (shown,) = session(house, password="another horse").get("/webhooks").json["webhooks"]
    assert (shown["enabled"], shown["disabled"]["reason"]) == (False, "owner")
    assert rows(house.service, "SELECT reason FROM subscriptions") == [("owner",)] * 2, "also the bot's"
    assert Visitor(ann.client, bot).get("/me").json["code"] == "unknown-token"
    assert rows(house.service, "SELECT address FROM mailing") == [("ann@example.org",)], "nor does the bot get mails"
    assert confirm(house, theirs).json["code"] == "link-used"
    assert letters(house, "confirm") == [], "nor is it sent any longer"


def test_an_address_that_is_not_confirmed_goes_with_the_password_with_which_it_was_set(house: House) -> None:
    ann = with_password(house)
    thief = session(house)
    assert thief.post("/me/email", {"email": "thief@example.org", "password": WORD}).status_code == 200
    theirs = link(house, "confirm")
    assert ann.post("/me/password", {"old": WORD, "new": "another horse"}).status_code == 204
    assert ann.get("/me").json["email"] is None
    assert confirm(house, theirs).json["code"] == "link-used"


@pytest.mark.parametrize("deed", ["log in", "change the password", "set an address", "erase the account"])
def test_who_knew_the_old_password_does_nothing_with_it_once_there_is_another(deed: str, house: House) -> None:
    ann = confirmed(house)
    thief = session(house)
    ask(house, "ann@example.org")
    token = link(house, "recover")
    deeds = {
        "log in": lambda: log_in(house, "ann"),
        "change the password": lambda: thief.post("/me/password", {"old": WORD, "new": "a thief's horse"}),
        "set an address": lambda: thief.post("/me/email", {"email": "thief@example.org", "password": WORD}),
        "erase the account": lambda: leave(thief, ann.id, password=WORD),
    }
    with meanwhile(lambda: recover(house, token, "another horse"), Passwords, "check", after=True):
        refused = deeds[deed]().json
    assert refused["code"] == ("login-refused" if deed == "log in" else "password-wrong")
    owner = session(house, password="another horse")
    assert owner.get("/me").json["email_next"] is None


def test_that_a_password_is_another_one_is_told_to_a_confirmed_address_alone(house: House) -> None:
    ann = with_password(house, email="ann@example.org")
    assert ann.post("/me/password", {"old": WORD, "new": "another horse"}).status_code == 204
    assert letters(house, "password-changed") == [], "nobody knows yet whose it is"
    ann.post("/me/email", {"email": "ann@example.org", "password": "another horse"})
    confirm(house)
    assert ann.post("/me/password", {"old": "another horse", "new": "a third horse"}).status_code == 204
    assert [one.address for one in letters(house, "password-changed")] == ["ann@example.org"]
    told = house.stranger.post("/players", {"name": "Bob", "email": "bob@example.org"}).json
    confirm(house)
    assert Visitor(ann.client, told["token"]).post("/me/password", {"new": WORD}).status_code == 204
    assert len(letters(house, "password-changed")) == 1, "there was none before"


def test_mails_are_limited_for_whom_they_go_to_however_spelt_and_for_who_asks(config: Config) -> None:
    limited = (Rate("letters", ADDRESS, 6, 600), Rate("letters", ACCOUNT, 3, 10**9))
    with housed(config, rates=limited) as house:
        ann = Guest(house.app, house.player().token)
        spellings = ("ann@bücher.example", "Ann@BÜCHER.example", "\uff41nn@xn--bcher-kva.example")
        answers = [ann.post("/me/email", {"email": one}) for one in spellings]
        answers += [Guest(house.app).post("/recovery", {"email": "ANN@XN--BCHER-KVA.EXAMPLE"})]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        other = Guest(house.app, at="198.51.100.9").post("/players", {"name": "Eve", "email": spellings[0]})
        assert other.json["fields"]["limit"] == "letters-by-account"
        codes = [Guest(house.app).post("/recovery", {"email": f"{one}@example.org"}).status_code for one in "abcd"]
        assert codes[-1] == 429


def test_a_link_leads_to_a_page_that_asks_first(house: House) -> None:
    ann = with_password(house, email="ann@example.org")
    token = link(house, "confirm")
    page = house.send("GET", f"/account/confirm?token={token}")
    assert (page.mimetype, token in page.text) == ("text/html", True)
    assert ann.get("/me").json["confirmed"] is None, "whoever looks at a link has not followed it"
    assert "ann@example.org is confirmed" in house.send("POST", f"/account/confirm?token={token}").text
    ask(house, "ann@example.org")
    sent = {"token": link(house, "recover"), "password": "short"}
    again = house.send("POST", "/account/recover", data=sent)
    assert (again.status_code, "The length must be" in again.text, 'name="token"' in again.text) == (422, True, True)
    sent["password"] = "another horse"
    done = house.send("POST", "/account/recover", data=sent, headers={"Accept-Language": "ja"})
    assert (done.status_code, "設定しました" in done.text) == (200, True)
    refused = house.send("POST", "/account/recover", data=sent)
    assert (refused.status_code, 'name="token"' in refused.text) == (422, False)


def test_an_address_that_is_not_everybodys_to_reach_is_none(house: House) -> None:
    for domain in (
        *("localhost", "LOCALHOST", "[127.0.0.1]", "[IPv6:::1]", "127.0.0.1", "[10.0.0.1]", "printer", "printer.local"),
        *("a.localhost", "x.internal", "x.invalid", "x.onion", "x.home.arpa", "2130706433", "1.2.3.4", "x.4"),
        *("localhost.", "x.local.", "box.LAN"),
    ):
        assert not is_reachable(f"a@{domain}"), domain
    ann = house.player()
    for answer in (
        house.stranger.post("/players", {"name": "Ann", "email": "a@localhost"}),
        ann.post("/me/email", {"email": "a@localhost"}),
        house.stranger.post("/recovery", {"email": "a@localhost"}),
    ):
        assert (answer.status_code, answer.json["code"], list(answer.json["errors"])) == (422, "malformed", ["email"])
    for domain in ("mail.example.org", "b\u00fccher.example", "xn--bcher-kva.example", "a.b.co.uk", "3.example.org"):
        assert ann.post("/me/email", {"email": f"a@{domain}"}).json["email"] == f"a@{domain}"
