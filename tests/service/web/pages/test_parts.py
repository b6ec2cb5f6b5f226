"""Parts of pages, as htmx asks for them: only what was asked for, for whom the page was made, and no refusal lost."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest
from werkzeug.test import TestResponse

from service.web.pages import assets, page
from tests.service.house import House
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite

PUBLISHED = "d6fdc75f204e6bdefa99b69bf1e6d4ac69b8a364f77929f45c13476b4000f717"
"""Of htmx 2.0.11, `dist/htmx.min.js`, as docs/architecture.md tells it."""


def asked(browser: Browser, path: str, target: str, at: str = "", **fields: str) -> TestResponse:
    """What htmx is answered on a page, that of the path where none is said; to a form, where there are fields."""
    headers = {
        **browser.headers,
        "HX-Request": "true",
        "HX-Target": target,
        "HX-Current-URL": f"http://localhost{at or path}",
    }
    if fields:
        return browser.client.post(path, data={"csrf": browser.csrf, **fields}, headers=headers)
    return browser.client.get(path, headers=headers)


def follow(browser: Browser, answer: TestResponse, target: str, at: str) -> TestResponse:
    """Where it leads, as a browser goes on by itself."""
    assert answer.status_code == 303
    return asked(browser, answer.headers["Location"], target, at)


def test_htmx_is_the_one_that_was_published() -> None:
    assert sha256(assets.files()["htmx.js"]).hexdigest() == PUBLISHED
    assert (assets.HERE / "htmx.LICENSE").read_text(encoding="utf-8").startswith("Zero-Clause BSD")


@pytest.mark.parametrize(
    ("path", "target"), [("/lobby", "matches"), ("/turns", "mine"), ("/settings", "vacation"), ("/settings", "name")]
)
def test_only_the_part_that_is_asked_for_is_sent(house: House, path: str, target: str) -> None:
    ann = signed_up(house, "Ann")
    whole, part = ann.look(path), asked(ann, path, target)
    assert part.status_code == 200
    assert "<html" not in part.text
    assert '<nav aria-label="' not in part.text
    assert part.text.count(f'id="{target}"') == 1
    assert len(part.data) < len(whole.encode()) / 2
    title = re.search(r"<title>.*?</title>", whole)
    assert title
    assert part.text.startswith(title[0])
    assert part.headers["Content-Security-Policy"] == page.POLICY.format(ancestors="'none'")
    assert not re.search("style=|<script", part.text)
    # whoever keeps an answer knows on what it depends
    for answer in (part, ann.client.get(path)):
        assert {"HX-Request", "HX-Target"} <= set(answer.headers["Vary"].split(", "))
    back = {"HX-Request": "true", "HX-Target": target, "HX-History-Restore-Request": "true"}
    assert "<html" in ann.client.get(path, headers=back).text
    assert "/htmx.js" in whole
    assert "/htmx.js" not in ann.look("/games"), "nothing there is loaded anew"
    for other in ("title", "page", "none", ""):
        answer = asked(ann, path, other)
        assert "<html" in answer.text, "a part that is not on the page is the page in its place"
        assert (answer.headers["HX-Retarget"], answer.headers["HX-Reselect"]) == ("#page", "#page")


def test_what_is_listed_is_said_and_the_way_to_open_such_a_match_is_kept_up(house: House) -> None:
    house.player("Zoe").open("ttmp", [None, None])
    part = asked(Browser(house), "/lobby?game=ttmp", "matches").text
    assert '<p id="how-many" hx-swap-oob="innerHTML">1 match is listed.</p>' in part
    assert 'hx-swap-oob="true" href="/new?game=ttmp"' in part
    assert "hx-swap-oob" not in Browser(house).look("/lobby")


def test_a_form_answers_in_its_place_with_what_came_of_it(house: House) -> None:
    ann = signed_up(house, "Ann")
    ann.look("/settings")
    answer = follow(ann, asked(ann, "/settings/name", "name", "/settings", name="Bea"), "name", "/settings")
    assert "Saved." in answer.text
    assert '<section class="panel" id="erase" hx-swap-oob="true"' in answer.text
    assert 'id="me" hx-swap-oob="true"' in answer.text
    assert ">Bea</a>" in answer.text
    wrong = asked(ann, "/settings/vacation", "vacation", "/settings", days="a while")
    assert wrong.status_code == 422
    assert "<html" not in wrong.text
    assert 'value="a while" required aria-invalid="true" autofocus' in wrong.text
    # a secret is told in the part where it was made, and kept nowhere
    answer = asked(ann, "/settings/programs/bots", "bots", "/settings/programs", name="Engine")
    assert 'id="secret-bots"' in answer.text
    # another one that is told on the same page is copied by its own button
    ann.look("/settings/programs")
    feed = asked(ann, "/settings/programs/feed", "feed", "/settings/programs", do="make").text
    assert 'id="secret-feed"' in feed
    assert 'data-copy="secret-feed"' in feed
    assert 'id="tokens"' not in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_form_that_leads_to_another_page_takes_the_browser_there(house: House) -> None:
    ann, zoe = signed_up(house, "Ann"), house.player("Zoe")
    match = zoe.open(seats=[{"player": ann.id}, None])
    answer = asked(ann, f"/matches/{match}/do/accept", "mine", "/turns", nonce="")
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, f"/matches/{match}")
    assert zoe.look(match)["seats"][0]["player"]["name"] == "Ann"


def test_what_is_refused_is_said_where_the_page_says_it(house: House) -> None:
    ann, zoe = signed_up(house, "<i>Ann</i>"), house.player("Zoe")
    match = zoe.open(seats=[None, {"player": zoe.id}])
    house.player("Bob").sit(match)
    ann.look("/lobby")
    refused = asked(ann, f"/matches/{match}/seat", "", "/lobby", csrf=ann.csrf)
    assert refused.status_code == 409
    old = asked(ann, f"/matches/{match}/seat", "", "/lobby", csrf="old")
    assert old.status_code == 403
    nowhere = asked(ann, "/nowhere", "mine")
    gone = asked(ann, f"/matches/{match}/do/take-seat", "mine", "/turns", seat="1")
    assert (nowhere.status_code, gone.status_code) == (404, 404)
    for answer in (refused, old, nowhere, gone):
        assert answer.headers["HX-Retarget"] == page.PLACE
        assert answer.content_type.startswith("text/html")
        assert answer.text
        assert "<" not in answer.text
    assert "older session" in old.text


def test_whoever_is_signed_in_no_more_is_led_to_the_sign_in_page_and_never_into_a_list(house: House) -> None:
    ann = signed_up(house, "Ann")
    for path, target in (("/lobby?game=ttmp", "matches"), ("/turns", "mine")):
        ann.client.set_cookie("foldtable", "a token of nobody")
        answer = asked(ann, path, target)
        assert (answer.status_code, answer.text) == (204, "")
        assert answer.headers["HX-Redirect"].startswith("/sign-in?next=/")
    match = house.player("Zoe").open("ttmp", [None, None])
    ann.client.set_cookie("foldtable", "a token of nobody")
    answer = asked(ann, f"/matches/{match}/seat", "", "/lobby", csrf=ann.csrf)
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/"
    assert house.stranger.look(match)["seats"][0]["player"] is None, "nobody is made a guest"
    ann.client.delete_cookie("foldtable")
    answer = asked(ann, "/turns", "mine")
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/turns"


def test_a_page_that_was_made_for_somebody_else_is_loaded_again(house: House) -> None:
    ann = signed_up(house, "Ann")
    reader = {"HX-Request": "true", "HX-Target": "matches", page.READER: ann.id}
    assert "HX-Refresh" not in ann.client.get("/lobby", headers=reader).headers
    answer = Browser(house).client.get("/lobby", headers=reader)
    assert (answer.status_code, answer.headers["HX-Refresh"], answer.text) == (204, "true", "")
    assert f"{{&quot;{page.READER}&quot;: &quot;{ann.id}&quot;}}" in ann.look("/turns")
    assert "&quot;nobody&quot;" in Browser(house).look("/lobby")
    assert "HX-Refresh" in ann.client.get("/lobby", headers={**reader, page.READER: "nobody"}).headers
