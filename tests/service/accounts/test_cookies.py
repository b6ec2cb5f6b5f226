"""A browser's session lies in a cookie, which no other site's page can use."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from service.config import Config
from tests.service.accounts.insiders import WORD, log_in, with_password
from tests.service.house import Answer, House, Visitor
from tests.service.web.test_limits import housed


class Browser(Visitor):
    """Keeps its cookie, and says from where its page is."""

    def __init__(self, house: House, origin: str | None = None) -> None:
        super().__init__(house.app.test_client())
        self.csrf: str | None = None
        self.origin = origin

    @property
    def headers(self) -> dict[str, str]:
        said = {"X-CSRF-Token": self.csrf, "Origin": self.origin}
        return {name: value for name, value in said.items() if value is not None}

    def log_in(self) -> Answer:
        answer = self.post("/sessions", {"login": "ann", "password": WORD, "cookie": True})
        if answer.status_code == 201:
            self.csrf = answer.json["csrf"]
        return answer


def test_a_browser_s_token_lies_in_a_cookie_that_no_script_reads(house: House, tmp_path: Path, app: Flask) -> None:
    ann, browser = with_password(house), Browser(house)
    answer = browser.log_in()
    assert answer.json["token"] is None
    (cookie,) = answer.headers.getlist("Set-Cookie")
    for part in ("foldtable=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"):
        assert part in cookie
    assert "Secure" not in cookie
    assert answer.headers["Cache-Control"] == "no-store"
    assert browser.get("/me").json["id"] == ann.id
    assert "Cookie" in browser.get("/me").headers["Vary"]
    config = Config(data=tmp_path / "there", public_url="https://play.example")
    with housed(config, app) as there:
        with_password(there)
        (cookie,) = log_in(there, "ann", cookie=True).headers.getlist("Set-Cookie")
        assert cookie.startswith("__Host-foldtable=")
        assert "Secure" in cookie


def test_a_token_that_is_said_needs_no_csrf_token_also_beside_a_cookie(house: House) -> None:
    with_password(house)
    browser, bob = Browser(house), house.player("Bob")
    browser.log_in()
    answer = browser.client.get("/api/sessions", headers=bob.headers)
    assert answer.json == {"player": {"id": bob.id, "name": "Bob", "kind": "human"}, "csrf": None}
    said = {"game": "high-card", "seats": [None, None]}
    assert browser.client.post("/api/matches", json=said, headers=bob.headers).status_code == 201


def test_a_cookie_of_a_session_that_is_over_is_nobody_s_and_forgotten(house: House) -> None:
    ann, browser = with_password(house), Browser(house)
    browser.log_in()
    (_, kept) = ann.get("/me/tokens").json["tokens"]
    ann.delete(f"/me/tokens/{kept['id']}")
    answer = browser.get("/matches")
    assert answer.status_code == 200, "what is public is still told"
    assert "foldtable=;" in answer.headers["Set-Cookie"]
    browser = Browser(house)
    browser.client.set_cookie("foldtable", "nobodys")
    assert browser.log_in().status_code == 201
    assert browser.get("/me").json["id"] == ann.id
    answer = browser.delete("/sessions")
    assert (answer.status_code, "foldtable=;" in answer.headers["Set-Cookie"]) == (204, True)
    assert browser.get("/me").json["code"] == "token-missing"


def test_a_cookie_needs_what_its_pages_repeat_and_an_origin_that_is_ours(house: House) -> None:
    with_password(house)
    browser, evil = Browser(house), Browser(house, "https://evil.example")
    browser.log_in()
    right = browser.csrf
    assert browser.get("/sessions").json["csrf"] == right
    for origin, csrf, code in (
        *((None, csrf, "csrf-token-missing") for csrf in ("é", "", "x")),
        ("null", right, "other-origin"),
        (None, None, "csrf-token-missing"),
        ("http://localhost.evil.example", right, "other-origin"),
        ("http://localhost:8000", right, "other-origin"),
        (house.service.config.address, right, None),
        (None, right, None),
    ):
        browser.origin, browser.csrf = origin, csrf
        assert browser.post("/matches", {"game": "high-card", "seats": [None, None]}).json.get("code") == code, origin
    assert evil.log_in().json["code"] == "other-origin", "nobody is logged in as somebody else by another site"
