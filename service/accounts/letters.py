"""Mails about an account, as they are posted.

| kind | to | content |
|---|---|---|
| `confirm` | the address to be confirmed | a link that confirms it (`MailedLinks.of_letter`) |
| `recover` | the confirmed address | a link by which a new password is set (`MailedLinks.of_letter`) |
| `password-changed` | the confirmed address | the password was changed |
| `address-changed` | the address that was confirmed before | another address has replaced it |

`about` is empty in all of them: a link is made when its mail is sent, and is never stored.
"""

from __future__ import annotations

from events.chain import fresh_id
from service.store import Letter, Statement
from service.store import mailing as kept

CONFIRM, RECOVER = "confirm", "recover"
PASSWORD_CHANGED, ADDRESS_CHANGED = "password-changed", "address-changed"


def post(kind: str, player: str, address: str, lang: str, at: str) -> list[Statement]:
    """Return the statements that post a letter to the player, and drop earlier ones of its kind that wait."""
    letter = Letter(id=fresh_id("m"), kind=kind, player=player, address=address, lang=lang, at=at)
    return [kept.drop_letters(player, kind), kept.post(letter)]
