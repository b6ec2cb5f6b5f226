"""Canonical JSON: RFC 8785, restricted so that every JSON writer agrees (docs/log.md, "Canonical bytes")."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

SAFE = 1 << 53
"""Integers stay below it in size, so that a double holds them."""

DEEPEST = 100
"""How deep lists and objects may nest, so that every reader can read them."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_encoder = msgspec.json.Encoder(order="sorted")


class NotCanonical(ValueError):
    """A value that canonical JSON can't hold, or bytes that are not its canonical form."""


def encode(value: Any) -> bytes:
    """The canonical bytes of a struct, or of dicts, lists, strings, ints, bools and None that `check` passes.

    Raises:  NotCanonical for a lone surrogate; what else has no canonical form is for `check` to find.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical("value: a lone surrogate") from error


def check(value: object) -> None:
    """Refuse what canonical JSON can't hold: floats, large integers, keys that are not ASCII, lone surrogates, and
    what is nested too deeply.

    Texts are not looked at otherwise: no table of characters, which grows by the year, decides what holds.
    """
    if (found := _fault(value, 0)) is not None:
        path, kind, fault = found
        raise NotCanonical(f"{path.removeprefix('.') or kind}: {fault}" if kind else fault)


def _fault(value: object, depth: int) -> tuple[str, str, str] | None:
    """Where the value has no canonical form, what to call it where that is at the top, and why not."""
    if depth > DEEPEST:
        return "", "", f"nested deeper than {DEEPEST}"
    if isinstance(value, str):
        return None if value.isascii() or not _SURROGATE.search(value) else ("", "value", "a lone surrogate")
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return None if -SAFE < value < SAFE else ("", "value", f"the integer {value} is too large")
    if isinstance(value, dict):
        return _fault_inside(value, depth + 1)
    if isinstance(value, list | tuple):
        for i, item in enumerate(value):
            if (found := _fault(item, depth + 1)) is not None:
                return f"[{i}]{found[0]}", *found[1:]
        return None
    return "", "value", f"{type(value).__name__} has no canonical form"


def _fault_inside(value: dict[Any, Any], depth: int) -> tuple[str, str, str] | None:
    for key, item in value.items():
        if not isinstance(key, str) or not key.isascii():
            return "", "object", f"the key {key!r} is not ASCII"
        if (found := _fault(item, depth)) is not None:
            return f".{key}{found[0]}", *found[1:]
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotCanonical(f"a doubled key among {sorted(key for key, _ in pairs)}")
    return found


def decode(data: bytes) -> Any:
    """The value of canonical bytes. Raises NotCanonical unless they are exactly what `encode` makes of it."""
    try:
        value = json.loads(data, object_pairs_hook=_unique)
        check(value)
        again = encode(value)
    except NotCanonical:
        raise
    except (ValueError, RecursionError) as error:
        # ValueError: no UTF-8, no JSON, or an integer of more digits than Python reads
        raise NotCanonical(f"no JSON: {error}") from error
    if again != data:
        raise NotCanonical("not the canonical form of its value")
    return value


def raw(digits: str, length: int) -> bytes:
    """The `length` bytes that lower-case hexadecimal digits tell; `bytes.fromhex` alone takes more for the same.

    Raises:  NotCanonical.
    """
    try:
        told = bytes.fromhex(digits)
    except ValueError:
        told = b""
    if len(told) != length or told.hex() != digits:
        raise NotCanonical(f"{length} bytes as lower-case hexadecimal digits were expected")
    return told
