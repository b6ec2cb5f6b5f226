"""The printed numbers of the game, and their reading from a pack file. Rule: 3M-29."""

from __future__ import annotations

import tomllib
from typing import Any

from domain.game import PackError, Value


class Prices(Value, frozen=True):
    """What is paid, in od."""

    start: int
    """What everyone starts with. Rule: 3M-3."""
    reach: int
    """Rule: 3M-19."""
    pledge_own: tuple[int, ...]
    """The first and the second pledge of a deal, of one's own attribute. Rule: 3M-15."""
    pledge_other: tuple[int, ...]
    """The same of another attribute."""
    manager: int
    """What the manager adds to the ley line. Rule: 3M-28, 3M-32."""


class Scores(Value, frozen=True):
    """What is scored, in od; every amount is even, for a tsumo is paid by halves. Rule: 3M-29."""

    attribute: tuple[int, ...]
    """1, 2, 3 spells. Rule: 3M-23."""
    equal: tuple[int, ...]
    """2, 3 spells of the same equal numbers. Rule: 3M-24."""
    one_direction: tuple[int, ...]
    """2, 3 of the same sequence in one direction."""
    mixed: tuple[int, ...]
    """2, 3 of the same sequence in any direction."""
    star: tuple[int, ...]
    """1, 2, 3 spells. Rule: 3M-25."""
    catalyst: int
    """Each catalyst, for each indicator that names it. Rule: 3M-26."""
    catalyst_from: int
    """Catalysts count only from this sum of attribute, number and star."""


class Pack(Value, frozen=True):
    """The printed numbers of the game."""

    name: str
    prices: Prices
    scores: Scores


MOST = 100_000
"""No amount of a pack is greater."""

_FIELDS: dict[str, dict[str, int]] = {
    "prices": {"start": 0, "reach": 0, "pledge_own": 2, "pledge_other": 2, "manager": 0},
    "scores": {
        "attribute": 3,
        "equal": 2,
        "one_direction": 2,
        "mixed": 2,
        "star": 3,
        "catalyst": 0,
        "catalyst_from": 0,
    },
}
"""The fields of each table: how many amounts stand in a row, 0 for a single one."""


def parse_pack(data: bytes, file: str) -> Pack:
    """Read a pack from TOML and check all of it.

    Rule:    3M-29.
    Raises:  PackError with the file, the table and the field.
    """
    try:
        found = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PackError(file, "", "toml", str(error)) from None
    _check_names(found, {"name", *_FIELDS}, file, "")
    name = found["name"]
    if not isinstance(name, str) or not name:
        raise PackError(file, "", "name", "must be a text of one letter or more")
    tables = {entry: _parse_table(found[entry], file, entry) for entry in _FIELDS}
    return Pack(name=name, prices=Prices(**tables["prices"]), scores=Scores(**tables["scores"]))


def _check_names(table: dict[str, Any], wanted: set[str], file: str, entry: str) -> None:
    for field in sorted(wanted - table.keys()):
        raise PackError(file, entry, field, "is missing")
    for field in sorted(table.keys() - wanted):
        raise PackError(file, entry, field, "is not known")


def _parse_table(table: object, file: str, entry: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise PackError(file, "", entry, "must be a table")
    _check_names(table, set(_FIELDS[entry]), file, entry)
    parsed: dict[str, Any] = {}
    for field, length in _FIELDS[entry].items():
        value = table[field]
        if length and not (isinstance(value, list) and len(value) == length):
            raise PackError(file, entry, field, f"must be a row of {length} amounts")
        amounts = tuple(value) if length else (value,)
        for amount in amounts:
            _check_amount(amount, file, entry, field)
        parsed[field] = amounts if length else value
    return parsed


def _check_amount(amount: object, file: str, entry: str, field: str) -> None:
    if type(amount) is not int or not 0 <= amount <= MOST:
        raise PackError(file, entry, field, f"must be an amount of od from 0 to {MOST}, not {amount!r}")
    if entry == "scores" and amount % 2:
        raise PackError(file, entry, field, f"must be even, for a tsumo is paid by halves (3M-27), not {amount}")
