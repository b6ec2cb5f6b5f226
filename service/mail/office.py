"""Sends what is due. Any number of processes may: each mail is taken by one of them, and sent at least once.

One that is killed while it has a mail in hand leaves it to the others, who may so send it a second time, under the same
name. What the log lines say tells nothing of a match: under seal not even that somebody was written to may be known.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Event
from time import monotonic
from zoneinfo import ZoneInfo

import msgspec
import structlog

from events.store import Statement, Store, StoreError
from service import clock
from service.mail.desk import Desk, Ready
from service.mail.sending import Post, Undelivered, Unreachable, connected
from service.mail.settings import MailSettings
from service.store import Tiding, Waiting, Wishes, mailing, outbox, tidings

MOST = 50
"""Mails of a kind that are looked for at a time."""

HELD = timedelta(minutes=10)
"""For which a mail is in one process's hands; then another takes it."""

FIRST, LONGEST = timedelta(minutes=1), timedelta(hours=4)
"""Until a mail is tried again, doubled each time."""

LAST = timedelta(days=4)
"""After which it is given up."""

PAUSE, AWAY = 1.0, 15.0
"""Seconds until it is looked again, and where the server did not answer."""

logger = structlog.get_logger(__name__)


class Office:
    """Sends mails."""

    def __init__(self, store: Store, desk: Desk, settings: MailSettings, now: clock.Now = clock.now) -> None:
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
        found: list[_Letter | _Tiding] = [
            *(_Letter(one) for one in outbox.due_letters(self._store, now, MOST)),
            *(_Tiding(one) for one in tidings.due_tidings(self._store, now, MOST)),
        ]
        if found:
            self._send_all(found, stop)
        return len(found)

    def _send_all(self, found: list[_Letter | _Tiding], stop: Event | None) -> None:
        with _Lazily(self._settings) as line:
            for one in found:
                if stop is not None and stop.is_set():
                    return
                self.alive = monotonic()
                if (held := self._take(one)) is None:
                    continue
                try:
                    ready = self._written(held)
                    if ready is not None:
                        line.post().send(ready.sender, ready.to, ready.mail)
                except Unreachable:
                    self._put_off(held)
                    raise
                except Undelivered as error:
                    self._failed(held, ready, error)
                except NotWritten:
                    self._put_off(held)
                else:
                    self._store.write(held.done())
                    for told in ready.told if ready else ():
                        self._store.write([tidings.settle_tiding(told)])

    def _take(self, one: _Letter | _Tiding) -> _Letter | _Tiding | None:
        """The mail, in this process's hands; None if it is in another's."""
        until = clock.stamp(self._now() + HELD)
        return one.held(until) if self._store.write([one.take(until)]) == (1,) else None

    def _written(self, one: _Letter | _Tiding) -> Ready | None:
        try:
            return one.written(self._desk)
        except StoreError:
            raise
        except Exception as error:
            # what can't be told may be told later; the error's words may say what is in a hand
            logger.warning("a mail can't be written", kind=type(error).__name__)
            raise NotWritten from error

    def _failed(self, one: _Letter | _Tiding, ready: Ready | None, error: Undelivered) -> None:
        logger.warning("a mail was refused", error=str(error))
        if error.is_final and error.is_address and ready is not None and ready.player:
            self._store.write([mailing.bounce(ready.player, ready.to)])
        if error.is_final:
            self._store.write(one.done())
        else:
            self._put_off(one)

    def _put_off(self, one: _Letter | _Tiding) -> None:
        now = self._now()
        if now - datetime.fromisoformat(one.at) > LAST:
            logger.warning("a mail is given up")
            self._store.write(one.done())
            return
        pause = min(LONGEST, FIRST * 2 ** min(one.tries, 10))
        self._store.write([one.put_off(clock.stamp(now + pause))])

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


class _Letter(msgspec.Struct, frozen=True):
    """A letter of the outbox, on its way."""

    one: Waiting

    @property
    def at(self) -> str:
        return self.one.at

    @property
    def tries(self) -> int:
        return self.one.tries

    def take(self, until: str) -> Statement:
        return outbox.take_letter(self.one, until)

    def held(self, until: str) -> _Letter:
        return _Letter(msgspec.structs.replace(self.one, due=until))

    def written(self, desk: Desk) -> Ready | None:
        return desk.letter(self.one)

    def put_off(self, until: str) -> Statement:
        return outbox.put_off_letter(self.one, until)

    def done(self) -> list[Statement]:
        return [outbox.drop_letter(self.one)]


class _Tiding(msgspec.Struct, frozen=True):
    """A tiding, on its way."""

    one: Tiding

    @property
    def at(self) -> str:
        return self.one.at

    @property
    def tries(self) -> int:
        return self.one.tries

    def take(self, until: str) -> Statement:
        return tidings.take_tiding(self.one, until)

    def held(self, until: str) -> _Tiding:
        return _Tiding(msgspec.structs.replace(self.one, due=until))

    def written(self, desk: Desk) -> Ready | None:
        return desk.tiding(self.one)

    def put_off(self, until: str) -> Statement:
        return tidings.settle_tiding(self.one, until)

    def done(self) -> list[Statement]:
        return [tidings.settle_tiding(self.one)]


def next_digest(wishes: Wishes, now: datetime) -> str:
    """When the next one is due: the next time that it is the hour in the player's zone."""
    local = now.astimezone(ZoneInfo(wishes.zone))
    at = local.replace(hour=wishes.hour, minute=0, second=0, microsecond=0)
    while at <= local:
        at = (at + timedelta(days=1)).replace(hour=wishes.hour)
    return clock.stamp(at)
