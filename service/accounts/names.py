"""The names of players (PRECIS, RFC 8264 and 8266), visible and on one line in one direction; and their logins.

Players sign in by a login, a confirmed mail address, or their id. A guest has a name from the start, which everybody
reads in their own language.
"""

from __future__ import annotations

import re
import secrets
from functools import lru_cache
from unicodedata import bidirectional, category

from precis_i18n import get_profile

from domain import texts
from domain.game import Lang

LENGTH = 64
"""The most characters of a name, both as it is sent and as it is stored."""

MARKS = 3
"""The most marks on one letter; no language needs more."""

BLANK = frozenset("\u2800\U0001d159")
"""The characters that PRECIS allows as signs although they show nothing."""

VARIANTS = dict.fromkeys((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Variation selectors, which choose a glyph (of 葛, of an emoji). They are dropped, since they show nothing."""

LEFT, RIGHT = frozenset({"L"}), frozenset({"R", "AL", "AN"})

_nickname = get_profile("NicknameCasePreserved")
_text = get_profile("FreeFormClass")


class Unsuitable(ValueError):
    """The text can't be a name, a login, a password, or a message; the error's message says why."""


def enforce(name: str) -> str:
    """Return the name as it is stored: in normal form KC, with single spaces. Raises Unsuitable."""
    if len(name) > LENGTH:
        raise Unsuitable(f"Length must be between 1 and {LENGTH}.")
    try:
        kept = _nickname.enforce(name.translate(VARIANTS))
    except UnicodeEncodeError as error:
        if error.reason == "DISALLOWED/empty":
            raise Unsuitable("A name needs visible characters.") from None
        raise Unsuitable(f"A name can't contain U+{ord(error.object[error.start]):04X} at this place.") from None
    if len(kept) > LENGTH:
        raise Unsuitable(f"Length must be between 1 and {LENGTH}.")
    if blanks := BLANK.intersection(kept):
        raise Unsuitable(f"A name can't contain U+{ord(min(blanks)):04X} at this place.")
    _check_marks(kept)
    directions = {bidirectional(char) for char in kept}
    if directions & LEFT and directions & RIGHT:
        raise Unsuitable("A name must have one direction of writing.")
    return kept


def is_text(text: str) -> bool:
    """Return whether the text has only characters that show something, and none that control how others are shown."""
    try:
        _text.enforce(text)
    except UnicodeEncodeError:
        return False
    return not BLANK.intersection(text)


def _check_marks(name: str) -> None:
    """Raise Unsuitable if a mark has no letter, or a letter has too many marks."""
    piled = MARKS
    for char in name:
        if category(char) in {"Mn", "Me"}:
            piled += 1
            if piled > MARKS:
                raise Unsuitable(f"A letter can have {MARKS} marks at most, and a mark needs a letter.")
        else:
            # a space can't have marks
            piled = MARKS if char == " " else 0


LOGIN_LEAST, LOGIN_MOST = 3, 32
"""The least and the most characters of a login."""

_username = get_profile("UsernameCaseMapped")


def enforce_login(login: str) -> str:
    """Return the login as it is stored, in small letters (PRECIS, RFC 8265). Raises Unsuitable."""
    if not LOGIN_LEAST <= len(login) <= LOGIN_MOST:
        raise Unsuitable(f"Length must be between {LOGIN_LEAST} and {LOGIN_MOST}.")
    if "@" in login or login.lower().startswith("p_"):
        raise Unsuitable("A login can't contain @ or begin with p_.")
    try:
        kept = str(_username.enforce(login))
    except UnicodeEncodeError:
        raise Unsuitable("A login must be one word of letters, digits and signs.") from None
    if not LOGIN_LEAST <= len(kept) <= LOGIN_MOST:
        raise Unsuitable(f"Length must be between {LOGIN_LEAST} and {LOGIN_MOST}.")
    return kept


def mailbox(address: str) -> str:
    """Return the address in a form that is the same for all its spellings."""
    return address.casefold()


GUESTS = texts.read("service.accounts", "guests")

GUEST = re.compile("|".join(words["guest"].format(number="([1-9][0-9]{3})") for words in GUESTS.values()))
"""Matches the name of a guest in any language. Who chooses such a name is called like a guest."""


def guest_name(lang: Lang) -> str:
    """Return a name for a new guest. Two guests may have the same."""
    return GUESTS[lang]["guest"].format(number=1000 + secrets.randbelow(9000))


@lru_cache(maxsize=2048)
def called(name: str, lang: Lang) -> str:
    """Return a player's name for readers of that language: that of a guest in it, any other as it is."""
    found = GUEST.fullmatch(name)
    return GUESTS[lang]["guest"].format(number=next(filter(None, found.groups()))) if found else name
