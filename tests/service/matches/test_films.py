"""A match as a film, and the names in its texts: what is told in one answer is what was told event by event."""

from __future__ import annotations

import gzip
import random
import time
from collections.abc import Callable
from itertools import count, groupby
from typing import Any

import gevent
import msgspec
import pytest

from replays.film import Film, Reel, gains
from replays.log import TRUTH
from replays.report import names_of
from service.accounts import READ, STRANGER, Asker
from service.matches import films
from service.matches.answers import WhatIf
from service.matches.films import Films
from tests.replays.reels import scene_of
from tests.service.accounts.insiders import leave
from tests.service.house import THREE_MAGIC, House, Visitor, beside, drawing, play_out, refusal
from tests.service.streams.reading import NDJSON, reading

SHORT = {THREE_MAGIC: {"laps": 1}}


def film(visitor: Visitor, match: str, **query: Any) -> dict[str, Any]:
    return dict(visitor.shown(f"/matches/{match}/film", **query))


def scenes(told: dict[str, Any]) -> dict[int, Any]:
    """The scene after each event, put together again."""
    reel = msgspec.convert(told["reel"], Reel)
    plain = msgspec.json.decode
    return {
        frame.version: plain(msgspec.json.encode(scene_of(reel, frame.version))) if frame.scene is not None else None
        for frame in reel.frames
    }


def assert_like_the_events(visitor: Visitor, match: str, lang: str = "en", **seat: Any) -> None:
    told = film(visitor, match, lang=lang, **seat)
    drawn = scenes(told)
    events = visitor.events(match, lang=lang)
    assert [one["version"] for one in events] == list(drawn)
    if not visitor.id and not seat:  # to a player's own events are told as "you"
        assert [frame["text"] for frame in told["reel"]["frames"]] == [one["text"] for one in events]
    for version, scene in drawn.items():
        then = visitor.get(f"/matches/{match}/at/{version}", scene="true", lang=lang, **seat).json["scene"]
        assert scene == (then and {key: value for key, value in then.items() if key != "buttons"}), version


def test_a_film_shows_what_was_seen_at_every_version(house: House) -> None:
    match, (ann, bob) = house.table()
    ann.choose(match)
    for asker in (ann, bob, house.stranger):
        assert_like_the_events(asker, match)
    assert_like_the_events(ann, match, lang="ja")
    play_out(match, [ann, bob])
    assert_like_the_events(house.stranger, match)
    assert_like_the_events(house.stranger, match, seat=1)


def test_a_seat_has_its_own_cards_and_nobody_has_any_until_all_are_open(house: House) -> None:
    match, players = house.table()
    told = film(players[0], match)
    assert (told["eyes"], told["seat"]) == ("seat", 0)
    nobodys = film(players[0], match, nobody="true")
    assert (nobodys["eyes"], nobodys["seat"]) == ("nobody", None)
    assert scenes(nobodys) == scenes(film(house.stranger, match))
    assert scenes(nobodys) != scenes(told)
    assert players[0].get(f"/matches/{match}/film", seat=1).json["code"] == "not-your-seat"
    assert house.stranger.get(f"/matches/{match}/film", seat=0).json["code"] == "not-your-seat"
    assert told["forks"] == []
    play_out(match, players)
    assert film(house.stranger, match)["eyes"] == "all"
    assert scenes(film(house.stranger, match, seat=0)) != scenes(film(house.stranger, match, nobody="true"))
    assert film(house.stranger, match, seat=0)["seat"] == 0
    assert film(house.stranger, match)["forks"]
    assert house.stranger.get(f"/matches/{match}/film", seat=7).json["code"] == "unknown-seat"


def test_a_film_is_packed_and_not_sent_again_as_long_as_nothing_has_changed(house: House) -> None:
    match, (ann, bob) = house.table()
    first = ann.get(f"/matches/{match}/film")
    packed = ann.get(f"/matches/{match}/film", {"Accept-Encoding": "br, gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == first.data
    assert "Accept-Encoding" in first.headers["Vary"]
    known = {"If-None-Match": first.headers["ETag"]}
    assert ann.get(f"/matches/{match}/film", known).status_code == 304
    assert bob.get(f"/matches/{match}/film", known).status_code == 200
    assert ann.get(f"/matches/{match}/film", known, lang="ja").status_code == 200
    ann.choose(match)
    assert ann.get(f"/matches/{match}/film", known).status_code == 200


def test_each_event_tells_the_scene_after_it_where_the_table_has_changed(house: House) -> None:
    match, (ann, bob) = house.table()
    ann.choose(match)
    assert "scene" not in ann.look(match)
    for asker in (ann, bob, house.stranger):
        events = asker.events(match, scenes="true")
        told = {one["version"]: one["scene"] for one in events}
        assert events[0]["scene"] is None, "before the start there is nothing to draw"
        shown = None
        for version, scene in told.items():
            shown = shown if scene is None else scene
            assert asker.get(f"/matches/{match}/at/{version}", scene="true").json["scene"] == shown, version
        assert shown == asker.look(match, scene="true")["scene"]
        assert sum(scene is not None for scene in told.values()) > 3
        after = len(events) - 2
        stream = reading(asker, f"/matches/{match}/events", NDJSON, after=after, scenes="true")
        assert [one["scene"] for one in stream.told(2)] == [told[after + 1], told[after + 2]]


def test_a_long_film_comes_in_parts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, players = house.table()
    whole = scenes(film(players[0], match))
    monkeypatch.setattr(films, "FRAMES", 5)
    house.service.films._kept._values.clear()
    found: dict[int, Any] = {}
    after = 0
    while after is not None:
        part = film(players[0], match, after=after)
        assert len(part["reel"]["frames"]) <= 5
        found |= scenes(part)
        after = part["next"]
    assert found == whole
    assert players[0].get(f"/matches/{match}/film", after=len(whole)).json["code"] == "unknown-version"


@pytest.mark.parametrize("game", ["terraformers", "three-magic"])
def test_how_a_result_came_about_is_told_by_the_start_the_largest_gains_and_the_sum_of_the_others(
    house: House, game: str
) -> None:
    with drawing(3):
        match, players = house.table(game, 3)
    play_out(match, players)
    look = house.service.views.look(match, Asker(players[0].id, frozenset({READ})))
    breakdown = house.service.films.breakdown(look, "en")
    result, whole = players[0].look(match)["result"], gains(Film(look.log, TRUTH))
    assert any(breakdown.more), "more than are named"
    for seat, steps in enumerate(breakdown.steps):
        assert len(steps) <= films.STEPS
        changes = sum(one.points for one in steps) + breakdown.rest[seat]
        assert breakdown.start[seat] + changes == result["points"][seat]
        assert breakdown.more[seat] == len(whole[seat]) - len(steps)
        assert [one.version for one in steps] == sorted(one.version for one in steps)
    assert breakdown.ahead
    assert breakdown.ahead.text


def test_who_is_called_otherwise_is_so_in_a_film_that_was_kept(house: House) -> None:
    match, (ann, bob) = house.table()
    assert film(bob, match)["names"] == ["Player 0", "Player 1"]
    assert leave(ann).status_code == 204
    told = film(bob, match)
    assert "Player 0" not in told["names"]
    assert "Player 0" not in str(told["reel"])


def said(visitor: Visitor, match: str, lang: str = "en") -> str:
    return " ".join(event["text"] for event in visitor.events(match, lang=lang))


def test_seats_are_called_by_their_players_and_bots(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(bob, seats=[None, None, {"bot": "greedy"}])
    for name in ("You are dealt", "Bob is dealt", "greedy bot is dealt", "Seat 1 is taken."):
        assert name in said(ann, match), "whoever took a seat may have left since"
    assert "ボットgreedyに" in said(ann, match, "ja")
    log = house.service.states.log(match)
    assert names_of(log, "en")[:2] == ("Ann", "Bob")
    assert names_of(log, "ja")[2] == "ボットgreedy"
    match, (first, *_) = house.table(THREE_MAGIC, 3)
    assert "Player 1" in first.look(match)["text"]
    assert "Player 2" in said(first, match)


def test_two_of_one_name_keep_their_numbers(house: House) -> None:
    players = [house.player("Ann"), house.player("Ann"), house.player("Bo")]
    match = players[0].open_with(*players[1:])
    assert "Ann (seat 1) is dealt" in said(players[0], match)
    assert "Ann（席1）に" in said(players[0], match, "ja")
    assert "Ann (seat 0) is dealt" in said(house.stranger, match)
    assert names_of(house.service.states.log(match), "en") == ("", "", "Bo")


@pytest.mark.parametrize(("game", "seats"), [("high-card", 2), (THREE_MAGIC, 3)])
def test_what_a_seat_chose_is_told_once_the_match_is_over(house: House, game: str, seats: int) -> None:
    match, players = house.table(game, seats, options=SHORT.get(game, {}))
    path = f"/matches/{match}/choice"
    assert refusal(players[0].get(path)) == (409, "not-over")
    assert refusal(players[0].get(path, seat=1)) == (403, "not-your-seat")
    made: list[tuple[str, int]] = []
    draw = random.Random(3)
    while asked := [(one, told) for one in players if (told := one.get(f"/matches/{match}/moves").json)["moves"]]:
        for player, told in asked:
            move = draw.choice(told["moves"])
            player.post(f"/matches/{match}/moves", {"decision": told["decision"], "id": move["id"]})
            if player is players[1] and len(told["moves"]) > 1:
                made.append((move["id"], len(told["moves"])))
    found: list[tuple[str, int]] = []
    others: set[str] = set()
    after = 0
    while choice := house.stranger.get(path, seat=1, after=after).json["choice"]:
        assert choice["version"] > after
        found.append((choice["chosen"], len(choice["moves"])))
        assert choice["chosen"] in {move["id"] for move in choice["moves"]}
        after = choice["version"]
        hands = [zone for zone in choice["scene"]["zones"] if zone["id"] == "seat.0/hand"]
        others |= {piece.get("face", "up") for zone in hands for piece in zone["pieces"]}
    assert found == made
    assert others == {"down"}, "the table is as the seat saw it"
    assert refusal(house.stranger.get(path, seat=9)) == (404, "unknown-seat")
    assert refusal(house.stranger.get(path, seat=0, after="x")) == (422, "malformed")


@pytest.mark.parametrize(("game", "seats"), [("high-card", 2), (THREE_MAGIC, 3)])
def test_a_match_that_is_over_is_played_on_from_what_a_seat_knew(house: House, game: str, seats: int) -> None:
    match, players = house.table(game, seats, options=SHORT.get(game, {}))
    path, draw = f"/matches/{match}/what-if", random.Random(3)
    assert refusal(players[0].get(path)) == (409, "not-over")
    play_out(match, players)
    before = house.stranger.look(match)
    asked = house.stranger.get(f"/matches/{match}/choice", seat=1, after=8).json["choice"]

    def at(*ids: str, **more: Any) -> dict[str, Any]:
        answer = house.stranger.get(path, seat=1, after=8, moves=",".join(ids), **more)
        assert answer.status_code == 200, answer.json
        return dict(answer.json)

    now = at()
    if len(now["moves"]) > 1:  # else the choice is a later one
        assert (now["scene"], now["moves"], now["played"]) == (asked["scene"], asked["moves"], asked["chosen"])
    assert now["version"] < asked["version"]
    line: list[str] = []
    passed = [now]
    while now["moves"]:
        line.append(draw.choice(now["moves"])["id"])
        now = at(*line)
        hands = [zone for zone in now["scene"]["zones"] if zone["id"] == "seat.0/hand"]
        faces = {piece.get("face", "up") for zone in hands for piece in zone["pieces"]}
        assert now["standing"]["over"] or faces <= {"down"}, "as the seat would see it"
        assert now["told"]
        passed.append(now)
    assert (now["decision"], now["standing"]["over"]) == (None, True)
    other = House(beside(house.service)).stranger
    assert other.get(path, seat=1, after=8, moves=",".join(line)).json == now, "another process finds the same"
    assert at(*line[:-1]) == passed[-2], "the last move is taken back"
    assert house.stranger.look(match) == before, "nothing is stored"
    assert refusal(house.stranger.get(path, seat=1, after=8, moves="nonsense")) == (409, "not-legal")
    assert refusal(house.stranger.get(path, seat=1, after=8, moves=f"{','.join(line)},{line[0]}")) == (409, "not-legal")
    late = house.stranger.get(path, seat=1, after=before["version"])
    assert refusal(late) == (409, "no-decision")
    assert late.json["detail"] == f"{players[1].get('/me').json['name']} had nothing to choose after that."
    assert refusal(house.stranger.get(path, bot="nobody")) == (422, "malformed")
    assert refusal(house.stranger.get(path, moves=",".join("x" * 301))) == (422, "malformed")
    assert refusal(house.stranger.get(path, seat=9)) == (404, "unknown-seat")


def beside_others(act: Callable[[], Any], serve: Callable[[], object]) -> Any:
    """What `act` returns in a web process that can serve others as well."""
    asked = gevent.spawn(act)
    while not asked.ready():
        serve()
        gevent.sleep(0)
    return asked.get()


def test_others_are_served_while_a_whole_match_is_drawn(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = house.played()
    views, served = house.service.views, count()
    look = views.look(match, STRANGER)
    monkeypatch.setattr(time, "sleep", gevent.sleep)
    beside_others(lambda: Films().packed(look, None, 0, "en"), lambda: next(served))
    assert (after_film := next(served)) > look.state.version
    beside_others(lambda: views.events(look, 0, 1000, None, drawn="en"), lambda: next(served))
    assert next(served) - after_film > look.state.version


def test_a_long_line_is_kept_and_others_are_served_between_moves(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "PLACES", 1)
    with drawing(3):
        match, _ = house.played()
    lines, log = Films(), []
    look = house.service.views.look(match, STRANGER)

    def at(*ids: str) -> WhatIf:
        return lines.what_if(look, 0, 1, ids, "greedy", "en")

    ids: list[str] = []
    while (now := at(*ids)).moves:
        ids.append(now.moves[-1].id)
    assert len(ids) > films.PLACES, "it is longer than what is kept"
    play = films._Line.on

    def noted(*its: Any) -> films.Reached:
        log.append("move")
        return play(*its)

    monkeypatch.setattr(films._Line, "on", noted)
    at(*ids)
    assert log == []
    # as in the web process
    monkeypatch.setattr(time, "sleep", gevent.sleep)
    lines = Films()
    assert beside_others(lambda: at(*ids), lambda: log.append("other")) == now
    assert [mark for mark, _ in groupby(log)].count("move") == len(ids) > 1
