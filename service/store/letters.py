"""Letters: mails about an account, digests, and answers to a player's own mail.

A letter is posted in the transaction of what it tells, so it is sent exactly if that happened. Its text is not stored,
only its kind and the values that the kind needs. A secret in it is made when it is sent (`service.signing`), so none is
stored here.
"""

from __future__ import annotations

import msgspec

from events.store import Statement
from service.store import deliveries
from service.store.deliveries import LETTERS, LETTERS_OF_KIND, MAIL, Delivery

DIGEST, ANSWER = "digest", "answer"


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A mail that is to be sent."""

    id: str
    """`m_` and an id of `events.chain.fresh_id`, or a name of what it tells. A second letter of the same id is not
    posted while the first waits."""
    kind: str
    player: str
    """Its reader."""
    address: str = ""
    """The address that it is sent to; "": the address that the player has confirmed when it is sent."""
    lang: str = ""
    about: str = "{}"
    """The values that its kind needs, as JSON."""
    at: str
    """When it was posted."""


def post(letter: Letter) -> Statement:
    """Return the statement that posts the letter."""
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
    """Return the statement that deletes the player's waiting letters of that kind."""
    return Statement(LETTERS_OF_KIND, {"player": player, "kind": kind}, player)


def drop_all(player: str) -> Statement:
    """Return the statement that deletes all waiting letters of the player."""
    return Statement(LETTERS, {"player": player}, player)
