"""What a search thinks of decisions: reviews of a seat's decisions in a match that is over, with how much was luck, and
hints for a player's open decision at tables where all others are bots.

Workers that think find it out, one decision after the other, and report each. What is known is stored, so nobody's work
is lost or done twice, and a review that was stopped goes on where it stood; nothing is secret any more by then. For a
hint a worker is shown what the player's seat was told, and nothing else. All may count the hints once the match is
over; until then they are the player's own affair, since they show when the seat was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, get_args

import msgspec

from bots import review
from domain import matches
from domain.game import Lang, move_id
from domain.matches import Match
from events.store import Store
from replays.film import Film
from service.deeds import BOT, OF_WORKERS, PLAY, READ, Asker, Deed, Front
from service.limits import HINTS, REVIEWS
from service.matches import shown
from service.matches.films import Films
from service.matches.playing import told_events
from service.matches.states import Lobby, Look, check_seat
from service.matches.views import Views
from service.problems import Conflict, Forbidden, Unknown, left_out
from service.shapes import one_of
from service.store import Once, Reviewed
from service.store import reviews as kept
from service.work import HintReport, ReviewReport, WantedHint, WantedThoughts

LATEST = 20
"""The reviews whose moments are listed."""
MOST = 64
"""The most decisions in a report."""

STATES = (kept.WANTED, kept.DONE, kept.STOPPED, kept.FAILED)


class ReviewedMove(review.Weighed, frozen=True, kw_only=True):
    """A move that was weighed. Shares are of the first place, from 0 to 1."""

    text: str
    """The move in words; its id if the match's rules are not at hand."""


class ReviewedDecision(msgspec.Struct, frozen=True):
    """A decision of the seat in which it had a choice."""

    version: int
    """The last version before its answer: `/at/{version}` shows what it saw. With a clock it can be later than the
    decision that the answer names."""
    move: str
    """The id of the move that it made."""
    worlds: int
    """The imagined worlds in which moves were tried."""
    moves: tuple[ReviewedMove, ...]
    """The seat's move and those that looked best: first the advised one, then those that were tried longer."""
    gains: tuple[str, ...]
    """What the best move gains over the seat's own after some more moves, in words: at most two, the largest first."""
    by: Annotated[str, one_of(*get_args(review.Maker))] = "seat"
    """Who made the move: the seat's player, the clock, or a bot that played for the seat meanwhile. Only a move of the
    player can be one of the review's `moments`."""


class MatchReview(msgspec.Struct, frozen=True):
    """What the decisions of a seat were worth by what it then knew, and how much was luck."""

    match: str
    seat: int
    state: Annotated[str, one_of(*STATES)]
    """`wanted` until the review is done; `stopped` by a player; `failed` if it can't be done: ask again to go on."""
    total: int | None
    """How many decisions there are; null until the first is judged."""
    decisions: tuple[ReviewedDecision, ...]
    """The decisions that were judged so far, in the order of the match."""
    moments: tuple[int, ...]
    """The indexes in `decisions` of at most three decisions that cost the seat most, and whose cost is certain."""
    account: review.LuckAndPlay | None
    """How the result came about; null until the review is done."""


class CostlyMoment(msgspec.Struct, frozen=True):
    """A decision that cost its seat much."""

    match: str
    game: str
    seat: int
    decision: ReviewedDecision
    """The decision, as the review judges it."""


class Hint(msgspec.Struct, frozen=True):
    """What a search thinks of a decision, by what its seat knew."""

    seat: int
    decision: int
    state: Annotated[str, one_of(kept.WANTED, kept.DONE, kept.FAILED)]
    """`wanted` until it was thought about; `failed` if it can't be."""
    moves: tuple[ReviewedMove, ...]
    """The moves that look best: first the advised one, then those that were tried longer; none until it is done."""
    gains: tuple[str, ...]
    """What the best move gains over the second one after some more moves, in words: at most two, the largest first."""


class Reviews:
    """The use cases. They raise Problems, OtherRules and the store's errors."""

    def __init__(self, recorder: Store, found: Lobby, views: Views, films: Films, front: Front) -> None:
        self._reviewed = Reviewed(recorder)
        self._recorder = recorder
        self._lobby = found
        self._views = views
        self._films = films
        self.front = front

    @Deed("reviewMatch", (PLAY,), limits=(REVIEWS,), is_silent=True)
    def want(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Want the review of a seat. If it is there or wanted already, nothing changes. Raises Unknown, Conflict."""
        look = self._over(asker, match_id, seat)
        look.log.need_own_rules()
        self.front.write_for([asker.player], once, kept.want(match_id, seat, asker.player, self.front.at()))

    @Deed("stopReview", (PLAY,), limits=(REVIEWS,), is_silent=True)
    def stop(self, asker: Asker, match_id: str, seat: int, *, once: Once | None = None) -> None:
        """Stop a review that the asker wanted, unless others want it too. Raises Unknown, Forbidden, Conflict.

        What was found out stays.
        """
        self._over(asker, match_id, seat)
        if (found := self._reviewed.review(match_id, seat)) is None:
            raise Unknown("unknown-review", seat=seat)
        if found.state == kept.WANTED and not self.is_wanted_by(asker, match_id, seat):
            raise Forbidden("not-your-review")
        self.front.write(once, kept.stop(match_id, seat, asker.player))

    def is_wanted_by(self, asker: Asker, match_id: str, seat: int) -> bool:
        """Return whether the asker has wanted the review, and has not stopped it since."""
        return bool(asker.player) and self._reviewed.is_wanted_by(match_id, seat, asker.player)

    def look(self, asker: Asker, match_id: str, seat: int, lang: Lang) -> MatchReview:
        """Return what was found out so far. Raises Unknown if nobody wanted the review, Conflict."""
        if asker.player:
            asker.need(READ, PLAY, BOT)
        look = self._over(asker, match_id, seat)
        if (found := self._reviewed.review(match_id, seat)) is None:
            raise Unknown("unknown-review", seat=seat)
        judged = self._judged(match_id, seat)
        return MatchReview(
            match=match_id,
            seat=seat,
            state=found.state,
            total=found.total,
            decisions=self._in_words(look, seat, judged, lang),
            moments=review.moments(judged),
            account=_ACCOUNT.decode(found.account) if found.account else None,
        )

    def moments(self, asker: Asker, lang: Lang) -> tuple[CostlyMoment, ...]:
        """Return what cost most in the matches of which the asker has wanted a review, the latest review first."""
        asker.need(READ, PLAY)
        found = []
        for match_id, seat in self._reviewed.of_player(asker.player, LATEST):
            with left_out():
                look, judged = self._over(asker, match_id, seat), self._judged(match_id, seat)
                costly = [judged[at] for at in review.moments(judged)]
                told = self._in_words(look, seat, costly, lang)
                found += [CostlyMoment(match_id, look.log.game.slug, seat, each) for each in told]
        return tuple(found)

    def _judged(self, match_id: str, seat: int) -> list[review.Decision]:
        return [_DECISION.decode(each) for each in self._reviewed.found(match_id, seat)]

    def _in_words(
        self, look: Look, seat: int, judged: Sequence[review.Decision], lang: Lang
    ) -> tuple[ReviewedDecision, ...]:
        if not judged:
            return ()
        film, say = self._films.folded(look.log, seat), shown.naming(look.entry, lang)
        return tuple([decision_in_words(film, seat, each, lang, say) for each in judged])

    @Deed("reportThoughts", (BOT,), free=OF_WORKERS)
    def report(
        self, asker: Asker, match_id: str, reports: Sequence[ReviewReport], hints: Sequence[HintReport]
    ) -> WantedThoughts:
        """Store what a worker has found out. Returns what is wanted then. What is known stays."""
        for hint in hints:
            weighed = _said(hint.weighed) if hint.weighed else None
            state = kept.DONE if weighed else kept.FAILED
            self._recorder.write([kept.end_hint(match_id, hint.seat, hint.decision, state, weighed)])
        for one in reports:
            wanted = {each.seat for each in self._reviewed.wanted(match_id)}
            if one.seat not in wanted:
                continue  # it was stopped, or another worker has done it
            judged = [
                kept.judge(match_id, one.seat, one.first + number, _said(decision))
                for number, decision in enumerate(one.decisions)
            ]
            if one.failed:
                # whoever gives up may not know how many there are
                self._recorder.write([*judged, kept.end(match_id, one.seat, kept.FAILED)])
                continue
            self._recorder.write([kept.count(match_id, one.seat, one.total), *judged])
            if one.account is not None and len(self._reviewed.found(match_id, one.seat)) == one.total:
                self._recorder.write([kept.end(match_id, one.seat, kept.DONE, _said(one.account))])
        return WantedThoughts(self._wanted_hint(match_id), self._reviewed.wanted(match_id))

    @Deed("wantHint", (PLAY,), limits=(HINTS,), is_silent=True)
    def want_hint(self, asker: Asker, match_id: str, decision: int, *, once: Once | None = None) -> None:
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

    def hints(self, asker: Asker, match_id: str, lang: Lang) -> tuple[Hint, ...]:
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

    def _wanted_hint(self, match_id: str) -> tuple[WantedHint, ...]:
        """Return the open decision about which a worker is to think next, if any.

        The latest one comes first, since its player still waits. There is one at a time: somebody who asks for a hint
        at every decision must not keep a worker from giving a sign of life.
        """
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

    def _over(self, asker: Asker, match_id: str, seat: int) -> Look:
        """Return the match, which was played to its end. Raises Unknown, Conflict."""
        look = self._views.look(match_id, asker)
        if not look.state.is_over:
            raise Conflict("not-over")
        if look.state.status != matches.Status.FINISHED:
            raise Conflict("not-played-out")
        check_seat(look.entry, seat)
        return look


_DECISION = msgspec.json.Decoder(review.Decision)
_ACCOUNT = msgspec.json.Decoder(review.LuckAndPlay)
_WEIGHED = msgspec.json.Decoder(tuple[review.Weighed, ...])


def _said(value: object) -> str:
    return msgspec.json.encode(value).decode()


def decision_in_words(
    film: Film, seat: int, decision: review.Decision, lang: Lang, say: shown.Say = str
) -> ReviewedDecision:
    """Return the decision with its moves in words. `film`: the match as the seat saw it."""
    table = film.frame(decision.version).table
    moves = in_words(film.game if film.has_own_rules else None, table, seat, decision.weighed, lang, say)
    gained = gains_in_words(film.game, film.pack, decision.own, decision.weighed[0], lang)
    return ReviewedDecision(decision.version, decision.move, decision.worlds, moves, gained, decision.by)


def gains_in_words(game: Any, pack: Any, own: review.Weighed, best: review.Weighed, lang: Lang) -> tuple[str, ...]:
    """Return what the best move gains over another one, the largest gain first."""
    called = game.names(pack, lang).get("term", {})
    return tuple([called[name] for name in review.gains(own, best) if name in called])


def in_words(
    game: Any, seen: Any, seat: int, weighed: Sequence[review.Weighed], lang: Lang, say: shown.Say
) -> tuple[ReviewedMove, ...]:
    """Return the moves in words, as the seat saw the table when it could make them.

    `game`: by the match's own rules; None if they are not at hand, since no others know its moves.
    """
    legal = {} if game is None else {move_id(move): move for move in game.legal(seen, seat)}

    def text(id: str) -> str:
        return shown.choice(game, seen, seat, legal[id], lang, say).text if id in legal else id

    return tuple([ReviewedMove(**msgspec.structs.asdict(each), text=text(each.move)) for each in weighed])
