"""What is done about a mail that came in: a move is made, a seat is taken, or its writer is told why not.

Who may answer stands in the address that it came to; nothing else in it is believed. An answer goes to the address that
the player has confirmed, whoever wrote, and never to a machine. Whatever has changed something is answered. All else is
answered once a decision and so many times a day: a program that answers mails by itself, and does not say so, comes to
an end by that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
import structlog

from domain.game import Lang, Refusal
from domain.play import DecisionClosed
from domain.refusals import plain, say
from events.codec import UnknownEvent, Unreadable
from events.receipts import Receipt
from events.store import Store
from replays.log import OtherRules, UnknownMatch
from service import clock, wording
from service.ids import digest
from service.mail.desk import ANSWERS, About, moves_of_invitation
from service.mail.incoming import IncomingMail
from service.mail.reading import Meant, meant, own_lines
from service.mail.situation import asker_of, see
from service.mail.tokens import BOUNCE_TO, INVITED, PLAY_TO, MailTokens, Reply, moves_digest
from service.mail.wishing import Wishing
from service.matches import Choice, Invitations, Playing, Seats, Views
from service.problems import Problem
from service.signing import NotOurs
from service.store import (
    Letter,
    Lobby,
    Notice,
    Once,
    Requests,
    Wishes,
    deliveries,
    idempotency,
    letters,
    mailing,
    notices,
)

MOST, WITHIN = 20, timedelta(days=1)
"""Answers that a player's mails get in that time where they have changed nothing."""

_NAMED = re.compile(r"<[!-;=?-~]{1,240}>")
"""A Message-ID that can be repeated."""

_ZONE = re.compile(
    r"(?:time ?)?zone:? ([A-Za-z0-9_+/-]{1,64})|タイムゾーン[: は]*([A-Za-z0-9_+/-]{1,64})", re.IGNORECASE
)
"""A line that says by which clocks its writer wants to be told."""

logger = structlog.get_logger(__name__)


class NobodysAddress(Exception):
    """Mail to this address is for nobody: it was not made here, or is good no longer."""


class Replying(msgspec.Struct, frozen=True):
    """An address that answers a decision, or an invitation."""

    reply: Reply
    player: str
    token: str


class Returning(msgspec.Struct, frozen=True):
    """An address to which undelivered mail comes back."""

    player: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """The use case. It raises StoreError: then the mail is to come again."""

    store: Store
    lobby: Lobby
    views: Views
    playing: Playing
    seats: Seats
    invitations: Invitations
    wishing: Wishing
    tokens: MailTokens
    domain: str
    now: clock.Now

    def addressee(self, address: str) -> Replying | Returning:
        """What the address stands for. Raises NobodysAddress, StoreError."""
        local, _, domain = address.rpartition("@")
        if domain.lower() != self.domain:
            raise NobodysAddress
        try:
            if local.lower().startswith(PLAY_TO):
                token = local[len(PLAY_TO) :].lower()
                reply, player = self.tokens.read_reply(token, self._whose)
                return Replying(reply, player, token)
            if local.lower().startswith(BOUNCE_TO):
                player, is_sent_to = self.tokens.read_bounce(local[len(BOUNCE_TO) :])
                wishes = mailing.wishes_of(self.store, player)
                if wishes is not None and is_sent_to(wishes.address):
                    return Returning(player, wishes.address)
        except NotOurs:
            pass
        raise NobodysAddress

    def _whose(self, reply: Reply) -> str | None:
        """Who answers it: the player of the seat; while nobody sits there, for whom it is kept."""
        entry = self.lobby.find(reply.match)
        if entry is None or reply.seat >= len(entry.chairs):
            return None
        chair = entry.chairs[reply.seat]
        return chair.player or chair.reserved

    def take(self, whom: Replying | Returning, heard: IncomingMail) -> None:
        """Do what the mail says. Raises StoreError."""
        if isinstance(whom, Returning):
            if heard.failure is not None and heard.failure.is_hard:
                self.store.write([mailing.bounce(whom.player, whom.address)])
            return
        wishes = mailing.wishes_of(self.store, whom.player)
        if heard.is_automatic or wishes is None:
            return
        if heard.sender != wishes.address.lower():
            self._ask(whom, heard, "stranger", sender=heard.sender or "?")
            return
        if wishes.bounces:
            self.store.write([mailing.heard(whom.player)])
        try:
            self._do(whom, heard, wishes)
        except Problem as problem:
            # as whoever asks at the web is told
            said = wording.say(problem.code, wishes.lang, problem.fields)
            self._ask(whom, heard, "refused", why=said)
        except (UnknownMatch, OtherRules, Unreadable, UnknownEvent):
            self._ask(whom, heard, "later")

    def _do(self, whom: Replying, heard: IncomingMail, wishes: Wishes) -> None:
        once = idempotency.once(f"mail:{whom.player}", whom.reply.match, digest(f"{heard.id}\n{whom.token}"), b"")
        first = next(iter(own_lines(heard.text)), "").strip("*_`'\". ")
        if heard.tables - {PLAY_TO + whom.token}:
            self._ask(whom, heard, "several")
        elif zone := _ZONE.fullmatch(first):
            self._set_zone(whom, heard, zone[1] or zone[2])
        elif whom.reply.decision == INVITED:
            self._seat(whom, heard, wishes, once)
        else:
            self._move(whom, heard, wishes, once)

    def _set_zone(self, whom: Replying, heard: IncomingMail, zone: str) -> None:
        self.wishing.change(asker_of(whom.player), {"zone": zone})
        if self._may_answer(whom.player):
            self._answer(whom, heard, "zone", fields={"zone": zone})

    def _move(self, whom: Replying, heard: IncomingMail, wishes: Wishes, once: Once) -> None:
        match, decision = whom.reply.match, whom.reply.decision
        seen = see(self.store, self.views, match, wishes)
        if self.store.command(match, once.command.id) is not None:
            return  # it came before, and was made
        if seen.status in {"finished", "aborted"}:
            self._ask(whom, heard, "over")
        elif seen.decision != decision:
            self._ask(whom, heard, "closed")
        elif moves_digest([one for one, _ in seen.moves]) != whom.reply.moves:
            self._ask(whom, heard, "renumbered")
        elif (said := meant(heard.text, seen.moves)).id is None:
            self._ask_back(whom, heard, said, len(seen.moves))
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
            said = say(look.log.game, refusal, lang) if refusal.clause else plain(refusal, lang)
            self._ask(whom, heard, "refused", why=said)
        else:
            told = self.views.moved(made, match, asker, lang)
            code, receipt = ("sealed", told.sealed.receipt) if told.sealed else ("moved", told.receipt)
            self._answer(whom, heard, code, receipt, fields={"move": text})

    def _seat(self, whom: Replying, heard: IncomingMail, wishes: Wishes, once: Once) -> None:
        """Take the seat that is kept for the player, or have it kept no longer."""
        match, asker, moves = whom.reply.match, asker_of(whom.player), moves_of_invitation(wishes.lang)
        entry = self.lobby.find(match)
        if Requests(self.store, self.now).answer(once) is not None:
            return  # it came before, and was done
        if entry is None or entry.status != "open":
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
                self.invitations.decline(asker, match, once=once)
                self._answer(whom, heard, "declined")
            else:
                self._ask_back(whom, heard, said, len(moves))
        except Refusal as refusal:
            self._ask(whom, heard, "refused", why=plain(refusal, wishes.lang))

    def _ask_back(self, whom: Replying, heard: IncomingMail, said: Meant, most: int) -> None:
        code = "empty" if not said.line else "unclear" if said.is_unclear else "unread"
        self._ask(whom, heard, code, said=said.line[:80], most=most)

    def _ask(self, whom: Replying, heard: IncomingMail, code: str, **fields: str | int) -> None:
        """Have the player told that nothing was changed: once a decision, and not without end.

        A stranger's mail uses up nothing of the player's own.
        """
        kind = notices.WARNED if code == "stranger" else notices.ASKED
        at, of = clock.stamp(self.now()), whom.reply
        said = Notice(kind, of.match, "", whom.player, of.seat, at, of.decision)
        noted = deliveries.enter(notices.mailed(said, deliveries.NOTED))
        # noted before it is sent: a mail that is lost is better than one that is sent for ever
        if self.store.write([noted]) == (1,) and self._may_answer(whom.player):
            self._answer(whom, heard, code, fields=fields)

    def _may_answer(self, player: str) -> bool:
        now = self.now()
        counted = mailing.answer(player, clock.stamp(now), clock.stamp(now - WITHIN), MOST)
        if self.store.write([counted]) != (1,):
            logger.warning("a player's mails are answered no more for a while")
            return False
        return True

    def _answer(
        self, whom: Replying, heard: IncomingMail, code: str, receipt: Receipt | None = None, *, fields: Any = None
    ) -> None:
        """Have the player told what came of their mail."""
        about = About(
            match=whom.reply.match,
            code=code,
            fields=fields or {},
            answers=heard.id if _NAMED.fullmatch(heard.id) else "",
            receipt=receipt,
            is_invitation=whom.reply.decision == INVITED,
        )
        letter = Letter(
            id=f"answer:{digest(f'{heard.id} {whom.token} {code}')}",
            kind=letters.ANSWER,
            player=whom.player,
            about=msgspec.json.encode(about).decode(),
            at=clock.stamp(self.now()),
        )
        self.store.write([letters.post(letter)])


def nonce_of(heard: IncomingMail) -> tuple[str, str]:
    """The nonce that a mail brings, and the text of which it is the SHA-256; "" where it has no name of its own.

    Whoever wrote the mail has both: its Message-ID, made up by their mail program, and the lines that they wrote.
    """
    if not _NAMED.fullmatch(heard.id):
        return "", ""
    made_of = "\n".join((heard.id, *own_lines(heard.text)))
    return sha256(made_of.encode()).hexdigest(), made_of
