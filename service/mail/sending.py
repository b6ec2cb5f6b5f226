"""The server that takes what we send, and what it says of it."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from service.mail.settings import Relay

PATIENCE = 30.0
"""Seconds that it may take over a word."""


class Undelivered(Exception):
    """It did not take a mail. The words are its own, without what the mail said."""

    def __init__(self, code: int, *, is_final: bool, is_address: bool = False) -> None:
        """`is_final`: for good; `is_address`: because of whom it goes to."""
        super().__init__(f"the mail server said {code}" if code else "the mail server does not answer")
        self.is_final = is_final
        self.is_address = is_address


class Unreachable(Exception):
    """It does not answer, or does not let us in: nothing can be sent now."""


class Post:
    """A connection to it."""

    def __init__(self, server: smtplib.SMTP) -> None:
        self._server = server

    def send(self, sender: str, to: str, mail: bytes) -> None:
        """Hand a mail over. Raises Undelivered; Unreachable when the connection is gone."""
        options = [] if to.isascii() else ["SMTPUTF8"]
        try:
            self._server.sendmail(sender, [to], mail, mail_options=options)
        except smtplib.SMTPRecipientsRefused as error:
            code = next(iter(error.recipients.values()), (0, b""))[0]
            raise Undelivered(code, is_final=code >= 500, is_address=True) from None
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
            if error.smtp_code == 421:
                raise Unreachable("the mail server said 421") from None
            raise Undelivered(error.smtp_code, is_final=error.smtp_code >= 500) from None
        except smtplib.SMTPNotSupportedError:
            raise Undelivered(0, is_final=True, is_address=True) from None
        except UnicodeError:
            raise Undelivered(0, is_final=True, is_address=True) from None
        except (smtplib.SMTPException, OSError) as error:
            raise Unreachable(f"the mail server does not answer ({type(error).__name__})") from None
        finally:
            with suppress(smtplib.SMTPException, OSError):
                self._server.rset()


@contextmanager
def connected(relay: Relay, patience: float = PATIENCE) -> Iterator[Post]:
    """Talk to it. Raises Unreachable."""
    server = None
    try:
        server = _open(relay, patience)
        if relay.user:
            server.login(relay.user, relay.password)
    except (smtplib.SMTPException, OSError, ValueError) as error:
        if server is not None:
            server.close()
        if isinstance(error, smtplib.SMTPAuthenticationError):
            raise Unreachable("the mail server refuses user or password") from None
        raise Unreachable(_why(error)) from None
    try:
        yield Post(server)
    finally:
        with suppress(smtplib.SMTPException, OSError):
            server.quit()
        server.close()


class Line:
    """A connection to the server that is opened when it is needed first, and may be closed and opened again."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._open = ExitStack()
        self._post: Post | None = None

    def send(self, sender: str, to: str, mail: bytes) -> None:
        """Hand a mail over. Raises Undelivered, Unreachable."""
        if self._post is None:
            self._post = self._open.enter_context(connected(self._relay))
        self._post.send(sender, to, mail)

    def close(self) -> None:
        """Hang up."""
        self._post = None
        self._open.close()


def _why(error: Exception) -> str:
    """What is wrong, in words that hold no password."""
    if isinstance(error, ssl.SSLError):
        return f"the mail server's certificate or encryption is refused ({error.reason})"
    if isinstance(error, Unsafe):
        return str(error)
    return f"the mail server does not answer ({type(error).__name__})"


class Unsafe(ValueError):
    """A password would be sent for anybody on the way to read."""


def _open(relay: Relay, patience: float) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if relay.is_tls:
        return smtplib.SMTP_SSL(relay.host, relay.port, timeout=patience, context=context)
    server = smtplib.SMTP(relay.host, relay.port, timeout=patience)
    try:
        server.ehlo()
        # what is on this machine passes no wire, and its certificate is nobody's
        if server.has_extn("starttls") and not relay.is_near:
            server.starttls(context=context)
            server.ehlo()
        elif relay.user and not relay.is_near:
            raise Unsafe("the mail server offers no encryption, and the password is not sent without it")
    except BaseException:
        server.close()
        raise
    return server
