"""Whoever goes is erased: nothing of the person stays, and the matches do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from events.store import Statement, StoreError
from service.accounts import Accounts, Passes
from service.accounts.passes import BY_PASS
from service.deeds import Asker
from service.matches import MatchWanted, Place
from service.problems import Problem
from service.store import People, people
from service.wiring import Service
from tests.conventions.tree import ROOT
from tests.service.accounts.insiders import WORD, leave, log_in, session, with_password
from tests.service.accounts.test_mailboxes import ask, confirmed, letters
from tests.service.accounts.test_owned_bots import bot_of
from tests.service.house import HIGH_CARD, House, beside, play_out, refusal
from tests.service.stored import NO_SEAT, UNREADABLE, rows, spoil
from tests.service.together import meanwhile


@pytest.mark.sqlite
def test_nothing_of_the_person_stays(house: House) -> None:
    ann = confirmed(house, "ann-logs-in", "ann@example.org")
    bob = house.player("Bob")
    session(house, "ann-logs-in")
    ask(house, "ann@example.org")
    ann.post("/me/email", {"email": "next@example.org", "password": WORD})
    robot = bot_of(house, ann, "Annas Robot")
    for player in (ann, robot):
        hook = {"url": "https://hooks.example.org/x", "name": "annas hook"}
        assert player.post("/webhooks", hook).status_code == 201
    wishes = ann.put("/me/mail", {"turns": "digest"})
    assert wishes.status_code == 200, wishes.json
    match, running, open_ = bob.open(), bob.open(), bob.open(seats=[None, {"player": ann.id}])
    for one in (match, running):
        ann.sit(one)
        bob.sit(one)
    play_out(match, [ann, bob])
    assert leave(ann, password=WORD).status_code == 204
    for (table,) in rows(house.service, "SELECT name FROM sqlite_schema WHERE type = 'table'"):
        kept = repr(rows(house.service, f'SELECT * FROM "{table}"')).lower()
        for secret in ("example.org", "ann-logs-in", "annas robot", "argon2", "'ann'", "annas hook"):
            assert secret not in kept, (table, secret)
    assert rows(house.service, "SELECT * FROM tokens WHERE player IN (:a, :r)", a=ann.id, r=robot.id) == []
    assert letters(house) == []
    for gone in (ann, robot):
        assert gone.get("/me").json["code"] == "unknown-token"
    assert log_in(house, "ann-logs-in").status_code == 401
    assert log_in(house, ann.id).status_code == 401
    assert bob.look(open_)["seats"][1]["reserved"] is None


ANONYMOUS = {"seats", "sittings", "declined", "history", "reminded"}
"""Tables in which the id of an erased player stays, with nothing beside it that tells of a person."""


ERASED = {
    *("players", "tokens", "passes", "mailing", "vacations", "subscriptions", "deliveries", "quiet"),
    *("offers", "talk", "mutes", "learnt", "review_wishes"),
}


@pytest.mark.sqlite
def test_of_every_table_that_names_players_it_is_known_what_becomes_of_it(house: House) -> None:
    named = {
        table
        for (table,) in rows(house.service, "SELECT name FROM sqlite_schema WHERE type = 'table'")
        for row in rows(house.service, f"PRAGMA table_info({table})")
        if row[1] in {"player", "maker", "owner", "email", "address"}
    }
    assert named == ANONYMOUS | ERASED
    told = "\n".join(one.sql for one in people.erase("p", 1))
    assert {table for table in ERASED if f" {table} " in told} == ERASED


def test_the_page_on_operating_vacuums_every_table_from_which_something_is_erased() -> None:
    told = "\n".join(one.sql for one in people.erase("p", 1))
    (named,) = re.findall(r"`VACUUM FULL ([^`]+)`", (ROOT / "docs" / "operating.md").read_text(encoding="utf-8"))
    assert sorted(set(re.findall(r"(?:UPDATE|DELETE FROM) (\w+)", told))) == re.split(r",\s", named)


BOT_PLAYS = {"preset": "week", "resignation": "bot"}


def test_matches_stay_with_a_seat_of_nobody_s_name_and_what_has_not_started_goes_on_without_them(house: House) -> None:
    ann, bob, cid = (house.player(name) for name in ("Ann", "Bob", "Cid"))
    over, running, alone, waiting = ann.open(), ann.open(clock=BOT_PLAYS), ann.open(), ann.open(seats=[None] * 3)
    of_two = ann.open()
    for one in (over, running, alone, waiting, of_two):
        ann.sit(one, seat=0)
        if one != alone:
            bob.sit(one, seat=1)
    play_out(over, [ann, bob])
    before, log = bob.look(over), bob.get(f"/matches/{over}/export").data
    tag = bob.get(f"/matches/{over}").headers["ETag"]
    assert leave(ann).status_code == 204
    after = bob.look(over)
    assert after["seats"][0]["player"] == {"id": ann.id, "name": "", "kind": "erased"}
    assert after["result"] == before["result"]
    assert bob.get(f"/matches/{over}/export").data == log, "no person is in the log"
    assert bob.get(f"/matches/{over}", headers={"If-None-Match": tag}).status_code == 200
    assert "Ann" not in str(bob.events(over))
    assert house.stranger.get(f"/players/{ann.id}").json["code"] == "unknown-player"
    assert bob.look(alone)["status"] == "aborted"
    assert [seat["player"] and seat["player"]["id"] for seat in bob.look(waiting)["seats"]] == [None, bob.id, None]
    cid.sit(waiting, seat=0)
    assert bob.look(of_two)["result"]["winners"] == [1]
    # whoever plays on need not ask them
    assert bob.look(running)["abort"] == {"agreed": []}
    bob.post(f"/matches/{running}/abort")
    assert bob.look(running)["status"] == "aborted"


@pytest.mark.sqlite
@pytest.mark.parametrize("said", [UNREADABLE, NO_SEAT])
def test_one_goes_and_leaves_the_other_matches_if_one_can_not_be_read(house: House, said: bytes) -> None:
    match, (ann, bob) = house.table()
    spoilt = ann.open_with(bob)
    spoil(house.service, spoilt, said)
    assert leave(House(beside(house.service)).again(ann)).status_code == 204
    assert ann.get("/me").json["code"] == "unknown-token"
    assert bob.look(match)["result"]["winners"] == [1]


def test_one_goes_only_if_it_is_meant(house: House) -> None:
    ann, bob = with_password(house), house.player("Bob")
    for answer, status, code in (
        (leave(ann), 403, "password-needed"),
        (leave(ann, password="wrong horse"), 403, "password-wrong"),
        (leave(ann, "yes", password=WORD), 422, "not-confirmed"),
        (leave(ann, bob.id, password=WORD), 422, "not-confirmed"),
        (ann.delete("/me"), 422, "malformed"),
    ):
        assert answer.json is not None
        assert (answer.status_code, answer.json["code"]) == (status, code)
    assert ann.get("/me").status_code == 200


def test_whoever_is_erased_is_refused_by_every_process_kept_no_seat_and_confirmed_no_more(house: House) -> None:
    ann, bob = with_password(house, email="ann@example.org"), house.player("Bob")
    there, (letter,) = House(beside(house.service)), letters(house)
    assert there.again(ann).get("/me").status_code == 200
    leave(ann, password=WORD)
    assert there.again(ann).get("/me").json["code"] == "unknown-token"
    refused = bob.post("/matches", {"game": HIGH_CARD, "seats": [None, {"player": ann.id}]})
    assert refused.json["code"] == "unknown-player"
    token = house.service.signer.sign("confirm", [ann.id, letter.at, letter.address])
    assert house.stranger.post("/email/confirmation", {"token": token}).json["code"] == "unknown-player"
    with pytest.raises(Problem):
        house.service.accounts.find(ann.id)


def test_a_farewell_that_was_cut_off_is_said_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    running = [ann.open(clock=BOT_PLAYS) for _ in range(3)]
    for one in running:
        ann.sit(one, seat=0)
        bob.sit(one, seat=1)
    resign, asked = house.service.leaving.resign, []

    def cut(asker: Asker, match_id: str) -> object:
        asked.append(match_id)
        if len(asked) == 2:
            raise StoreError("cut off")
        return resign(asker, match_id)

    monkeypatch.setattr(house.service.farewell, "resign", cut)
    assert leave(ann).status_code == 503
    assert ann.get("/me").status_code == 200, "nothing of the person was erased yet"
    assert leave(ann).status_code == 204
    assert [bob.look(one)["seats"][0]["resigned"] for one in running] == [True] * 3


def test_the_lessons_that_somebody_has_gone_through_are_kept_and_offered_no_more_on_any_page(house: House) -> None:
    ann, bob = house.player(), house.player()
    offered = 'data-learn="three-magic"'
    hers = house.app.test_client()
    hers.set_cookie("foldtable", str(ann.token))
    assert offered in hers.get("/games/three-magic").text
    assert ann.post("/me/lessons", {"game": "no-such-game"}).json["code"] == "unknown-game"
    for _ in range(2):
        assert ann.post("/me/lessons", {"game": "three-magic"}).status_code == 204
    assert ann.get("/me/lessons").json == {"games": ["three-magic"]}
    assert bob.get("/me/lessons").json == {"games": []}
    assert offered not in hers.get("/games/three-magic").text
    assert offered in house.send("get", "/games/three-magic").text


LATE: dict[str, Callable[[Service, Asker, str, str], object]] = {
    "say": lambda late, ann, match, _: late.talk.say(ann, match, "SECRET-WORD"),
    "report": lambda late, ann, match, _: late.talk.report(ann, match, 1, "SECRET-WORD"),
    "sit": lambda late, ann, _, waiting: late.seats.take(ann, waiting, None),
    "open": lambda late, ann, *_: late.opener.open(ann, MatchWanted(game=HIGH_CARD, seats=(Place(), Place()))),
    "token": lambda late, ann, *_: late.accounts.issue(ann, "secret-word"),
    "bot": lambda late, ann, *_: late.owned_bots.make(ann, "Secret-Word"),
    "address": lambda late, ann, *_: late.mailboxes.say(ann, "secret-word@example.org", None, "en"),
    "login": lambda late, ann, *_: late.sessions.set_login(ann, "secret-word"),
    "webhook": lambda late, ann, *_: late.webhooks.make(ann, "secret-word", "https://hooks.example.org", ["turn"]),
    "feed": lambda late, ann, *_: late.feeds.make(ann, ["turn"], ""),
    "pass": lambda late, ann, *_: Passes(late.accounts, BY_PASS, 5).make(ann),
    "password": lambda late, ann, *_: late.sessions.change(ann, "", None, "SECRET-WORD that is long", "en"),
    "lesson": lambda late, ann, *_: late.accounts.learn(ann, "three-magic"),
    "mute": lambda late, ann, match, _: late.talk.mute(ann, str(late.lobby.entry(match, ann).chairs[1].player)),
    "review": lambda late, ann, match, _: late.reviews.want(ann, match, 0),
    "vacation": lambda late, ann, *_: late.vacations.leave(ann, 2),
    "quiet": lambda late, ann, match, _: late.wishing.hush(ann, match),
    "farewell": lambda late, ann, *_: late.farewell.say(ann, ann.player, None),
}
"""What an account may ask for just before it is erased."""

STAYING = (
    "SELECT id FROM tokens WHERE player = :player",
    "SELECT id FROM subscriptions WHERE player = :player",
    "SELECT id FROM players WHERE owner = :player",
    "SELECT match FROM seats WHERE player = :player AND status = 'open'",
    "SELECT id FROM matches WHERE creator = :player AND status = 'open'",
    "SELECT game FROM learnt WHERE player = :player",
    "SELECT at FROM mutes WHERE player = :player OR muted = :player",
    "SELECT match FROM review_wishes WHERE player = :player",
    "SELECT id FROM vacations WHERE player = :player",
    "SELECT match FROM quiet WHERE player = :player",
)
"""Queries for what it would leave."""


BETWEEN: dict[str, Callable[[Service, Asker, str, Asker], object]] = {
    "a bot": lambda service, who, *_: service.owned_bots.make(who, "Robot"),
    "a match": lambda service, who, *_: LATE["open"](service, who, "", ""),
    "a seat": lambda service, who, waiting, _: service.seats.take(who, waiting, None),
    "a kept seat": lambda service, who, waiting, other: service.seats.give(other, waiting, 1, who.player),
}
"""What an account may get after it has left all that it had, and before it is erased."""


@pytest.mark.parametrize(
    ("what", "is_bot"), [*((what, False) for what in BETWEEN), ("a match", True), ("a seat", True)]
)
def test_of_an_account_that_gets_something_before_it_is_erased_nothing_is_left_when_the_process_then_ends(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str, is_bot: bool
) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    who, waiting = bot_of(house, ann, "Robot") if is_bot else ann, bob.open()
    service, forget = house.service, Accounts.forget
    asker, first = service.accounts.asker(who.token), iter([BETWEEN[what]])

    def end(accounts: Accounts, statements: Sequence[Statement]) -> None:
        """Do it before the first try to erase the account; end the process after the account is erased."""
        is_erasing = any("kind = 'erased'" in one.sql and one.named["player"] == who.id for one in statements)
        for act in first if is_erasing else ():
            act(service, asker, waiting, service.accounts.asker(bob.token))
        forget(accounts, statements)
        if is_erasing:
            raise RuntimeError("the process ends")

    monkeypatch.setattr(Accounts, "forget", end)
    answer = ann.delete(f"/me/bots/{who.id}") if is_bot else leave(ann)
    assert answer.status_code == 500
    assert next(first, None) is None
    alive = rows(service, "SELECT name FROM players WHERE kind <> 'erased' ORDER BY name")
    assert alive == [("Ann",), ("Bob",)][not is_bot :]
    assert rows(service, "SELECT 1 FROM matches WHERE creator = :p AND status = 'open'", p=who.id) == []
    assert rows(service, "SELECT 1 FROM seats WHERE status = 'open' AND :p IN (player, reserved)", p=who.id) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("what", LATE)
def test_of_a_request_that_is_under_way_when_the_account_is_erased_nothing_is_stored(house: House, what: str) -> None:
    ann, bob, cid = (house.player(name) for name in ("Ann", "Bob", "Cid"))
    match, waiting = ann.open_with(bob, cid), bob.open()
    assert bob.post(f"/matches/{match}/talk", {"text": "Hello"}).status_code == 201
    if what == "review":
        play_out(match, [ann, bob, cid])
    late = beside(house.service)
    asker = late.accounts.asker(ann.token)
    # the request has checked all, and is about to store what it does
    with (
        meanwhile(lambda: leave(ann), type(house.service.recorder), "write", "append_all"),
        pytest.raises(Problem, check=lambda error: error.code == "unknown-token"),
    ):
        LATE[what](late, asker, match, waiting)
    for (table,) in rows(house.service, "SELECT name FROM sqlite_schema WHERE type = 'table'"):
        assert "secret-word" not in repr(rows(house.service, f'SELECT * FROM "{table}"')).lower(), table
    for sql in STAYING:
        assert rows(house.service, sql, player=ann.id) == [], sql


def test_no_link_is_posted_to_who_is_erased_at_that_moment(house: House) -> None:
    ann = confirmed(house, "ann-logs-in", "ann@example.org")
    with meanwhile(lambda: leave(ann, password=WORD), People, "is_recovery_asked"):
        ask(house, "ann@example.org")
    assert letters(house) == []
    assert rows(house.service, "SELECT count(*) FROM recoveries") == [(1,)], "noted, as for an address of nobody"


def test_nobody_mutes_an_account_that_is_erased_meanwhile(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    with meanwhile(lambda: leave(bob), Accounts, "find", after=True):
        assert refusal(ann.post("/me/mutes", {"player": bob.id})) == (404, "unknown-player")
    assert rows(house.service, "SELECT muted FROM mutes") == []
