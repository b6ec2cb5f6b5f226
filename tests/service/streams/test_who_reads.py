"""Whoever may read a page may read the stream, and goes on as the same: by a cookie, or by a link."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service.accounts import Asker
from service.streams import FORMS, MatchStream, Watching
from tests.service.accounts.insiders import with_password
from tests.service.accounts.test_sessions import Browser
from tests.service.house import House, step
from tests.service.streams.reading import NDJSON, Reading, lines_of, reading, stop


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks is looked up again each time."""
    monkeypatch.setattr("service.streams.match.ASKED", 0.0)
    monkeypatch.setattr("service.streams.player.ASKED", 0.0)


def test_a_browser_reads_as_who_is_logged_in_and_goes_on_as_them(house: House) -> None:
    ann, bob = with_password(house), house.player("Bob")
    match = ann.open_with(bob)
    browsers = [Browser(house), Browser(house)]
    assert [browser.log_in().status_code for browser in browsers] == [201, 201]
    known = len(ann.events(match))
    log = reading(browsers[0], f"/matches/{match}/events", after=known)
    mine = reading(browsers[1], "/me/events", NDJSON)
    mine.told(1)
    assert step(match, [ann], random.Random(1))
    grown = ann.events(match, after=known)
    assert any(event["secret"] for event in grown), "which she alone may read"
    assert log.told(len(grown)) == grown
    assert [one["event"] for one in mine.told(len(grown))] == grown
    stop(house, log, mine)


def test_who_has_the_link_goes_on_reading(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    opened = ann.post("/matches", {"game": "high-card", "seats": [None, None], "visibility": "link"}).json
    match, token = opened["id"], ann.get(f"/matches/{opened['id']}/link").json["url"].partition("link=")[2]
    stream = reading(house.stranger, f"/matches/{match}/events", link=token)
    stream.told(1)
    ann.sit(match)
    assert stream.told(1)[0]["type"] == "match/SeatTaken"
    assert house.stranger.get(f"/matches/{match}/events", {"Accept": NDJSON}).status_code == 404
    assert stop(house, stream)[0][-1]["end"]["why"] == "stopping"
    assert bob.get(f"/matches/{match}").status_code == 404


def end_of(stream: Reading) -> str | None:
    """Why it ends; None if it goes on after that many pieces, signs of life among them."""
    for _ in range(50):
        if (told := lines_of(stream.piece() or b"")) and "end" in told[-1]:
            return str(told[-1]["end"]["why"])
    return None


@pytest.mark.parametrize("is_told", [True, False])
def test_who_came_by_a_link_reads_until_it_is_renewed(
    house: House, monkeypatch: pytest.MonkeyPatch, is_told: bool
) -> None:
    """Also if the message is lost that another process has renewed it."""
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="link")
    for one in (ann, bob):
        one.sit(match)
    token = ann.get(f"/matches/{match}/link").json["token"]
    known = len(ann.events(match))
    monkeypatch.setattr("service.web.waiting.EVERY", 3600.0 if is_told else 0.1)
    house.service.listener.close()  # it would look for the events that were just stored
    if not is_told:
        monkeypatch.setattr(house.service.links, "_wake", lambda match_id: None)
    stream = reading(house.stranger, f"/matches/{match}/events", link=token)
    own = reading(ann, f"/matches/{match}/events", after=known)
    stream.told(known)
    assert ann.post(f"/matches/{match}/link").status_code == 200
    assert end_of(stream) == "unknown-match"
    assert step(match, [ann, bob], random.Random(1))
    assert stop(house, own)[0][0]["version"] == known + 1, "who needs no link reads on"


def test_who_was_invited_reads_until_the_seat_is_kept_for_another(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.web.waiting.EVERY", 3600.0)
    house.service.listener.close()
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    stream = reading(bob, f"/matches/{match}/events")
    stream.told(1)
    assert ann.post(f"/matches/{match}/invitations", {"seat": 1, "player": eve.id}).status_code == 200
    assert end_of(stream) == "unknown-match"


def test_what_is_read_by_who_has_just_come_to_a_seat_is_told_to_nobody_else(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dan sits down when his stream knows already that he has no seat, and Eve's waits for the page that his makes."""
    ann, dan, eve = (house.player(name) for name in ("Ann", "Dan", "Eve"))
    match, streams, asked = ann.open_with(), house.service.streams, list[Any]()

    def stream_of(asker: Asker) -> MatchStream:
        wanted = Watching(match=match, seat=None, after=0, form=FORMS[NDJSON], lang=None)
        return MatchStream(streams, wanted, asker, lambda: asker, lambda: None)

    his, hers = (stream_of(house.service.accounts.asker(one.token)) for one in (dan, eve))
    page, told = streams.page, list[bytes]()

    def at_once(*wanted: Any) -> Any:
        asked.append(wanted)
        if len(asked) == 1:
            told.append(hers.news())
        else:
            dan.sit(match)
            page(*asked[0])
        return page(*wanted)

    monkeypatch.setattr(streams, "page", at_once)
    his.news()
    dealt = lines_of(told[0])
    assert [one["version"] for one in dealt] == [one["version"] for one in house.stranger.events(match)]
    assert not any(one["secret"] for one in dealt)
    for each in (his, hers):
        each.bell.take_down()
