"""The channel of mails: it writes each mail when it is sent, and hands it to a mail server."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import structlog

from events.store import Store, StoreError
from service import clock
from service.mail.desk import Desk, Ready
from service.mail.sending import Line, Undelivered, Unreachable
from service.mail.settings import MailSettings
from service.outbox import Channel, ChannelAway, ChannelOutcome
from service.store import Delivery, Subscription, Wishes, deliveries, mailing, notices

DIGESTS = 50
"""The most digests that are put into the outbox at a time."""

logger = structlog.get_logger(__name__)


class MailChannel(Channel):
    """The channel of mails: see `service.outbox.Channel`. One thread uses it."""

    name = deliveries.MAIL
    claim = timedelta(seconds=90)
    waits = (60, 120, 240, 480, 960, 1920, 3840, 7680, *(14_400,) * 23)
    has_subscriptions = False

    def __init__(self, store: Store, desk: Desk, settings: MailSettings, now: clock.Now = clock.now) -> None:
        self._store = store
        self._desk = desk
        self._line = Line(settings.relay)
        self._after = timedelta(seconds=settings.after)
        self._now = now

    def delay(self, kind: str) -> timedelta:
        """See `Channel.delay`."""
        return self._after if kind == notices.TURN else timedelta()

    def open(self) -> None:
        """Put the digests whose hour has come into the outbox. Raises StoreError."""
        now = clock.stamp(self._now())
        for wishes in mailing.digests(self._store, now, DIGESTS):
            self._store.write(mailing.post_digest(wishes, now, next_digest(wishes, self._now())))

    def send(self, one: Delivery, to: Subscription | None, due: str) -> ChannelOutcome:
        """See `Channel.send`."""
        try:
            ready = self._desk.letter(mailing.read_letter(one)) if not one.target else self._desk.notice(one, due)
        except StoreError:
            raise
        except Exception as error:
            # a later try may succeed; the error's text is not logged, since it may reveal a hand
            logger.warning("a mail can't be written", kind=type(error).__name__)
            return ChannelOutcome(deliveries.WAITING)
        if ready is None:
            return ChannelOutcome(deliveries.DROPPED)
        try:
            self._line.send(ready.sender, ready.to, ready.mail)
        except Unreachable as error:
            raise ChannelAway(str(error)) from error
        except Undelivered as error:
            return _refused(ready, error)
        self._desk.count(one)
        return ChannelOutcome(beside=ready.beside)

    def close(self) -> None:
        """See `Channel.close`."""
        self._line.close()


def _refused(ready: Ready, error: Undelivered) -> ChannelOutcome:
    logger.warning("a mail was refused", error=str(error))
    if not error.is_final:
        return ChannelOutcome(deliveries.WAITING)
    is_theirs = error.is_address and ready.player
    return ChannelOutcome(deliveries.FAILED, beside=(mailing.bounce(ready.player, ready.to),) if is_theirs else ())


def next_digest(wishes: Wishes, now: datetime) -> str:
    """Return when the player's next digest is due: the next time that it is the hour in the player's zone."""
    local = now.astimezone(ZoneInfo(wishes.zone))
    at = local.replace(hour=wishes.hour, minute=0, second=0, microsecond=0)
    while at <= local:
        at = (at + timedelta(days=1)).replace(hour=wishes.hour)
    return clock.stamp(at)
