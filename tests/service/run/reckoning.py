"""What must be so of a store whatever happened to the service: nothing lost, nothing doubled, and all of it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import closing

import msgspec

from domain.catalogue import Catalogue
from domain.matches import FINISHED, OPENED
from events.receipts import Receipt
from events.store import Reader
from events.stores import open_to_read
from replays.commands.checking import audit_stored
from replays.commands.reading import Place
from service.config import Config
from service.store import Statistics
from tests.service.run.callers import Pair
from tests.service.run.uprun import until

Answer = tuple[str, int, int]
"""A match, the seat that answered, and which decision."""

Sums = Counter[tuple[str, int, str]]
"""By game, number of seats, and what is summed up."""


def answers(store: Reader) -> Counter[Answer]:
    """How often each decision was answered, in the open or under seal."""
    found: Counter[Answer] = Counter()
    for match in store.matches():
        for stream in (match, *store.private_streams(match)):
            for event in store.read(stream):
                is_answer = event.type in {"match/MoveMade", "match/AnswerSealed"}
                # decision 0: it was forced, nobody was asked
                if is_answer and (decision := msgspec.json.decode(event.public)["decision"]):
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


def reckon(config: Config, pairs: list[Pair]) -> None:
    """Matches of bots end. Every acknowledged move is in the log, none is there twice, and every match passes its audit
    with the receipts that were given for it.
    """
    catalogue, receipts = Catalogue(), dict[str, list[Receipt]]()
    acked = [each for pair in pairs for each in pair.acked]
    for each in acked:
        receipts.setdefault(each.match, []).append(each.receipt)
    with closing(open_to_read(config.store_url)) as store:
        of_bots = [match for pair in pairs for match in pair.of_bots]
        until(lambda: all(store.read(match)[-1].type == FINISHED for match in of_bots), "the bots' matches end")
        found = answers(store)
        assert [answer for answer, times in found.items() if times > 1] == [], "answered twice"
        given = Counter((each.match, each.seat, each.decision) for each in acked)
        assert given - found == Counter(), "acknowledged, and not in the log"
        assert max(given.values()) == 1
        place = Place(config.data, config.store_url)
        for match in store.matches():
            report = audit_stored(place, store, catalogue, match, receipts.get(match, []))
            assert report.ok, (match, report.failures)
            assert report.receipts >= len(receipts.get(match, []))
