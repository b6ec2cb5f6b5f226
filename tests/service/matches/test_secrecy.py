"""What somebody is answered does not depend on what they were not told: it isn't there, and the answers stay.

The store is copied, and whatever the asker was not told is taken out of the copy. A service on that copy must answer
the asker byte by byte as the service on the whole store does, refusals included.
"""

from __future__ import annotations

import json
import random
import re
import sqlite3
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from freezegun import freeze_time

from domain.play import Told
from events.chain import Head, Stored, head_of
from replays.log import TRUTH, Log, seal
from service.config import Config
from tests.service.house import Answer, House, Visitor, build, step
from tests.toy.high_card.components import HAND
from tests.toy.high_card.events import Dealt, Shuffled

pytestmark = pytest.mark.sqlite

MASKED = {"Date", "X-Request-ID"}


def strip(source: Path, target: Path, seat: int | None) -> None:
    """Copy the store, without what the seat was not told. The match's secret stays: salts are made from it."""
    copy = copied(source, target)
    for stream, version, secret in copy.execute("SELECT stream, version, secret FROM events").fetchall():
        if "/" in stream:
            if not stream.endswith(f"/seat:{seat}"):
                copy.execute("DELETE FROM events WHERE stream = ?", (stream,))
        elif version > 1:
            told = {path: one for path, one in json.loads(secret).items() if seat in one["readers"]}
            bare = json.dumps(told, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
            copy.execute("UPDATE events SET secret = ? WHERE stream = ? AND version = ?", (bare, stream, version))
    copy.execute("DELETE FROM decisions WHERE seat IS NOT ?", (seat,))
    copy.close()


def copied(source: Path, target: Path) -> sqlite3.Connection:
    """The folder of a service again, and its store to be changed."""
    target.mkdir()
    for name in ("worker-token", "keys"):
        (target / name).write_bytes((source / name).read_bytes())
    copy = sqlite3.connect(target / "foldtable.db", isolation_level=None)
    whole = sqlite3.connect(source / "foldtable.db")
    whole.backup(copy)
    whole.close()
    return copy


def questions(visitor: Visitor, match: str, version: int, decision: int) -> list[Answer]:
    """Everything that can be asked without changing anything, and what is refused."""
    path = f"/matches/{match}"
    asked = [
        visitor.get(path),
        visitor.get(path, lang="ja"),
        visitor.get(f"{path}/moves"),
        visitor.get(f"{path}/events", limit=1000),
        visitor.get(f"{path}/events", limit=1000, private="true"),
        visitor.get(f"{path}/at/{version}"),
        visitor.get(f"{path}/at/{max(1, version // 2)}"),
        visitor.get("/matches"),
        visitor.get("/me/turns"),
        visitor.get(f"{path}/bots"),
        visitor.get(f"{path}/export"),
        visitor.get(f"{path}/film"),
        visitor.get(f"{path}/film", nobody="true", lang="ja"),
    ]
    for wrong in (
        {"decision": decision, "id": "no-such-move"},
        {"decision": decision, "move": {"type": "Pass"}},
        {"decision": decision, "move": {"type": "SetAside", "card": 2}},
        {"decision": decision, "move": {"type": "Ron"}},
        {"decision": decision, "move": {"type": "Discard", "at": 70}},
        {"decision": decision + 1, "id": "raise"},
    ):
        if not is_legal(visitor, match, wrong):
            asked.append(visitor.post(f"{path}/moves", wrong))
    return asked


def is_legal(visitor: Visitor, match: str, wanted: dict[str, object]) -> bool:
    now = visitor.moves(match)
    if wanted["decision"] != now["decision"]:
        return False
    return any(
        wanted.get("id") == one["id"]
        or {"reach": False, **one["move"]} == {"reach": False, **(wanted.get("move") or {})}  # type: ignore[dict-item]
        for one in now["moves"]
    )


def compare(
    house: House, elsewhere: Flask, tmp_path: Path, match: str, askers: list[tuple[int | None, Visitor]]
) -> None:
    """Each asker is answered the same by a store that holds only what they were told."""
    look = house.stranger.look(match)
    version = look["version"]
    for seat, asker in askers:
        data = tmp_path / f"told-{match}-{version}-{seat}-{random.random()}"
        strip(house.service.config.data, data, seat)
        told = build(Config(data=data))
        try:
            here = questions(asker, match, version, asker.look(match)["decision"] or version)
            there = questions(
                House(told, elsewhere).again(asker), match, version, asker.look(match)["decision"] or version
            )
            for whole, part in zip(here, there, strict=True):
                assert whole.status_code == part.status_code
                assert whole.data == part.data
                assert [one for one in whole.headers if one[0] not in MASKED] == [
                    one for one in part.headers if one[0] not in MASKED
                ]
        finally:
            told.close()


def askers(house: House, players: list[Visitor]) -> list[tuple[int | None, Visitor]]:
    return [*enumerate(players), (None, house.player("A watcher"))]


@pytest.mark.parametrize(("pack", "seats"), [("house", 3), ("flat", 2)])
def test_answers_come_from_what_was_told(house: House, elsewhere: Flask, tmp_path: Path, pack: str, seats: int) -> None:
    match, players = house.table(seats=seats, pack=pack)
    draw, all_askers = random.Random(5), askers(house, players)
    while house.stranger.look(match)["status"] == "playing":
        compare(house, elsewhere, tmp_path, match, all_askers)
        order = draw.sample(players, len(players))
        assert step(match, order, draw)


def test_answers_come_from_what_was_told_in_three_magic(house: House, elsewhere: Flask, tmp_path: Path) -> None:
    match, players = house.table("three-magic", 3)
    draw, all_askers = random.Random(7), askers(house, players)
    windows = 0
    for made in range(600):
        is_sealed = house.stranger.look(match)["sealed"]
        if made in {0, 1, 30, 90} or is_sealed:
            compare(house, elsewhere, tmp_path, match, all_askers)
            windows += is_sealed
        if windows >= 3 or not step(match, draw.sample(players, 3), draw):
            break
    assert windows >= 1


def test_a_sealed_answer_shows_to_nobody_else(house: House) -> None:
    """Between an answer under seal and the window's end, everybody else is answered as before, byte by byte."""
    match, players = house.table(seats=3, pack="flat")
    for player in players:
        player.move(match, {"type": "SetAside", "card": 1})
    others = [players[1], players[2], house.stranger]
    before = [[one.data for one in questions(other, match, 20, 1)] for other in others]
    assert players[0].move(match, "raise").status_code == 200
    assert [[one.data for one in questions(other, match, 20, 1)] for other in others] == before


def test_spectators_are_told_no_hidden_card_of_three_magic(house: House) -> None:
    match, players = house.table("three-magic", 3)
    for event in house.stranger.events(match):
        assert event["secret"] == {}
        if event["type"] in {"three-magic/Shuffled", "three-magic/HandDealt"}:
            assert json.dumps(event["public"]["cards"]).count('"') <= json.dumps(event).count('"')
            assert event["commits"]
    own = [event for event in players[1].events(match) if event["secret"]]
    assert {seat for event in own for one in event["secret"].values() for seat in one["readers"]} == {1}


def dealt_otherwise(log: Log, *seats: int) -> list[Stored]:
    """The log with other cards wherever none of the seats may look, chained anew."""
    sealed: list[Stored] = []
    cards: list[int] = []
    for stored, event in zip(log.store.read(log.id), log.events(TRUTH), strict=True):
        match event:
            case Shuffled(cards=before):
                cards = [card for card in before if card is not None]
                own = {at for seat in seats for at in range(HAND * seat, HAND * (seat + 1))}
                others = [at for at in range(len(cards)) if at not in own]
                hidden = [cards[at] for at in others]
                # some cards are alike: it is turned until it is another order
                turned = (hidden[by:] + hidden[:by] for by in range(1, len(hidden)))
                for at, card in zip(others, next(one for one in turned if one != hidden), strict=True):
                    cards[at] = card
                event = msgspec.structs.replace(event, cards=tuple(cards))  # noqa: PLW2901
            case Dealt(seat=other):
                hand = tuple(cards[HAND * other : HAND * (other + 1)])
                event = msgspec.structs.replace(event, cards=hand)  # noqa: PLW2901
        told = Told(event, stored.actor, stored.move)
        head = head_of((sealed[-1],)) if sealed else Head()
        sealed += seal(log.codec, head, log.id, (told,), stored.at, log.secret)
    return sealed


def rewritten(house: House, target: Path, log: list[Stored]) -> None:
    """Copy the store, with these events in place of its own."""
    copy = copied(house.service.config.data, target)
    for one in log:
        sql = "UPDATE events SET public = ?, secret = ?, commits = ?, hash = ? WHERE stream = ? AND version = ?"
        copy.execute(sql, (one.public, one.secret, one.commits, one.hash, one.stream, one.version))
    copy.close()


def masked(answer: Answer) -> tuple[int, bytes, list[tuple[str, str]]]:
    """An answer but for commits, salts, hashes and signatures."""
    data = re.sub(rb"[0-9a-f]{64,128}", b"*", answer.data)
    return answer.status_code, data, [one for one in answer.headers if one[0] not in MASKED]


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_two_logs_that_differ_in_hidden_cards_are_answered_alike(
    house: House, elsewhere: Flask, tmp_path: Path, seat: int | None
) -> None:
    """The same is done in both, receipts and exports are looked at too. The last card set aside would open a window."""
    own = () if seat is None else (seat,)
    with freeze_time("2026-03-01T12:00:00Z"):
        match, players = house.table(seats=3)
        rewritten(house, tmp_path / "other", dealt_otherwise(house.service.states.log(match), *own))
        other = build(Config(data=tmp_path / "other"))
        try:
            asker = house.stranger if seat is None else players[seat]
            movers = [player for player in players if player is not asker]
            first = [asker] if seat is not None else []
            asked: list[list[Answer]] = []
            for there in (house, House(other, elsewhere)):
                answers = questions(there.again(asker), match, 12, 12)
                for mover in (*first, movers[0]):
                    visitor = there.again(mover)
                    moved = visitor.move(match, visitor.moves(match)["moves"][0]["id"])
                    assert moved.status_code == 200
                    answers += [moved] if mover is asker else []
                    answers += questions(there.again(asker), match, 12, 12)
                asked.append(answers)
        finally:
            other.close()
    assert [masked(one) for one in asked[0]] == [masked(one) for one in asked[1]]
    assert [one.data for one in asked[0]] != [one.data for one in asked[1]], "they do differ"


def test_two_logs_that_differ_in_anothers_sealed_answer_are_answered_alike(
    house: House, elsewhere: Flask, tmp_path: Path
) -> None:
    with freeze_time("2026-03-01T12:00:00Z"):
        match, players = house.table(seats=3, pack="flat")
        for player in players:
            player.move(match, {"type": "SetAside", "card": 1})
        copied(house.service.config.data, tmp_path / "other").close()
        other = build(Config(data=tmp_path / "other"))
        try:
            asked = []
            for there, answer in ((house, "raise"), (House(other, elsewhere), "pass")):
                assert there.again(players[1]).move(match, answer).status_code == 200
                mine = there.again(players[0])
                moved = mine.move(match, "raise")
                assert moved.status_code == 200
                asked.append([moved.data, *(one.data for one in questions(mine, match, 20, 20))])
                asked[-1] += [one.data for one in questions(there.again(house.stranger), match, 20, 20)]
        finally:
            other.close()
    assert asked[0] == asked[1]
