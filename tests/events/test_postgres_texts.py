"""Texts that PostgreSQL can't keep: what brings one is refused alone, and what asks for one finds nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from events.chain import Head
from events.postgres import PostgresRecorder
from events.store import Command, Decision, NulInText, Statement, partition_of
from tests.events.gates import GATE, gate, until
from tests.events.streams import neighbour, write

NUL = "player:\0"


def test_what_brings_nul_is_refused_alone(postgres_url: str, postgres_store: PostgresRecorder) -> None:
    n = neighbour(postgres_store, "m")
    o = neighbour(postgres_store, n)
    asked = (Decision(o, 0, 1, "", NUL),)
    with ThreadPoolExecutor(3) as threads:
        with gate(postgres_url) as shut:
            threads.submit(postgres_store.append, n, [], beside=[GATE])
            until(lambda: shut.is_held_up(1))
            good = threads.submit(postgres_store.append, "m", [write("m", 1)])
            bad = threads.submit(postgres_store.append, o, [write(o, 1)], decisions=asked)
            until(lambda: postgres_store.waiting(partition_of("m", 16)) == 2)
        assert good.result().spans
        assert isinstance(bad.exception(), NulInText)
    with pytest.raises(NulInText):
        postgres_store.append("m", [], command=Command(NUL, "d"))
    with pytest.raises(NulInText):
        postgres_store.write([Statement("SELECT 1 FROM events WHERE stream = :stream", {"stream": NUL})])
    assert postgres_store.matches() == ("m",)


def test_nul_is_never_found(postgres_store: PostgresRecorder) -> None:
    postgres_store.append("m", [write("m", 1)])
    assert (postgres_store.head(NUL), postgres_store.read(NUL), postgres_store.command("m", NUL)) == (Head(), (), None)
    assert postgres_store.decisions(NUL) == ()
    stands = "SELECT 1 FROM events WHERE stream = :stream"
    assert postgres_store.find(Statement(stands, {"stream": NUL})) == []
    assert postgres_store.find_everywhere(stands, stream=NUL) == []
