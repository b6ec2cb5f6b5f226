"""The names of guests: each has one from the start, which everybody reads in their own language."""

from __future__ import annotations

import re
import secrets
from functools import lru_cache

from domain import texts
from domain.game import Lang

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
