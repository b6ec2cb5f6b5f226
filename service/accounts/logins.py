"""By what somebody logs in: a name that no other account has, a confirmed mail address, or their player's id."""

from __future__ import annotations

from precis_i18n import get_profile

LEAST, MOST = 3, 32
"""Characters of a name to log in by."""

_username = get_profile("UsernameCaseMapped")


class BadLogin(ValueError):
    """What is no name to log in by: the words say why."""


def enforce(login: str) -> str:
    """The name as it is kept, in small letters (PRECIS, RFC 8265). Raises BadLogin."""
    if not LEAST <= len(login) <= MOST:
        raise BadLogin(f"Length must be between {LEAST} and {MOST}.")
    if "@" in login or login.lower().startswith("p_"):
        raise BadLogin("A login has no @ and does not begin with p_.")
    try:
        kept = str(_username.enforce(login))
    except UnicodeEncodeError:
        raise BadLogin("A login is one word of letters, digits and signs.") from None
    if not LEAST <= len(kept) <= MOST:
        raise BadLogin(f"Length must be between {LEAST} and {MOST}.")
    return kept


def mailbox(address: str) -> str:
    """The address in the form in which two spellings of it are one."""
    return address.casefold()
