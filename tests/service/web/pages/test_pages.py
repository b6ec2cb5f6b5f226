"""Pages: what all of them have, what can be done on them without a script, and the contract to read."""

from __future__ import annotations

import gzip
import re
from html import unescape

import pytest

from service.web.pages import assets, docs
from tests.service.house import House
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite
PAGES = (
    "/",
    "/lobby",
    "/sign-in",
    "/games",
    "/games/three-magic",
    "/games/ttmp/rules",
    "/games/troll-master/packs/house",
)


UNPACKS = ("gzip", "br, gzip;q=0.5", "gzip, deflate, br, zstd", "*", "GZIP", "identity;q=0.5, gzip;q=0.8", "*;q=0.1")
RATHER_NOT = (None, "", "br", "gzip;q=0", "gzip;q=0, *", "deflate, *;q=0", "identity;q=1, gzip;q=0.5", "x; y")

FOREIGN = re.compile(r"<script(?! type=\"application/json\"| type=\"module\"( blocking=\"render\")? src=\"/assets/)")
"""A script that is neither data nor a file of the service's own."""


def test_a_page_holds_no_script_and_no_style_and_asks_for_nothing_elsewhere(house: House) -> None:
    for path in PAGES:
        for lang in ("en", "ja"):
            answer = house.app.test_client().get(path, headers={"Accept-Language": lang})
            assert f'<html lang="{lang}">' in answer.text
            assert "style=" not in answer.text
            assert not re.search(r" on\w+=", answer.text)
            assert not FOREIGN.findall(answer.text)
            assert not re.findall(r"(?:src|href|action)=\"(?!/|#)", answer.text)
            assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_what_a_page_needs_is_kept_for_good_under_an_address_of_its_own(house: House) -> None:
    browser = Browser(house)
    found = re.findall(r'(?:href|src)="(/assets/[^"]+)"', browser.look("/"))
    assert found
    for path in found:
        answer = browser.client.get(path)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, assets.FOR_GOOD)
        old = browser.client.get(path.replace(assets.digest(), "0" * 16))
        assert (old.status_code, old.headers["Cache-Control"]) == (200, "no-cache")
    assert browser.client.get(f"/assets/{assets.digest()}/../page.py").status_code == 404
    assert browser.client.get(f"/assets/{assets.digest()}/none.js").status_code == 404


def asked(house: House, name: str, accepts: str | None) -> tuple[bytes, dict[str, str]]:
    """What comes over the wire, and its headers."""
    headers = {} if accepts is None else {"Accept-Encoding": accepts}
    answer = Browser(house).client.get(assets.addresses()[name], headers=headers)
    assert answer.status_code == 200
    return answer.data, dict(answer.headers)


def test_who_unpacks_is_sent_every_file_packed_where_that_is_smaller(house: House) -> None:
    for at, (name, data) in enumerate(assets.files().items()):
        sent, headers = asked(house, name, UNPACKS[at % len(UNPACKS)])
        is_packed = assets.packed(name) is not None
        assert (gzip.decompress(sent) if is_packed else sent) == data
        assert headers.get("Content-Encoding") == ("gzip" if is_packed else None)
        assert (headers["Vary"], headers["Content-Length"]) == ("Accept-Encoding", str(len(sent)))
        assert headers["Cache-Control"] == assets.FOR_GOOD
        assert len(sent) <= len(data)


def test_everybody_else_is_sent_files_as_they_are(house: House) -> None:
    for accepts in RATHER_NOT:
        name = "pages.css"
        sent, headers = asked(house, name, accepts)
        assert sent == assets.files()[name]
        assert "Content-Encoding" not in headers
        assert (headers["Vary"], headers["Content-Length"]) == ("Accept-Encoding", str(len(sent)))


def test_a_page_is_never_packed_with_what_its_address_said(house: House) -> None:
    answer = Browser(house).client.get("/lobby?game=ttmp", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


def test_moves_are_made_from_a_list_without_a_script(house: House) -> None:
    browser = Browser(house)
    table = browser.send("/play", game="high-card").headers["Location"]
    page = browser.look(table)
    assert "Your turn" in page
    assert "Guest " in page
    assert "sets" in browser.move(table)


def test_who_signs_out_everywhere_is_out_in_every_browser(house: House) -> None:
    signed_up(house, "Ann", login="ann", password="a long enough one")
    browsers = [Browser(house), Browser(house)]
    for one in browsers:
        assert ">Ann</a>" in one.follow("/sign-in", login="ann", password="a long enough one", next="/lobby")
    browsers[0].send("/sign-out", everywhere="yes")
    assert [">Ann</a>" in one.look("/") for one in browsers] == [False, False]


def test_a_form_of_another_site_does_nothing(house: House) -> None:
    browser = Browser(house)
    browser.look("/")
    browser.send("/play", game="high-card")
    for csrf, origin in (("", None), ("x", None), (browser.csrf, "https://evil.example"), (browser.csrf, "http://[")):
        headers = {"Origin": origin} if origin else {}
        answer = browser.client.post("/play", data={"csrf": csrf, "game": "high-card"}, headers=headers)
        assert answer.status_code == 403, (csrf, origin)
    assert len(house.stranger.get("/matches").get_json()["matches"]) == 1


def test_whatever_address_was_asked_for_no_link_of_its_page_leads_to_another_site(house: House) -> None:
    """A browser takes a \\ in a link for a /, and leaves out control characters."""
    browser = Browser(house)
    for path in ("/%5Cevil.example/x", "/%09/evil.example/x", "/%0A/evil.example", "/a/%5C..%5C/evil.example?x=%5C"):
        answer = browser.client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 404
        assert is_ours(answer.text), path
    browser.follow("/guest")
    for came in ("http://localhost//evil.example/x", "http://localhost///evil.example", "http://localhost"):
        answer = browser.client.post("/play", data={"csrf": "old"}, headers={"Referer": came})
        assert answer.status_code == 403
        assert is_ours(answer.text), came


def is_ours(page: str) -> bool:
    found = [re.sub(r"[\0-\x20]", "", unescape(said)) for said in re.findall(r'(?:href|value)="(/[^"]*)"', page)]
    return bool(found) and not [said for said in found if re.match(r"[/\\]{2}", said)]


def test_names_are_told_as_text_whatever_they_are(house: House) -> None:
    browser = Browser(house)
    page = browser.follow("/sign-up", name="<b>Ann</b>")
    assert "<b>Ann" not in page
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page
    page = browser.follow("/play", game="high-card")
    assert "<b>Ann" not in page


LOADS = re.compile(
    r'<details data-loads="(/docs/(?:operations|schemas)/\w+)">.*?<div id="([^"]+)"><a href="\1">', re.DOTALL
)
"""Of the contract, a list first, then each part by itself: where a part is loaded from, and into what."""


def test_the_contract_lists_all_operations_and_shapes_each_with_a_page_that_names_what_is_there(house: House) -> None:
    told = house.stranger.get("/openapi.json").json
    operations = {one["operationId"] for methods in told["paths"].values() for one in methods.values()}
    page = Browser(house).look("/docs")
    assert len(page) < 130_000, "what is opened is loaded then"
    lines = LOADS.findall(page)
    assert {id for _, id in lines} == operations | {f"schema-{name}" for name in told["components"]["schemas"]}
    ids = set(re.findall(r' id="([^"]*)"', page))
    asked: set[str] = set()
    for path, _ in lines:
        asked |= set(re.findall(r'"(?:/docs)?#([^"]*)"', Browser(house).look(path)))
    assert len(asked) > 100
    assert asked - {"page"} <= ids
    for path in ("/docs/operations/none", "/docs/schemas/none"):
        Browser(house).look(path, 404)


def test_the_contract_is_in_the_frame_of_whoever_reads_and_asks_nobody_else(house: House) -> None:
    ann = house.player("Ann")
    page = Browser(house, "ja", who=ann).look("/docs")
    assert '<html lang="ja">' in page
    assert ">Ann</a>" in page
    assert '<div class="docs" lang="en">' in page
    asked = re.findall(r' (?:href|src)="([^"]*)"', page)
    assert not [address for address in asked if not address.startswith(("/", "#"))]
    style = house.send("GET", "/docs/style.css")
    assert style.mimetype == "text/css"
    assert not re.search(r"url\(|@import", style.text)


def test_what_the_contract_says_is_text_on_its_page_and_no_markup() -> None:
    assert docs.prose("a <b> & `<c>`\n\n*so*") == "<p>a &lt;b&gt; &amp; <code>&lt;c&gt;</code></p><p><em>so</em></p>"
