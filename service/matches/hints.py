"""Hints: what a search thinks of a player's open decision, at tables where all others are bots.

A worker that thinks is shown what the player's seat was told, and nothing else. Each hint is kept, and all may count
them once the match is over; until then they are the player's own affair, since they show when the seat was asked.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from bots import review
from domain.game import Lang
from domain.matches import Match
from events.store import Store
from service.deeds import BOT, PLAY, READ, Asker, Deed, Front
from service.limits import HINTS
from service.matches import shown
from service.matches.playing import told_events
from service.matches.reviews import ReviewedMove, gains_in_words, in_words
from service.matches.states import Lobby
from service.matches.views import Views
from service.problems import Conflict, Forbidden
from service.shapes import one_of
from service.store import Once, Reviewed
from service.store import reviews as kept
from service.work import HintReport, WantedHint

STATES = (kept.WANTED, kept.DONE, kept.FAILED)


class Hint(msgspec.Struct, frozen=True):
    """What a search thinks of a decision, by what its seat knew."""

    seat: int
    decision: int
    state: Annotated[str, one_of(*STATES)]
    """`wanted` until it was thought about; `failed` if it can't be."""
    moves: tuple[ReviewedMove, ...]
    """The moves that look best: first the advised one, then those that were tried longer; none until it is done."""
    gains: tuple[str, ...]
    """What the best move gains over the second one after some more moves, in words: at most two, the largest first."""


class Hints:
    """The use cases. They raise Problems, OtherRules and the store's errors."""

    def __init__(self, recorder: Store, found: Lobby, views: Views, front: Front) -> None:
        self._reviewed = Reviewed(recorder)
        self._recorder = recorder
        self._lobby = found
        self._views = views
        self.front = front

    @Deed("wantHint", (PLAY,), limits=(HINTS,), is_silent=True)
    def want(self, asker: Asker, match_id: str, decision: int, *, once: Once | None = None) -> None:
        """Want a hint for the asker's open decision. If it is there or wanted already, nothing changes.

        Raises:  Forbidden without a seat; Conflict if others than bots play too, or the decision is not open.
        """
        look = self._views.look(match_id, asker)
        if look.seat is None:
            raise Forbidden("not-seated")
        if not look.entry.is_among_bots(look.seat):
            raise Conflict("hint-against-people")
        if look.decision != decision or not decision:
            raise Conflict("decision-not-open", decision=decision)
        look.log.need_own_rules()
        self.front.write(once, [kept.want_hint(match_id, look.seat, decision, self.front.at())])

    def given(self, asker: Asker, match_id: str, lang: Lang) -> tuple[Hint, ...]:
        """Return the asker's hints; once the match is over those of all."""
        if asker.player:
            asker.need(READ, PLAY, BOT)
        look = self._views.look(match_id, asker)
        hints = [one for one in self._reviewed.hints(match_id) if look.state.is_over or one.seat == look.seat]
        log, say = look.log, shown.sayer(look, lang)
        told_last: dict[int, Match[Any]] = {}
        found = []
        for one in hints:
            moves: tuple[ReviewedMove, ...] = ()
            gained: tuple[str, ...] = ()
            if one.found:
                # those of a seat come in the order of the match, which is folded once for all of them
                seen = told_last[one.seat] = log.fold(one.seat, told_last.get(one.seat), one.decision)
                weighed = _WEIGHED.decode(one.found)
                moves = in_words(log.game if look.is_playable else None, seen.table, one.seat, weighed, lang, say)
                if len(weighed) > 1:
                    gained = gains_in_words(log.game, log.pack.pack, weighed[1], weighed[0], lang)
            found.append(Hint(one.seat, one.decision, one.state, moves, gained))
        return tuple(found)

    def wanted(self, asker: Asker, match_id: str) -> tuple[WantedHint, ...]:
        """Return the decision about which a worker is to think next, if any. Raises Unauthorized, Forbidden.

        The latest one comes first, since its player still waits. There is one at a time: somebody who asks for a hint
        at every decision must not keep a worker from giving a sign of life.
        """
        asker.need(BOT)
        wanted = [one for one in self._reviewed.hints(match_id) if one.state == kept.WANTED]
        if not wanted:
            return ()
        if (entry := self._lobby.find(match_id)) is None or entry.is_over:
            self._recorder.write([kept.end_hint(match_id, one.seat, one.decision, kept.FAILED) for one in wanted])
            return ()
        facts = list(self._recorder.facts(match_id))
        one = wanted[-1]
        # up to the decision: by now it may be answered, and another one open
        return (WantedHint(one.seat, one.decision, told_events(facts[: one.decision], one.seat)),)

    def report(self, asker: Asker, match_id: str, reports: tuple[HintReport, ...]) -> None:
        """Store what a worker thinks. What is known stays. Raises Unauthorized, Forbidden."""
        asker.need(BOT)
        for one in reports:
            found = msgspec.json.encode(one.weighed).decode() if one.weighed else None
            state = kept.DONE if found else kept.FAILED
            self._recorder.write([kept.end_hint(match_id, one.seat, one.decision, state, found)])


_WEIGHED = msgspec.json.Decoder(tuple[review.Weighed, ...])
