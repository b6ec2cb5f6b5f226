"""Rules that have changed under a match: it is looked at as before, not judged by others, and played on by its own."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest
from markupsafe import escape

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from replays.checking.audit import audit
from replays.files import exports
from service import wiring
from service.config import Config
from service.store import turns
from service.web.pages.replay import REVIEW
from service.wiring import Service
from tests.service.accounts.insiders import leave
from tests.service.clocks.timing import bots_play
from tests.service.house import HIGH_CARD, House, Visitor, build, each, games, play_out, refusal, step
from tests.service.jobs.workrun import Work, bot_player, reviewer
from tests.service.matches.test_fork import fork
from tests.service.matches.test_receipts import assert_holds, sealing
from tests.service.web.pages.browsing import Browser


def guess(*_: Any) -> NoReturn:
    """What only the match's own rules may be asked."""
    raise AssertionError("judged by other rules")


def later() -> Catalogue:
    """The games of a later release, in which High Card has other rules."""
    found = Catalogue((domain.games, tests.toy))
    room = found.rooms[HIGH_CARD]
    judging = ("legal", "decide", "forced", "close", "default", "standing", "setup", "evaluate")
    changes: dict[str, Any] = {"version": 2, **dict.fromkeys(judging, guess)}
    room.game = dataclasses.replace(room.game, **changes)
    return found


def served(house: House, catalogue: Catalogue) -> House:
    """The same store, served by another release."""
    house.service.close()
    return House(wiring.build(dataclasses.replace(house.service.config, take_over=True), catalogue=catalogue))


def released(house: House) -> House:
    """The same store, served by the later release."""
    return served(house, later())


def same(before: dict[str, Any], after: dict[str, Any], *but: str) -> None:
    """The two looks are the same, except for these."""
    assert {name: one for name, one in after.items() if name not in but} == {
        name: one for name, one in before.items() if name not in but
    }


def test_it_is_looked_at_as_before_but_nobody_is_said_to_be_asked(house: House) -> None:
    match, players = sealing(house)
    players[0].move(match, "raise")
    visitors = [*players, house.stranger]
    looks = [visitor.look(match) for visitor in visitors]
    tags = [visitor.get(f"/matches/{match}").headers["ETag"] for visitor in visitors]
    events = [visitor.events(match) for visitor in visitors]
    private = players[0].events(match, private="true")
    exports = [visitor.get(f"/matches/{match}/export").data for visitor in visitors]
    owed = house.service.recorder.decisions()
    assert [decision.seat for decision in owed] == [1]
    assert looks[1]["decision"] is not None
    with released(house) as there:
        for before, tag, told, visitor in zip(looks, tags, events, visitors, strict=True):
            found = there.again(visitor)
            after = found.look(match)
            same(before, after, "playable", "decision", "to_act", "sealed", "standing")
            assert (before["playable"], after["playable"]) == (True, False)
            assert (after["decision"], after["to_act"], after["sealed"], after["standing"]) == (None, [], False, None)
            assert found.get(f"/matches/{match}", {"If-None-Match": tag}).status_code == 200
            assert found.events(match) == told
        assert [there.again(visitor).get(f"/matches/{match}/export").data for visitor in visitors] == exports
        assert there.again(players[0]).events(match, private="true") == private
        then = there.stranger.get(f"/matches/{match}/at/9").json
        assert (then["version"], then["standing"]) == (9, None)
        assert there.again(players[1]).get("/me/turns").json == {"turns": []}
        assert there.service.recorder.decisions() == ()
        new = there.stranger.look(there.player().open())
        assert (new["rules"]["version"], new["playable"]) == (2, True)
    with served(house, games()) as there:
        assert there.service.recorder.decisions() == owed, "the sealed answer is remembered"
        assert there.again(players[1]).move(match, "pass").json["receipt"] is not None


def test_whatever_would_be_judged_is_refused(house: House) -> None:
    match, players = house.table()
    now, theirs = (player.moves(match) for player in players)
    moved = players[1].move(match, theirs["moves"][0]["id"], theirs["decision"], key="m").json
    opened = players[0].open_with()
    over, _ = house.table()
    house.operator.post(f"/matches/{over}/abort")
    with released(house) as there:
        ann, bob = (there.again(player) for player in players)
        for where, answer in (
            (match, ann.get(f"/matches/{match}/moves")),
            (match, ann.move(match, now["moves"][0]["id"], now["decision"])),
            (match, ann.move(match, now["moves"][0]["move"], now["decision"], key="k")),
            (opened, bob.post(f"/matches/{opened}/seats")),
            (opened, ann.delete(f"/matches/{opened}/seats")),
            (over, ann.post(f"/matches/{over}/fork", {"version": 8, "seats": [None, None]})),
        ):
            assert refusal(answer) == (409, "other-rules")
            assert answer.json["detail"].startswith(f"{where} is played by version 1 of high-card; at hand here: 2. ")
        assert ann.look(match)["version"] == moved["version"]
        again = bob.move(match, theirs["moves"][0]["id"], theirs["decision"], key="m")
        same(moved, again.json, "decision", "moves")
        assert (again.status_code, again.json["decision"], again.json["moves"]) == (200, None, [])


def test_what_was_found_out_of_it_stays_with_its_moves_by_their_ids(house: House) -> None:
    ann, match, now = house.player(), "", dict[str, Any]()
    while now.get("decision") is None:
        match = ann.open_with(seats=[None, {"bot": "greedy"}])
        now = ann.moves(match)
    ann.post(f"/matches/{match}/hints", {"decision": now["decision"]})
    weighed = [{"move": one["id"], "share": 0.5, "behind": 0.0, "error": 0.0} for one in now["moves"]]
    thought = {"seat": 0, "decision": now["decision"], "weighed": weighed}
    assert house.worker.post("/thoughts", {"match": match, "hints": [thought]}).status_code == 200
    while house.stranger.look(match)["status"] != "finished":
        bots_play(house, match)
        play_out(match, [ann], most=1)
    paths = [f"/matches/{match}/reviews/{seat}" for seat in (0, 1)]
    ann.post(f"/matches/{match}/reviews", {"seat": 0})
    reviewer(house).review([match], lambda: False)
    review, moments, hints = (ann.shown(path) for path in (paths[0], "/me/moments", f"/matches/{match}/hints"))
    assert review["state"] == hints["hints"][0]["state"] == "done"
    assert REVIEW["en"]["go"] in Browser(house, who=ann).look(paths[1])
    assert f'action="{paths[0]}"' in Browser(house, who=ann).look(f"/matches/{match}")
    costly = [moment["decision"] for moment in moments["moments"]]
    for one in (*review["decisions"], *costly, *hints["hints"]):
        for move in one["moves"]:
            assert move["text"] != move["move"]
            move["text"] = move["move"]
    catalogue, standing = later(), games().game(HIGH_CARD).standing
    room = catalogue.rooms[HIGH_CARD]
    # a film tells points, also by rules that only read
    room.game = dataclasses.replace(room.game, standing=standing)
    with served(house, catalogue) as there:
        found = there.again(ann)
        assert found.shown(paths[0]) == review
        assert found.shown("/me/moments") == moments
        assert found.shown(f"/matches/{match}/hints") == hints
        browser = Browser(there, who=found)
        assert all(one["move"] in browser.look(paths[0]) for one in review["decisions"])
        assert refusal(found.post(f"/matches/{match}/reviews", {"seat": 1})) == (409, "other-rules")
        page = browser.look(paths[1])
        assert escape(REVIEW["en"]["no-rules"].format(version=1)) in page
        assert REVIEW["en"]["go"] not in page
        assert f'action="{paths[0]}"' not in browser.look(f"/matches/{match}"), "what can't be found out is not offered"


def test_it_is_broken_off_like_any_other(house: House) -> None:
    match, players = house.table()
    opened = players[0].open()
    with released(house) as there:
        answer = each(map(there.again, players), match, "abort").json
        assert answer["status"] == "aborted"
        assert_holds(there, answer["receipt"], there.stranger.events(match)[-1])
        assert None not in there.stranger.look(match)["view"]["places"][0]["hand"]
        assert there.operator.post(f"/matches/{opened}/abort").json["status"] == "aborted"


def test_who_erases_their_account_has_agreed_to_break_it_off(house: House) -> None:
    match, (ann, bob) = house.table()
    with released(house) as there:
        assert leave(there.again(ann)).status_code == 204
        answer = there.again(bob).post(f"/matches/{match}/abort")
        assert answer.json["status"] == "aborted"


def test_a_match_that_is_over_keeps_its_result(house: House) -> None:
    match, players = house.played()
    before = house.stranger.look(match)
    with released(house) as there:
        after = there.stranger.look(match)
        same(before, after, "playable", "standing")
        ann = there.again(players[0])
        assert ann.moves(match) == {"game": "high-card", "decision": None, "moves": []}
        assert ann.move(match, "raise", 8).json["code"] == "match-finished"
        assert after["result"]["points"] == before["result"]["points"]
        found = there.stranger.export(match)
        assert (found.header.rules, found.header.status) == (1, "finished")


def swept(service: Service) -> list[str]:
    """The matches in which a sweep finds that bots are asked."""
    return [owed.match for owed in turns.owed_after(service.recorder, turns.FIRST, 500)[0]]


def test_its_bots_are_not_asked_until_its_rules_are_back(house: House) -> None:
    ann = house.player()
    match = ann.open_with(seats=[None, {"bot": "random"}, {"bot": "greedy"}])
    before, look = house.service.recorder.decisions(), ann.look(match)
    assert swept(house.service) == [match]
    with released(house) as there:
        assert swept(there.service) == []
        assert there.worker.get(f"/matches/{match}/bots").json == {"decisions": []}
    with released(house) as there:
        assert swept(there.service) == []
    with served(house, games()) as there:
        assert there.service.recorder.decisions() == before
        assert there.again(ann).look(match) == look
        assert swept(there.service) == [match]
        assert there.again(ann).choose(match).status_code == 200


def test_a_worker_of_another_release_leaves_it_alone(house: House) -> None:
    match = house.player().open(seats=[{"bot": "random"}, {"bot": "greedy"}])
    version = house.stranger.look(match)["version"]
    worker, work = bot_player(house), Work(match)
    worker._catalogue = later()
    assert worker.play(work, 5) == 0
    assert work.failed == [match]
    assert house.stranger.look(match)["version"] == version


GAME = "magicative"


def of_version(version: int) -> Catalogue:
    """The games of the release that had this version of MAGICATIVE's rules."""
    found = Catalogue((domain.games, tests.toy))
    game = found.rooms[GAME].game.by(version)
    assert game is not None
    found.rooms[GAME].game = game
    return found


@pytest.fixture
def begun(config: Config) -> Iterator[tuple[House, str, list[Visitor]]]:
    """A match of two people that was begun under version 2, in the house of the newest."""
    with House(wiring.build(config, catalogue=of_version(2))) as older:
        match, players = older.table(GAME)
        draw = random.Random(4)
        for _ in range(12):
            assert step(match, players, draw)
        assert older.stranger.look(match)["rules"]["version"] == 2
    with House(build(config)) as newer:
        yield newer, match, [newer.again(player) for player in players]


def test_all_of_it_but_its_rematch_is_judged_by_its_own_version(begun: tuple[House, str, list[Visitor]]) -> None:
    house, match, players = begun
    look = players[0].look(match)
    assert (look["rules"]["version"], look["playable"]) == (2, True)
    asked = next(player for player in players if player.moves(match)["decision"])
    trial = asked.get(f"/matches/{match}/trial").json
    assert [one["id"] for one in trial["moves"]] == [one["id"] for one in asked.moves(match)["moves"]]
    assert asked.post(f"/matches/{match}/orders", {"play": [{"type": "Discard"}]}).status_code == 201
    play_out(match, players)
    again = players[0].post(f"/matches/{match}/rematch").json
    assert (again["rules"]["version"], again["playable"]) == (3, True)
    each(players, again["id"], "invitations/accept")
    play_out(again["id"], players, most=6)
    forked = fork(players[0], match, exports.fork_points(house.service.states.log(match))[8]).json
    assert (forked["rules"]["version"], forked["playable"]) == (2, True)
    each(players, forked["id"], "seats")
    play_out(forked["id"], players)
    for played in (match, forked["id"]):
        file = house.stranger.export(played)
        report = audit(file, games())
        assert (file.header.rules, file.header.status) == (2, "finished")
        assert (report.ok, report.failures, report.not_checked) == (True, (), ())
    assert house.stranger.look(house.player().open(GAME))["rules"]["version"] == 3


def test_bots_play_on_in_it(config: Config) -> None:
    with House(wiring.build(config, catalogue=of_version(2))) as older:
        match = older.player().open(GAME, seats=[{"bot": "random"}, {"bot": "greedy"}])
    with House(build(config)) as newer:
        version = newer.stranger.look(match)["version"]
        assert bot_player(newer).play(Work(match), 5) > 0
        assert newer.stranger.look(match)["version"] > version
