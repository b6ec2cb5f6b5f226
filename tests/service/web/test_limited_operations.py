"""Whatever changes something is limited, by one table: a program, a page and a mail count alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from freezegun import freeze_time

from service.accounts import ADMIN, BOT
from service.config import Config
from service.deeds import TABLE
from service.limits import Asking
from service.limits.limits import Buckets
from service.limits.settings import ACCOUNT, ADDRESS, RATES
from service.web import create_app
from service.web.contract import operations
from tests.service.house import Answer, House, build
from tests.service.security.furnished import Furnished, Watch, furnish
from tests.service.web.pages.browsing import Browser
from tests.service.web.test_limits import FAR

pytestmark = pytest.mark.sqlite

UNSAFE = {found.id: found for found in operations(create_app(None)) if found.method != "GET"}

BY_PAGES = {"keepAccount", "rename"}
"""Operations that no program may ask for."""

BODIES = {
    "signUp": {"name": "Ann", "email": "ann@example.org"},
    "openMatch": {"game": "high-card", "seats": [None, {"player": "p_dan"}]},
    "forkMatch": {"version": 1, "seats": [None, None, {"player": "p_dan"}]},
}

ALL = 1e9
"""More than any limit is: a level that takes it is full."""


def name_of(operation: str) -> str:
    """The operation as furnished houses call it."""
    return f"{UNSAFE[operation].method.upper()} {UNSAFE[operation].path}"


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory, app: Flask) -> Iterator[Furnished]:
    """One house for all refusals: nothing in it may change."""
    service = build(Config(data=tmp_path_factory.mktemp("house"), bot_pause=0.0, sign_up="invitation"))
    yield furnish(House(service, app))
    service.close()


def ask(furnished: Furnished, operation: str, **headers: str) -> Answer:
    """Ann asks for it, from far away."""
    said = {"Authorization": f"Bearer {furnished.ann.token}", **headers}
    more: dict[str, Any] = {"environ_base": {"REMOTE_ADDR": FAR}}
    if operation in BODIES:
        more["json"] = BODIES[operation]
    return furnished.ask(name_of(operation), said, **more)


def use_up(house: House, limit: str, **whom: str) -> None:
    """Nothing is left of that limit, and all of every other."""
    house.service.limits.buckets = Buckets()
    house.service.limits.count((limit,), Asking(**whom), ALL)


def test_whatever_is_not_counted_is_of_the_house() -> None:
    for deed in TABLE.values():
        assert bool(deed.free) != bool(deed.limits or deed.by_said)
        assert not deed.free or deed.id == "logOut" or set(deed.scopes) <= {BOT, ADMIN}, "else it is limited"


def test_every_limit_of_the_table_counts_addresses_and_accounts() -> None:
    named = {name for deed in TABLE.values() for name in (*deed.limits, *deed.by_said)}
    counted = {(rate.name, rate.by) for rate in RATES}
    assert named == {rate.name for rate in RATES} - {"guesses", "body-kib"}
    assert {(name, by) for name in named - {"sign-ups"} for by in (ADDRESS, ACCOUNT)} <= counted


@pytest.mark.parametrize("operation", sorted({id for id, deed in TABLE.items() if not deed.free} - BY_PAGES))
def test_past_its_limits_an_operation_is_refused_and_says_when_to_come_back(
    furnished: Furnished, operation: str
) -> None:
    watch = Watch(furnished.house)
    deed = TABLE[operation]
    whom = [(name, f"{name}-by-address", {"site": FAR}) for name in (*deed.limits, *deed.by_said)]
    known = name_of(operation) not in {"POST /api/mail/unsubscribe/{token}"}
    by_account = [name for name in deed.limits if name != "sign-ups"] if known else []
    whom += [(name, f"{name}-by-account", {"account": furnished.ann.id}) for name in by_account]
    for limit, id, asking in whom:
        with freeze_time(datetime.now(UTC)):  # else some of it comes back meanwhile
            use_up(furnished.house, limit, **asking)
            watch.has_changed()
            answer = ask(furnished, operation)
        assert (answer.status_code, answer.json["code"]) == (429, "too-fast"), answer.json
        assert answer.json["fields"]["limit"] == id
        assert int(answer.headers["Retry-After"]) > 0
        assert not watch.has_changed()
    watch.close()
    furnished.house.service.limits.buckets = Buckets()


def test_one_stranger_invites_so_many_and_no_more_however_it_is_done(tmp_path: Path) -> None:
    service = build(Config(data=tmp_path / "data", bot_pause=0.0))
    house = House(service)
    eve, others = house.player("Eve"), [house.player(f"Player {number}").id for number in range(3)]
    eve.client.environ_base["REMOTE_ADDR"] = FAR
    seats = [None, *({"player": one} for one in others)]
    with freeze_time(datetime.now(UTC)):
        opened = [eve.post("/matches", {"game": "high-card", "seats": seats}, f"k{n}") for n in range(6)]
        assert {answer.status_code for answer in opened} == {201}
        match, given = eve.open(), {"seat": 1, "player": others[0]}
        assert [eve.post(f"/matches/{match}/invitations", given).status_code for _ in range(3)] == [200, 200, 429]
        refused = eve.post("/matches", {"game": "high-card", "seats": seats})
        assert (refused.status_code, refused.json["fields"]["limit"]) == (429, "invitations-by-account")
        assert int(refused.headers["Retry-After"]) > 0
        again = eve.post("/matches", {"game": "high-card", "seats": seats}, "k5")
        assert (again.status_code, again.json["id"]) == (201, opened[5].json["id"])
        assert eve.post("/matches", {"game": "high-card", "seats": [None, None]}).status_code == 201
    service.close()


def test_toggling_ends_after_a_while_and_a_match_may_be_left_all_the_same(tmp_path: Path) -> None:
    service = build(Config(data=tmp_path / "data", bot_pause=0.0))
    house = House(service)
    match, (ann, _) = house.table()
    ann.client.environ_base["REMOTE_ADDR"] = FAR
    with freeze_time(datetime.now(UTC)):
        before, answers = ann.look(match)["version"], []
        for _ in range(80):
            answers += [ann.post(f"/matches/{match}/stand-in"), ann.delete(f"/matches/{match}/stand-in")]
        codes = [answer.status_code for answer in answers]
        assert codes == [200] * 120 + [429] * 40
        assert ann.move(match, ann.moves(match)["moves"][0]["id"]).status_code == 200, (
            "moves are counted for themselves"
        )
        assert ann.look(match)["version"] <= before + 4 * 120
    service.close()


@pytest.mark.parametrize(
    ("path", "limit", "fields"),
    [
        ("/play", "openings", {"game": "high-card"}),
        ("/new", "openings", {"game": "high-card", "seat1": "anybody"}),
        ("/matches/{match_id}/seat", "sittings", {}),
        ("/matches/{match_id}/fork", "openings", {"version": "1", "seat": "0"}),
    ],
)
def test_no_guest_is_made_for_what_is_then_refused(
    tmp_path: Path, path: str, limit: str, fields: dict[str, str]
) -> None:
    service = build(Config(data=tmp_path / "data", bot_pause=0.0))
    house = House(service)
    match, browser = house.player().open(), Browser(house)
    browser.client.environ_base["REMOTE_ADDR"] = FAR
    watch = Watch(house)
    with freeze_time(datetime.now(UTC)):
        use_up(house, limit, site=FAR)
        browser.send(path.format(match_id=match), status=429, **fields)
    assert not watch.has_changed()
    watch.close()
    service.close()
