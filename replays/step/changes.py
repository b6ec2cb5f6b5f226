"""What is new in a drawn table against the one before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

Span = tuple[int, int]
"""Characters of a line, from the first to before the last."""

ALIKE = 0.5
"""How much two lines must share to be the same line, changed."""

# a number or a word is replaced as a whole, a Japanese text sign by sign
_PARTS = re.compile(r"[0-9]+|[A-Za-z]+|\s+|.")


def changes(before: str, after: str) -> tuple[tuple[Span, ...], ...]:
    """For each line of `after` what of it `before` does not have."""
    old, new = before.split("\n"), after.split("\n")
    found: list[tuple[Span, ...]] = [()] * len(new)
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what in {"replace", "insert"}:
            found[c:d] = _block(old[a:b], new[c:d])
    return tuple(found)


def _block(old: list[str], new: list[str]) -> Iterator[tuple[Span, ...]]:
    """Lines in the place of others: each is held against the first one left that is like it."""
    rest = [_PARTS.findall(line) for line in old]
    for line in new:
        parts = _PARTS.findall(line)
        for i, other in enumerate(rest):
            likeness = SequenceMatcher(None, other, parts, autojunk=False)
            if likeness.ratio() >= ALIKE:
                del rest[: i + 1]
                yield _spans(likeness, parts)
                break
        else:
            yield ((0, len(line)),) if line else ()


def _spans(likeness: SequenceMatcher[str], parts: list[str]) -> tuple[Span, ...]:
    found: list[Span] = []
    starts = [0, *accumulate(map(len, parts))]
    kept = ""
    for what, _, _, c, d in likeness.get_opcodes():
        if what == "equal":
            kept = "".join(parts[c:d])
        elif c < d:
            # what only a space parts is one
            first = found.pop()[0] if found and kept.isspace() else starts[c]
            found.append((first, starts[d]))
    return tuple(found)
