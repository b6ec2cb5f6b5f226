"""Who asks for what is not theirs is refused, and nothing is changed: each operation of the document, each asker."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from service import clock
from service.accounts import ACCOUNT, ADMIN, BOT, CREATE, SCOPES, WEBHOOK
from service.accounts.players import GRANTED
from service.config import Config
from service.signing import digest, fresh_token
from service.store.people import Token, hand_out
from service.web import askers
from tests.service.accounts.insiders import WORD
from tests.service.house import Answer, House, build, play_out
from tests.service.security.furnished import (
    ANYBODYS,
    CHANGES,
    FOUND,
    OWNED,
    PUBLIC,
    QUERIES,
    Furnished,
    Watch,
    furnish,
    named,
    parts_of,
    someone,
)

BY_PATH = named("readFeed askUnsubscribe unsubscribe")
"""Where the path alone says who asks: no token is looked at, nor a cookie."""

AFTERWARDS = named("getChoice getReview getWhatIf")
"""What is told only of a match that is over."""

HIS_OWN = named("""
    giveOrder resign leaveToBot takeSeatBack agreeToPause withdrawPause agreeToResume agreeToAbort withdrawAbort
    offerSeat withdrawOffer agreeToOffer disagreeWithOffer muteMatch unmuteMatch say reportMessage
""")
"""What another seat of the match does for itself. Whatever else names what is Ann's is refused to it."""

NONSENSE: tuple[dict[str, Any], ...] = (
    {"query_string": {"cursor": "%00", "limit": "x", "lang": "xx", "wait": "-1", "seat": "x", "moves": "x" * 9999}},
    {"query_string": {"lang": "xx"}},
    {"data": b"{", "content_type": "application/json"},
    {"data": b"[]", "content_type": "application/json"},
    {"data": b"x", "content_type": "text/plain"},
    {"data": b"{}", "content_type": "application/json", "headers": {"Content-Encoding": "gzip"}},
    {"headers": {"Idempotency-Key": "\u00e4", "Last-Event-ID": "x", "If-None-Match": '"'}},
)
"""What no operation takes, in a query, a body and in headers."""

UNNAMED = {"scope-missing", "token-missing", "unknown-token"}
"""Codes by which a token or scope is refused that the document does not name."""

Expected = Callable[[str, Answer], bool]
"""Whether the operation should be answered so."""


@pytest.fixture
def watch(furnished: Furnished) -> Iterator[Watch]:
    found = Watch(furnished.house)
    yield found
    found.close()


def token_of(house: House, player: str, *scopes: str, expires: str | None = None) -> str:
    """A token of the player that grants these scopes and no other."""
    token = fresh_token()
    id, today = digest(token)[:16], clock.stamp(clock.now())[:10]  # whose use today need not be noted any more
    kept = Token(id=id, name="some", scopes=scopes, created="2024-01-01T00:00:00.000Z", expires=expires, used=today)
    house.service.recorder.write([hand_out(digest(token), player, kept)])
    return token


def bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def refusals(
    furnished: Furnished, watch: Watch, names: Iterable[str], headers: dict[str, str], expected: Expected, **more: Any
) -> list[Any]:
    wrong: list[Any] = []
    for name in names:
        watch.has_changed()
        answer = furnished.ask(name, headers, **more)
        if not expected(name, answer) or watch.has_changed():
            wrong.append((name, answer.status_code, (answer.json or {}).get("code")))
    return wrong


def is_refused(answer: Answer, status: int, *codes: str) -> bool:
    return answer.status_code == status and answer.json["code"] in codes


def refused(status: int, *codes: str) -> Expected:
    return lambda _, answer: is_refused(answer, status, *codes)


def test_what_anybody_may_ask_for_is_meant_to_be_and_ann_herself_is_answered(furnished: Furnished) -> None:
    assert {name for name, operation in FOUND.items() if not operation.scopes} == PUBLIC | BY_PATH
    assert FOUND.keys() >= HIS_OWN
    assert {part for name in FOUND for part in parts_of(name)} == OWNED | ANYBODYS
    # else the refusals below would be those of things that are not there
    for name in sorted(FOUND.keys() - CHANGES - BY_PATH):
        if parts_of(name) & OWNED and FOUND[name].scopes != (BOT,):
            answer = furnished.ask(name, furnished.ann.headers)
            assert is_refused(answer, 409, "not-over") if name in AFTERWARDS else answer.status_code == 200, name


def test_without_a_token_nothing_is_told_or_changed(furnished: Furnished, watch: Watch) -> None:
    def expected(name: str, answer: Answer) -> bool:
        if FOUND[name].needs_token or name in QUERIES:
            return is_refused(answer, 401, "token-missing")
        return is_refused(answer, 404, "unknown-match")

    assert not refusals(furnished, watch, [name for name in FOUND if name not in PUBLIC | BY_PATH], {}, expected)


def test_a_token_without_the_scope_opens_nothing(furnished: Furnished, watch: Watch) -> None:
    house = furnished.house
    for scopes in {operation.scopes for operation in FOUND.values()} - {()}:
        names = [name for name, operation in FOUND.items() if operation.scopes == scopes]
        others = (scope for scope in (*SCOPES, ACCOUNT) if scope not in scopes)
        token = token_of(house, furnished.ann.id, *others)
        assert not refusals(furnished, watch, names, bearer(token), refused(403, "scope-missing"))
    for visitor, scope in ((house.worker, BOT), (house.operator, ADMIN)):
        names = [name for name, operation in FOUND.items() if operation.scopes and scope not in operation.scopes]
        assert len(names) > 50
        assert not refusals(furnished, watch, names, visitor.headers, refused(403, "scope-missing", "no-player"))


def test_who_asks_is_judged_before_what_is_asked_and_each_scope_that_is_named_is_enough(furnished: Furnished) -> None:
    house = furnished.house
    fay = someone(house, "Fay")
    for name, operation in FOUND.items():
        tokens = {scope: token_of(house, fay.id, scope) for scope in (*SCOPES, ACCOUNT)}
        tokens |= {BOT: str(house.worker.token), ADMIN: str(house.operator.token)}
        path = re.sub(r"{\w+}", "1", operation.path)
        lacking = next((scope for scope in tokens if operation.scopes and scope not in operation.scopes), None)

        def ask(token: str | None, nonsense: dict[str, Any]) -> Answer:
            headers = {**nonsense.get("headers", {}), **bearer(token)}
            return house.send(operation.method, path, **{**nonsense, "headers": headers})  # noqa: B023

        for nonsense in NONSENSE:
            if operation.needs_token:
                assert is_refused(ask(None, nonsense), 401, "token-missing"), (name, nonsense)
            if lacking:
                assert is_refused(ask(tokens[lacking], nonsense), 403, "scope-missing", "no-player"), (name, nonsense)
        for scope in operation.scopes or tokens:
            answer = ask(tokens[scope], NONSENSE[-1])
            assert answer.status_code not in {401, 403} or answer.json["code"] not in UNNAMED, (name, scope)


def test_a_page_tells_a_token_without_the_scope_no_more_than_a_stranger(house: House) -> None:
    ann = someone(house, "Ann")
    hidden, running = ann.open_with(visibility="private"), ann.open_with(someone(house, "Bob"))
    for scope in (CREATE, WEBHOOK):
        browser = house.app.test_client()
        browser.set_cookie("foldtable", token_of(house, ann.id, scope))
        for path in ("/turns", "/settings", f"/matches/{hidden}", f"/matches/{running}", "/lobby?mine=yes"):
            assert browser.get(path).status_code == 403, (scope, path)
        for path in ("/", "/lobby", f"/players/{ann.id}"):
            assert hidden not in browser.get(path).text, (scope, path)


def test_a_token_that_is_over_opens_nothing(furnished: Furnished, watch: Watch) -> None:
    ann = furnished.ann
    made = ann.post("/me/tokens", {"name": "gone"}).json
    assert furnished.house.send("GET", "/api/me", headers=bearer(made["token"])).status_code == 200
    assert ann.delete(f"/me/tokens/{made['id']}").status_code == 204
    expired = token_of(furnished.house, ann.id, *GRANTED, expires="2024-01-02T00:00:00.000Z")
    names = [name for name in FOUND if FOUND[name].path.startswith("/api/") and name not in BY_PATH]
    for token, code in (
        (expired, "token-expired"),
        *((one, "unknown-token") for one in (made["token"], fresh_token())),
    ):
        assert not refusals(furnished, watch, names, bearer(token), refused(401, code))


@pytest.mark.parametrize("who", ["eve", "bot"])
def test_another_player_finds_nothing_of_anns(furnished: Furnished, watch: Watch, who: str) -> None:
    """Nor does a bot account, not even one of hers."""
    headers = getattr(furnished, who).headers

    def expected(name: str, answer: Answer) -> bool:
        if FOUND[name].id == "settleReport" or not {*GRANTED} & {*FOUND[name].scopes}:
            return is_refused(answer, 403, "scope-missing")
        if "{match_id}" in name:
            return is_refused(answer, 404, "unknown-match")
        # what only people have is refused to a bot account as such
        return answer.status_code == 404 or (who == "bot" and is_refused(answer, 403, "not-for-bots"))

    names = [name for name in FOUND if parts_of(name) & OWNED and name not in BY_PATH]
    assert len(names) > 40
    assert not refusals(furnished, watch, names, headers, expected)


def test_another_seat_of_the_match_does_nothing_for_hers(furnished: Furnished, watch: Watch) -> None:
    ann, bob = furnished.ann, furnished.bob
    now = ann.moves(furnished.match)
    body = {"decision": now["decision"], "id": now["moves"][0]["id"], "seat": 0}

    def expected(_: str, answer: Answer) -> bool:
        return answer.status_code in {403, 404, 409}

    names = {name for name in CHANGES if parts_of(name) & OWNED} - HIS_OWN - BY_PATH
    names -= {"POST /api/matches/{match_id}/moves"}
    assert not refusals(furnished, watch, sorted(names), bob.headers, expected)
    assert not refusals(furnished, watch, ["POST /api/matches/{match_id}/moves"], bob.headers, expected, json=body)
    theirs = {name for name in FOUND if parts_of(name) & (OWNED - {"match_id"})} - CHANGES
    assert not refusals(furnished, watch, sorted(theirs), bob.headers, expected)
    assert bob.get(f"/matches/{furnished.match}/orders").json["orders"] == []
    assert bob.events(furnished.match, private="true") == []


OTHERS = ("https://evil.example", "null", "http://localhost:1", "http://localhost.evil.example")


def test_a_cookie_alone_or_another_sites_page_changes_nothing(furnished: Furnished, watch: Watch) -> None:
    def sent_by_browser() -> tuple[dict[str, str], str]:
        """A cookie of Ann's, and what its own pages repeat."""
        answer = furnished.house.send("POST", "/api/sessions", json={"login": "ann", "password": WORD, "cookie": True})
        assert answer.status_code == 201
        return {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}, str(answer.json["csrf"])

    (cookie, csrf), (_, anothers) = sent_by_browser(), sent_by_browser()
    names = {name for name in CHANGES if name not in BY_PATH}
    for headers, code in (
        ({}, "csrf-token-missing"),
        *(({"X-CSRF-Token": wrong}, "csrf-token-missing") for wrong in (anothers, "\u00e9")),
        *(({"X-CSRF-Token": csrf, "Origin": origin}, "other-origin") for origin in OTHERS),
    ):
        some = names if headers.get("Origin") in {None, OTHERS[0]} else sorted(names)[:3]
        assert not refusals(furnished, watch, some, {**cookie, **headers}, refused(403, code))
    assert furnished.ask("GET /api/me", cookie).json["id"] == furnished.ann.id
    assert furnished.ask("GET /api/sessions", cookie).json["csrf"] == csrf
    wanted = {"login": "ann", "password": WORD, "cookie": True}
    by_another = furnished.house.send("POST", "/api/sessions", json=wanted, headers={"Origin": OTHERS[0]})
    assert is_refused(by_another, 403, "other-origin"), "nobody is logged in as somebody else by another site"
    own = {**cookie, "X-CSRF-Token": csrf, "Origin": "http://localhost"}
    assert furnished.ask("POST /api/me/tokens", own).status_code == 201
    # only what reads no cookie does without the check
    assert {"mail.ask_unsubscribe", "mail.unsubscribe"} == askers.FORMS


def test_whatever_a_link_opens_or_a_language_changes_can_be_asked_for_as_the_document_says(tmp_path: Path) -> None:
    """A client that was made from the document sends no parameter that an operation does not declare."""
    with House(build(Config(data=tmp_path, bot_pause=0.0, sign_up="invitation"))) as house:
        furnished = furnish(house)
        ann, eve, match = furnished.ann, furnished.eve, furnished.match
        link, opened = ann.get(f"/matches/{match}/link").json["token"], set[str]()
        names = [name for name in FOUND if FOUND[name].path.startswith("/api/matches/{match_id}")]
        for is_over in (False, True):
            if is_over:
                play_out(match, [ann, furnished.bob, furnished.cyd])
                assert ann.post(f"/matches/{match}/reviews", {"seat": 0}).status_code == 202
            for name in names:
                is_hidden = is_refused(furnished.ask(name, eve.headers), 404, "unknown-match")
                answer = furnished.ask(name, eve.headers, query_string={"link": link})
                opened |= {name} if is_hidden and answer.status_code < 300 else set()
        assert len(opened) > 10
        assert not sorted(name for name in opened if "link" not in declared(name))
        for name in FOUND.keys() - CHANGES:
            answer = furnished.ask(name, ann.headers, query_string={"lang": "xx"})
            assert not is_refused(answer, 422, "unknown-lang") or "lang" in declared(name), name


def declared(name: str) -> Iterable[str]:
    query = FOUND[name].query
    return () if query is None else query.fields
