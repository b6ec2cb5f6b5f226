"""Whatever changes something is limited, by one table: a program, a page and a mail count alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from freezegun import freeze_time

from service.accounts import ADMIN, BOT
from service.config import Config
from service.deeds import TABLE
from service.limits import Asking
from service.limits.limits import Buckets
from service.limits.settings import ACCOUNT, ADDRESS, RATES
from tests.service.house import House, build
from tests.service.security.furnished import Watch
from tests.service.web.pages.browsing import Browser
from tests.service.web.test_limits import ALL, FAR

pytestmark = pytest.mark.sqlite


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
