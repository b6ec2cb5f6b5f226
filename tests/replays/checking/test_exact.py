"""What docs/log.md calls exact is exact for both verifiers: members, digits, kinds."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.replays.checking.second import agree, needs_node
from tests.replays.exported import audited, export, forked, private_key, stage, with_sealed_answers
from tests.replays.forgery import Forger, Json, at, leaves, objects, put
from tests.replays.forgery import Path as Place

pytestmark = needs_node

Changed = Iterator[tuple[str, Callable[[Forger], object]]]
"""What is changed, and how."""


def _add(number: int, path: Place, bad: Forger) -> None:
    at(bad.lines[number], path)["z"] = 1


def _drop(number: int, path: Place, name: str, bad: Forger) -> None:
    del at(bad.lines[number], path)[name]


def _put(number: int, path: Place, new: Json, bad: Forger) -> None:
    put(bad.lines[number], path, copy.deepcopy(new))


def more_members(source: Forger) -> Changed:
    """Every object of every line with a member more."""
    for number, line in enumerate(source.lines):
        for path in objects(line):
            what = f"line {number + 1}, {path}: a member more"
            yield what, partial(_add, number, path)


def fewer_members(source: Forger) -> Changed:
    """Every object of every line without one of its members."""
    for number, line in enumerate(source.lines):
        for path in objects(line):
            for name in at(line, path):
                what = f"line {number + 1}, {path}: without {name}"
                yield what, partial(_drop, number, path, name)


DIGITS = re.compile("[0-9a-f]{16,128}")
SPELLED: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda digits: f" {digits}",
    lambda digits: f"{digits}\n",
    lambda digits: f"{digits[:2]} {digits[2:]}",
    lambda digits: f"{digits[:-2]}  ",
    lambda digits: digits[:-1],
    lambda digits: f"{digits[:-1]}\uff11",
    lambda digits: "",
)


def other_digits(source: Forger) -> Changed:
    """Everything that is hexadecimal in other spellings, which a kind reader would take for the same."""
    for number, line in enumerate(source.lines):
        for path in leaves(line):
            old = at(line, path)
            if isinstance(old, str) and DIGITS.fullmatch(old):
                for new in [spelled(old) for spelled in SPELLED]:
                    what = f"line {number + 1}, {path}: {new!r}"
                    yield what, partial(_put, number, path, new)


KINDS: tuple[Json, ...] = (None, True, False, 0, -1, 7, (1 << 53) - 1, "", "x", "7", [], [None], [0], {}, {"a": 1})


def other_kinds(source: Forger) -> Changed:
    """Every leaf of every line as something of another kind."""
    for number, line in enumerate(source.lines):
        for path in leaves(line):
            for new in KINDS:
                what = f"line {number + 1}, {path}: {new!r}"
                yield what, partial(_put, number, path, new)


def running_seat() -> bytes:
    running = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    running.step_until_sealed()
    return export(running, 0)


@pytest.mark.parametrize("most", [8, pytest.param(400, marks=pytest.mark.soak)])
@pytest.mark.parametrize("is_resealed", [False, True])
@pytest.mark.parametrize("change", [more_members, fewer_members, other_digits, other_kinds])
def test_what_the_page_calls_exact_is_exact_for_both(
    tmp_path: Path, change: Callable[[Forger], Changed], is_resealed: bool, most: int
) -> None:
    """By a careless forger, and by an operator who hashes, commits and signs all anew."""
    files = []
    for data in (with_sealed_answers(), forked(2), running_seat()):
        if is_resealed and b'"viewer":"all"' not in data:
            continue
        all_changes = list(change(Forger(data)))
        for what, act in random.Random(3).sample(all_changes, min(most, len(all_changes))):
            bad = Forger(data)
            act(bad)
            if bad.data == data:
                continue
            if is_resealed:
                try:
                    bad.reseal(private_key())
                except (AttributeError, LookupError, TypeError, ValueError):
                    continue
            files.append((what, bad.data))
    agree(tmp_path, files)
    if not is_resealed:
        assert [what for what, data in files if audited(data).ok] == []
