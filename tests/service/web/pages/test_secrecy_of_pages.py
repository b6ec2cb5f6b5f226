"""Two logs that differ only in what somebody may not know: every page that can be looked at is the same to them.

Pages are found among the app's routes, so that a new one takes part by being one; a page whose address has a part that
is not known here fails the test until it is said what to ask for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.chain import Stored
from service.config import Config
from tests.service.clocks.test_clock_secrecy import hands, set_aside, with_pairs
from tests.service.house import Answer, House, build
from tests.service.matches.test_secrecy import dealt_otherwise
from tests.service.security.furnished import Furnished, furnish
from tests.service.security.test_two_logs import BETWEEN, LATER, again, told_by

pytestmark = pytest.mark.sqlite

PARTS = {
    "match_id": "match_id", "match": "match_id", "slug": "game", "game": "game", "name": "pack", "pack": "pack",
    "player_id": "player", "player": "player", "version": "version", "what": "resign",
}  # fmt: skip
"""What stands in the addresses of pages, by the names of these parts."""

QUERIES = ("", "?lang=ja")

Before = Callable[[House], object]


def addresses(furnished: Furnished) -> list[str]:
    """Of every page, for that match, its game and its players."""
    found = []
    for rule in furnished.house.app.url_map.iter_rules():
        if not rule.endpoint.startswith("pages_") or "GET" not in (rule.methods or ()):
            continue
        named: dict[str, Any] = {part: furnished.parts.get(PARTS[part], PARTS[part]) for part in rule.arguments}
        with furnished.house.app.test_request_context():
            found.append(furnished.house.app.url_for(rule.endpoint, **named))
    return sorted(found)


def told(furnished: Furnished, elsewhere: Flask, data: Path, who: str, before: Before = lambda _: None) -> list[object]:
    """All pages there, as that one sees them."""
    service = build(Config(data=data, bot_pause=0.0, sign_up="invitation"))
    try:
        there = furnished._replace(house=House(service, elsewhere))
        with freeze_time(BETWEEN):
            before(there.house)
        asker = there.house.stranger if who == "nobody" else getattr(there, who)
        client = elsewhere.test_client()
        if asker.token:
            client.set_cookie("foldtable", asker.token)
        known = frozenset(part.encode() for part in (*furnished.parts.values(), asker.id))
        with freeze_time(LATER):
            return [
                [*asked, told_by(cast(Answer, client.get(asked[0], headers=headers_of(*asked))), known)]
                for address in addresses(there)
                for query in QUERIES
                for asked in ((f"{address}{query}", part) for part in ("", *parts_of(client, address)))
            ]
    finally:
        service.close()


def parts_of(client: FlaskClient, address: str) -> list[str]:
    """What is loaded anew of a page by itself."""
    return sorted({part.decode() for part in re.findall(rb'hx-target="#(\w+)"', client.get(address).data)})


def headers_of(address: str, part: str) -> dict[str, str]:
    """With which a part is asked for."""
    return {"HX-Request": "true", "HX-Target": part, "HX-Current-URL": address} if part else {}


def assert_alike(one: list[object], other: list[object]) -> None:
    """Says which page is another."""
    for here, there in zip(one, other, strict=True):
        for mine, theirs in zip(str(here).split("\\n"), str(there).split("\\n"), strict=True):
            assert mine == theirs


@pytest.mark.parametrize(("who", "sits"), [("ann", 1), ("eve", 0), ("nobody", 0)])
def test_other_hidden_cards_change_no_page(first: House, elsewhere: Flask, tmp_path: Path, who: str, sits: int) -> None:
    furnished = furnish(first, sits, visibility="public", talk="open", clock={"preset": "day"})
    log = first.service.states.log(furnished.match)
    other = dealt_otherwise(log, *((sits,) if who == "ann" else ()))
    assert [one.hash for one in other] != [one.hash for one in log.store.read(furnished.match)], "they do differ"
    again(first, tmp_path / "one")
    again(first, tmp_path / "other", other)
    one, two = (told(furnished, elsewhere, tmp_path / name, who) for name in ("one", "other"))
    assert any(f"/matches/{furnished.match}" in str(page) and "seat.0/hand" in str(page) for page in one), "a table"
    assert any('id="matches"' in str(page) and "<html" not in str(page) for page in one), "a part of a page"
    assert_alike(one, two)


@pytest.mark.parametrize("who", ["ann", "eve"])
def test_anothers_answer_under_seal_or_none_changes_no_page(
    first: House, elsewhere: Flask, tmp_path: Path, who: str
) -> None:
    furnished = furnish(first, 2, visibility="public", talk="open", clock={"preset": "day"}, pack="flat")
    for player in (furnished.bob, furnished.cyd, furnished.ann):
        assert player.move(furnished.match, {"type": "SetAside", "card": 1}).status_code == 200
    assert first.stranger.look(furnished.match)["sealed"]
    pages = []
    for answer in ("raise", "pass", None):
        again(first, tmp_path / f"{answer}")

        def before(there: House, answer: str | None = answer) -> None:
            if answer is not None:
                assert there.again(furnished.bob).move(furnished.match, answer).status_code == 200

        pages.append(told(furnished, elsewhere, tmp_path / f"{answer}", who, before))
    assert_alike(pages[0], pages[1])
    assert_alike(pages[0], pages[2])


@pytest.mark.parametrize("who", ["ann", "nobody"])
def test_who_is_asked_under_seal_changes_no_page(first: House, elsewhere: Flask, tmp_path: Path, who: str) -> None:
    """Bob in one, Cyd in the other, or both; and Ann in neither."""

    def logs_of(match: str) -> list[list[Stored]]:
        log = first.service.states.log(match)
        return [list(log.store.read(match)), list(dealt_otherwise(log, 0))]

    def asked(match: str) -> list[list[int]]:
        log = first.service.states.log(match)
        return [[seat for seat in with_pairs(hands(log, one)) if seat] for one in logs_of(match)]

    def differs(match: str) -> bool:
        return bool(match) and all(found := asked(match)) and found[0] != found[1]

    furnished = furnish(first, 0, is_wanted=differs, visibility="public", talk="open", clock={"preset": "day"})
    pages = []
    for number, events in enumerate(logs_of(furnished.match)):
        again(first, tmp_path / str(number), events)
        dealt = hands(first.service.states.log(furnished.match), events)

        def before(there: House, dealt: Any = dealt) -> None:
            set_aside(there, furnished.match, [furnished.ann, furnished.bob, furnished.cyd], dealt)

        pages.append(told(furnished, elsewhere, tmp_path / str(number), who, before))
    assert_alike(pages[0], pages[1])
