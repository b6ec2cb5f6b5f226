"""Everything in a player's matches as one stream: in order, whole, nothing twice, from wherever it was cut off."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec import UNSET

from service.streams import player as places
from tests.service.house import House, Visitor, beside, play_out, refusal, step
from tests.service.matches.test_offers import passed
from tests.service.matches.test_receipts import sealing
from tests.service.stored import NO_SEAT, UNREADABLE, spoil
from tests.service.streams.reading import NDJSON, SSE, ids_of, lines_of, reading, stop

PATH = "/me/events"


def page(visitor: Visitor, cursor: str | None = None, **query: Any) -> dict[str, Any]:
    return dict(visitor.shown(PATH, **({"after": cursor} if cursor else {}), **query))


def bare(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is told, without from where it goes on."""
    return [item | {"cursor": ""} for item in items]


def all_after(visitor: Visitor, cursor: str, limit: int = 100) -> list[dict[str, Any]]:
    """All pages from there."""
    found: list[dict[str, Any]] = []
    while True:
        one = page(visitor, cursor, limit=limit)
        found += one["items"]
        if not one["more"]:
            return found
        cursor = one["next"]


def play_some(house: House, tables: list[tuple[str, list[Visitor]]], moves: int, seed: int = 1) -> None:
    draw = random.Random(seed)
    for _ in range(moves):
        match, players = draw.choice(tables)
        step(match, draw.sample(players, len(players)), draw)


def events_of(items: list[dict[str, Any]], match: str) -> list[dict[str, Any]]:
    """The events of the match's own log."""
    return [one["event"] for one in items if one["kind"] == "event" and one["event"]["stream"] == match]


def versions(items: list[dict[str, Any]], match: str) -> list[int]:
    return [event["version"] for event in events_of(items, match)]


@pytest.mark.sqlite
@pytest.mark.parametrize("said", [UNREADABLE, NO_SEAT])
def test_a_match_that_can_not_be_read_keeps_no_other_from_being_told(house: House, said: bytes) -> None:
    match, (ann, bob) = house.table()
    spoilt, cursor = ann.open(), page(ann)["next"]
    for one in (ann, bob):
        one.sit(spoilt)
    ann.choose(match)
    spoil(house.service, spoilt, said)
    there = House(beside(house.service)).again(ann)
    told = all_after(there, cursor)
    assert versions(told, match)
    assert not versions(told, spoilt)


def test_it_begins_with_how_things_stand(house: House) -> None:
    match, (ann, bob) = house.table()
    invited = bob.open(seats=[{"player": ann.id}, None])
    (now,) = page(ann)["items"]
    assert now["kind"] == "now"
    assert now["turns"] == ann.get("/me/turns").json["turns"]
    assert [turn["match"] for turn in now["turns"]] == [match]
    assert [one["match"] for one in now["invitations"]] == [invited]
    assert page(ann, now["cursor"])["items"] == []


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_pages_tell_all_in_all_matches_once_and_in_order(house: House, limit: int) -> None:
    people = [house.player(name) for name in ("Ann", "Bob", "Cem")]
    ann = people[0]
    begun = page(ann)["next"]
    tables = [(ann.open_with(other), [ann, other]) for other in people[1:]]
    play_some(house, tables, 6)
    items = all_after(ann, begun, limit)
    for match, _ in tables:
        told = events_of(items, match)
        shown = ann.events(match)
        assert [event["version"] for event in told] == [*range(told[0]["version"], len(shown) + 1)]
        assert [event["hash"] for event in told] == [event["hash"] for event in shown[-len(told) :]]
    assert len({one["cursor"] for one in items}) == len(items)
    for number in (0, len(items) // 2, len(items) - 1):
        assert bare(all_after(ann, items[number]["cursor"], limit)) == bare(items[number + 1 :])


@pytest.mark.parametrize("form", [NDJSON, SSE])
def test_a_stream_tells_events_and_turns_as_they_come(house: House, form: str) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    stream = reading(ann, PATH, form)
    (now,) = stream.told(1)
    assert now["kind"] == "now"
    match = bob.open(seats=[None, {"player": ann.id}])
    (invited,) = stream.told(1)
    assert invited["kind"] == "invitations"
    assert [one["match"] for one in invited["invitations"]] == [match]
    ann.sit(match)
    bob.sit(match)
    known = len(ann.events(match))
    # from where she sat down, which is version 2
    told = stream.told(known - 1 + 2)
    kinds = [one["kind"] for one in told]
    assert kinds.count("turn") == 1
    assert kinds.count("invitations") == 1
    (turn,) = [one for one in told if one["kind"] == "turn"]
    assert {name: turn[name] for name in ("match", "seat", "decision", "due")} in ann.get("/me/turns").json["turns"]
    at = told.index(turn)
    assert told[at - 1]["event"]["version"] == turn["decision"]
    assert versions(told, match) == list(range(2, known + 1))
    (end,) = stop(house, stream)[0]
    assert end["end"]["why"] == "stopping"
    if form == SSE:
        assert ids_of(stream.raw) == [one["cursor"] for one in (now, invited, *told)] + [end["end"]["after"]]
    step(match, [bob, ann], random.Random(1))
    more = page(ann, end["end"]["after"])["items"]
    assert versions(more, match) == list(range(known + 1, len(ann.events(match)) + 1))


def test_a_turn_that_was_not_told_any_more_is_told_first_when_one_goes_on(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    begun = page(ann)["next"]
    match = ann.open_with(bob)
    items = all_after(ann, begun)
    (at,) = [number for number, one in enumerate(items) if one["kind"] == "turn"]
    before = items[at - 1]["cursor"]
    assert bare(page(ann, before)["items"]) == bare(items[at:])
    assert bare(page(ann, items[at]["cursor"])["items"]) == bare(items[at + 1 :])
    # and not when it is closed by then
    ann.choose(match)
    assert "turn" not in [one["kind"] for one in page(ann, before)["items"]][:1]


def test_a_match_that_ended_meanwhile_is_told_to_its_end(house: House) -> None:
    match, (ann, bob) = house.table()
    begun = page(ann)["next"]
    while step(match, [ann, bob], random.Random(2)):
        pass
    assert house.stranger.look(match)["status"] == "finished"
    items = all_after(ann, begun)
    assert versions(items, match)[-1] == house.stranger.look(match)["version"]
    assert items[-1]["event"]["type"] == "match/Finished"
    stream = reading(ann, PATH, NDJSON, after=begun)
    assert bare(stream.told(len(items))) == bare(items)
    assert stream.is_silent()
    stop(house, stream)


def test_of_others_private_answers_nothing_is_written_and_of_ones_own_all(house: House) -> None:
    match, (ann, bob) = sealing(house)
    hers = reading(ann, PATH, SSE)
    his = reading(bob, PATH, SSE)
    hers.told(1), his.told(1)
    ann.move(match, "raise")
    (sealed,) = hers.told(1)
    assert sealed["event"]["type"] == "match/AnswerSealed"
    assert sealed["event"]["stream"] == f"{match}/seat:0"
    assert his.is_silent(0.5)
    bob.move(match, "raise")
    # the closing of all answers comes with it, or after it
    own = lines_of(his.piece() or b"")[0]
    assert own["event"]["type"] == "match/AnswerSealed"
    assert own["event"]["stream"] == f"{match}/seat:1"
    stop(house, hers, his)


def test_cursors_are_of_one_length_and_of_one_player(house: House) -> None:
    match, (ann, bob) = house.table()
    begun = page(ann)["next"]
    play_some(house, [(match, [ann, bob])], 2)
    items = all_after(ann, begun)
    assert {len(one["cursor"]) for one in items} == {len(begun)}
    for visitor, cursor in ((bob, begun), (ann, begun[:-2]), (ann, "x"), (ann, "é"), (ann, begun[1:])):
        for headers in (None, {"Accept": SSE}):
            assert refusal(visitor.get(PATH, headers, after=cursor)) == (422, "malformed-cursor"), cursor
    assert ann.get(PATH, {"Accept": SSE, "Last-Event-ID": "no such"}).status_code == 422
    assert house.service.bells.waiting == 0
    signer = house.service.signer
    place = places.unseal(signer, ann.id, begun, house.service.recorder.partitions)
    assert places.unseal(signer, ann.id, places.seal(signer, ann.id, place), len(place.positions)) == place


def test_a_stream_that_is_cut_off_after_any_item_goes_on_with_the_next(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    begun = page(ann)["next"]
    tables = [(ann.open_with(bob, pack="flat"), [ann, bob]) for _ in range(3)]
    play_some(house, tables, 8)
    whole = all_after(ann, begun)
    for at in (0, len(whole) // 2, len(whole) - 1):
        stream = reading(ann, PATH, SSE, last=whole[at]["cursor"])
        # turns that are closed by now are told no more, others as before
        assert bare(stream.told(len(whole) - at - 1)) == bare(whole[at + 1 :])
        stop(house, stream)


def log_of(house: House, player: Visitor) -> places.PlayerLog:
    """What the player is told from now on."""
    service, asker = house.service, house.service.accounts.asker(player.token)
    log = places.PlayerLog(service.recorder, service.views, service.seats, service.signer, asker, None)
    log.begin(None)
    return log


def test_what_is_left_of_a_match_that_has_ended_comes_however_little_is_sent_at_a_time(house: House) -> None:
    match, players = house.table()
    log = log_of(house, players[0])
    before = house.stranger.look(match)["version"]
    play_out(match, players)
    # only the first look is told where something has happened
    sent = [*log.look({match}, 5)]
    while log.has_more:
        sent += log.look(set(), 5)
    told = [one.event.version for one in sent if one.event is not UNSET and one.event.stream == match]
    assert told == list(range(before + 1, house.stranger.look(match)["version"] + 1))


def test_of_what_came_before_one_sat_down_again_nothing_is_told(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    log = log_of(house, ann)
    match = bob.open(seats=[None, None, None])
    ann.sit(match)

    def told() -> list[int]:
        items = [one.event for one in log.look({match}) if one.event is not UNSET]
        return [event.version for event in items if event.stream == match]

    assert told() == [2]
    ann.delete(f"/matches/{match}/seats")
    bob.sit(match)
    ann.sit(match)
    assert [event["type"] for event in ann.events(match)][2:] == ["match/SeatLeft", *["match/SeatTaken"] * 2]
    assert told() == [5]
    bob.delete(f"/matches/{match}/seats")
    assert told() == [6]


def test_who_gets_a_seat_is_told_nothing_that_came_before_nor_what_it_answered_under_seal(house: House) -> None:
    match, players = sealing(house)
    eve = house.player("Eve")
    begun = page(eve)["next"]
    for player in players:
        player.move(match, "raise")
    passed(house, match, players, 0, eve)
    told = events_of(all_after(eve, begun), match) + events_of(all_after(eve, begun), f"{match}/seat:0")
    assert [event["type"] for event in told] == ["match/SeatPassedOn"]
