"""Canonical JSON: RFC 8785, restricted so that every JSON writer agrees (docs/log.md, "Canonical bytes")."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

SAFE = 1 << 53
"""Every integer is smaller than this, and larger than its negative, so that a double can hold it."""

DEEPEST = 100
"""How deep lists and objects may nest, so that every reader can read them."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_encoder = msgspec.json.Encoder(order="sorted")


class NotCanonical(ValueError):
    """A value that canonical JSON can't hold, or bytes that are not its canonical form."""


def encode(value: Any) -> bytes:
    """Return the canonical bytes of a struct, or of a value that `check` accepts.

    Raises:  NotCanonical for a lone surrogate. Other faults are found by `check` only.
    """
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical("value: a lone surrogate") from error


def check(value: object) -> None:
    """Check that canonical JSON can hold the value.

    The content of texts is free: no table of characters, which grows every year, decides what is valid.
    Raises:  NotCanonical for a float, a large integer, a key that is not ASCII, a lone surrogate, or too deep nesting.
    """
    if (fault_found := _fault(value, 0)) is not None:
        path, kind, fault = fault_found
        raise NotCanonical(f"{path.removeprefix('.') or kind}: {fault}" if kind else fault)


def _fault(value: object, depth: int) -> tuple[str, str, str] | None:
    """Return the first fault: its path, what to call a value without one, what is wrong. None if there is no fault."""
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
            if (inner := _fault(item, depth + 1)) is not None:
                return f"[{i}]{inner[0]}", *inner[1:]
        return None
    return "", "value", f"{type(value).__name__} has no canonical form"


def _fault_inside(value: dict[Any, Any], depth: int) -> tuple[str, str, str] | None:
    for key, item in value.items():
        if not isinstance(key, str) or not key.isascii():
            return "", "object", f"the key {key!r} is not ASCII"
        if (inner := _fault(item, depth)) is not None:
            return f".{key}{inner[0]}", *inner[1:]
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotCanonical(f"a doubled key among {sorted(key for key, _ in pairs)}")
    return members


def decode(data: bytes) -> Any:
    """Return the value of canonical bytes. Raises NotCanonical unless `encode` makes exactly these bytes of it."""
    try:
        value = json.loads(data, object_pairs_hook=_unique)
        check(value)
        again = encode(value)
    except NotCanonical:
        raise
    except (ValueError, RecursionError) as error:
        # ValueError: not UTF-8, not JSON, or an integer of more digits than Python reads
        raise NotCanonical(f"no JSON: {error}") from error
    if again != data:
        raise NotCanonical("not the canonical form of its value")
    return value


def raw(digits: str, length: int) -> bytes:
    """Return the `length` bytes that lower-case hexadecimal digits stand for; `bytes.fromhex` accepts more spellings.

    Raises:  NotCanonical.
    """
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        data = b""
    if len(data) != length or data.hex() != digits:
        raise NotCanonical(f"{length} bytes as lower-case hexadecimal digits were expected")
    return data
