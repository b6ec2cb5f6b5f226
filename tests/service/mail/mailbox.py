"""Somebody who plays by mail alone: reads their mailbox, and replies with a number."""

from __future__ import annotations

import asyncio
import email
import re
import smtplib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from email import policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session

from service.mail import MailListener
from tests.service.run.uprun import until

MOVE = re.compile(r"^ *(\d+)\. (.*)$", re.MULTILINE)

OK = (250, "2.0.0 ok")
UNKNOWN = (550, "5.1.1 nobody has this address, or it is no longer valid")


class PostOffice:
    """The mail server that the service hands its mails to: it keeps what it takes."""

    def __init__(self) -> None:
        self._mails: list[EmailMessage] = []
        self._refusal = ""
        self._is_hanging = False
        self._listener = MailListener(self, "127.0.0.1", 0, "post.test")
        self.port = self._listener.port
        self.url = f"smtp://127.0.0.1:{self.port}"

    def mails(self, to: str = "") -> list[EmailMessage]:
        """What has come, the oldest first."""
        return [mail for mail in self._mails if not to or mail["X-Envelope-To"] == to]

    def refuse(self, answer: str) -> None:
        """Refuse every addressee so; "": take mails again."""
        self._refusal = answer

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Say nothing while the block runs."""
        self._is_hanging = True
        try:
            yield
        finally:
            self._is_hanging = False

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, _: list[str]) -> str:
        while self._is_hanging:
            await asyncio.sleep(0.05)
        if self._refusal:
            return self._refusal
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        mail = email.message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        mail["X-Envelope-From"], mail["X-Envelope-To"] = envelope.mail_from, envelope.rcpt_tos[0]
        self._mails.append(mail)
        return "250 ok"

    def end(self) -> None:
        self._listener.close()


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    """Return its plain text, or its page ("html")."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def page_of(mail: EmailMessage) -> str:
    return text_of(mail, "html")


def moves_of(mail: EmailMessage) -> list[str]:
    """The moves that it offers, in their order."""
    said = text_of(mail).partition("Your moves:")[2].partition("To move,")[0]
    return [text for _, text in MOVE.findall(said)]


def address_of(mail: EmailMessage) -> str:
    """Where a reply goes; "" where none does."""
    return str(mail["Reply-To"]).rpartition("<")[2].rstrip(">") if mail["Reply-To"] else ""


def addresses_in(text: str) -> list[str]:
    """The addresses at which the tables of a digest are answered."""
    return [word.removeprefix("mailto:") for word in text.split() if word.startswith("mailto:play+")]


def reply_to(mail: EmailMessage, sender: str, said: str) -> EmailMessage:
    """A reply as mail programs write one: the words, and the mail quoted below."""
    reply = EmailMessage()
    reply["From"] = f"Somebody <{sender}>"
    reply["To"] = address_of(mail)
    reply["Subject"] = f"Re: {mail['Subject']}"
    reply["In-Reply-To"] = mail["Message-ID"]
    reply["Message-ID"] = (
        f"<reply-{hash((mail['Message-ID'], said, sender)) & 0xFFFFFFFF:x}@{sender.partition('@')[2]}>"
    )
    quoted = "\n".join(f"> {line}" for line in text_of(mail).splitlines())
    reply.set_content(f"{said}\n\nOn Sunday, Foldtable wrote:\n{quoted}\n")
    return reply


def hand_in(port: int, sender: str, to: str, mail: bytes, *, lmtp: bool = False) -> tuple[int, str]:
    """Give it to whoever listens at the port: the answer, to the addressee or to the mail."""
    speaking = smtplib.LMTP if lmtp else smtplib.SMTP
    with closing(speaking("127.0.0.1", port, timeout=30)) as client:
        client.ehlo()
        code, said = client.mail(sender)
        if code == 250:
            code, said = client.rcpt(to)
        if code == 250:
            code, said = client.data(re.sub(rb"\r?\n", b"\r\n", mail))
        return code, said.decode()


class Mailbox:
    """A player's mail program."""

    def __init__(self, office: PostOffice, address: str, port: int) -> None:
        """`port`: where the service listens for mail."""
        self.office = office
        self.address = address
        self.port = port
        self._seen = 0

    @property
    def mails(self) -> list[EmailMessage]:
        """Everything that has come."""
        return self.office.mails(self.address)

    def next(self, subject: str = "") -> EmailMessage:
        """The next mail that has not been read, waited for; those with another subject are passed over."""

        def look() -> EmailMessage | None:
            mails = self.mails
            while self._seen < len(mails):
                self._seen += 1
                if subject in str(mails[self._seen - 1]["Subject"]):
                    return mails[self._seen - 1]
            return None

        found = until(look, f"a mail to {self.address}: {subject}")
        assert isinstance(found, EmailMessage)
        return found

    def subjects(self) -> list[str]:
        """The beginnings of the subjects of what was not read; it is now."""
        return sorted(str(mail["Subject"]).partition(":")[0] for mail in self.unread())

    def unread(self) -> list[EmailMessage]:
        """What has come and was not read; it is now."""
        mails = self.mails
        found, self._seen = mails[self._seen :], len(mails)
        return found

    def reply(self, mail: EmailMessage, said: str, sender: str = "") -> tuple[int, str]:
        """Reply with these words: what the service answers at its door."""
        who = sender or self.address
        return hand_in(self.port, who, address_of(mail), reply_to(mail, who, said).as_bytes())

    def write(self, to: str, said: str) -> tuple[int, str]:
        """Write these words in a mail of their own: what the service answers at its door."""
        return hand_in(self.port, self.address, to, f"From: {self.address}\n\n{said}\n".encode())
