"""The texts of messages: visible characters on few lines, without control characters."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from service.accounts import names

LENGTH = 500
"""The most characters of a message, both as it is sent and as it is stored."""

LINES = 12
REASON = 200
"""The most characters of a report's reason."""

JOINER = "\u200d"
SIGNS = frozenset({"So", "Sk"})
"""The categories of characters that are pictures."""

BREAK = re.compile(r"\r\n?|\n")
SPACES = re.compile(r"[^\S\n]+")


class BadText(ValueError):
    """The text can't be a message; the error's message says why."""


def enforce(said: str, most: int = LENGTH) -> str:
    """Return the text as it is stored: in normal form C, single spaces, no empty lines at its ends. Raises BadText."""
    if len(said) > most:
        raise BadText(f"Longer than maximum length {most}.")
    lines = [SPACES.sub(" ", normalize("NFC", line)).strip() for line in BREAK.split(said.translate(names.VARIANTS))]
    text = "\n".join(lines).strip("\n")
    if not text or not any(category(char)[0] in "LNPS" for char in text):
        raise BadText("A message needs visible characters.")
    if len(text) > most:
        raise BadText(f"Longer than maximum length {most}.")
    if text.count("\n") >= LINES:
        raise BadText(f"A message has {LINES} lines at most.")
    for line in lines:
        _check(line)
    return text


def _check(line: str) -> None:
    if line and not names.is_text(_without_joints(line)):
        raise BadText("A message can't contain control characters or characters that show nothing.")
    piled = 0
    for char in line:
        piled = piled + 1 if category(char) in {"Mn", "Me"} else 0
        if piled > names.MARKS:
            raise BadText(f"A letter can have {names.MARKS} marks at most, and a mark needs a letter.")


def _without_joints(line: str) -> str:
    """Return the line without joiners between two pictures, which show nothing themselves."""
    return "".join(char for place, char in enumerate(line) if char != JOINER or not _joins(line, place))


def _joins(line: str, place: int) -> bool:
    return 0 < place < len(line) - 1 and {category(line[place - 1]), category(line[place + 1])} <= SIGNS
