"""What is done about a mail that came in: a move is made, as by anybody who asks, or its writer is told why not.

Who may answer stands in the address that it came to; nothing else in it is believed. An answer goes to the address that
the player has confirmed, whoever wrote, and never to a machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

import msgspec
import structlog

from domain.game import Refusal
from domain.play import DecisionClosed
from domain.refusals import plain, say
from events.codec import UnknownEvent, Unreadable
from events.store import Store
from replays.log import OtherRules, UnknownMatch
from service import clock, wording
from service.ids import digest
from service.limits import Asking, Limits
from service.mail.desk import About
from service.mail.incoming import Heard
from service.mail.reading import chosen, first_line
from service.mail.situation import Situation, asker_of, see
from service.mail.tokens import BOUNCE_TO, PLAY_TO, Reply, Tokens, moves_digest
from service.matches import Choice, Playing, Views
from service.problems import Problem
from service.signing import NotOurs
from service.store import Letter, Lobby, Once, Wishes, idempotency, mailing, outbox

MOST, WITHIN = 30, timedelta(hours=1)
"""Answers that a player's mails get in that time: a loop that nobody has seen ends so."""

_NAMED = re.compile(r"<[!-;=?-~]{1,240}>")
"""A Message-ID that can be repeated."""

logger = structlog.get_logger(__name__)


class NobodysAddress(Exception):
    """Mail to this address is for nobody: it was not made here, or is good no longer."""


class Replying(msgspec.Struct, frozen=True):
    """An address that answers a decision."""

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
    tokens: Tokens
    limits: Limits
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

    def _whose(self, match: str, seat: int) -> str | None:
        entry = self.lobby.find(match)
        return entry.chairs[seat].player if entry is not None and seat < len(entry.chairs) else None

    def take(self, whom: Replying | Returning, heard: Heard) -> None:
        """Do what the mail says. Raises StoreError."""
        if isinstance(whom, Returning):
            if heard.failure is not None and heard.failure.is_hard:
                self.store.write([mailing.bounce(whom.player, whom.address)])
            return
        wishes = mailing.wishes_of(self.store, whom.player)
        if heard.is_automatic or heard.failure is not None or wishes is None:
            return
        if heard.sender != wishes.address.lower():
            self._answer(whom, heard, "stranger", sender=heard.sender[:254] or "?")
            return
        if wishes.bounces:
            self.store.write([mailing.heard(whom.player)])
        try:
            self._move(whom, heard, wishes)
        except Problem as problem:
            # as whoever asks at the web is told
            said = wording.say(problem.code, wishes.lang, problem.fields)
            self._answer(whom, heard, "refused", why=said)
        except (UnknownMatch, OtherRules, Unreadable, UnknownEvent):
            self._answer(whom, heard, "later")

    def _move(self, whom: Replying, heard: Heard, wishes: Wishes) -> None:
        line = first_line(heard.text)
        match, decision = whom.reply.match, whom.reply.decision
        seen = see(self.store, self.views, match, whom.player, wishes.lang)
        once = idempotency.once(f"mail:{whom.player}", match, digest(f"{heard.id}\n{whom.token}"), b"")
        if self.store.command(match, once.command.id) is not None:
            return  # it came before, and was made
        if seen.status in {"finished", "aborted"}:
            self._answer(whom, heard, "over")
        elif seen.decision != decision:
            self._answer(whom, heard, "closed")
        elif not line:
            self._answer(whom, heard, "empty")
        elif moves_digest([one for one, _ in seen.moves]) != whom.reply.moves:
            self._answer(whom, heard, "renumbered")
        elif (id := chosen(line, seen.moves)) is None:
            self._answer(whom, heard, "unread", said=line[:80], most=len(seen.moves))
        else:
            self._make(whom, heard, wishes, Choice(decision=decision, id=id), once, seen)

    def _make(self, whom: Replying, heard: Heard, wishes: Wishes, choice: Choice, once: Once, seen: Situation) -> None:
        match, asker = whom.reply.match, asker_of(whom.player)
        self.limits.count_operation("makeMove", Asking(account=whom.player))
        try:
            made = self.playing.move(match, asker, None, choice, once)
        except DecisionClosed:
            self._answer(whom, heard, "closed")
        except Refusal as refusal:
            look = self.views.look(match, asker)
            said = say(look.log.game, refusal, wishes.lang) if refusal.clause else plain(refusal, wishes.lang)
            self._answer(whom, heard, "refused", why=said)
        else:
            told = self.views.moved(made, match, asker, wishes.lang)
            if told["decision"] is not None and told["sealed"] is None:
                return  # the next question tells what came of it
            receipt = told["sealed"]["receipt"] if told["sealed"] else told["receipt"]
            fields = {name: getattr(receipt, name) for name in ("stream", "version", "hash", "key", "signature")}
            text = next(text for id, text in seen.moves if id == choice.id)
            self._answer(whom, heard, "sealed" if told["sealed"] else "moved", move=text, **fields)

    def _answer(self, whom: Replying, heard: Heard, code: str, **fields: str | int) -> None:
        """Have the player told, once a mail of theirs, and not without end."""
        now = self.now()
        at = clock.stamp(now)
        if self.store.write([mailing.answer(whom.player, at, clock.stamp(now - WITHIN), MOST)]) != (1,):
            logger.warning("a player's mails are answered no more for a while")
            return
        answers = heard.id if _NAMED.fullmatch(heard.id) else ""
        about = msgspec.json.encode(About(whom.reply.match, code, fields, answers)).decode()
        name = f"answer:{digest(f'{heard.id} {whom.token} {code}')[:32]}"
        letter = Letter(id=name, kind="answer", player=whom.player, address="", lang="", about=about, at=at)
        self.store.write([outbox.post(letter)])
