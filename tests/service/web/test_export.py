"""A match taken home as a file."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from events import receipts
from events.chain import Head
from events.receipts import Receipt
from replays.files.format import ALL, Export
from replays.log import TRUTH, Log
from service.run.rotate import rotate
from service.web.routes.exports import file_name
from tests.service.house import THREE_MAGIC, Answer, House, Visitor, games, play_out, refusal
from tests.service.matches.test_receipts import keys, sealing


def export(visitor: Visitor, match: str, **query: Any) -> Answer:
    answer = visitor.get(f"/matches/{match}/export", **query)
    assert answer.status_code == 200, answer.json
    return answer


def test_anybody_may_take_home_what_anybody_may_see_and_nothing_is_sent_again(house: House) -> None:
    match, (ann, bob) = sealing(house)
    ann.move(match, "raise")
    answer = export(house.stranger, match)
    assert answer.mimetype == "application/x-ndjson"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{match}.jsonl"'
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    header, events, signed = msgspec.structs.astuple(house.stranger.export(match))
    assert (header.match, header.viewer, header.status) == (match, None, "playing")
    assert header.version == house.stranger.look(match)["version"]
    assert {event.stream for event in events} == {match}
    assert not any(event.secret for event in events)
    assert [receipt.stream for receipt in signed] == [match]
    assert export(house.player("Eve"), match).data == answer.data
    head = house.send("HEAD", f"/api/matches/{match}/export")
    assert (head.status_code, head.data, head.headers["Content-Length"]) == (200, b"", str(len(answer.data)))
    head.close()

    known: dict[Visitor, str] = {}

    def again() -> list[int]:
        answers = [
            visitor.get(f"/matches/{match}/export", headers={"If-None-Match": tag}) for visitor, tag in known.items()
        ]
        assert all("Authorization" in answer.headers["Vary"] for answer in answers)
        return [answer.status_code for answer in answers]

    known |= {visitor: export(visitor, match).headers["ETag"] for visitor in (ann, bob, house.stranger)}
    assert len(set(known.values())) == 3
    assert again() == [304] * 3
    bob.move(match, "raise")
    assert again() == [200] * 3
    known = {house.stranger: export(house.stranger, match).headers["ETag"]}
    rotate(house.service.config)
    assert again() == [200], "another key signs"


def test_a_seat_takes_its_private_log_home_too_and_nobody_elses(house: House) -> None:
    match, players = sealing(house)
    tags = [export(player, match).headers["ETag"] for player in players]
    players[0].move(match, "raise")
    assert [export(player, match).headers["ETag"] == tag for player, tag in zip(players, tags, strict=True)] == [
        False,
        True,
    ], "a private log has grown"
    players[1].move(match, "raise")
    for seat, player in enumerate(players):
        found = player.export(match)
        assert found.header.viewer == seat
        assert {event.stream for event in found.events} == {match, f"{match}/seat:{seat}"}
        assert [receipt.stream for receipt in found.receipts] == [match, f"{match}/seat:{seat}"]
        assert {seat} == {one for event in found.events for told in event.secret.values() for one in told.readers}
        assert export(player, match, seat=seat).data == export(player, match).data
    assert refusal(players[1].get(f"/matches/{match}/export", seat=0)) == (403, "not-your-seat")
    match = players[0].open(seats=[None, {"bot": "random"}])
    assert house.stranger.export(match).header.status == "open"
    players[0].sit(match)
    assert house.worker.export(match, seat=1).header.viewer == 1, "workers take home what their bot may see"
    assert house.worker.get(f"/matches/{match}/export", seat=0).json["code"] == "not-your-seat"


def test_a_match_that_is_over_is_taken_home_whole_by_everybody(house: House) -> None:
    match, players = house.played(game=THREE_MAGIC, seats=3, options={"laps": 1})
    whole = export(house.stranger, match)
    assert all(export(player, match).data == whole.data for player in players)
    found = house.stranger.export(match)
    assert (found.header.viewer, found.header.status) == (ALL, "finished")
    log = house.service.states.log(match)
    file = Export(found, "export")
    assert Log(file, file.header.match, games()).fold(TRUTH) == log.fold(TRUTH)
    streams = [match, *log.store.private_streams(match)]
    assert len(streams) > 1
    assert [receipt.stream for receipt in found.receipts] == streams


def test_its_receipts_hold_by_the_published_keys(house: House) -> None:
    match, players = sealing(house)
    rotate(house.service.config)
    for player in players:
        player.move(match, "raise")
    play_out(match, players)
    found = house.stranger.export(match)
    assert list(found.header.keys) == keys(house)
    ends = {event.stream: event for event in found.events}
    for receipt in found.receipts:
        last = ends[receipt.stream]
        receipts.check(receipt, found.header.keys, Head(last.version, bytes.fromhex(last.hash), last.at))
    answered = msgspec.convert(json.loads(export(players[0], match).data.splitlines()[-1]), Receipt)
    assert answered in found.receipts


@pytest.mark.parametrize(
    ("match", "name"),
    [("m_abc", "m_abc.jsonl"), ('m"\r\nX: y', "m___X__y.jsonl"), ("../..", "_____.jsonl"), ("局", "_.jsonl")],
)
def test_the_file_has_a_name_that_harms_nobody(match: str, name: str) -> None:
    assert file_name(match) == name
