"""What must be so of a store whatever happened to the service: nothing lost, nothing doubled, and all of it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from domain.catalogue import Catalogue
from domain.matches import FINISHED, OPENED
from events.chain import Stored
from events.receipts import Receipt
from events.store import Reader
from events.stores import open_to_read
from replays.commands.checking import audit_stored
from replays.commands.reading import Place
from service.config import Config
from service.store import Statistics
from tests.service.run.callers import Acked

Answer = tuple[str, int, int]
"""A match, the seat that answered, and which decision."""

Sums = Counter[tuple[str, int, str]]
"""By game, number of seats, and what is summed up."""


def events_of(store: Reader, match: str) -> Iterator[Stored]:
    """Of the match's log, and of the private ones beside it."""
    for stream in (match, *store.private_streams(match)):
        yield from store.read(stream)


def answers(store: Reader) -> Counter[Answer]:
    """How often each decision was answered, in the open or under seal."""
    found: Counter[Answer] = Counter()
    for match in store.matches():
        for event in events_of(store, match):
            if event.type in {"match/MoveMade", "match/AnswerSealed"}:
                said = msgspec.json.decode(event.public)
                # 0: it was forced, nobody was asked
                if decision := said["decision"]:
                    found[match, int(event.actor.removeprefix("seat:")), decision] += 1
    return found


def tally(store: Reader) -> Sums:
    """Counted from the logs: finished matches, their moves, and the points of each seat."""
    sums: Sums = Counter()
    for match in store.matches():
        log = store.read(match)
        if log[-1].type == FINISHED:
            assert log[0].type == OPENED
            opening, result = msgspec.json.decode(log[0].public), msgspec.json.decode(log[-1].public)
            table = opening["game"], opening["seats"]
            sums[*table, "matches"] += 1
            sums[*table, "moves"] += log[-1].move
            for seat, points in enumerate(result["points"]):
                sums[*table, f"seat:{seat}"] += points
    return sums


def counted(store: Reader, tables: Iterable[str]) -> Sums:
    """The same as the followers have counted it, of these games."""
    statistics, sums = Statistics(store), Counter[tuple[str, int, str]]()
    for game in tables:
        for table in statistics.played(game):
            sums[game, table.seats, "matches"] += table.matches
            sums[game, table.seats, "moves"] += table.moves
        for result in statistics.by_kind(game, "seat"):
            sums[game, result.seats, result.who] += result.points
    return sums


def reckon(config: Config, acked: list[Acked]) -> None:
    """Every acknowledged move is in the log, none is there twice, and every match passes its audit with the receipts
    that were given for it.
    """
    catalogue, receipts = Catalogue(), dict[str, list[Receipt]]()
    for one in acked:
        receipts.setdefault(one.match, []).append(one.receipt)
    store = open_to_read(config.store_url)
    try:
        found = answers(store)
        assert [answer for answer, times in found.items() if times > 1] == [], "answered twice"
        given = Counter((one.match, one.seat, one.decision) for one in acked)
        assert given - found == Counter(), "acknowledged, and not in the log"
        assert max(given.values()) == 1
        for match in store.matches():
            report = audit_stored(
                Place(config.data, config.store_url), store, catalogue, match, receipts.get(match, [])
            )
            assert report.ok, (match, report.failures)
            assert report.receipts >= len(receipts.get(match, []))
    finally:
        store.close()
