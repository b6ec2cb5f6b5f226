"""Sends what is due. Any number of processes may: each mail is taken by one of them, and sent at least once.

One that is killed while it has a mail in hand leaves it to the others (`hands.py`), who may so send it a second time,
under the same name. What the log lines say tells nothing of a match: under seal not even that somebody was written to
may be known.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Event
from time import monotonic
from zoneinfo import ZoneInfo

import structlog

from events.store import Statement, Store, StoreError
from service import clock
from service.mail.desk import Desk, Ready
from service.mail.hands import RENEWED, Due, Hands, done, later
from service.mail.sending import Post, Undelivered, Unreachable, connected
from service.mail.settings import MailSettings
from service.store import Waiting, Wishes, mailing, outbox, tidings

MOST = 50
"""Mails of a kind that are looked for at a time."""

FIRST, LONGEST = timedelta(minutes=1), timedelta(hours=4)
"""Until a mail is tried again, doubled each time."""

LAST = timedelta(days=4)
"""After which it is given up."""

PAUSE, AWAY = 1.0, 15.0
"""Seconds until it is looked again, and where the server did not answer."""

logger = structlog.get_logger(__name__)


class Office:
    """Sends mails."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        settings: MailSettings,
        now: clock.Now = clock.now,
        renewed: float = RENEWED,
    ) -> None:
        """`renewed`: seconds after which it says again that a mail is in its hands."""
        self._renewed = renewed
        self._store = store
        self._desk = desk
        self._settings = settings
        self._now = now
        self.alive = monotonic()
        """When it last went on with its work."""

    def run(self, stop: Event) -> None:
        """Send until it is stopped. A store or a server that is away is waited for."""
        said = ""
        while not stop.is_set():
            pause, trouble = PAUSE, ""
            try:
                if self.look(stop) >= MOST:
                    pause = 0.0
            except Unreachable as error:
                pause, trouble = AWAY, str(error)
            except StoreError as error:
                trouble = f"the store does not answer: {error}"
            if trouble != said:
                logger.warning("no mail can be sent; trying again until it can", error=trouble) if trouble else (
                    logger.info("mails are sent again")
                )
            said = trouble
            self.alive = monotonic()
            stop.wait(pause)

    def look(self, stop: Event | None = None) -> int:
        """Send what is due now: how much was looked at. Raises Unreachable, StoreError."""
        now = self._stamp()
        for wishes in mailing.digests(self._store, now, MOST):
            self._store.write(mailing.post_digest(wishes, now, next_digest(wishes, self._now())))
        found: list[Due] = [
            *outbox.due_letters(self._store, now, MOST),
            *tidings.due_tidings(self._store, now, MOST),
        ]
        if found:
            self._send_all(found, stop)
        return len(found)

    def _send_all(self, found: list[Due], stop: Event | None) -> None:
        with _Lazily(self._settings) as line, Hands(self._store, self._now, self._renewed) as hands:
            for one in found:
                if stop is not None and stop.is_set():
                    return
                self.alive = monotonic()
                if (held := hands.take(one)) is not None:
                    self._send(held, line, hands)

    def _send(self, held: Due, line: _Lazily, hands: Hands) -> None:
        """Send it, and write down what came of that. Raises Unreachable, StoreError."""
        ready = None
        try:
            ready = self._written(held)
            if ready is not None:
                line.post().send(ready.sender, ready.to, ready.mail)
        except Unreachable:
            self._put_off(hands.let_go())
            raise
        except Undelivered as error:
            self._failed(hands.let_go(), ready, error)
        except NotWritten:
            self._put_off(hands.let_go())
        else:
            self._store.write([done(hands.let_go()), *(_told_by(ready) if ready is not None else [])])
            if ready is not None:
                self._desk.count(held)

    def _written(self, one: Due) -> Ready | None:
        try:
            return self._desk.letter(one) if isinstance(one, Waiting) else self._desk.tiding(one)
        except StoreError:
            raise
        except Exception as error:
            # what can't be told may be told later; the error's words may say what is in a hand
            logger.warning("a mail can't be written", kind=type(error).__name__)
            raise NotWritten from error

    def _failed(self, one: Due, ready: Ready | None, error: Undelivered) -> None:
        logger.warning("a mail was refused", error=str(error))
        if error.is_final and error.is_address and ready is not None and ready.player:
            self._store.write([mailing.bounce(ready.player, ready.to)])
        if error.is_final:
            self._store.write([done(one)])
        else:
            self._put_off(one)

    def _put_off(self, one: Due) -> None:
        now = self._now()
        if now - datetime.fromisoformat(one.at) > LAST:
            logger.warning("a mail is given up")
            self._store.write([done(one)])
            return
        pause = min(LONGEST, FIRST * 2 ** min(one.tries, 10))
        self._store.write([later(one, clock.stamp(now + pause))])

    def _stamp(self) -> str:
        return clock.stamp(self._now())


class NotWritten(Exception):
    """What the mail is to say can't be found out now."""


class _Lazily:
    """A line to the server that is opened when it is needed first."""

    def __init__(self, settings: MailSettings) -> None:
        self._context = connected(settings.relay)
        self._post: Post | None = None

    def post(self) -> Post:
        if self._post is None:
            self._post = self._context.__enter__()
        return self._post

    def __enter__(self) -> _Lazily:
        return self

    def __exit__(self, *_: object) -> None:
        if self._post is not None:
            self._context.__exit__(None, None, None)


def _told_by(ready: Ready) -> list[Statement]:
    """What the mail has told beside what it was for."""
    told = [tidings.settle_tiding(one) for one in ready.told]
    return [*told, *([tidings.tell(ready.turn)] if ready.turn else [])]


def next_digest(wishes: Wishes, now: datetime) -> str:
    """When the next one is due: the next time that it is the hour in the player's zone."""
    local = now.astimezone(ZoneInfo(wishes.zone))
    at = local.replace(hour=wishes.hour, minute=0, second=0, microsecond=0)
    while at <= local:
        at = (at + timedelta(days=1)).replace(hour=wishes.hour)
    return clock.stamp(at)
