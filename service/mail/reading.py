"""Which move a reply names: by its first line that is its writer's own.

Whatever follows is of no account, so signatures and the mail that is quoted below need not be understood; what is
quoted above is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import normalize

_QUOTED = re.compile(r"\s*[>|｜＞]")
_SIGNATURE = re.compile(r"--\s*|_{10,}|-{5,}|={5,}|-+ ?(Original Message|Ursprüngliche Nachricht|元のメッセージ) ?-+")
_SAID = re.compile(r".{4,600}[:：]")
_HEAD = re.compile(
    r"(from|sent|to|subject|date|von|gesendet|an|betreff|差出人|送信日時|宛先|件名)\s*[:：]", re.IGNORECASE
)
_NUMBER = re.compile(r"[\[(#]?\s*([0-9]{1,4})\s*[\])]?\s*番?\s*[.:)、。!]?\s*(.*)")

LINE, LINES = 300, 2000
"""Characters of a line that are looked at, and lines."""


def first_line(text: str) -> str:
    """The first line that its writer wrote; "" where there is none."""
    lines = [normalize("NFKC", line[:LINE]).strip() for line in text.splitlines()[:LINES]]
    number = 0
    while number < len(lines):
        line = lines[number]
        if not line or _QUOTED.match(line):
            number += 1
        elif _SIGNATURE.fullmatch(line) or _HEAD.match(line):
            return ""
        elif (end := _attribution(lines, number)) > number:
            number = end
        else:
            return line
    return ""


def _attribution(lines: Sequence[str], start: int) -> int:
    """Where the lines end that say whose words are quoted below, if they begin here: they are three at most."""
    end = start
    while end < min(start + 3, len(lines)) and lines[end] and not _QUOTED.match(lines[end]):
        end += 1
    below = next((line for line in lines[end:] if line), "")
    said = " ".join(lines[start:end])
    is_answer = (found := _NUMBER.fullmatch(lines[start])) is not None and not found[2]
    return end if not is_answer and _QUOTED.match(below) and _SAID.fullmatch(said) else start


def chosen(line: str, moves: Sequence[tuple[str, str]]) -> str | None:
    """The id of the move that the line names, by its number from 1, its id or its text; None if it names none.

    Shape:   `moves`: ids and texts, as they were numbered.
    """
    said = _folded(line)
    for id, text in moves:
        if said in {id.casefold(), _folded(text)}:
            return id
    found = _NUMBER.fullmatch(normalize("NFKC", line).strip())
    if found is None or not 1 <= int(found[1]) <= len(moves):
        return None
    id, text = moves[int(found[1]) - 1]
    return id if not found[2] or _folded(text).startswith(_folded(found[2])) else None


def _folded(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())
