"""Takes mail in: LMTP and SMTP on one port, one addressee for each mail; it relays nothing.

A client may send anything. So the size of every command, line and mail is limited, a mail that can't be read is
refused, and nothing that a client sends stops the listener.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Any

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from events.store import StoreError
from service.limits import Addresses, Holders
from service.mail.answering import Answering, NobodysAddress, Replying, Returning
from service.mail.incoming import MOST, Hostile, hear

CONNECTIONS = 100
"""The most open connections. One more closes the connection that was silent longest, of the address that has most."""

SILENCE = 20.0
"""Seconds after which a silent connection is closed."""

HANDS = 4
"""The most mails that are read at once."""

UNKNOWN = "550 5.1.1 nobody has this address, or it is no longer valid"
LATER = "451 4.3.0 not now; send it again"

ADDRESSES = Addresses((), ())
"""Finds out which address holds a connection."""

logger = structlog.get_logger(__name__)


class MailReceiver:
    """The handler that aiosmtpd calls for each mail."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._hands = ThreadPoolExecutor(HANDS, thread_name_prefix="mail")

    def close(self) -> None:
        """Finish the mails that are being read."""
        self._hands.shutdown()

    async def _do(self, deed: Callable[..., str], *args: Any) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._hands, deed, *args)

    async def handle_RCPT(  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer whether mail to that address is taken."""
        if envelope.rcpt_tos:
            return "452 4.5.3 one at a time"
        answer = await self._do(self._known, address)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # aiosmtpd's
        """Take the mail, and answer what came of it."""
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        return await self._do(self._take, envelope.rcpt_tos[0], envelope.mail_from, raw)

    def _known(self, address: str) -> str:
        try:
            self._answering.addressee(address)
        except NobodysAddress:
            return UNKNOWN
        except Exception as error:
            return _later(error)
        return "250 2.1.5 ok"

    def _take(self, address: str, sender: str | None, raw: bytes) -> str:
        try:
            whom: Replying | Returning = self._answering.addressee(address)
            self._answering.take(whom, hear(raw, sender))
        except NobodysAddress:
            return UNKNOWN
        except Hostile:
            return "554 5.6.0 this mail can't be read"
        except Exception as error:
            return _later(error)
        return "250 2.0.0 ok"


def _later(error: Exception) -> str:
    """Log an error of this service, and return the answer after which the sender keeps the mail and tries again.

    Only a StoreError's text is logged: the text of another error may reveal a hand.
    """
    known = {"error": str(error)} if isinstance(error, StoreError) else {}
    logger.error("a mail can't be taken now", kind=type(error).__name__, **known)
    return LATER


class _Both(SMTP):
    """One connection, which speaks LMTP or SMTP: with one addressee for each mail, both answer a mail with one line."""

    def __init__(self, callers: Holders[_Both], *args: Any, **more: Any) -> None:
        """`callers`: all connections by the address that holds them, those first that have been silent longest."""
        super().__init__(*args, **more)
        self._callers = callers
        self._holder = ""

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:  # aiosmtpd's name
        """Answer LMTP's greeting."""
        await self.smtp_EHLO(arg)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        peer = transport.get_extra_info("peername")
        self._holder = ADDRESSES.holder(str(peer[0]) if peer else "")
        super().connection_made(transport)
        self._callers.hold(self._holder, self)
        for caller in self._callers.relieve(CONNECTIONS):
            assert isinstance(caller.transport, asyncio.Transport), "it is connected"
            caller.transport.abort()

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self._callers.let_go(self)
        self._callers.hold(self._holder, self)
        super().data_received(data)

    def connection_lost(self, error: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._callers.let_go(self)
        super().connection_lost(error)


class MailListener:
    """Listens on a separate thread."""

    def __init__(self, door: MailReceiver, host: str, port: int, domain: str) -> None:
        """Start to listen. Raises OSError if it can't listen there."""
        self._door = door
        self._loop = asyncio.new_event_loop()
        self._domain = domain
        self._callers: Holders[_Both] = Holders()
        for name in ("mail.log", "mail.debug"):
            # aiosmtpd would log who wrote to whom
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            self._server = self._loop.run_until_complete(self._loop.create_server(self._protocol, host or None, port))
        except BaseException:
            self._loop.close()
            raise
        self.port = int(self._server.sockets[0].getsockname()[1])
        self._thread = Thread(target=self._loop.run_forever, name="mail-listener")
        self._thread.start()

    def _protocol(self) -> SMTP:
        return _Both(
            self._callers,
            self._door,
            data_size_limit=MOST,
            enable_SMTPUTF8=True,
            hostname=self._domain,
            ident="foldtable",
            timeout=SILENCE,
            loop=self._loop,
        )

    @property
    def is_alive(self) -> bool:
        """Whether it listens."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop listening, and close all connections."""
        done = Event()

        async def end() -> None:
            self._server.close()
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            done.set()

        asyncio.run_coroutine_threadsafe(end(), self._loop)
        done.wait(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._door.close()
