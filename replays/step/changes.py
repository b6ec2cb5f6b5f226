"""Finds what is new in a drawn table, compared with the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import accumulate

Span = tuple[int, int]
"""Characters of a line: the first, and the one after the last."""

ALIKE = 0.5
"""How similar two lines must be to count as one line that changed, from 0 to 1."""

# numbers and words are replaced as a whole, Japanese text character by character
_PARTS = re.compile(r"[0-9]+|[A-Za-z]+|\s+|.")


def changes(before: str, after: str) -> tuple[tuple[Span, ...], ...]:
    """Return for each line of `after` the spans that `before` does not have."""
    old, new = before.split("\n"), after.split("\n")
    by_line: list[tuple[Span, ...]] = [()] * len(new)
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what in {"replace", "insert"}:
            by_line[c:d] = _block(old[a:b], new[c:d])
    return tuple(by_line)


def _block(old: list[str], new: list[str]) -> Iterator[tuple[Span, ...]]:
    """Yield the spans of lines that replace others; each is compared with the first similar line that is left."""
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
    spans: list[Span] = []
    starts = [0, *accumulate(map(len, parts))]
    kept = ""
    for what, _, _, c, d in likeness.get_opcodes():
        if what == "equal":
            kept = "".join(parts[c:d])
        elif c < d:
            # two spans with only a space between them become one
            first = spans.pop()[0] if spans and kept.isspace() else starts[c]
            spans.append((first, starts[d]))
    return tuple(spans)
