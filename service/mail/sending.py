"""The channel of mails: it writes each mail when it is sent, hands it to a mail server, and understands the answers."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

import structlog

from domain.catalogue import Catalogue
from events.store import Store, StoreError
from service import clock
from service.config import Config
from service.mail.answering import Answering
from service.mail.desk import Desk, Link, Ready
from service.mail.incoming import as_sent
from service.mail.settings import Relay, Wishing, next_digest, relay_of
from service.matches import Playing, SeatOffers, Seats, Views
from service.outbox import Channel, ChannelAway, ChannelOutcome, DeliveryLoop
from service.store import Delivery, Subscription, deliveries, mailing, notices

PATIENCE = 30.0
"""Seconds that each answer of the mail server may take."""

NO_SUCH_ADDRESS = 553
"""The status of an address that the server could not be told: it takes no address with such signs."""

logger = structlog.get_logger(__name__)


class Unreachable(ChannelAway):
    """The mail server does not answer, or refuses the connection or the password: nothing can be sent now."""

    @classmethod
    def because(cls, error: Exception) -> Unreachable:
        """Return an error that says what is wrong, in a text that contains no password."""
        if isinstance(error, smtplib.SMTPAuthenticationError):
            return cls("the mail server refuses user or password")
        if isinstance(error, ssl.SSLError):
            return cls(f"the mail server's certificate or encryption is refused ({error.reason})")
        return cls(f"the mail server does not answer ({type(error).__name__})")


def deliver(server: smtplib.SMTP, ready: Ready) -> ChannelOutcome:
    """Hand a mail to the server. Raises Unreachable if the connection is lost."""
    to = as_sent(ready.to)
    try:
        server.sendmail(ready.sender, [to], ready.mail, mail_options=[] if to.isascii() else ["SMTPUTF8"])
    except smtplib.SMTPRecipientsRefused as error:
        return _refused(ready, next(iter(error.recipients.values()))[0], is_address=True)
    except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
        if error.smtp_code == 421:
            raise Unreachable("the mail server said 421") from None
        return _refused(ready, error.smtp_code)
    except (smtplib.SMTPNotSupportedError, UnicodeError):
        return _refused(ready, NO_SUCH_ADDRESS, is_address=True)
    except (smtplib.SMTPException, OSError) as error:
        raise Unreachable.because(error) from None
    finally:
        with suppress(smtplib.SMTPException, OSError):
            server.rset()
    return ChannelOutcome(beside=ready.beside)


def _refused(ready: Ready, code: int, *, is_address: bool = False) -> ChannelOutcome:
    """Return the outcome of a refusal with that status. `is_address`: the receiver's address was refused."""
    # nothing of the mail is logged
    logger.warning("a mail was refused", error=f"the mail server said {code}")
    if code < 500:
        return ChannelOutcome(deliveries.WAITING)
    is_theirs = is_address and ready.player
    return ChannelOutcome(deliveries.FAILED, beside=(mailing.bounce(ready.player, ready.to),) if is_theirs else ())


@contextmanager
def connected(relay: Relay, patience: float = PATIENCE) -> Iterator[smtplib.SMTP]:
    """Connect to the mail server, and log in, while the block runs. Raises Unreachable."""
    with ExitStack() as opened:
        try:
            server = (
                smtplib.SMTP_SSL(relay.host, relay.port, timeout=patience, context=ssl.create_default_context())
                if relay.is_tls
                else smtplib.SMTP(relay.host, relay.port, timeout=patience)
            )
            opened.callback(server.close)
            # a server on this machine needs no encryption, and its certificate can't be checked
            if not relay.is_tls and not relay.is_near:
                server.ehlo()
                if server.has_extn("starttls"):
                    server.starttls(context=ssl.create_default_context())
                elif relay.user:
                    raise Unreachable("the mail server offers no encryption, and the password is not sent without it")
            if relay.user:
                server.login(relay.user, relay.password)
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise Unreachable.because(error) from None
        try:
            yield server
        finally:
            with suppress(smtplib.SMTPException, OSError):
                server.quit()


class MailChannel(Channel):
    """The channel of mails: see `service.outbox.Channel`. One thread uses it."""

    name = deliveries.MAIL
    claim = timedelta(seconds=90)
    waits = (60, 120, 240, 480, 960, 1920, 3840, 7680, *(14_400,) * 23)
    has_subscriptions = False

    def __init__(self, store: Store, desk: Desk, relay: Relay, after: timedelta, now: clock.Now = clock.now) -> None:
        """`after`: for how long a turn waits before it is mailed."""
        self._store = store
        self._desk = desk
        self._relay = relay
        self._connection = ExitStack()
        self._server: smtplib.SMTP | None = None
        self.delays = {notices.TURN: after}
        self._now = now

    def open(self) -> None:
        """Put the digests whose hour has come into the outbox. Raises StoreError."""
        now = clock.stamp(self._now())
        for wishes in mailing.digests(self._store, now, 50):
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
        if self._server is None:
            self._server = self._connection.enter_context(connected(self._relay))
        outcome = deliver(self._server, ready)
        if outcome.status == deliveries.DELIVERED:
            self._desk.count(one)
        return outcome

    def close(self) -> None:
        """See `Channel.close`."""
        self._server = None
        self._connection.close()


UseCases = tuple[Playing, Seats, SeatOffers, Mapping[str, Callable[..., object]]]
"""Those that replies ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """The objects that send and receive mail."""

    loop: DeliveryLoop
    """The loop that sends mails."""
    answering: Answering
    """The use case for mails that come in."""

    @classmethod
    def of(
        cls, config: Config, catalogue: Catalogue, views: Views, cases: UseCases, wishing: Wishing, link: Link
    ) -> Mail | None:
        """Return all of it; None if no mail server is configured. `link`: see `service.mail.desk.Link`."""
        relay = relay_of(config)
        if relay is None:
            return None
        store, lobby, tokens, now = wishing.store, wishing.lobby, wishing.tokens, wishing.front.now
        desk = Desk(store, views, lobby, wishing.front.limits, tokens, config, catalogue, link, now)
        answering = Answering(store, lobby, views, *cases, wishing, tokens, config.mail_domain, now)
        channel = MailChannel(store, desk, relay, timedelta(seconds=config.mail_after), now)
        return cls(loop=DeliveryLoop(store, channel, now), answering=answering)
