"""Whatever changes something is limited, by one table: a program, a page and a mail count alike."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from freezegun import freeze_time

from service.accounts import ADMIN, BOT
from service.config import Config
from service.limits import LIMITED, Asking
from service.limits.buckets import Buckets
from service.limits.operations import FREE
from service.limits.settings import ACCOUNT, ADDRESS, RATES
from service.web import create_app
from service.web.contract import operations
from service.web.pages import deeds
from tests.service.accounts.insiders import WORD
from tests.service.house import Answer, House, build
from tests.service.security.furnished import Furnished, Watch, furnish
from tests.service.web.pages.browsing import Browser
from tests.service.web.test_limits import FAR

pytestmark = pytest.mark.sqlite

UNSAFE = {found.told.id: found for found in operations(create_app(None)) if found.method != "get" and found.told}

BY_PAGES = {"rename"}
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


def test_every_operation_that_changes_something_is_in_the_table() -> None:
    assert set(UNSAFE) == {*LIMITED, *FREE} - BY_PAGES
    assert not set(LIMITED) & set(FREE)
    for operation in set(FREE) - {"logOut"}:
        told = UNSAFE[operation].told
        assert told is not None
        assert set(told.scopes) <= {BOT, ADMIN}, "whoever is not of the house is limited"


def test_every_limit_of_the_table_counts_addresses_and_accounts() -> None:
    named = {name for counted in LIMITED.values() for name in (*counted.asking, *counted.said)}
    counted = {(rate.name, rate.by) for rate in RATES}
    assert named == {rate.name for rate in RATES} - {"guesses", "body-kib"}
    assert {(name, by) for name in named - {"sign-ups"} for by in (ADDRESS, ACCOUNT)} <= counted


@pytest.mark.parametrize("operation", sorted(LIMITED.keys() - BY_PAGES))
def test_past_its_limits_an_operation_is_refused_and_says_when_to_come_back(
    furnished: Furnished, operation: str
) -> None:
    watch = Watch(furnished.house)
    counted = LIMITED[operation]
    whom = [(name, f"{name}-by-address", {"site": FAR}) for name in (*counted.asking, *counted.said)]
    known = name_of(operation) not in {"POST /api/mail/unsubscribe/{token}"}
    by_account = [name for name in counted.asking if name != "sign-ups"] if known else []
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


FORMS = {
    "/sign-in": ("logIn", {"login": "ann", "password": "x"}),
    "/sign-up": ("signUp", {"name": "Ann"}),
    "/guest": ("signUp", {}),
    "/recover": ("askRecovery", {"email": "ann@example.org"}),
    "/account/confirm": ("confirmEmail", {}),
    "/account/recover": ("recover", {}),
    "/play": ("openMatch", {"game": "high-card"}),
    "/new": ("openMatch", {"game": "high-card", "seat1": "anybody"}),
    "/matches/{match_id}/seat": ("takeSeat", {}),
    "/matches/{match_id}/moves": ("makeMove", {}),
    "/matches/{match_id}/fork": ("forkMatch", {}),
    "/settings/name": ("rename", {}),
    "/settings/keep": ("setPassword", {}),
    "/settings/login": ("setLogin", {}),
    "/settings/password": ("setPassword", {}),
    "/settings/email": ("setEmail", {}),
    "/settings/mail": ("setMail", {}),
    "/settings/vacation": ("goOnVacation", {}),
    "/settings/erase": ("eraseMe", {}),
    "/settings/muted": ("unmutePlayer", {}),
    "/settings/pass": ("createPass", {}),
    "/settings/pass/{pass_id}": ("withdrawPass", {}),
    "/settings/programs/tokens": ("createToken", {}),
    "/settings/programs/feed": ("makeFeed", {}),
    "/settings/programs/tokens/{token_id}": ("revokeToken", {}),
    "/settings/programs/bots": ("createMyBot", {}),
    "/settings/programs/bots/{bot_id}": ("createBotToken", {}),
}
"""The forms of pages, each with its operation and what has to stand in it."""

CHOICES = (
    *((f"/matches/{{match_id}}/do/{name}", operation, {}) for name, (operation, _) in deeds.DEEDS.items()),
    ("/matches/{match_id}/invitation", "acceptInvitation", {"answer": "accept"}),
    ("/matches/{match_id}/invitation", "declineInvitation", {"answer": "decline"}),
    ("/matches/{match_id}/offers/{seat}", "acceptOffer", {"answer": "accept"}),
    ("/matches/{match_id}/offers/{seat}", "declineOffer", {"answer": "decline"}),
    ("/settings/vacation", "comeBack", {"back": "yes"}),
    ("/settings/programs/bots/{bot_id}", "eraseMyBot", {"do": "erase"}),
)
"""Those by which one of several things is done."""

UNCOUNTED = {"/sign-out", "/theme"}
"""The first ends what asks; the second is kept by the browser alone."""


def test_every_form_is_known_by_its_operation(app: Flask) -> None:
    posted = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and rule.endpoint.startswith("pages_")
    }
    told = {path for path, _, _ in CHOICES if "/do/" not in path} | {"/matches/{match_id}/do/{what}"}
    assert posted == told | set(FORMS) | UNCOUNTED
    assert {operation for _, operation, _ in CHOICES} <= set(LIMITED)


@pytest.mark.parametrize(
    ("path", "operation", "fields"),
    [*CHOICES, *((path, operation, fields) for path, (operation, fields) in FORMS.items())],
)
def test_a_form_counts_the_same_limits_as_the_program_that_asks_for_it(
    furnished: Furnished, path: str, operation: str, fields: dict[str, str]
) -> None:
    house, is_stranger = furnished.house, operation in {"logIn", "signUp"}
    browser = Browser(house)
    browser.client.environ_base["REMOTE_ADDR"] = FAR
    if not is_stranger:
        browser.client.set_cookie("foldtable", session_of_ann(furnished))
    browser.look("/settings" if not is_stranger else "/sign-in")
    watch = Watch(house)
    for limit in (*LIMITED[operation].asking, *(LIMITED[operation].said if operation in BY_SAID else ())):
        with freeze_time(datetime.now(UTC)):
            use_up(house, limit, site=FAR)
            watch.has_changed()
            answer = browser.send(path.format(**furnished.parts), status=429, **fields)
        assert int(answer.headers["Retry-After"]) > 0
        assert not watch.has_changed()
    watch.close()
    house.service.limits.buckets = Buckets()


BY_SAID = {"logIn", "askRecovery", "recover", "setPassword", "setLogin", "eraseMe"}
"""Counted by what is said alone. Of the others a form is counted by this only if it says anything."""


@functools.cache
def session_of(house: House) -> str:
    answer = house.stranger.post("/sessions", {"login": "ann", "password": WORD})
    assert answer.status_code == 201
    return str(answer.json["token"])


def session_of_ann(furnished: Furnished) -> str:
    """What Ann's browser holds."""
    return session_of(furnished.house)


STEPS: tuple[tuple[str, Any], ...] = (
    ("matches/{match_id}/moves", "a move"),
    ("matches/{match_id}/orders", {"play": [{"type": "Pass"}]}),
    ("matches/{match_id}/talk", {"text": "hello"}),
    ("matches/{match_id}/offers", {"bot": "random"}),
    ("matches/{match_id}/abort", None),
    ("matches/{match_id}/pause", None),
    ("matches/{match_id}/stand-in", None),
    ("matches/{match_id}/resign", None),
    ("matches", {"game": "high-card", "seats": [None, None]}),
    ("me/vacation", {"days": 1}),
    ("webhooks/{webhook_id}/deliveries", None),
    ("webhooks/{webhook_id}/secret", None),
    ("me/tokens", {"name": "script"}),
    ("me/bots", {"name": "engine"}),
    ("passes", None),
)
"""What is remembered by its key, in the tables or in the match's log, in an order in which each is done."""


def test_a_repeat_is_answered_though_no_more_may_be_asked(tmp_path: Path) -> None:
    service = build(Config(data=tmp_path / "data", bot_pause=0.0, sign_up="invitation"))
    found = furnish(House(service), clock={"allowance": "P1D"})
    ann, names = found.ann, {rate.name for rate in RATES} - {"body-kib"}
    ann.client.environ_base["REMOTE_ADDR"] = FAR
    with freeze_time(datetime.now(UTC)):
        for step, wanted in STEPS:
            service.limits.buckets = Buckets()
            now = ann.moves(found.match)
            body = {"decision": now["decision"], "id": now["moves"][0]["id"]} if wanted == "a move" else wanted
            path = f"/{step.format(**found.parts)}"
            first = ann.post(path, body, "k")
            assert first.status_code < 300, first.json
            service.limits.buckets = Buckets()
            for name in names:
                service.limits.count((name,), Asking(site=FAR), ALL)
            again = ann.post(path, body, "k")
            assert again.status_code == first.status_code or again.json["code"].endswith(("-issued", "-told")), path
            assert ann.post(path, body, "another").status_code == 429
    service.close()


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
