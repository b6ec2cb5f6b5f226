"""Mails about an account, as they are posted.

| kind | to | says |
|---|---|---|
| `confirm` | the address that is to be confirmed | a link by which it is (`MailedLinks.of_letter`) |
| `recover` | the confirmed address | a link by which a new password is set (`MailedLinks.of_letter`) |
| `password-changed` | the confirmed address | that it was |
| `address-changed` | the address that was confirmed before | that another one is in its place |

`about` is empty in all of them: the link is made when the mail is sent, and none lies in the store.
"""

from __future__ import annotations

from events.naming import fresh_id
from service.store import Letter, Statement
from service.store import letters as kept

CONFIRM, RECOVER = "confirm", "recover"
PASSWORD_CHANGED, ADDRESS_CHANGED = "password-changed", "address-changed"


def post(kind: str, player: str, address: str, lang: str, at: str) -> list[Statement]:
    """A letter to that player is to be sent, instead of those of its kind that were not sent yet."""
    letter = Letter(id=fresh_id("m"), kind=kind, player=player, address=address, lang=lang, at=at)
    return [kept.drop(player, kind), kept.post(letter)]
