"""The answer about a player's mail."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from service.shapes import one_of
from service.store import Wishes, mailing
from service.web.reply import LANGS


class Mail(Struct, frozen=True, kw_only=True):
    """The mails that a player wants."""

    address: str
    """The confirmed mail address."""
    on: bool
    """Whether mails are sent."""
    stopped: Annotated[str, one_of(mailing.UNSUBSCRIBED, mailing.BOUNCED)] | None
    """Why no mails are sent: you want none, or the address refused them; null if mails are sent."""
    lang: Annotated[str, one_of(*LANGS)]
    """The language of mails."""
    turns: Annotated[str, one_of(mailing.EACH, mailing.DIGEST, mailing.NONE)]
    news: bool
    """Whether there are mails about invitations, and starts and ends of matches."""
    hour: int
    """The hour of the day at which the digest is sent."""
    zone: str
    """The time zone of hours and deadlines."""

    @classmethod
    def of(cls, wishes: Wishes) -> Mail:
        """Return the player's wishes in the form of the answer."""
        return cls(
            address=wishes.address,
            on=not wishes.stopped,
            stopped=wishes.stopped or None,
            lang=wishes.lang,
            turns=wishes.turns,
            news=wishes.news,
            hour=wishes.hour,
            zone=wishes.zone,
        )
