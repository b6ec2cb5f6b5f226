"""Whatever is made of a log, and sealed anew by somebody with the key, the audit says what is wrong and crashes not."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import matches
from replays.checking.audit import Report, unread
from replays.checking.proof import Failure
from replays.files.format import BadFile
from tests.replays.checking.test_audit import ROOMS
from tests.replays.exported import (
    audited,
    finished,
    forked,
    private_key,
    with_sealed_answers,
)
from tests.replays.forgery import Forger, another, at, leaves, put


def test_of_a_file_that_can_t_be_read_nothing_else_is_said() -> None:
    failure = Failure("", 0, "file", "LOG-1", "line 1: no header")
    report = unread("m_1", BadFile("line 1: no header"))
    assert report == Report(ok=False, match_id="m_1", events=0, failures=(failure,), receipts=0)
    assert report.is_unread


STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**53 - 1, "", "x", "seat:0", "service", "clock", [], {}, [None], [0], {"a": 1}),
    *(f"match/{cls.__name__}" for cls in matches.EVENTS),
)


def mutated(source: Forger, chance: random.Random) -> Forger:
    """The log with one to three leaves replaced by something strange, maybe two events swapped, maybe one dropped."""
    bad = source.copy()
    everywhere = [(number, path) for number, line in enumerate(source.lines) for path in leaves(line)]
    for number, path in chance.sample(everywhere, chance.choice((1, 1, 2, 3))):
        try:
            old = at(bad.lines[number], path)
            put(bad.lines[number], path, chance.choice(STRANGE) if chance.random() < 0.6 else another(old))
        except (KeyError, IndexError, TypeError):
            continue  # what stood around it has gone already
    if chance.random() < 0.3:
        one, other = chance.sample(range(1, len(bad.events)), 2)
        bad.events[one], bad.events[other] = bad.events[other], bad.events[one]
    if chance.random() < 0.15:
        del bad.events[chance.randrange(1, len(bad.events))]
    return bad


def sealed_anew(bad: Forger) -> Forger:
    try:
        bad.renumber()
        bad.reseal(private_key())
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        pass  # as far as it could be done
    return bad


def is_unchanged(source: Forger, bad: Forger) -> bool:
    """Whether nothing but the moment of the last event differs, and what follows from it."""

    def told(forger: Forger) -> Any:
        *events, last = forger.stream()
        kept = [{**event, "hash": "", "commits": sorted(event["commits"])} for event in events]
        return forger.header, kept, {**last, "at": "", "hash": "", "commits": ""}

    return bool(told(source) == told(bad))


@pytest.mark.parametrize("times", [12, pytest.param(600, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", [*sorted(set(ROOMS) - {"three-magic"}), "sealed", "fork"])
def test_nothing_strange_passes_or_crashes(kind: str, times: int) -> None:
    data = with_sealed_answers() if kind == "sealed" else forked(2) if kind == "fork" else finished(kind)
    source, chance = Forger(data), random.Random(kind)
    for _ in range(times):
        bad = sealed_anew(mutated(source, chance))
        report: Report = audited(bad)
        assert not report.ok or is_unchanged(source, bad), bad.data
        assert all("\n" not in failure.reason for failure in report.failures)


def test_a_file_cut_anywhere_does_not_pass() -> None:
    data = with_sealed_answers()
    ends = {i + 1 for i, byte in enumerate(data) if byte == 0x0A}
    for cut in {*range(0, len(data) - 1, 97), *ends, *(end - 1 for end in ends)} - {len(data)}:
        check = audited(data[:cut]).failures[0].check
        assert (check == "file") == (cut not in ends), cut


@settings(max_examples=200, deadline=None)
@given(junk=st.binary(min_size=1, max_size=40), place=st.integers(0, 40_000))
def test_bytes_overwritten_anywhere_are_noticed_and_crash_nothing(junk: bytes, place: int) -> None:
    data = with_sealed_answers()
    where = place % len(data)
    bad = data[:where] + junk + data[where + len(junk) :]
    assert audited(bad).ok == (bad == data)
