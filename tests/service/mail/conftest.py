"""A service that mails: a real server takes what it sends, and its own door takes what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from itertools import count
from typing import Any

import msgspec
import pytest

from events.store import Statement, StoreError
from service import clock
from service.config import Config
from service.deeds import Front
from service.mail import Mail, MailListener, MailReceiver
from service.mail.desk import Desk
from service.mail.sending import MailChannel
from service.outbox import DeliveryLoop
from service.store import Delivery, DeliveryTable, Letter, Wishes, mailing
from service.wiring import Service
from tests.service.accounts.insiders import entered
from tests.service.house import Answer, House, Visitor, beside
from tests.service.mail.mailbox import Mailbox, PostOffice
from tests.service.webhooks.post import note

DOMAIN, LETTER = "play.test", "m_x"

_numbers = count()
"""So that no two addresses are the same, whoever shares the server."""


@pytest.fixture(scope="module")
def office() -> Iterator[PostOffice]:
    """The server that takes our mails."""
    office = PostOffice()
    yield office
    office.end()


@pytest.fixture
def config(config: Config, office: PostOffice) -> Config:
    """Where mails go, and come from."""
    office.refuse("")
    return replace(
        config,
        smtp=office.url,
        mail_from="table@play.test",
        mail_domain=DOMAIN,
        mail_listen="127.0.0.1:0",
        mail_after=0.0,
        public_url="https://play.test",
    )


class Killed:
    """A process that ends before it has posted what a mail is answered with, and does so the next time."""

    def __init__(self) -> None:
        self.times = 0
        self.post = mailing.post

    def __call__(self, letter: Letter) -> Statement:
        self.times += letter.kind == mailing.ANSWER
        if letter.kind == mailing.ANSWER and self.times == 1:
            raise StoreError("the process ends here")
        return self.post(letter)


class Clock:
    """A time that only a test changes."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.at


class MailHouse(House):
    """A house whose players have addresses."""

    def __init__(self, service: Service, office: PostOffice, port: int) -> None:
        super().__init__(service)
        self.office = office
        self.port = port
        assert service.mail is not None
        self.mail: Mail = service.mail

    @property
    def channel(self) -> MailChannel:
        channel = self.mail.loop._channel
        assert isinstance(channel, MailChannel)
        return channel

    @property
    def desk(self) -> Desk:
        return self.channel._desk

    def loop(self, now: Clock, *, after: float = 0.0, **desk: Any) -> DeliveryLoop:
        """Return a loop with its own time; `after`: seconds for which a turn waits; `desk`: what its desk has."""
        store = self.service.recorder
        channel = MailChannel(store, replace(self.desk, **desk), self.channel._relay, timedelta(seconds=after), now)
        return DeliveryLoop(store, channel, now)

    def after(self, **length: float) -> None:
        """Send all that is due after so long, as another process does."""
        loop = self.another(timedelta(**length))
        while loop.look():
            pass

    def another(self, later: timedelta = timedelta()) -> DeliveryLoop:
        """Return the loop of another process, whose clock may be ahead."""
        service = self.service
        front = Front(service.recorder, lambda: datetime.now(UTC) + later, service.limits)
        mail = beside(service, front).mail
        assert mail is not None
        return mail.loop

    def follow(self) -> None:
        """Have noted what is to be told, as `service follow` does."""
        note(self.service)

    def send(self) -> None:  # type: ignore[override]
        """Note and send all that is due."""
        self.follow()
        while self.mail.loop.look():
            pass

    def turn(self, box: Mailbox) -> EmailMessage:
        """Send all that is due, and return the last mail that asks for a move."""
        self.send()
        return next(mail for mail in reversed(box.unread()) if "Your turn" in str(mail["Subject"]))

    def addressed(self, name: str = "Ann", lang: str = "en") -> tuple[Visitor, Mailbox]:
        """Somebody new, with an address that is confirmed."""
        known = "".join(char for char in name.lower() if char.isascii() and char.isalnum())
        address = f"{known or 'somebody'}.{next(_numbers)}@people.test"
        player = entered(self, self.stranger.post("/players", {"name": name, "email": address}))
        confirmed = Statement("UPDATE players SET confirmed = created WHERE id = :id", {"id": player.id})
        self.service.recorder.write([confirmed, mailing.confirm(player.id, address, lang, "")])
        return player, Mailbox(self.office, address, self.port)

    def laid(
        self, game: str = "high-card", seats: int = 2, lang: str = "en", **more: object
    ) -> tuple[str, list[Visitor], list[Mailbox]]:
        """A match that has just started, its players, and their mailboxes."""
        both = [self.addressed(f"Player {seat}", lang) for seat in range(seats)]
        players = [player for player, _ in both]
        return players[0].open_with(*players[1:], game=game, **more), players, [box for _, box in both]

    def post(self, kind: str, **more: Any) -> None:
        """Put a letter into the outbox: to somebody who has no account, unless `more` says something else."""
        at = clock.stamp(clock.now())
        letter = Letter(id=LETTER, kind=kind, player="p_x", address="somebody@people.test", lang="en", at=at)
        self.service.recorder.write([mailing.post(msgspec.structs.replace(letter, **more))])

    def waiting(self) -> Delivery | None:
        """Return the letter that waits."""
        return DeliveryTable(self.service.recorder).find(LETTER)

    def wishes(self, player: Visitor) -> Wishes:
        wishes = mailing.wishes_of(self.service.recorder, player.id)
        assert wishes is not None
        return wishes


def put(player: Visitor, **said: object) -> Answer:
    """What the answer is if the player wants mails so."""
    return player.put("/me/mail", said)


def against_bot(player: Visitor, **more: Any) -> str:
    """A match against a bot that has begun."""
    return player.open_with(seats=[None, {"bot": "greedy"}], **more)


@pytest.fixture
def house(service: Service, office: PostOffice) -> Iterator[MailHouse]:
    """The service with its web and its mail, and people who come in."""
    assert service.mail is not None
    listener = MailListener(MailReceiver(service.mail.answering), "127.0.0.1", 0, DOMAIN)
    try:
        yield MailHouse(service, office, listener.port)
    finally:
        listener.close()
