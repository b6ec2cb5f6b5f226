"""What tokens grant is remembered, and forgotten the moment that one is revoked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from service.accounts.players import Granted, Revocations
from service.store.people import Grant

ANN = Grant("p_ann", frozenset({"match:read"}), None)


@pytest.fixture
def revocations(tmp_path: Path) -> Revocations:
    return Revocations(tmp_path / "revocations")


def finding(
    revocations: Revocations, *found: Grant | None, meanwhile: Callable[[], object] = lambda: None
) -> tuple[Granted, list[str]]:
    """The answers of a store in turn, the last one again and again; and what it was asked."""
    asked: list[str] = []
    answers = list(found)

    def find(hashed: Sequence[str]) -> dict[str, Grant]:
        asked.extend(hashed)
        meanwhile()
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return {} if found is None else dict.fromkeys(hashed, found)

    return Granted(find, revocations.count, most=2), asked


def test_a_token_is_looked_up_once_until_one_is_revoked_and_nobody_s_each_time(revocations: Revocations) -> None:
    granted, asked = finding(revocations, None, ANN, ANN, None)
    assert granted.find("a") is None
    assert granted.find("a") is granted.find("a") is ANN
    assert asked == ["a", "a"]
    revocations.add()
    assert granted.find("a") is ANN
    revocations.add()
    assert granted.find("a") is None


def test_one_that_is_revoked_while_it_is_looked_up_is_not_remembered(revocations: Revocations) -> None:
    granted, _asked = finding(revocations, ANN, None, meanwhile=revocations.add)
    assert granted.find("a") is ANN
    assert granted.find("a") is None


def test_another_process_counts_what_was_revoked(tmp_path: Path) -> None:
    first, second = Revocations(tmp_path / "revocations"), Revocations(tmp_path / "revocations")
    assert (first.count(), second.count()) == (0, 0)
    first.add()
    second.add()
    assert (first.count(), second.count()) == (2, 2)
    assert (tmp_path / "revocations").stat().st_mode & 0o777 == 0o600


def test_where_nobody_could_count_them_nothing_is_remembered() -> None:
    apart = Revocations(None)
    apart.add()
    granted, asked = finding(apart, ANN, None)
    assert granted.find("a") is ANN
    assert granted.find("a") is None
    assert asked == ["a", "a"]


def test_not_more_than_so_many_are_remembered(revocations: Revocations) -> None:
    granted, asked = finding(revocations, ANN)
    for hashed in "abab":
        granted.find(hashed)
    assert asked == ["a", "b"]
    for hashed in "cab":
        granted.find(hashed)
    assert asked == ["a", "b", "c", "a", "b"]


def test_of_many_tokens_those_are_looked_up_that_are_not_remembered(revocations: Revocations) -> None:
    granted, asked = finding(revocations, ANN, ANN, ANN, ANN, None)
    granted.find("a")
    for _ in range(2):
        assert granted.find_all(["a", "b"]) == {"a": ANN, "b": ANN}
    assert asked == ["a", "b"]
    granted.forget("a")
    granted.find_all(["a", "b"])
    assert asked == ["a", "b", "a"]
    revocations.add()
    assert granted.find_all(["a"]) == {"a": ANN}
    assert granted.find_all(["a", "b"]) == {"a": ANN}, "nobody's are left out"
