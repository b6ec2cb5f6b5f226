"""What may be said: text that is written, on few lines, and nothing that steers how others' text is shown."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from service.accounts import names

LENGTH = 500
"""Characters of a message, at most, as it is said and as it is kept."""

LINES = 12
REASON = 200
"""Characters of a report's reason."""

JOINER = "\u200d"
SIGNS = frozenset({"So", "Sk"})
"""Of characters that are pictures."""

BREAK = re.compile(r"\r\n?|\n")
SPACES = re.compile(r"[^\S\n]+")


class BadText(ValueError):
    """What can't be said: the words say why."""


def enforce(said: str, most: int = LENGTH) -> str:
    """The text as it is kept: in normal form C, single spaces, no empty lines at its ends. Raises BadText."""
    if len(said) > most:
        raise BadText(f"Longer than maximum length {most}.")
    lines = [SPACES.sub(" ", normalize("NFC", line)).strip() for line in BREAK.split(said.translate(names.VARIANTS))]
    text = "\n".join(lines).strip("\n")
    if not text or not any(category(char)[0] in "LNPS" for char in text):
        raise BadText("A message has something to see.")
    if len(text) > most:
        raise BadText(f"Longer than maximum length {most}.")
    if text.count("\n") >= LINES:
        raise BadText(f"A message has {LINES} lines at most.")
    for line in lines:
        _check(line)
    return text


def _check(line: str) -> None:
    if line and not names.is_text(_without_joints(line)):
        raise BadText("A message is written in characters, none of which steers how others are shown.")
    piled = 0
    for char in line:
        piled = piled + 1 if category(char) in {"Mn", "Me"} else 0
        if piled > names.MARKS:
            raise BadText(f"A mark stands on a letter, and on each are {names.MARKS} at most.")


def _without_joints(line: str) -> str:
    """The line without what joins two pictures into one, which shows nothing of its own."""
    return "".join(char for place, char in enumerate(line) if char != JOINER or not _joins(line, place))


def _joins(line: str, place: int) -> bool:
    return 0 < place < len(line) - 1 and {category(line[place - 1]), category(line[place + 1])} <= SIGNS
