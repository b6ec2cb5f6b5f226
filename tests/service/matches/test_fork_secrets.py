"""What a fork tells, of its seats and of the match that it goes on from."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from domain.matches import Match
from events.chain import secrets_of
from replays.log import Log, Viewer
from tests.service.house import THREE_MAGIC, Answer, House, Visitor
from tests.service.matches.test_fork import fork, over, points


def seats_of(house: House, match: str, version: int) -> list[list[str]]:
    """The hidden values of a fork that each seat may read, as they stand in the log."""
    log = house.service.states.log(match)
    return [
        [
            str(value)
            for event in log.store.read(match)
            for path, one in secrets_of(event).items()
            if seat in one.readers and (value := bytes(one.value).decode()) != "null"
        ]
        for seat in range(version)
    ]


def every_answer(house: House, visitor: Visitor, match: str) -> list[Answer]:
    """What somebody is answered about a match, by every route."""
    return [
        visitor.get(f"/matches/{match}"),
        visitor.get(f"/matches/{match}", wait=0, lang="ja"),
        visitor.get(f"/matches/{match}/moves"),
        visitor.get(f"/matches/{match}/events", limit=1000),
        visitor.get(f"/matches/{match}/events", limit=1000, private="true"),
        visitor.get(f"/matches/{match}/export"),
        *(visitor.get(f"/matches/{match}/at/{version}") for version in (2, 3, 4)),
    ]


def without_seat(answer: Answer) -> Any:
    body = dict(answer.json)
    return body | ({"seat": None} if "seat" in body else {})


@pytest.mark.parametrize(("game", "count"), [("high-card", 3), (THREE_MAGIC, 3)])
def test_before_the_start_of_a_fork_who_sits_is_shown_what_anybody_is(house: House, game: str, count: int) -> None:
    match, (ann, *_) = house.table(game, count)
    house.operator.post(f"/matches/{match}/abort")
    made = fork(ann, match, points(house, match)[0], [None] * count).json["id"]
    hidden = seats_of(house, made, count)
    assert all(hidden), "there is something to hide"
    eve = house.player("Eve")
    for seat in range(count):
        beside = every_answer(house, house.stranger, made)
        seated = eve.post(f"/matches/{made}/seats", {"seat": seat})
        assert seated.status_code == 200
        answers = every_answer(house, eve, made)
        assert answers[0].json["seat"] == seat
        assert without_seat(seated)["view"] == beside[0].json["view"]
        for mine, theirs in zip((answers[0], answers[1]), beside, strict=False):
            assert [mine.json[name] for name in ("view", "standing")] == [
                theirs.json[name] for name in ("view", "standing")
            ]
        assert all(event["secret"] == {} for event in answers[3].json["events"])
        assert answers[4].json["events"] == []
        lines = answers[5].data.splitlines()
        assert json.loads(lines[0])["viewer"] is None
        assert all(json.loads(line).get("secret", {}) == {} for line in lines[1:])
        assert [without_seat(one)["view"] for one in answers[6:]] == [without_seat(one)["view"] for one in beside[6:]]
        left = eve.delete(f"/matches/{made}/seats")
        assert left.json["view"] == beside[0].json["view"]
    players = [house.player(f"Player {seat}") for seat in range(count)]
    for seat, player in enumerate(players):
        player.sit(made, seat=seat)
    for seat, player in enumerate(players):
        told = [
            msgspec.json.encode(one["value"]).decode()
            for event in player.events(made)
            for one in event["secret"].values()
        ]
        assert [one for one in told if one != "null"][: len(hidden[seat])] == hidden[seat], "now the seat is final"
        assert player.look(made)["view"] != house.stranger.look(made)["view"]


def test_bots_of_a_fork_are_shown_nothing_before_the_start_either_and_it_stays_untold(house: House) -> None:
    match, (ann, *_) = over(house)
    opened = fork(ann, match, points(house, match)[0], [{"bot": "random"}, None]).json
    made, before = opened["id"], house.stranger.look(opened["id"])

    def told() -> bool:
        """Whether the bot is told of any secret."""
        events = house.worker.get(f"/matches/{made}/events", seat=0, limit=1000).json["events"]
        return any(event["secret"] for event in events)

    assert house.worker.get(f"/matches/{made}", seat=0).json["view"] == before["view"]
    assert not told()
    ann.sit(made)
    assert told()
    then = ann.get(f"/matches/{made}/at/{opened['version']}").json
    assert (then["seat"], then["view"]) == (1, before["view"])
    # now the seat has a name
    assert then["text"] == before["text"].replace("Seat 1", ann.look(made)["seats"][1]["player"]["name"])


def test_a_fork_of_a_private_match_is_private(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open(seats=[None, {"player": bob.id}], visibility="private")
    for player in (ann, bob):
        player.sit(match)
    house.operator.post(f"/matches/{match}/abort")
    version = points(house, match)[0]
    refused = fork(ann, match, version, visibility="public")
    assert (refused.status_code, refused.json["code"]) == (409, "parent-private")
    made = fork(ann, match, version, [None, {"player": bob.id}]).json
    assert made["visibility"] == "private"
    for stranger in (eve, house.stranger):
        for path in ("", "/events", "/export", "/at/2", "/moves"):
            assert stranger.get(f"/matches/{made['id']}{path}").json["code"] == "unknown-match"
        assert stranger.get("/matches").json["matches"] == []
    assert eve.post(f"/matches/{made['id']}/seats").json["code"] == "unknown-match"
    ann.post(f"/matches/{made['id']}/abort")
    again = fork(ann, made["id"], version=version, visibility="public")
    assert again.json["code"] in {"fork-point", "parent-private"}
    assert eve.get(f"/matches/{made['id']}/export").status_code == 404, "also when it is over"


def test_who_looks_while_a_fork_starts_is_told_one_thing_or_the_other(house: House) -> None:
    """The last seat is taken between the two readings that a look is made of."""
    match, (ann, bob) = over(house)
    made = fork(ann, match, points(house, match)[0]).json["id"]
    ann.sit(made)
    tables = house.service.states
    known, meanwhile = tables.known, [lambda: bob.sit(made)]

    def started(log: Log, viewer: Viewer) -> Match[Any]:
        if meanwhile:
            meanwhile.pop()()
        return known(log, viewer)

    tables.known = started  # type: ignore[method-assign]
    try:
        look, moves = ann.look(made), ann.moves(made)
    finally:
        del tables.known
    assert meanwhile == []
    assert (look["status"], look["seat"], look["decision"]) == ("playing", 0, moves["decision"])
    assert look["view"] == ann.look(made)["view"] != house.stranger.look(made)["view"]
