"""The names that people give: something to see, on one line, in one direction (PRECIS, RFC 8264 and 8266)."""

from __future__ import annotations

from unicodedata import bidirectional, category

from precis_i18n import get_profile

LENGTH = 64
"""Characters of a name, at most, as it is said and as it is kept."""

MARKS = 3
"""Marks on one letter, at most: as many as people write."""

BLANK = frozenset("\u2800\U0001d159")
"""Of the characters that PRECIS takes for signs those that show nothing."""

VARIANTS = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Variation selectors choose a glyph (of 葛, of an emoji) and show nothing: they are dropped."""

LEFT, RIGHT = frozenset({"L"}), frozenset({"R", "AL", "AN"})

_nickname = get_profile("NicknameCasePreserved")
_text = get_profile("FreeFormClass")


class BadName(ValueError):
    """What is no name: the words say why."""


def enforce(name: str) -> str:
    """The name as it is kept: in normal form KC, single spaces between its words. Raises BadName."""
    if len(name) > LENGTH:
        raise BadName(f"Length must be between 1 and {LENGTH}.")
    try:
        kept = _nickname.enforce(name.translate(VARIANTS))
    except UnicodeEncodeError as error:
        if error.reason == "DISALLOWED/empty":
            raise BadName("A name has something to see.") from None
        raise BadName(f"A name can't have U+{ord(error.object[error.start]):04X} there.") from None
    if len(kept) > LENGTH:
        raise BadName(f"Length must be between 1 and {LENGTH}.")
    if found := BLANK.intersection(kept):
        raise BadName(f"A name can't have U+{ord(min(found)):04X} there.")
    _check_marks(kept)
    directions = {bidirectional(char) for char in kept}
    if directions & LEFT and directions & RIGHT:
        raise BadName("A name runs in one direction.")
    return kept


def is_text(said: str) -> bool:
    """Whether all of it are characters that are written, not such as steer how others are shown."""
    try:
        _text.enforce(said)
    except UnicodeEncodeError:
        return False
    return not BLANK.intersection(said)


def _check_marks(name: str) -> None:
    """No mark without a letter, and no pile of them."""
    piled = MARKS
    for char in name:
        if category(char) in {"Mn", "Me"}:
            piled += 1
            if piled > MARKS:
                raise BadName(f"A mark stands on a letter, and on each are {MARKS} at most.")
        else:
            # a space carries none
            piled = MARKS if char == " " else 0
