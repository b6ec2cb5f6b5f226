"""What is new in a drawn table."""

from __future__ import annotations

import pytest

from replays.step import changes


def marked(before: str, after: str) -> str:
    """The text after, with what is new in brackets."""
    lines = []
    for line, spans in zip(after.split("\n"), changes(before, after), strict=True):
        parts, at = [], 0
        for first, last in spans:
            parts += [line[at:first], "[", line[first:last], "]"]
            at = last
        lines.append("".join(parts) + line[at:])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("deck 24\nhand", "deck 24\nhand", "deck 24\nhand"),
        ("Seat 0: 260 od", "Seat 0: 250 od", "Seat 0: [250] od"),
        ("hand: fire 1 · wood 2", "hand: fire 1 · wood 2 · fire 3", "hand: fire 1 · wood 2[ · fire 3]"),
        ("hand: fire 1 · wood 2", "hand: wood 2", "hand: wood 2"),
        ("a\nb", "a\nnew line\nb", "a\n[new line]\nb"),
        ("a\nb\nc", "a\nc", "a\nc"),
        ("a", "a\n\nb", "a\n\n[b]"),
        ("Seat 1: swaps now; goal 10", "Seat 1: in turn; goal 10", "Seat 1: [in turn]; goal 10"),
        ("Now: dealing.", "Everything else\nis new", "[Everything else]\n[is new]"),
        ("席0：260オド、手札5枚", "席0：250オド、手札5枚", "席0：[250]オド、手札5枚"),
        ("手札：木0 木4★", "手札：木0 火2 木4★", "手札：木0 [火2 ]木4★"),
        ("one 1\ntwo 2\nthree 3", "two 9\nthree 3\nfour 4", "two [9]\nthree 3\n[four 4]"),
    ],
)
def test_what_is_new_is_marked_by_words_and_by_japanese_signs(before: str, after: str, expected: str) -> None:
    assert marked(before, after) == expected
    assert expected.replace("[", "").replace("]", "") == after
