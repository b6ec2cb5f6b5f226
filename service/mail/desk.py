"""Writes mails: makes the bytes to be sent from a notice or a letter, and from the state at that moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from domain.catalogue import Catalogue
from domain.game import Lang
from events.receipts import Receipt
from events.store import Reader
from service import clock, wording
from service.accounts import called
from service.config import Config
from service.limits import INVITED as OF_ALL
from service.limits import INVITED_BY_ONE as OF_ONE
from service.limits import Limits, Rate
from service.mail import letters
from service.mail.letters import Way
from service.mail.paper import Sheet, enveloped
from service.mail.reading import NO, YES, Moves
from service.mail.situation import BOUNCE_TO, INVITED, PLAY_TO, MailTokens, Situation, see
from service.mail.words import title_of, word
from service.matches import Lobby, Views, shown
from service.problems import left_out
from service.store import (
    Chair,
    Delivery,
    DeliveryTable,
    Entry,
    Letter,
    Notice,
    People,
    Statement,
    Wishes,
    deliveries,
    mailing,
    notices,
    proposals,
)

LINKED = frozenset({"confirm", "recover"})
ACCOUNT = LINKED | {"password-changed", "address-changed"}
"""Kinds of letters about an account: they go to the address that they name, confirmed or not. LINKED have a link."""

NEWS_LASTS = timedelta(days=3)
"""How old news may be. A service that begins to send mails, or could send none for long, sends no older news."""

SHEETS = {
    notices.STARTED: letters.started,
    notices.STAND_IN: letters.stood_in,
    notices.FINISHED: letters.finished,
}
"""What writes the mail of each kind of news of a match in which its reader sits."""

SAID_BY_END = frozenset({notices.STARTED, notices.STAND_IN})
"""Kinds of which no mail is sent when the match is over: another mail says that."""

TABLES = 20
"""The most tables in a digest."""

ANSWERS = {**dict.fromkeys(YES, "accept"), **dict.fromkeys(NO, "decline")}
"""Words that answer an invitation or a proposal, and what they mean."""

Link = Callable[[Letter], str | None]
"""Returns the link in a letter about an account; None if the link has no use any more."""


class Ready(msgspec.Struct, frozen=True):
    """A mail that is ready to be sent."""

    player: str
    sender: str
    """The address to which the mail comes back if it can't be delivered."""
    to: str
    mail: bytes
    beside: tuple[Statement, ...] = ()
    """Statements which note that other deliveries are part of the mail: held news in a digest, or a turn."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """The content of an answer to a player's mail, as a letter stores it."""

    match: str
    code: str
    fields: dict[str, str | int]
    answers: str = ""
    """The Message-ID of the player's mail."""
    receipt: Receipt | None = None
    """The receipt for what the player's mail has changed."""
    is_invitation: bool = False
    """Whether the player's mail answered an invitation."""
    proposal: str = ""
    """The id of the notice of the proposal that it answered; "" if it answered none."""


def moves_of_invitation(lang: Lang) -> Moves:
    """Return the ids and texts of the two answers to an invitation."""
    return tuple((id, word(f"invited-{id}", lang)) for id in ("accept", "decline"))


@dataclass(frozen=True, slots=True)
class Desk:
    """Writes the mails of the service."""

    store: Reader
    views: Views
    lobby: Lobby
    limits: Limits
    tokens: MailTokens
    config: Config
    catalogue: Catalogue
    link: Link
    now: clock.Now

    def notice(self, one: Delivery, due: str) -> Ready | None:
        """Return the mail of a notice that still holds; None if another mail says it, or the player does not want it.

        Shape:   `due`: when its decision is due, "" if it has none, or one without a limit.
        """
        wishes = mailing.wishes_of(self.store, one.player)
        if wishes is None or not self._is_wanted(one, wishes):
            return None
        entry = self.lobby.find(one.home)
        if entry is None or one.seat is None:
            return None
        written: tuple[Sheet, str] | None
        if one.kind == notices.PROPOSAL:
            written = self._proposal(one, entry, wishes)
        elif one.kind == notices.INVITATION:
            written = self._invited(entry, one.seat, wishes)
        else:
            written = self._of_match(one, entry, wishes, due)
        if written is None:
            return None
        sheet, address = written
        return self._ready(sheet, wishes, self.tokens.name(one.id), match=one.home, reply=address)

    def _is_wanted(self, one: Delivery, wishes: Wishes) -> bool:
        if wishes.stopped or mailing.is_quiet(self.store, one.home, one.player):
            return False
        if any(self.limits.buckets.used(rate, whom) + 1 > rate.most for rate, whom in self._inviting(one)):
            return False  # the player got too many invitations by mail lately, from this inviter or from all
        if one.kind in notices.NEWS:
            return wishes.news and self.now() - datetime.fromisoformat(one.at) < NEWS_LASTS
        return wishes.turns == mailing.EACH or (one.kind == notices.REMINDER and wishes.turns == mailing.DIGEST)

    def count(self, one: Delivery) -> None:
        """Count the mail that was sent, if it is an invitation or a proposal."""
        if counted := self._inviting(one):
            self.limits.buckets.take(counted, 1)

    def _inviting(self, one: Delivery) -> tuple[tuple[Rate, str], ...]:
        """Return the limits that the mail counts for, as somebody's who may be a stranger; none if nobody else asks."""
        if (entry := self.lobby.find(one.home)) is None or one.kind not in {notices.INVITATION, notices.PROPOSAL}:
            return ()
        asked = one.kind == notices.PROPOSAL
        by = entry.chairs[proposals.read_proposal(one).by].player if asked else entry.creator
        return (OF_ALL, one.player), (OF_ONE, f"{by} {one.player}")

    def _invited(self, entry: Entry, seat: int, wishes: Wishes, first: str = "") -> tuple[Sheet, str]:
        """Return the sheet of an invitation, and the address that answers it."""
        by = People(self.store).player(entry.creator or "")
        address = self._address(wishes.player, entry.id, seat, INVITED, [id for id, _ in moves_of_invitation("en")])
        receipt = self.views.receipt(entry.id, self.store.head(entry.id).version)
        way, moves = Way(url=self._url(entry.id), reply=address, zone=wishes.zone), moves_of_invitation(wishes.lang)
        title, inviter = self.catalogue.title(entry.game, wishes.lang), called(by.name if by else "", wishes.lang)
        time = wording.clock(entry.clock, wishes.lang)
        return letters.invited(title, seat, inviter, time, moves, way, wishes.lang, receipt, first), address

    def _proposal(self, one: Delivery, entry: Entry, wishes: Wishes, first: str = "") -> tuple[Sheet, str]:
        """Return the sheet of what others propose to the player, and the address that answers it."""
        asked, lang, heir = proposals.read_proposal(one), wishes.lang, ""
        by = shown.names_of(entry, lang)[asked.by] or word("seat", lang, seat=asked.by)
        for offer in self.lobby.offers_of(entry.id) if asked.heir else ():
            if offer.seat == asked.by:
                heir = shown.name_of(
                    Chair(asked.by, bot=offer.bot, player_name=offer.to.name if offer.to else None), lang
                )
        address, title = self._at(self.tokens.proposal(one)), self.catalogue.title(entry.game, lang)
        way = Way(url=self._place(one), reply=address)
        return letters.proposed(asked.proposal, title, by, heir, way, lang, first), address

    def _of_match(self, one: Delivery, entry: Entry, wishes: Wishes, due: str) -> tuple[Sheet, str] | None:
        """Return the sheet about a match, and the address that answers it; None if the notice is out of date."""
        if one.kind in SAID_BY_END and entry.is_over:
            return None
        seen = see(self.store, self.views, one.home, wishes)
        if one.kind in notices.NEWS:
            return SHEETS[one.kind](seen, Way(url=self._url(one.home), zone=wishes.zone), wishes.lang), ""
        if seen.decision != one.decision:
            return None
        way = self.way(seen, wishes, due)
        return letters.turn(seen, way, wishes.lang, kind=one.kind), way.reply

    def way(self, seen: Situation, wishes: Wishes, due: str) -> Way:
        """Return how the player answers the decision that `seen` shows."""
        address = ""
        if seen.decision is not None:
            assert seen.seat is not None, "a seat decides"
            ids = [id for id, _ in seen.moves]
            address = self._address(wishes.player, seen.match, seen.seat, seen.decision, ids)
        return Way(url=self._url(seen.match), reply=address, due=due, zone=wishes.zone)

    def _address(self, player: str, match: str, seat: int, decision: int, ids: list[str]) -> str:
        """Return the address that answers the decision; "" if it can't be answered by mail."""
        return self._at(self.tokens.reply(player, match, seat, decision, ids))

    def _at(self, token: str | None) -> str:
        """Return the reply address of a token; "" if there is none, or no domain whose mail comes in."""
        return f"{PLAY_TO}{token}@{self.config.mail_domain}" if token and self.config.mail_domain else ""

    def letter(self, one: Letter) -> Ready | None:
        """Return the mail of a letter; None if it is not to be sent any more."""
        if one.kind in ACCOUNT:
            return self._account(one)
        wishes = mailing.wishes_of(self.store, one.player)
        if wishes is None or (wishes.stopped and one.kind == mailing.DIGEST):
            return None
        name = self.tokens.name(one.id)
        if one.kind == mailing.DIGEST:
            held = DeliveryTable(self.store).held(wishes.player, wishes.player)
            news = [(each, self._news(each, wishes)) for each in held]
            sheet = self._digest(wishes, [line for _, line in news if line])
            if sheet is None:
                return None
            told = tuple(
                deliveries.tell(each.home, each.id, deliveries.DELIVERED if line else deliveries.DROPPED)
                for each, line in news
            )
            return replace(self._ready(sheet, wishes, name), beside=told)
        return self._answer(msgspec.json.decode(one.about, type=About), wishes, name)

    def _answer(self, about: About, wishes: Wishes, name: str) -> Ready:
        """Return the mail that answers a player's mail. It shows the match if the player may still see it."""
        said, receipt = letters.said(about.code, about.fields, wishes.lang), about.receipt
        entry = self.lobby.find(about.match)
        seat = _kept_seat(entry, wishes.player)
        if about.is_invitation and entry is not None and seat is not None:
            sheet, address = self._invited(entry, seat, wishes, said)
            return self._ready(sheet, wishes, name, match=about.match, reply=address, answers=about.answers)
        one = DeliveryTable(self.store).find(about.proposal) if about.proposal else None
        waiting = proposals.match_if_true(self.store, one) if one is not None else None
        if one is not None and waiting is not None and about.code != "not-agreed":
            sheet, address = self._proposal(one, waiting, wishes, said)
            return self._ready(sheet, wishes, name, match=about.match, reply=address, answers=about.answers)
        seen = None
        with left_out():
            seen = see(self.store, self.views, about.match, wishes)
        if seen is None:
            title = self.catalogue.title(entry.game, wishes.lang) if entry is not None else about.match
            return self._ready(letters.bare(title, said, wishes.lang), wishes, name, answers=about.answers)
        # a player has one open decision in a match at most
        asked = next(iter(self.store.decisions(f"player:{wishes.player}", about.match)), None)
        way = self.way(seen, wishes, asked.due if asked else "")
        sheet = letters.answer(said, receipt, seen, way, wishes.lang, has_turn=about.code != "stranger")
        ready = self._ready(sheet, wishes, name, match=about.match, reply=way.reply, answers=about.answers)
        if asked is None or seen.decision != asked.since or about.code == "stranger":
            return ready
        game, at = entry.game if entry is not None else "", clock.stamp(self.now())
        turn = Notice(notices.TURN, about.match, game, wishes.player, asked.seat, at, asked.since)
        sent = deliveries.enter_as_told(notices.mailed(turn, deliveries.DELIVERED))
        return replace(ready, beside=(sent,))

    def _account(self, one: Letter) -> Ready | None:
        lang = one.lang if one.lang in {"en", "ja"} else "en"
        link = self.link(one) if one.kind in LINKED else ""
        if link is None:
            return None
        sheet = letters.account(one.kind, link, lang)
        return self._enveloped(sheet, one.player, one.address, lang, self.tokens.name(one.id))

    def _digest(self, wishes: Wishes, news: Sequence[str]) -> Sheet | None:
        """Return the sheet of the tables that wait for the player, and of the lines of news; None without either."""
        decisions = self.store.decisions(f"player:{wishes.player}")
        waiting, unread = list[tuple[Situation, Way]](), list[str]()
        asked = [one for one in decisions if not mailing.is_quiet(self.store, one.match, wishes.player)]
        # the last one is due first
        asked.sort(key=lambda one: (not one.due, one.due, one.match), reverse=True)
        while asked and len(waiting) < TABLES:
            one, seen = asked.pop(), None
            with left_out():
                seen = see(self.store, self.views, one.match, wishes)
            if seen is None:
                unread.append(self._url(one.match))
            elif seen.decision is not None:
                waiting.append((seen, self.way(seen, wishes, one.due)))
        if not waiting and not news:
            return None
        return letters.digest(waiting, len(asked), news, unread, f"{self.config.address}/turns", wishes.lang)

    def _news(self, one: Delivery, wishes: Wishes) -> str:
        """Return a line about what has happened to a match; "" if the player need not read it."""
        entry = proposals.match_if_true(self.store, one)
        if entry is None or one.seat is None or not self._is_wanted(one, wishes):
            return ""
        said, address = title_of(one, entry, self.catalogue.title(entry.game, wishes.lang), wishes.lang), ""
        if one.kind == notices.INVITATION:
            address = self._invited(entry, one.seat, wishes)[1]
        elif one.kind == notices.PROPOSAL:
            address = self._at(self.tokens.proposal(one))
        how = f" {word('invited-digest', wishes.lang, to=f'mailto:{address}')}" if address else ""
        return f"{said} {self._place(one)}{how}"

    def _place(self, one: Delivery) -> str:
        """Return the URL of the page that the notice is about: of an offered seat the player's own."""
        return f"{self.config.address}/turns" if proposals.offers_seat(one) else self._url(one.home)

    def _url(self, match: str) -> str:
        return f"{self.config.address}/matches/{match}"

    def _quit(self, player: str, match: str = "") -> str:
        return f"{self.config.address}/api/mail/unsubscribe/{self.tokens.unsubscribe(player, match)}"

    def _ready(
        self, sheet: Sheet, wishes: Wishes, name: str, *, match: str = "", reply: str = "", answers: str = ""
    ) -> Ready:
        lang, every = wishes.lang, self._quit(wishes.player)
        foot = [word("quit-match", lang, url=self._quit(wishes.player, match))] if match else []
        foot.append(word("quit-all", lang, url=every))
        return self._enveloped(
            replace(sheet, foot=tuple(foot)),
            wishes.player,
            wishes.address,
            lang,
            name,
            thread=self.tokens.name("thread", match, wishes.player) if match else "",
            answers=answers,
            reply=reply,
            quit=every,
        )

    def _enveloped(self, sheet: Sheet, player: str, address: str, lang: Lang, name: str, **more: str) -> Ready:
        """Return the mail of a sheet to a player's address. `more`: see `enveloped`."""
        sender = self.config.mail_from
        domain = self.config.mail_domain or sender.rpartition("@")[2]
        mail = enveloped(sheet, lang, self.now(), name=name, sender=sender, to=address, domain=domain, **more)
        # it comes back to an address that names the player, if replies can come in
        token = self.tokens.bounce(player, address) if self.config.mail_domain else None
        return Ready(player, f"{BOUNCE_TO}{token}@{domain}" if token else sender, address, mail)


def _kept_seat(entry: Entry | None, player: str) -> int | None:
    """Return the seat that is kept for the player; None if there is none to take."""
    if entry is None or entry.status != "open":
        return None
    return next((chair.seat for chair in entry.chairs if chair.is_free and chair.reserved == player), None)
