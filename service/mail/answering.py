"""Does what a mail that came in says: makes a move, takes a seat, agrees to a proposal, or answers why not.

The signed address to which a mail came says who may answer; nothing else in the mail is believed. An answer always goes
to the address that the player has confirmed, and never to a machine. A mail that has changed something is always
answered. Any other mail is answered once for each decision, and at most MOST times a day: this ends an exchange with a
program that answers mails automatically and does not say so.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from domain.game import Lang, Refusal
from domain.play import DecisionClosed
from domain.refusals import plain, say
from events.codec import UnknownEvent, Unreadable
from events.receipts import Receipt
from events.store import Store, StoreError
from replays.log import OtherRules, UnknownMatch
from service import clock, wording
from service.mail.desk import ANSWERS, About, moves_of_invitation
from service.mail.incoming import Hostile, IncomingMail, as_sent, hear
from service.mail.reading import is_greeting, meant, own_lines
from service.mail.settings import Wishing
from service.mail.situation import BOUNCE_TO, INVITED, PLAY_TO, MailTokens, Reply, asker_of, moves_digest, see
from service.matches import Choice, Playing, SeatOffers, Seats, Views
from service.problems import Problem
from service.signing import NotOurs, digest
from service.store import (
    Delivery,
    DeliveryTable,
    Letter,
    Lobby,
    Notice,
    Once,
    Wishes,
    deliveries,
    idempotency,
    lobby,
    mailing,
    notices,
    proposals,
)

MOST, WITHIN = 20, timedelta(days=1)
"""The most answers within that time to mails of a player that have changed nothing."""

_NAMED = re.compile(r"<[!-;=?-~]{1,240}>")
"""A Message-ID that can be repeated."""

_ZONE = re.compile(
    r"\W*(?:(?:time ?)?zone:? |タイムゾーン[: はを]*)\W*([A-Za-z0-9_+/-]{1,64})"
    r"\W*(?:です|でお願いします|に(?:し|変え)てください)?\W*",
    re.IGNORECASE,
)
"""A line in which the writer names a time zone."""

logger = structlog.get_logger(__name__)


class NobodysAddress(Exception):
    """The address is for nobody: this service did not make it, or it is no longer valid."""


class Replying(msgspec.Struct, frozen=True):
    """An address that answers a decision, an invitation or a proposal."""

    reply: Reply
    player: str
    token: str
    proposal: Delivery | None = None
    """The notice of the proposal; None if it answers none."""


class Returning(msgspec.Struct, frozen=True):
    """An address to which undelivered mail comes back."""

    player: str
    address: str


@dataclass(frozen=True, slots=True)
class Answering:
    """The use case. It raises StoreError; then the mail is to be sent again."""

    store: Store
    lobby: Lobby
    views: Views
    playing: Playing
    seats: Seats
    offers: SeatOffers
    agree: Mapping[str, Callable[..., object]]
    """By proposal, the deed by which a player agrees that the match is broken off, paused or resumed."""
    wishing: Wishing
    tokens: MailTokens
    domain: str
    now: clock.Now

    def addressee(self, address: str) -> Replying | Returning:
        """Return for whom mail to the address is. Raises NobodysAddress, StoreError."""
        local, _, domain = address.rpartition("@")
        if domain.lower() != self.domain:
            raise NobodysAddress
        try:
            if local.lower().startswith(PLAY_TO):
                token = local[len(PLAY_TO) :].lower()
                whom = self._replying(token)
                # whoever has no address any more could be told nothing: so the sender's server says it
                if mailing.wishes_of(self.store, whom.player) is not None:
                    return whom
            if local.lower().startswith(BOUNCE_TO):
                player, is_sent_to = self.tokens.read_bounce(local[len(BOUNCE_TO) :])
                wishes = mailing.wishes_of(self.store, player)
                if wishes is not None and is_sent_to(wishes.address):
                    return Returning(player, wishes.address)
        except NotOurs:
            pass
        raise NobodysAddress

    def _replying(self, token: str) -> Replying:
        """Return what an address answers. Raises NotOurs, also if the proposal's notice is forgotten."""
        with suppress(NotOurs):
            return Replying(*self.tokens.read_reply(token, self._whose), token)
        found = DeliveryTable(self.store).find(self.tokens.read_proposal(token))
        if found is None or found.seat is None:
            raise NotOurs(token)
        return Replying(Reply(found.home, found.seat, INVITED, b""), found.player, token, found)

    def _whose(self, reply: Reply) -> Iterator[str]:
        """Yield the players who may answer: the one who sits there, else the one for whom the seat is kept.

        To an invitation those too who have declined one to the match: their mail may come once more.
        """
        entry = self.lobby.find(reply.match)
        if entry is None or reply.seat >= len(entry.chairs):
            return
        chair = entry.chairs[reply.seat]
        if player := chair.player or chair.reserved:
            yield player
        if reply.decision == INVITED:
            yield from self.lobby.declined(reply.match)

    def take(self, whom: Replying | Returning, heard: IncomingMail) -> None:
        """Do what the mail says. Raises StoreError."""
        if isinstance(whom, Returning):
            if heard.is_refusal:
                self.store.write([mailing.bounce(whom.player, whom.address)])
            return
        wishes = mailing.wishes_of(self.store, whom.player)
        if heard.is_automatic or wishes is None:
            return
        if as_sent(heard.sender) != as_sent(wishes.address.lower()):
            self._ask(whom, heard, "stranger", sender=heard.sender or "?")
            return
        if wishes.bounces:
            self.store.write([mailing.heard(whom.player)])
        try:
            self._do(whom, heard, wishes)
        except Problem as problem:
            # in the same words as on the web
            why = wording.say(problem.code, wishes.lang, problem.fields)
            self._ask(whom, heard, "failed", why=why)
        except (UnknownMatch, OtherRules, Unreadable, UnknownEvent):
            self._ask(whom, heard, "later")

    def _do(self, whom: Replying, heard: IncomingMail, wishes: Wishes) -> None:
        once = idempotency.once(f"mail:{whom.player}", whom.reply.match, digest(f"{heard.id}\n{whom.token}"), b"")
        first, *below = [line.strip("_") for line in own_lines(heard.text) if not is_greeting(line)] or [""]
        if heard.tables - {PLAY_TO + whom.token}:
            self._ask(whom, heard, "several")
        elif zone := _ZONE.fullmatch(first):
            fields = {"zone": zone[1]}
            self.wishing.change(asker_of(whom.player), fields)
            if self._may_answer(whom.player):
                self._answer(whom, heard, "zone", fields=fields)
        elif any(map(_ZONE.fullmatch, below)):
            self._ask(whom, heard, "zone-below")
        elif whom.proposal is not None:
            self._agree(whom, whom.proposal, heard, wishes, once)
        elif whom.reply.decision == INVITED:
            self._seat(whom, heard, wishes, once)
        else:
            self._move(whom, heard, wishes, once)

    def _move(self, whom: Replying, heard: IncomingMail, wishes: Wishes, once: Once) -> None:
        match, decision = whom.reply.match, whom.reply.decision
        seen = see(self.store, self.views, match, wishes)
        if self.store.command(match, once.command.id) is not None:
            # the same mail came before, and its move was made, but perhaps not answered
            self._make(whom, heard, wishes.lang, Choice(decision=decision), once, "")
        elif seen.status in {"finished", "aborted"}:
            self._ask(whom, heard, "over")
        elif seen.decision != decision:
            self._ask(whom, heard, "closed")
        elif moves_digest([id for id, _ in seen.moves]) != whom.reply.moves:
            self._ask(whom, heard, "renumbered")
        elif (said := meant(heard.text, seen.moves)).id is None:
            self._ask(whom, heard, said.unread, said=said.line[:80], most=len(seen.moves))
        else:
            text = next(text for id, text in seen.moves if id == said.id)
            self._make(whom, heard, wishes.lang, Choice(decision=decision, id=said.id), once, text)

    def _make(self, whom: Replying, heard: IncomingMail, lang: Lang, choice: Choice, once: Once, text: str) -> None:
        match, asker = whom.reply.match, asker_of(whom.player)
        try:
            made = self.playing.move(asker, match, choice, once=once)
        except DecisionClosed:
            self._ask(whom, heard, "closed")
        except Refusal as refusal:
            look = self.views.look(match, asker)
            why = say(look.log.game, refusal, lang) if refusal.clause else plain(refusal, lang)
            self._ask(whom, heard, "refused" if refusal.clause else "failed", why=why)
        else:
            result = self.views.moved(made, match, asker, lang)
            code, receipt = ("sealed", result.sealed.receipt) if result.sealed else ("moved", result.receipt)
            # what was legal when the mail came first is not known any more: its move is told as the log or it tells it
            told = text or next((event.text for event in result.events), next(iter(own_lines(heard.text)), ""))
            self._answer(whom, heard, code, receipt, fields={"move": told})

    def _seat(self, whom: Replying, heard: IncomingMail, wishes: Wishes, once: Once) -> None:
        """Take the seat that is kept for the player, or decline it."""
        match, asker, moves = whom.reply.match, asker_of(whom.player), moves_of_invitation(wishes.lang)
        entry = self.lobby.find(match)
        # if the same mail came before, and was done, it is done again, which only answers it if it was not answered
        is_repeat = self.wishing.front.answer(once) is not None
        if not is_repeat and (entry is None or entry.status != "open"):
            is_seated = entry is not None and entry.chairs[whom.reply.seat].player == whom.player
            self._ask(whom, heard, "already" if is_seated else "begun")
            return
        said = meant(heard.text, moves, ANSWERS)
        try:
            if said.id == "accept":
                nonce, made_of = nonce_of(heard)
                version = self.seats.accept(asker, match, nonce, once=once)
                fields = {"nonce": nonce, "made_of": made_of}
                self._answer(whom, heard, "seated", self.views.receipt(match, version), fields=fields)
            elif said.id == "decline":
                self.seats.decline(asker, match, once=once)
                self._answer(whom, heard, "declined")
            else:
                self._ask(whom, heard, said.unread, said=said.line[:80], most=len(moves))
        except Refusal as refusal:
            self._ask(whom, heard, "failed", why=plain(refusal, wishes.lang))

    def _agree(self, whom: Replying, notice: Delivery, heard: IncomingMail, wishes: Wishes, once: Once) -> None:
        """Do what the button of the proposal's page does. A number is no answer: it may be meant as a move."""
        is_seat, said = proposals.offers_seat(notice), meant(heard.text, (), ANSWERS).id
        # as with seats that are kept
        is_repeat = self.wishing.front.answer(once) is not None
        if not is_repeat and proposals.match_if_true(self.store, notice) is None:
            self._ask(whom, heard, "void")
        elif said is None:
            self._ask(whom, heard, "neither")
        elif said == "decline" and not is_seat:
            if self._may_answer(whom.player):
                self._answer(whom, heard, "not-agreed")
        else:
            try:
                self._answer(whom, heard, self._agreed(notice, once, is_declined=said == "decline"))
            except Refusal as refusal:
                self._ask(whom, heard, "failed", why=plain(refusal, wishes.lang))

    def _agreed(self, notice: Delivery, once: Once, *, is_declined: bool) -> str:
        """Agree to the proposal, or decline the offered seat. Returns the code of the answer. Raises Refusal."""
        asker, match, proposed = asker_of(notice.player), notice.home, proposals.read_proposal(notice)
        seat, heir = proposed.by, proposed.heir or lobby.Heir(player=notice.player)
        if proposed.proposal in self.agree:
            is_done = self.agree[proposed.proposal](asker, match, once=once) is not None
            return "agreed-done" if is_done else "agreed"
        if is_declined:
            self.offers.decline(asker, match, seat, once=once)
            return "offer-declined"
        if proposed.heir is None:
            self.offers.accept(asker, match, seat, once=once)
        else:
            self.offers.agree(asker, match, seat, heir, once=once)
        entry = self.lobby.find(match)
        assert entry is not None, "a seat was offered there"
        chair, code = entry.chairs[seat], "accepted" if proposed.heir is None else "agreed"
        is_done = chair.stand_in == heir.bot if heir.bot else chair.player == heir.player
        return f"{code}-done" if is_done else code

    def _ask(self, whom: Replying, heard: IncomingMail, code: str, **fields: str | int) -> None:
        """Answer that nothing was changed, once for each decision; a stranger's mail does not use up that answer."""
        kind = notices.WARNED if code == "stranger" else notices.ASKED
        at, of = clock.stamp(self.now()), whom.reply
        mark = whom.proposal.id if whom.proposal is not None else ""
        notice = Notice(kind, of.match, "", whom.player, of.seat, at, of.decision, mark=mark)
        noted = deliveries.enter(notices.mailed(notice, deliveries.NOTED))
        # stored before it is sent: a lost mail is better than a mail that is sent again and again
        if self.store.write([noted]) == (1,) and self._may_answer(whom.player):
            self._answer(whom, heard, code, fields=fields)

    def _may_answer(self, player: str) -> bool:
        now = self.now()
        counted = mailing.answer(player, clock.stamp(now), clock.stamp(now - WITHIN), MOST)
        if self.store.write([counted]) != (1,):
            logger.warning("a player's mails are not answered for a while")
            return False
        return True

    def _answer(
        self, whom: Replying, heard: IncomingMail, code: str, receipt: Receipt | None = None, *, fields: Any = None
    ) -> None:
        """Store a letter that tells the player the result of their mail, unless it was stored before."""
        about = About(
            match=whom.reply.match,
            code=code,
            fields=fields or {},
            answers=heard.id if _NAMED.fullmatch(heard.id) else "",
            receipt=receipt,
            is_invitation=whom.proposal is None and whom.reply.decision == INVITED,
            proposal=whom.proposal.id if whom.proposal is not None else "",
        )
        letter = Letter(
            id=f"answer:{digest(f'{heard.id} {whom.token} {code}')}",
            kind=mailing.ANSWER,
            player=whom.player,
            about=msgspec.json.encode(about).decode(),
            at=clock.stamp(self.now()),
        )
        self.store.write([mailing.post(letter)])


def nonce_of(heard: IncomingMail) -> tuple[str, str]:
    """Return the nonce that a mail brings, and the text of which it is the SHA-256; "" if it has no Message-ID.

    The writer has both parts of the text: the Message-ID, which their mail program made, and the lines that they wrote.
    """
    if not _NAMED.fullmatch(heard.id):
        return "", ""
    made_of = "\n".join((heard.id, *own_lines(heard.text)))
    return sha256(made_of.encode()).hexdigest(), made_of


class MailReceiver:
    """The handler that aiosmtpd calls for each mail."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering

    async def handle_RCPT(  # aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Answer whether mail to that address is taken."""
        if envelope.rcpt_tos:
            return "452 4.5.3 one at a time"
        answer = await self._do("250 2.1.5 ok", lambda: self._answering.addressee(address))
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # aiosmtpd's
        """Take the mail, and answer with the result."""
        raw = envelope.content if isinstance(envelope.content, bytes) else b""

        def take() -> None:
            whom = self._answering.addressee(envelope.rcpt_tos[0])
            self._answering.take(whom, hear(raw, envelope.mail_from))

        return await self._do("250 2.0.0 ok", take)

    async def _do(self, answer: str, act: Callable[[], object]) -> str:
        """Call `act` in a thread. Returns `answer`, or the answer to what `act` raised.

        After an error of this service the sender keeps the mail and tries again. Only a StoreError's text is logged:
        the text of another error may reveal a hand.
        """
        try:
            await asyncio.to_thread(act)
        except NobodysAddress:
            return "550 5.1.1 nobody has this address, or it is no longer valid"
        except Hostile:
            return "554 5.6.0 this mail can't be read"
        except Exception as error:
            known = {"error": str(error)} if isinstance(error, StoreError) else {}
            logger.error("a mail can't be taken now", kind=type(error).__name__, **known)
            return "451 4.3.0 not now; send it again"
        return answer
