"""Who asks for what is not theirs is refused, and nothing is changed: each operation of the document, each asker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from flask import Flask

from service import clock
from service.accounts import ACCOUNT, BOT, SCOPES
from service.accounts.players import GRANTED
from service.config import Config
from service.signing import digest, fresh_token
from service.store.people import Token, hand_out
from service.web import askers
from tests.service.accounts.insiders import WORD
from tests.service.house import Answer, House, build
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
    parts_of,
    told,
)

BY_PATH = {"GET /api/feeds/{token}", "GET /api/mail/unsubscribe/{token}", "POST /api/mail/unsubscribe/{token}"}
"""Where the path alone says who asks: no token is looked at, nor a cookie."""

HIS_OWN = {
    "DELETE /api/matches/{match_id}/abort",
    "DELETE /api/matches/{match_id}/offers",
    "DELETE /api/matches/{match_id}/offers/{seat}/agreement",
    "DELETE /api/matches/{match_id}/pause",
    "DELETE /api/matches/{match_id}/stand-in",
    "DELETE /api/me/mail/quiet/{match_id}",
    "POST /api/matches/{match_id}/abort",
    "POST /api/matches/{match_id}/offers",
    "POST /api/matches/{match_id}/offers/{seat}/agreement",
    "POST /api/matches/{match_id}/orders",
    "POST /api/matches/{match_id}/pause",
    "POST /api/matches/{match_id}/resign",
    "POST /api/matches/{match_id}/resume",
    "POST /api/matches/{match_id}/stand-in",
    "POST /api/matches/{match_id}/talk",
    "POST /api/matches/{match_id}/talk/{message}/report",
    "PUT /api/me/mail/quiet/{match_id}",
}
"""What another seat of the match does for itself. Whatever else names what is Ann's is refused to it."""

REPORTS = {"DELETE /api/matches/{match_id}/talk/{message}/report"}
"""The operator's alone."""


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory, app: Flask) -> Iterator[Furnished]:
    """One house for all: nothing in it may change."""
    config = Config(data=tmp_path_factory.mktemp("house"), bot_pause=0.0, sign_up="invitation")
    service = build(config)
    yield furnish(House(service, app))
    service.close()


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


Expected = set[tuple[int, str]] | None


def refusals(
    furnished: Furnished,
    watch: Watch,
    names: Iterable[str],
    headers: Callable[[str], dict[str, str]],
    expected: Callable[[str, Answer], bool],
    **more: Any,
) -> list[Any]:
    """What was answered otherwise, or has changed something."""
    wrong: list[Any] = []
    for name in names:
        said = headers(name)
        watch.has_changed()
        answer = furnished.ask(name, said, **more)
        if not expected(name, answer) or watch.has_changed():
            wrong.append((name, answer.status_code, (answer.json or {}).get("code")))
    return wrong


def is_refused(answer: Answer, status: int, *codes: str) -> bool:
    return answer.status_code == status and answer.json["code"] in codes


def test_an_operation_that_anybody_may_ask_for_is_meant_to_be() -> None:
    unscoped = {name for name in FOUND if (said := told(name)) is not None and not said.scopes}
    assert unscoped == PUBLIC | BY_PATH
    assert FOUND.keys() >= HIS_OWN


def test_it_is_known_of_each_part_of_a_path_whose_it_is() -> None:
    assert {part for name in FOUND for part in parts_of(name)} == OWNED | ANYBODYS


def test_ann_herself_is_answered(furnished: Furnished) -> None:
    """Else the refusals below would be those of things that are not there."""
    for name in sorted(FOUND.keys() - CHANGES - BY_PATH):
        if parts_of(name) & OWNED and (said := told(name)) is not None and said.scopes != (BOT,):
            assert furnished.ask(name, furnished.ann.headers).status_code == 200, name


def test_without_a_token_nothing_is_told_or_changed(furnished: Furnished, watch: Watch) -> None:
    def expected(name: str, answer: Answer) -> bool:
        said = told(name)
        if said is None:  # which another test sees
            return answer.status_code in {401, 404}
        if said.needs_token or name in QUERIES:
            return is_refused(answer, 401, "token-missing")
        return is_refused(answer, 404, "unknown-match")

    names = [name for name in FOUND if name not in PUBLIC | BY_PATH]
    assert not refusals(furnished, watch, names, lambda _: {}, expected)


def test_a_token_without_the_scope_opens_nothing(furnished: Furnished, watch: Watch) -> None:
    house, every = furnished.house, (*SCOPES, ACCOUNT)
    tokens: dict[tuple[str, ...], str] = {}

    def headers(name: str) -> dict[str, str]:
        said = told(name)
        others = tuple(scope for scope in every if said is not None and scope not in said.scopes)
        if others not in tokens:
            tokens[others] = token_of(house, furnished.ann.id, *others)
        return bearer(tokens[others])

    names = [name for name in FOUND if (said := told(name)) is not None and said.scopes]
    assert not refusals(furnished, watch, names, headers, lambda _, answer: is_refused(answer, 403, "scope-missing"))


@pytest.mark.parametrize("who", ["worker", "operator"])
def test_the_houses_own_tokens_open_what_is_said_of_them_alone(furnished: Furnished, watch: Watch, who: str) -> None:
    visitor = getattr(furnished.house, who)
    scope = {"worker": BOT, "operator": "admin"}[who]
    names = [name for name in FOUND if (said := told(name)) is not None and said.scopes and scope not in said.scopes]
    assert len(names) > 50
    assert not refusals(
        furnished,
        watch,
        names,
        lambda _: visitor.headers,
        lambda _, answer: is_refused(answer, 403, "scope-missing", "no-player"),
    )


@pytest.mark.parametrize("kind", ["expired", "revoked", "none"])
def test_a_token_that_is_over_opens_nothing(furnished: Furnished, watch: Watch, kind: str) -> None:
    ann, code = furnished.ann, "unknown-token"
    if kind == "expired":
        token, code = token_of(furnished.house, ann.id, *GRANTED, expires="2024-01-02T00:00:00.000Z"), "token-expired"
    elif kind == "revoked":
        made = ann.post("/me/tokens", {"name": "gone"}).json
        token = made["token"]
        assert furnished.house.send("GET", "/api/me", headers=bearer(token)).status_code == 200
        assert ann.delete(f"/me/tokens/{made['id']}").status_code == 204
    else:
        token = fresh_token()
    names = [name for name in FOUND if FOUND[name].path.startswith("/api/") and name not in BY_PATH]
    assert not refusals(
        furnished, watch, names, lambda _: bearer(token), lambda _, answer: is_refused(answer, 401, code)
    )


@pytest.mark.parametrize("who", ["eve", "bot"])
def test_another_player_finds_nothing_of_anns(furnished: Furnished, watch: Watch, who: str) -> None:
    """Nor does a bot account, not even one of hers."""
    headers = getattr(furnished, who).headers

    def expected(name: str, answer: Answer) -> bool:
        said = told(name)
        if said is not None and not {*GRANTED} & {*said.scopes}:
            return is_refused(answer, 403, "scope-missing")
        if name in REPORTS:
            return is_refused(answer, 403, "scope-missing")
        if "{match_id}" in name:
            return is_refused(answer, 404, "unknown-match")
        # what only people have is refused to a bot account as such
        return answer.status_code == 404 or (who == "bot" and is_refused(answer, 403, "not-for-bots"))

    names = [name for name in FOUND if parts_of(name) & OWNED and name not in BY_PATH]
    assert len(names) > 40
    assert not refusals(furnished, watch, names, lambda _: headers, expected)


def test_another_seat_of_the_match_does_nothing_for_hers(furnished: Furnished, watch: Watch) -> None:
    ann, bob = furnished.ann, furnished.bob
    now = ann.moves(furnished.match)
    body = {"decision": now["decision"], "id": now["moves"][0]["id"], "seat": 0}

    def refused(_: str, answer: Answer) -> bool:
        return answer.status_code in {403, 404, 409}

    names = {name for name in CHANGES if parts_of(name) & OWNED} - HIS_OWN - BY_PATH
    names -= {"POST /api/matches/{match_id}/moves"}
    assert not refusals(furnished, watch, sorted(names), lambda _: bob.headers, refused)
    moves = ["POST /api/matches/{match_id}/moves"]
    assert not refusals(furnished, watch, moves, lambda _: bob.headers, refused, json=body)
    theirs = {name for name in FOUND if parts_of(name) & (OWNED - {"match_id"})} - CHANGES
    assert not refusals(furnished, watch, sorted(theirs), lambda _: bob.headers, refused)
    assert bob.get(f"/matches/{furnished.match}/orders").json["orders"] == []
    assert bob.events(furnished.match, private="true") == []


class Browser:
    """A cookie of Ann's, and what its own pages repeat."""

    def __init__(self, furnished: Furnished) -> None:
        answer = furnished.house.send("POST", "/api/sessions", json={"login": "ann", "password": WORD, "cookie": True})
        assert answer.status_code == 201
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self.cookie, self.csrf = {"Cookie": cookie}, str(answer.json["csrf"])


def test_a_cookie_alone_changes_nothing_whatever_is_asked_for(furnished: Furnished, watch: Watch) -> None:
    browser, other = Browser(furnished), Browser(furnished)
    names = {name for name in CHANGES if name not in BY_PATH}
    for csrf in (None, other.csrf):
        said = {**browser.cookie, **({} if csrf is None else {"X-CSRF-Token": csrf})}
        assert not refusals(
            furnished,
            watch,
            names,
            lambda _, said=said: said,  # type: ignore[misc]  # the loop's own
            lambda _, answer: is_refused(answer, 403, "csrf-token-missing"),
        )
    assert furnished.ask("GET /api/me", browser.cookie).json["id"] == furnished.ann.id


OTHERS = ("null", "http://localhost:1", "http://localhost.evil.example")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", *(pytest.param(one, marks=pytest.mark.soak) for one in OTHERS)]
)
def test_another_sites_page_changes_nothing_whatever_it_asks_for(
    furnished: Furnished, watch: Watch, origin: str
) -> None:
    browser = Browser(furnished)
    said = {**browser.cookie, "X-CSRF-Token": browser.csrf, "Origin": origin}
    names = {name for name in CHANGES if name not in BY_PATH}
    assert not refusals(
        furnished, watch, names, lambda _: said, lambda _, answer: is_refused(answer, 403, "other-origin")
    )
    own = {**said, "Origin": "http://localhost"}
    assert furnished.ask("POST /api/me/tokens", own).status_code == 201


def test_only_what_reads_no_cookie_does_without_the_check() -> None:
    assert {"mail.ask_unsubscribe", "mail.unsubscribe"} == askers.FORMS
