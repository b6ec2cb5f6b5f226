"""Who asks too often is told when to come back, is told nothing else by it, and stands in nobody's way.

Whatever changes something is limited, by one table: a program, a page and a mail count alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from flask import Flask
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory

from service.accounts import ADMIN, BOT
from service.config import Config
from service.deeds import TABLE
from service.limits import Asking
from service.limits.limits import Buckets
from service.limits.settings import ACCOUNT, ADDRESS, RATES, Rate, Room, Settings, parse_networks
from service.run.redis_server import RedisServer
from service.store.people import SQL
from tests.service.house import HIGH_CARD, Answer, House, Visitor, build
from tests.service.run.redisrun import running
from tests.service.run.uprun import until
from tests.service.security.furnished import Watch
from tests.service.web.pages.browsing import Browser
from tests.service.web.test_server import serving

FAR, OTHER = "203.0.113.5", "198.51.100.7"
SEATS = {"game": HIGH_CARD, "seats": [None, None]}
ALL = 1e9
"""More than any limit is: a level that takes it is full."""

LOW = Settings(
    rates=(
        Rate("sign-ups", ADDRESS, 3, 3600),
        Rate("guesses", ADDRESS, 3, 60),
        Rate("openings", ADDRESS, 5, 60),
        Rate("openings", ACCOUNT, 2, 60),
        Rate("sittings", ADDRESS, 4, 60),
        Rate("sittings", ACCOUNT, 2, 60),
        Rate("body-kib", ADDRESS, 64, 60),
        Rate("body-kib", ACCOUNT, 32, 60),
    ),
    rooms=(Room("waits", ADDRESS, 2), Room("waits", ACCOUNT, 1)),
    open_matches=3,
)


class Guest(Visitor):
    def __init__(self, app: Flask, token: str | None = None, at: str = FAR, **headers: str) -> None:
        super().__init__(app.test_client(), token)
        self.client.environ_base["REMOTE_ADDR"] = at
        self._more = {name.replace("_", "-"): value for name, value in headers.items()}

    @property
    def headers(self) -> dict[str, str]:
        return {**super().headers, **self._more}

    def sign_up(self, key: str | None = None) -> int:
        return self.post("/players", {"name": "Ann"}, key).status_code

    def left(self) -> dict[str, int | None]:
        told = self.get("/limits").json
        return {one["name"]: one["left"] for part in ("rates", "at_once", "quotas") for one in told[part]}


def housed(config: Config, **changes: Any) -> House:
    return House(build(replace(config, limits=msgspec.structs.replace(LOW, **changes))))


@pytest.fixture
def strict(config: Config) -> Iterator[House]:
    with housed(config) as house:
        yield house


def refused(answer: Answer, limit: str) -> int:
    """It is that limit: seconds until one may come back."""
    assert (answer.status_code, answer.json["code"]) == (429, "too-fast"), answer.json
    assert answer.json["fields"]["limit"] == limit
    assert answer.json["fields"]["after"] == int(answer.headers["Retry-After"])
    return int(answer.headers["Retry-After"])


def test_what_is_left_is_told_and_who_asks_too_often_comes_back(strict: House, frozen: FrozenDateTimeFactory) -> None:
    guest = Guest(strict.app)
    assert guest.left()["sign-ups-by-address"] == 3
    answer = guest.post("/players", {"name": "Ann"})
    assert answer.headers["RateLimit-Policy"] == '"sign-ups-by-address";q=3;w=3600'
    assert answer.headers["RateLimit"] == '"sign-ups-by-address";r=2;t=1200'
    ann = Guest(strict.app, answer.json["token"])
    left = ann.left()
    assert (guest.left()["openings-by-account"], left["openings-by-account"], left["open-matches"]) == (None, 2, 3)
    opened = ann.post("/matches", SEATS)
    assert opened.headers["RateLimit"] == '"openings-by-address";r=4;t=12, "openings-by-account";r=1;t=30'
    left = ann.left()
    assert (left["openings-by-address"], left["openings-by-account"], left["open-matches"]) == (4, 1, 2)
    limits = ann.get("/limits")
    assert "RateLimit" not in limits.headers
    assert limits.headers["Cache-Control"] == "no-store", "each address has its own"
    rate = {"name": "sign-ups-by-address", "by": "address", "most": 3, "seconds": 3600, "left": 2}
    assert limits.json["rates"][0] == rate
    assert [guest.sign_up() for _ in range(2)] == [201] * 2
    after = refused(guest.post("/players", {"name": "Ann"}), "sign-ups-by-address")
    assert after == 1200
    frozen.tick(timedelta(seconds=after - 1))
    assert guest.sign_up() == 429
    frozen.tick(timedelta(seconds=1))
    assert [guest.sign_up() for _ in range(2)] == [201, 429]
    assert Guest(strict.app, at=OTHER).sign_up() == 201


def test_a_link_in_a_mail_that_is_used_too_often_is_a_page_to_a_browser_and_a_problem_to_a_program(
    config: Config,
) -> None:
    with housed(config, rates=(Rate("settings", ADDRESS, 1, 3600),)) as house:
        link = f"/mail/unsubscribe/{house.service.wishing.tokens.unsubscribe(house.player().id)}"
        assert Guest(house.app).post(link).status_code == 200
        after = refused(Guest(house.app).post(link), "settings-by-address")
        page = Guest(house.app, Accept="text/html,*/*;q=0.8").post(link)
        assert (page.status_code, page.mimetype, page.headers["Retry-After"]) == (429, "text/html", str(after))


def test_addresses_are_counted_as_the_trusted_proxies_name_them(config: Config) -> None:
    with housed(config, proxies=parse_networks("10.0.0.0/8")) as house:

        def sign_up(forwarded: str, at: str = "10.0.0.1") -> int:
            return Guest(house.app, at=at, X_Forwarded_For=forwarded).sign_up()

        assert [sign_up(FAR) for _ in range(4)] == [201] * 3 + [429]
        assert [sign_up(OTHER), sign_up(f"{OTHER}, {FAR}"), sign_up(f"{FAR}, {OTHER}")] == [201, 429, 201]
        here = Guest(house.app, at="127.0.0.1")
        assert [here.sign_up() for _ in range(6)] == [201] * 6, "this machine is not counted"
        assert set(here.left().values()) == {None}
        through = Guest(house.app, at="127.0.0.1", X_Real_IP=FAR)
        assert [through.sign_up() for _ in range(4)] == [201] * 3 + [429], "but what comes through it is"
        behind, other = (Guest(house.app, at="10.0.0.1", X_Forwarded_For=f"192.0.2.2{last}") for last in (0, 1))
        keyed = [guest.sign_up("k") for guest in (behind, other, behind)]
        assert keyed == [201, 201, 409], "a stranger's key is kept by the address"


def test_wrong_tokens_are_counted_and_hold_up_no_right_one(strict: House, frozen: FrozenDateTimeFactory) -> None:
    token = strict.player().token
    guesses = [Guest(strict.app, f"{token}{number}").get("/me") for number in range(5)]
    assert [guess.status_code for guess in guesses] == [401] * 3 + [429] * 2
    assert refused(guesses[-1], "guesses-by-address") == 20
    right = Guest(strict.app, token)
    assert right.get("/me").status_code == 200
    assert right.post("/matches", SEATS).status_code == 201
    assert Guest(strict.app, "wrong").post("/matches", SEATS).status_code == 429
    assert Guest(strict.app).get("/matches").status_code == 200, "who says nothing guesses nothing"
    assert Guest(strict.app, "wrong", OTHER).get("/me").status_code == 401


def test_a_refusal_says_nothing_of_what_there_is(strict: House) -> None:
    ann, bob = (Guest(strict.app, strict.player().token, at) for at in (OTHER, FAR))
    hidden = ann.post("/matches", {**SEATS, "visibility": "private"}).json["id"]
    before = [bob.post(f"/matches/{match}/seats") for match in (hidden, "m_none")]
    after = [bob.post(f"/matches/{match}/seats") for match in (hidden, "m_none")]
    assert [answer.status_code for answer in before + after] == [404, 404, 429, 429]
    for one, other in (before, after):
        assert one.text.replace(hidden, "m_none") == other.text
        names = {*one.headers.keys(), *other.headers.keys()}
        assert {name for name in names if one.headers.get(name) != other.headers.get(name)} <= {
            "Content-Length",
            "RateLimit",
            "X-Request-ID",
        }
    assert before[0].headers["RateLimit"].startswith('"sittings-by-address";r=3;')
    assert before[1].headers["RateLimit"].startswith('"sittings-by-address";r=2;')


def test_bodies_are_counted_by_what_they_weigh_but_not_those_of_the_house(strict: House) -> None:
    ann = Guest(strict.app, strict.player().token)
    large = {**SEATS, "more": "x" * 20_000}
    assert ann.post("/matches", large).status_code == 422
    refused(ann.post("/matches", large), "body-kib-by-account")
    assert ann.post("/matches", SEATS).status_code == 201, "a small one has room"
    assert ann.left()["body-kib-by-account"] == 12
    for token, path in ((strict.worker.token, "/bots/turns"), (strict.operator.token, "/matches/m_none/abort")):
        house = Guest(strict.app, token)
        assert {house.post(path, {"nonsense": "x" * 30_000}).status_code for _ in range(8)} == {422}


def test_no_more_of_one_account_or_address_wait_than_may(strict: House) -> None:
    def waits(number: int) -> bool:
        return strict.service.bells.waiting == number

    match, (ann, bob) = strict.table()
    known = {"If-None-Match": strict.stranger.get(f"/matches/{match}").headers["ETag"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict.service.bells, "most", 0)
        for _ in range(4):
            answer = Guest(strict.app).get(f"/matches/{match}", known, wait=10)
            assert answer.json["fields"]["limit"] == "waiting"
    assert Guest(strict.app).left()["waits-by-address"] == 2, "who finds no bell takes no place"
    guests = [Guest(strict.app, token) for token in (ann.token, bob.token)]
    with ThreadPoolExecutor(2) as pool:
        waiting = []
        for number, guest in enumerate(guests, 1):
            tag = guest.get(f"/matches/{match}").headers["ETag"]
            wait = {"If-None-Match": tag}
            waiting.append(pool.submit(guest.get, f"/matches/{match}", wait, wait=20))
            until(partial(waits, number), "it waits")
            if number == 1:
                answer = Guest(strict.app, guest.token).get(f"/matches/{match}", wait, wait=20)
                assert (answer.status_code, answer.json["fields"]["limit"]) == (429, "waits-by-account")
                assert int(answer.headers["Retry-After"]) > 0
        answer = Guest(strict.app).get(f"/matches/{match}", known, wait=20)
        assert (answer.status_code, answer.json["fields"]["limit"]) == (429, "waits-by-address")
        assert Guest(strict.app).left()["waits-by-address"] == 0
        elsewhere = pool.submit(Guest(strict.app, at=OTHER).get, f"/matches/{match}", known, wait=1)
        strict.service.bells.close()
        assert {one.result().status_code for one in (*waiting, elsewhere)} <= {200, 304}
    left = Guest(strict.app, ann.token).left()
    assert (left["waits-by-address"], left["waits-by-account"]) == (2, 1), "every place was given back"


def test_an_account_opens_no_more_matches_than_may_be_under_way(config: Config) -> None:
    with housed(config, rates=()) as house:
        if not config.store:
            rows = house.service.recorder.find_everywhere(f"EXPLAIN QUERY PLAN {SQL['opened']}", maker="p_ann")
            assert ["matches_by_creator" in row[-1] and "SCAN" not in row[-1] for row in rows] == [True], "by an index"
        ann, bob = house.player(), house.player()
        matches = [ann.open() for _ in range(2)]
        matches.append(ann.post("/matches", {**SEATS, "visibility": "private"}, "k").json["id"])
        answer = ann.post("/matches", SEATS)
        assert (answer.status_code, answer.json["code"], answer.json["fields"]) == (409, "too-many-open", {"most": 3})
        assert "Retry-After" not in answer.headers, "no time mends it"
        assert ann.post("/matches", {**SEATS, "visibility": "private"}, "k").json["id"] == matches[2]
        bob.open()
        assert Guest(house.app, ann.token).left()["open-matches"] == 0
        assert ann.post(f"/matches/{matches[0]}/abort").status_code == 200
        forked = ann.post(f"/matches/{matches[0]}/fork", {"version": 1, "seats": [None, None]})
        assert forked.json["code"] != "too-many-open"
        ann.open()
        assert ann.post("/matches", SEATS).json["code"] == "too-many-open"
        assert ann.post(f"/matches/{matches[0]}/fork", {"version": 1, "seats": [None, None]}).status_code == 409


def test_whatever_is_not_counted_is_of_the_house() -> None:
    for deed in TABLE.values():
        assert bool(deed.free) != bool(deed.limits or deed.by_said)
        assert not deed.free or deed.id == "logOut" or set(deed.scopes) <= {BOT, ADMIN}, "else it is limited"


def test_every_limit_of_the_table_counts_addresses_and_accounts() -> None:
    named = {name for deed in TABLE.values() for name in (*deed.limits, *deed.by_said)}
    counted = {(rate.name, rate.by) for rate in RATES}
    assert named == {rate.name for rate in RATES} - {"guesses", "body-kib"}
    assert {(name, by) for name in named - {"sign-ups"} for by in (ADDRESS, ACCOUNT)} <= counted


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """One of which nobody's limits come back."""
    with House(build(Config(data=tmp_path / "data", bot_pause=0.0))) as house, freeze_time(datetime.now(UTC)):
        yield house


def test_one_stranger_invites_so_many_and_no_more_however_it_is_done(house: House) -> None:
    eve, others = house.player("Eve"), [house.player(f"Player {number}").id for number in range(3)]
    eve.client.environ_base["REMOTE_ADDR"] = FAR
    wanted = {"game": "high-card", "seats": [None, *({"player": one} for one in others)]}
    opened = [eve.post("/matches", wanted, f"k{n}") for n in range(6)]
    assert {answer.status_code for answer in opened} == {201}
    match, given = eve.open(), {"seat": 1, "player": others[0]}
    assert [eve.post(f"/matches/{match}/invitations", given).status_code for _ in range(3)] == [200, 200, 429]
    for mine in (eve.id, None, None):
        assert eve.post(f"/matches/{match}/invitations", {"seat": 1, "player": mine}).status_code == 200, "not invited"
    refused = eve.post("/matches", wanted)
    assert (refused.status_code, refused.json["fields"]["limit"]) == (429, "invitations-by-account")
    assert int(refused.headers["Retry-After"]) > 0
    again = eve.post("/matches", wanted, "k5")
    assert (again.status_code, again.json["id"]) == (201, opened[5].json["id"])
    eve.open()


def test_who_was_awaited_in_vain_is_invited_again_by_a_rematch_and_counted(house: House) -> None:
    eve, others = house.player("Eve"), [house.player(f"Player {number}").id for number in range(3)]
    eve.client.environ_base["REMOTE_ADDR"] = FAR
    match, codes = eve.open(seats=[None, *({"player": one} for one in others)]), []
    for _ in range(5):
        assert eve.post(f"/matches/{match}/abort").status_code == 200
        answer = eve.post(f"/matches/{match}/rematch")
        codes.append(answer.status_code)
        match = answer.json.get("id", match)
    assert codes == [201] * 4 + [429]


def test_toggling_ends_after_a_while_and_a_match_may_be_left_all_the_same(house: House) -> None:
    match, (ann, _) = house.table()
    ann.client.environ_base["REMOTE_ADDR"] = FAR
    before, path = ann.look(match)["version"], f"/matches/{match}/stand-in"
    codes = [answer.status_code for _ in range(80) for answer in (ann.post(path), ann.delete(path))]
    assert codes == [200] * 120 + [429] * 40
    assert ann.choose(match).status_code == 200, "moves are counted for themselves"
    assert ann.look(match)["version"] <= before + 4 * 120


@pytest.mark.parametrize(
    ("path", "limit", "fields"),
    [
        ("/play", "openings", {"game": "high-card"}),
        ("/new", "openings", {"game": "high-card", "seat1": "anybody"}),
        ("/matches/{match_id}/seat", "sittings", {}),
        ("/matches/{match_id}/fork", "openings", {"version": "1", "seat": "0"}),
    ],
)
def test_no_guest_is_made_for_what_is_then_refused(house: House, path: str, limit: str, fields: dict[str, str]) -> None:
    match, browser = house.player().open(), Browser(house)
    browser.client.environ_base["REMOTE_ADDR"] = FAR
    watch = Watch(house)
    house.service.limits.buckets = Buckets()
    house.service.limits.count((limit,), Asking(site=FAR), ALL)
    browser.send(path.format(match_id=match), status=429, **fields)
    assert not watch.has_changed()
    watch.close()


@pytest.mark.faults
def test_two_web_processes_on_one_redis_count_together_as_a_proxy_says(tmp_path: Path) -> None:
    server, redis = RedisServer(tmp_path / "redis"), ExitStack()
    env = {"FOLDTABLE_REDIS": server.url, "FOLDTABLE_PROXIES": "127.0.0.1"}
    env["FOLDTABLE_LIMIT_SIGN_UPS_BY_ADDRESS"] = "3/month"
    with ExitStack() as stack:
        stack.push(redis)
        redis.enter_context(running(server))
        urls = [stack.enter_context(serving(tmp_path / name, **env))[1] for name in ("one", "two")]
        one, two = (stack.enter_context(httpx2.Client(base_url=url, trust_env=False)) for url in urls)
        name, invented = "X-Forwarded-For", "X_Forwarded_For"

        def left(client: httpx2.Client) -> int:
            return int(client.get("/api/limits", headers={name: FAR}).json()["rates"][0]["left"])

        def sign_up(client: httpx2.Client, *lines: tuple[str, str]) -> int:
            headers = list(lines or [(name, FAR)])
            return client.post("/api/players", json={"name": "Ann"}, headers=headers).status_code

        assert sign_up(one, (name, OTHER), (name, FAR)) == 201, "of several lines the last says who is nearest"
        assert sign_up(one) == 201
        until(lambda: left(two) == 1, "the other knows")
        assert [sign_up(two), sign_up(two)] == [201, 429]
        until(lambda: left(one) == 0, "and so does the first")
        assert sign_up(one, (invented, "192.0.2.1"), (name, FAR), (invented, "192.0.2.1")) == 429
        assert sign_up(one, (name, OTHER)) == 201
        redis.close()
        assert [sign_up(one), sign_up(two)] == [429, 429]
        assert one.get("/api/games").status_code == 200
    server.clear()
