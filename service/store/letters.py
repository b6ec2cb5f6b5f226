"""Letters: mails that tell of no match's course, but of an account, of a day, or of what came of a player's own mail.

One is posted in the transaction of what it tells about, so that it is sent if that happened and not otherwise. What it
says is not kept, only its kind and what that kind needs; a secret in it is signed or made when it is sent
(`service.signing`), so that none lies here.
"""

from __future__ import annotations

import msgspec

from events.store import Statement
from service.store import deliveries
from service.store.deliveries import LETTERS, LETTERS_OF_KIND, MAIL, Delivery

DIGEST, ANSWER = "digest", "answer"


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A mail to be."""

    id: str
    """`m_` and what `events.naming.fresh_id` draws; or a name of what it tells, where that is told once. A second one
    of a name is not posted while the first waits."""
    kind: str
    player: str
    """Whose it is."""
    address: str = ""
    """Where it goes; "": to the player's confirmed address, when it is sent."""
    lang: str = ""
    about: str = "{}"
    """What its kind needs, as JSON."""
    at: str
    """When it was posted."""


def post(letter: Letter) -> Statement:
    """The letter is to be sent."""
    told = Delivery(
        home=letter.player,
        id=letter.id,
        channel=MAIL,
        target="",
        player=letter.player,
        kind=letter.kind,
        body=msgspec.json.encode(letter).decode(),
        at=letter.at,
        due=letter.at,
    )
    return deliveries.enter(told)


def read(one: Delivery) -> Letter:
    """Return the letter that was posted."""
    return msgspec.json.decode(one.body, type=Letter)


def drop(player: str, kind: str) -> Statement:
    """The player's letters of that kind are not to be sent."""
    return Statement(LETTERS_OF_KIND, {"player": player, "kind": kind}, player)


def drop_all(player: str) -> Statement:
    """No letter of the player's is to be sent."""
    return Statement(LETTERS, {"player": player}, player)
