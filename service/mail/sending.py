"""The channel of mails: it writes each mail when it is sent, hands it to a mail server, and understands the answers."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TypedDict

import structlog

from domain.catalogue import Catalogue
from domain.game import Lang
from events.store import Store, StoreError
from service import clock
from service.config import Config
from service.limits import Limits
from service.mail.answering import Answering
from service.mail.desk import Desk, Link, Ready
from service.mail.settings import MailSettings, Relay, Wishing, next_digest, settings_of
from service.mail.situation import MailTokens
from service.matches import Invitations, Lobby, Playing, Seats, Views
from service.outbox import Channel, ChannelAway, ChannelOutcome, DeliveryLoop
from service.signing import Signer
from service.store import Delivery, Subscription, deliveries, mailing, notices

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


class _Shared(TypedDict):
    """The arguments that sending and answering share."""

    store: Store
    views: Views
    lobby: Lobby
    tokens: MailTokens
    now: clock.Now


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """The objects that send and receive mail."""

    settings: MailSettings
    loop: DeliveryLoop
    """The loop that sends mails."""
    answering: Answering
    """The use case for mails that come in."""

    @classmethod
    def of(
        cls,
        config: Config,
        *,
        store: Store,
        catalogue: Catalogue,
        lobby: Lobby,
        playing: Playing,
        views: Views,
        seats: Seats,
        invitations: Invitations,
        wishing: Wishing,
        signer: Signer,
        limits: Limits,
        link: Link = lambda letter: None,
        now: clock.Now = clock.now,
    ) -> Mail | None:
        """Return all of it; None if no mail server is configured. `link`: see `service.mail.desk.Link`."""
        settings = settings_of(config)
        if settings is None:
            return None
        tokens = MailTokens(signer)

        def title(game: str, lang: Lang) -> str:
            return catalogue.game(game).title[lang]

        shared = _Shared(store=store, views=views, lobby=lobby, tokens=tokens, now=now)
        desk = Desk(**shared, limits=limits, settings=settings, titles=title, link=link)
        answering = Answering(
            **shared,
            playing=playing,
            seats=seats,
            invitations=invitations,
            wishing=wishing,
            domain=settings.domain,
        )
        loop = DeliveryLoop(store, MailChannel(store, desk, settings, now), now)
        return cls(settings=settings, loop=loop, answering=answering)
