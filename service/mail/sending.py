"""Sends mails through a mail server, and understands its answers."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from service.mail.settings import Relay

PATIENCE = 30.0
"""Seconds that each answer of the mail server may take."""


class Undelivered(Exception):
    """The mail server refused a mail. The text contains the server's status code, and nothing of the mail."""

    def __init__(self, code: int, *, is_final: bool, is_address: bool = False) -> None:
        """`is_final`: trying again is useless; `is_address`: it was refused because of the receiver's address."""
        super().__init__(f"the mail server said {code}" if code else "the mail server does not answer")
        self.is_final = is_final
        self.is_address = is_address


class Unreachable(Exception):
    """The mail server does not answer, or refuses the connection or the password: nothing can be sent now."""


class Post:
    """A connection to the mail server."""

    def __init__(self, server: smtplib.SMTP) -> None:
        self._server = server

    def send(self, sender: str, to: str, mail: bytes) -> None:
        """Send a mail. Raises Undelivered; Unreachable if the connection is lost."""
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
    """Connect to the mail server, and log in, while the block runs. Raises Unreachable."""
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
    """A connection to the mail server that is opened when a mail is sent, and may be closed and opened again."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._open = ExitStack()
        self._post: Post | None = None

    def send(self, sender: str, to: str, mail: bytes) -> None:
        """Send a mail. Raises Undelivered, Unreachable."""
        if self._post is None:
            self._post = self._open.enter_context(connected(self._relay))
        self._post.send(sender, to, mail)

    def close(self) -> None:
        """Close the connection."""
        self._post = None
        self._open.close()


def _why(error: Exception) -> str:
    """Return what is wrong, in a text that contains no password."""
    if isinstance(error, ssl.SSLError):
        return f"the mail server's certificate or encryption is refused ({error.reason})"
    if isinstance(error, Unsafe):
        return str(error)
    return f"the mail server does not answer ({type(error).__name__})"


class Unsafe(ValueError):
    """The password would be sent without encryption."""


def _open(relay: Relay, patience: float) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if relay.is_tls:
        return smtplib.SMTP_SSL(relay.host, relay.port, timeout=patience, context=context)
    server = smtplib.SMTP(relay.host, relay.port, timeout=patience)
    try:
        server.ehlo()
        # a server on this machine needs no encryption, and its certificate can't be checked
        if server.has_extn("starttls") and not relay.is_near:
            server.starttls(context=context)
            server.ehlo()
        elif relay.user and not relay.is_near:
            raise Unsafe("the mail server offers no encryption, and the password is not sent without it")
    except BaseException:
        server.close()
        raise
    return server
