"""Logins: the names by which people sign in, besides a confirmed mail address or a player's id."""

from __future__ import annotations

from precis_i18n import get_profile

LEAST, MOST = 3, 32
"""The least and the most characters of a login."""

_username = get_profile("UsernameCaseMapped")


class BadLogin(ValueError):
    """The text can't be a login; the message says why."""


def enforce(login: str) -> str:
    """Return the login as it is stored, in small letters (PRECIS, RFC 8265). Raises BadLogin."""
    if not LEAST <= len(login) <= MOST:
        raise BadLogin(f"Length must be between {LEAST} and {MOST}.")
    if "@" in login or login.lower().startswith("p_"):
        raise BadLogin("A login can't contain @ or begin with p_.")
    try:
        kept = str(_username.enforce(login))
    except UnicodeEncodeError:
        raise BadLogin("A login must be one word of letters, digits and signs.") from None
    if not LEAST <= len(kept) <= MOST:
        raise BadLogin(f"Length must be between {LEAST} and {MOST}.")
    return kept


def mailbox(address: str) -> str:
    """Return the address in a form that is the same for all its spellings."""
    return address.casefold()
