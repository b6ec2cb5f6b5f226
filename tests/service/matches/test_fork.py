"""Going on from a match that is over: forks, what they tell of their seats and of that match; the same once more."""

from __future__ import annotations

import json
import random
from functools import partial
from typing import Any

import msgspec
import pytest

from domain import clocks
from events.chain import secrets_of
from replays.files import exports
from tests.service.house import THREE_MAGIC, Answer, House, Visitor, beside, each, play_out, refusal, step
from tests.service.matches.test_lobby import link_of
from tests.service.matches.test_receipts import assert_holds
from tests.service.matches.test_rows import TERMS, happen, row_of
from tests.service.together import at_once, meanwhile


def fork(visitor: Visitor, match: str, version: int, seats: Any = (None, None), **more: Any) -> Answer:
    key = more.pop("key", None)
    return visitor.post(f"/matches/{match}/fork", {"version": version, "seats": list(seats), **more}, key)


def points(house: House, match: str) -> tuple[int, ...]:
    return exports.fork_points(house.service.states.log(match))


def test_a_fork_is_opened_like_any_match_and_its_bots_sit_down_at_once(house: House) -> None:
    match, (ann, _) = house.played()
    version = points(house, match)[1]
    answer = fork(ann, match, version)
    made, old = answer.json, ann.look(match)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/matches/{made['id']}")
    assert (made["status"], made["forked"]) == ("open", {"match": match, "version": version})
    assert old["forked"] is None
    for name in ("game", "options", "rules"):
        assert made[name] == old[name]
    assert (made["opening"]["type"], made["opening"]["secret"]) == ("match/Opened", {})
    assert_holds(house, made["receipt"], made["opening"])
    assert ann.events(made["id"])[1]["type"] == "match/Forked"
    assert house.stranger.get("/matches", seat="free").json["matches"][0]["id"] == made["id"]
    bots = fork(ann, match, points(house, match)[0], [{"bot": "greedy"}, {"bot": "random"}]).json
    assert bots["status"] == "playing"
    asked = house.worker.get(f"/matches/{bots['id']}/bots").json["decisions"]
    assert [one["bot"] for one in asked] == ["greedy", "random"]
    mixed = fork(ann, match, version, [{"bot": "greedy"}, {"player": ann.id}]).json
    assert [seat["bot"] for seat in mixed["seats"]] == ["greedy", None]
    assert mixed["seats"][1]["reserved"]["id"] == ann.id


def test_it_goes_on_where_the_other_stood_with_the_same_hidden_cards(house: House) -> None:
    match, players = house.played()
    for version in points(house, match):
        then = [player.get(f"/matches/{match}/at/{version}", seat=seat).json for seat, player in enumerate(players)]
        made = fork(players[0], match, version).json["id"]
        places = house.stranger.look(made)["view"]["places"]
        assert [place["chips"] for place in places] == [place["chips"] for place in then[0]["view"]["places"]]
        assert any(None in place["hand"] for place in places), "what was hidden then is hidden again"
        each(players, made, "seats")
        for seat, player in enumerate(players):
            now = player.look(made)
            seen, text = then[seat]["view"], then[seat]["text"].replace(f"Player {seat}", "You")
            assert (now["status"], now["view"], now["text"]) == ("playing", seen, text)
        play_out(made, players, seed=version)
        assert house.stranger.look(made)["status"] == "finished"


def test_a_match_that_runs_or_never_started_has_no_fork(house: House) -> None:
    match, (ann, _) = house.table()
    assert refusal(fork(ann, match, 8)) == (409, "match-not-over")
    opened = ann.open()
    assert fork(ann, opened, 1).json["code"] == "match-not-over"
    ann.post(f"/matches/{opened}/abort")
    never = fork(ann, opened, 1)
    assert (never.status_code, never.json["code"], never.json["nearest"]) == (409, "fork-point", [])


def test_where_nobody_was_asked_the_nearest_versions_are_named(house: House) -> None:
    match, (ann, _) = house.played()
    known, head = points(house, match), ann.look(match)["version"]
    for version in range(1, head + 2):
        answer = fork(ann, match, version)
        if version in known:
            assert answer.status_code == 201
            continue
        assert refusal(answer) == (409, "fork-point")
        below = [point for point in known if point < version][-1:]
        above = [point for point in known if point > version][:1]
        assert answer.json["nearest"] == below + above != []


def test_a_fork_that_can_not_be_opened(house: House) -> None:
    match, (ann, _) = house.played()
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({"seats": [None]}, 422, "seats"),
        ({"seats": [None] * 3}, 422, "seats"),
        ({"seats": [{"bot": "deep-blue"}, None]}, 422, "unknown-bot"),
        ({"seats": [{"player": "p_none"}, None]}, 404, "unknown-player"),
        *(({"version": version}, 422, "malformed") for version in (0, "8", 10**30)),
        ({"seats": []}, 422, "malformed"),
        ({"visibility": "secret"}, 422, "malformed"),
        ({"pack": "flat"}, 422, "malformed"),
    ]
    for body, status, code in wrong:
        answer = ann.post(f"/matches/{match}/fork", {"version": 8, "seats": [None, None], **body})
        assert refusal(answer) == (status, code), body
    assert len(house.service.recorder.matches()) == 1


def test_a_fork_of_a_fork_is_exported_with_all_that_it_goes_on_from(house: House) -> None:
    chain = []
    match, players = house.played()
    for _ in range(2):
        chain.append(match)
        match = fork(players[0], match, points(house, match)[1]).json["id"]
        each(players, match, "seats")
        step(match, players, random.Random(2))
        house.operator.post(f"/matches/{match}/abort")
    found = house.stranger.export(match)
    streams = list(dict.fromkeys(event.stream for event in found.events))
    # what was dealt may have asked somebody under seal
    assert [stream for stream in streams if "/" not in stream] == [match, *reversed(chain)]
    assert [receipt.stream for receipt in found.receipts] == streams


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


def every_answer(visitor: Visitor, match: str) -> list[Answer]:
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
        beside = every_answer(house.stranger, made)
        seated = eve.post(f"/matches/{made}/seats", {"seat": seat})
        assert seated.status_code == 200
        answers = every_answer(eve, made)
        assert answers[0].json["seat"] == seat
        assert without_seat(seated)["view"] == beside[0].json["view"]
        for mine, theirs in zip(answers[:2], beside, strict=False):
            assert (mine.json["view"], mine.json["standing"]) == (theirs.json["view"], theirs.json["standing"])
        assert all(event["secret"] == {} for event in answers[3].json["events"])
        assert answers[4].json["events"] == []
        lines = answers[5].data.splitlines()
        assert json.loads(lines[0])["viewer"] is None
        assert all(json.loads(line).get("secret", {}) == {} for line in lines[1:])
        assert [without_seat(one)["view"] for one in answers[6:]] == [without_seat(one)["view"] for one in beside[6:]]
        left = eve.delete(f"/matches/{made}/seats")
        assert left.json["view"] == beside[0].json["view"]
    players = [house.player(f"Player {seat}") for seat in range(count)]
    each(players, made, "seats")
    for seat, player in enumerate(players):
        values = [one["value"] for event in player.events(made) for one in event["secret"].values()]
        told = [msgspec.json.encode(value).decode() for value in values if value is not None]
        assert told[: len(hidden[seat])] == hidden[seat], "now the seat is final"
        assert player.look(made)["view"] != house.stranger.look(made)["view"]


def test_bots_of_a_fork_are_shown_nothing_before_the_start_either_and_it_stays_untold(house: House) -> None:
    match, (ann, *_) = house.played()
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


def test_who_looks_while_a_fork_starts_is_told_one_thing_or_the_other(house: House) -> None:
    """The last seat is taken between the two readings that a look is made of."""
    match, (ann, bob) = house.played()
    made = fork(ann, match, points(house, match)[0]).json["id"]
    ann.sit(made)
    with meanwhile(lambda: bob.sit(made), house.service.states, "known"):
        look, moves = ann.look(made), ann.moves(made)
    assert (look["status"], look["seat"], look["decision"]) == ("playing", 0, moves["decision"])
    assert look["view"] == ann.look(made)["view"] != house.stranger.look(made)["view"]


def over(house: House, **more: Any) -> tuple[str, list[Visitor]]:
    """A match of two people and a bot that was broken off, with everything that can be wanted."""
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open(seats=[{"player": ann.id}, {"bot": "greedy"}, {"player": bob.id}], **more)
    happen(house, match, lambda position: clocks.set_clock(position.truth, TERMS))
    each((ann, bob), match, "seats")
    each((ann, bob), match, "abort")
    return match, [ann, bob]


def again(visitor: Visitor, match: str, key: str | None = None) -> Any:
    return visitor.post(f"/matches/{match}/rematch", key=key)


def test_everything_is_as_before_but_the_seats_which_go_round(house: House) -> None:
    match, (ann, bob) = over(house, options={"rounds": 3}, pack="flat", visibility="private")
    answer = again(bob, match)
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/matches/{answer.json['id']}")
    assert (answer.json["opening"]["type"], answer.json["status"]) == ("match/Opened", "open")
    new, old = answer.json, ann.look(match)
    for name in ("game", "visibility", "options", "clock"):
        assert new[name] == old[name], name
    assert new["options"] == {"rounds": 3}
    assert new["rules"] == old["rules"]
    seats = [(seat["bot"], (seat["reserved"] or {}).get("id")) for seat in new["seats"]]
    assert seats == [("greedy", None), (None, bob.id), (None, ann.id)]
    assert new["rematch"] == {"of": match, "next": None}
    assert old["rematch"] == {"of": None, "next": new["id"]}
    assert row_of(house, match, ann)["rematch"]["next"] == new["id"]
    for player, seat in ((ann, 2), (bob, 1)):
        assert player.post(f"/matches/{new['id']}/invitations/accept").json["seat"] == seat
    play_out(new["id"], [ann, bob], most=1)
    assert house.service.states.log(match).secret != house.service.states.log(new["id"]).secret


def test_of_many_who_ask_at_once_in_two_processes_all_get_the_same_one(house: House) -> None:
    match, players = over(house)
    houses = [house, House(beside(house.service))]
    answers = at_once(*[partial(again, there.again(one), match) for there in houses for one in players] * 2)
    assert len({answer.json["id"] for answer in answers}) == 1
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len(house.stranger.get("/matches").json["matches"]) == 2


def test_whoever_played_gets_the_same_one_which_has_a_link_of_its_own(house: House) -> None:
    match, (ann, bob) = over(house, visibility="link")
    tag = ann.get(f"/matches/{match}").headers["ETag"]
    assert ann.get(f"/matches/{match}", {"If-None-Match": tag}).status_code == 304
    old = link_of(ann, match)
    assert refusal(house.player("Eve").post(f"/matches/{match}/rematch", link=old)) == (403, "not-seated")
    assert again(house.player("Eve"), match).status_code == 404
    answers = again(ann, match, "k"), again(bob, match), again(ann, match, "k")
    assert [one.status_code for one in answers] == [201, 200, 201]
    (new,) = {one.json["id"] for one in answers}
    assert len(ann.get("/matches").json["matches"]) == 2
    assert ann.get(f"/matches/{match}", {"If-None-Match": tag}).status_code == 200
    assert house.stranger.get(f"/matches/{new}", link=old).status_code == 404
    assert house.stranger.get(f"/matches/{new}", link=link_of(ann, new)).status_code == 200


def test_who_has_declined_a_rematch_that_only_its_players_may_see_is_told_so(house: House) -> None:
    match, (ann, bob) = over(house, visibility="private")
    new = again(ann, match).json["id"]
    bob.delete(f"/matches/{new}/invitations")
    assert refusal(again(bob, match)) == (409, "not-invited")
    assert again(ann, match).json["id"] == new


def test_whoever_was_awaited_until_it_was_called_off_is_awaited_again_and_may_ask_for_it(house: House) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    called_off = ann.open(seats=[{"player": one.id} for one in (ann, bob, eve)], visibility="private")
    ann.sit(called_off)
    assert ann.post(f"/matches/{called_off}/abort").status_code == 200
    eve.delete("/me", {"confirm": eve.id})
    answer = again(bob, called_off)
    assert answer.status_code == 201, answer.json
    kept = [seat["reserved"] and seat["reserved"]["id"] for seat in answer.json["seats"]]
    assert kept == [bob.id, None, ann.id], "also who had not sat down; the seat of who is gone is free"
    assert again(ann, called_off).json["id"] == answer.json["id"]


def test_a_rematch_has_a_rematch(house: House) -> None:
    ann = house.player()
    match = ann.open(seats=[{"bot": "random"}, {"bot": "greedy"}])
    assert again(ann, match).json["code"] == "not-over"
    ids = [match]
    for _ in range(2):
        house.operator.post(f"/matches/{ids[-1]}/abort")
        answer = again(ann, ids[-1])
        assert answer.json["status"] == "playing"
        ids.append(answer.json["id"])
    bots = [[seat["bot"] for seat in house.stranger.look(one)["seats"]] for one in ids]
    assert bots == [["random", "greedy"], ["greedy", "random"], ["random", "greedy"]]
