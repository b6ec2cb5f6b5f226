"""Whoever plays the bots is told of each what its seat was told and nothing else; logs and metrics tell of no hand.

And what others need who see that an answer does not depend on what was not told: a store's copy, in which that lies
otherwise or isn't there.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from freezegun import freeze_time
from structlog.testing import capture_logs

from domain.play import Told
from events.chain import Head, Stored, head_of
from replays.log import TRUTH, Log, seal
from service.config import Config
from service.telemetry import logs, metrics
from service.wiring import Service
from tests.service.house import HIGH_CARD, House, build
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
    """The folder of a service again, and its store to be changed: it signs as its source does, and obeys the same."""
    target.mkdir()
    for name in ("worker-token", "admin-token", "keys", "secret"):
        (target / name).write_bytes((source / name).read_bytes())
    copy = sqlite3.connect(target / "foldtable.db", isolation_level=None)
    whole = sqlite3.connect(source / "foldtable.db")
    whole.backup(copy)
    whole.close()
    return copy


def told_in(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The headers, but for those that differ each time."""
    return [header for header in headers if header[0] not in MASKED]


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


def hands(log: Log, stored: Iterable[Stored]) -> list[tuple[Any, ...]]:
    events = (log.codec.decode(one.type, one.schema, one.public, one.secret) for one in stored)
    return [event.cards for event in events if isinstance(event, Dealt)]


def with_pairs(dealt: list[tuple[Any, ...]]) -> list[int]:
    """The seats but the first that can be asked, if they wish to."""
    return [seat for seat, cards in enumerate(dealt) if seat and len(set(cards)) < len(cards)]


def rewritten(house: House, target: Path, log: Iterable[Stored] = ()) -> None:
    """Copy the store, with these events in place of its own."""
    copy = copied(house.service.config.data, target)
    for one in log:
        sql = "UPDATE events SET public = ?, secret = ?, commits = ?, hash = ? WHERE stream = ? AND version = ?"
        copy.execute(sql, (one.public, one.secret, one.commits, one.hash, one.stream, one.version))
    copy.close()


BOT = {"bot": "random"}
DRAWN = {"request", "seconds"}
"""In log lines."""

Shown = dict[str, Any]
Twice = Callable[[str, tuple[int, ...], Callable[[House], list[Shown]]], tuple[list[Shown], list[Shown]]]


@pytest.fixture
def twice(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Twice]:
    """Does the same in the house and where other cards lie wherever none of the seats may look: what both were told.

    What both logged, down to each request, and what both counted is the same.
    """
    monkeypatch.setattr(logs, "tells_requests", True)
    services: list[Service] = []

    def both(match: str, seats: tuple[int, ...], do: Callable[[House], list[Shown]]) -> tuple[list[Shown], list[Shown]]:
        data = tmp_path / f"other-{len(services)}"
        log = house.service.states.log(match)
        other_log = dealt_otherwise(log, *seats)
        assert [one.hash for one in other_log] != [one.hash for one in log.store.read(match)], "they do differ"
        rewritten(house, data, other_log)
        services.append(build(Config(data=data, bot_pause=0.0)))
        (one, logged, counted), (two, *others) = watched(house, do), watched(House(services[-1]), do)
        assert logged
        assert any(name.startswith("foldtable_moves") for name in counted)
        assert [logged, counted] == others
        return one, two

    with freeze_time("2026-03-01T12:00:00Z"):
        yield both
    for service in services:
        service.close()


def watched(house: House, do: Callable[[House], list[Shown]]) -> tuple[list[Shown], list[Shown], dict[str, float]]:
    """What is told, but for salts, hashes and signatures; what is logged; and what is counted, but for times."""
    before = counted()
    with capture_logs() as lines:
        told = do(house)
    after = counted()
    masked = re.sub(rb"[0-9a-f]{64,128}", b"*", msgspec.json.encode(told))
    logged = [{name: value for name, value in line.items() if name not in DRAWN} for line in lines]
    more = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
    return msgspec.json.decode(masked), logged, more


def counted() -> dict[str, float]:
    found = [one for family in metrics.REGISTRY.collect() for one in family.samples if "_sum" not in one.name]
    return {f"{one.name}{[*one.labels.values()]}": one.value for one in found if not one.name.startswith("process_")}


def taken(house: House, match: str, seat: int | None = None) -> Shown:
    """A turn in the match, with that seat's first move or without one."""
    turn: Shown = {"match": match, "known": {}}
    if seat is not None:
        now = house.worker.moves(match, seat=seat)
        turn["move"] = {"seat": seat, "decision": now["decision"], "move": now["moves"][0]["move"]}
    (found,) = house.worker.post("/bots/turns", {"turns": [turn]}).json["turns"]
    assert (found["problem"], found["made"]) == (None, seat is not None)
    return dict(found)


def moved(house: House, match: str, seat: int) -> Shown:
    answer = house.worker.choose(match, seat=seat)
    assert answer.status_code == 200, answer.json
    return dict(answer.json)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_what_is_told_of_a_bot_comes_from_what_its_seat_was_told(house: House, twice: Twice, seat: int) -> None:
    match = house.player().open(HIGH_CARD, [BOT] * 3)
    first, second = (other for other in range(3) if other != seat)

    def do(there: House) -> list[Shown]:
        found = [taken(there, match)["bots"], moved(there, match, first)["others"], taken(there, match, second)["bots"]]
        (looked,), (beside,), (after,) = ([one for one in told if one["seat"] == seat] for told in found)
        assert (len(looked["events"]), len(after["events"])) == (10, 14)
        return [looked, beside, after]

    one, two = twice(match, (seat,), do)
    assert one == two


def test_whoever_plays_bots_is_told_nothing_of_a_persons_hand(house: House, twice: Twice) -> None:
    ann = house.player()
    match = ann.open_with(seats=[None, BOT, BOT])

    def do(there: House) -> list[Shown]:
        first, second = moved(there, match, 1), taken(there, match, 2)
        assert [one["seat"] for one in first["others"]] == [2], "of a person nobody is told whether they are asked"
        assert second["bots"] == []
        return [first, second, taken(there, match)]

    one, two = twice(match, (1, 2), do)
    assert one == two
