"""What is answered about mail: a struct."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from service.shapes import one_of
from service.store import Wishes, mailing
from service.web.reply import LANGS


class Mail(Struct, frozen=True, kw_only=True):
    """What a player wants by mail."""

    address: str
    """The confirmed one."""
    on: bool
    """Whether anything is sent."""
    stopped: Annotated[str, one_of(mailing.UNSUBSCRIBED, mailing.BOUNCED)] | None
    """Why nothing is: you wanted none, or the address refused what was sent."""
    lang: Annotated[str, one_of(*LANGS)]
    """In which language mails are written."""
    turns: Annotated[str, one_of(mailing.EACH, mailing.DIGEST, mailing.NONE)]
    news: bool
    """Whether what happens to matches is told."""
    hour: int
    """Of the day, when the digest is sent."""
    zone: str
    """The time zone in which hours and deadlines are told."""

    @classmethod
    def of(cls, wishes: Wishes) -> Mail:
        """Return what the player wants, as it is answered."""
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
