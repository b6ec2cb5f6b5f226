"""Thinks for people: hints at their decisions, and reviews of matches that are over, one decision after the other."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from threading import Event
from time import monotonic
from typing import Any

import msgspec
import structlog
from cachetools import LRUCache

from bots import review
from bots.review import Reviewer
from bots.search.cores import Cores
from bots.search.race import Race
from bots.search.thought import Budget
from domain.catalogue import Catalogue
from domain.matches import Match
from replays.files.format import Export, read
from replays.log import TRUTH, Log
from service.heartbeat import beat
from service.jobs.door import Denied, Door, Unanswered
from service.store import WantedReview
from service.work import HintReport, ReviewReport, ToldEvent, WantedHint, WantedThoughts

SECONDS = 45.0
"""How long the decisions of a seat take together, if nothing else is done meanwhile."""
LONGEST = 1.0
"""The most seconds for one decision, and those for a hint: for so long a bot may have to wait that is to think."""
SHARE = 2.0
"""The seconds after which a job ends, so that hints that are wanted meanwhile come first."""
KEPT = 8
"""The most reviews that are kept begun."""

logger = structlog.get_logger(__name__)


Fold = Callable[[str, Sequence[ToldEvent]], tuple[Any, Match[Any]]]
"""(match, all events as a seat may read them) -> the game, and the match as the seat sees it."""

_decoder = msgspec.json.Decoder(WantedThoughts)


class MatchReviewer:
    """Finds out what decisions are worth: those that are open, for hints, and those of matches that are over."""

    def __init__(
        self,
        door: Door,
        stop: Event,
        fold: Fold,
        catalogue: Callable[[], Catalogue] = Catalogue,
        seconds: float = SECONDS,
        cores: Cores | None = None,
    ) -> None:
        """`catalogue` returns the games; a match's pack is added to them. `seconds`: for the decisions of a seat.

        `cores`: the processes of a thought; None for this one.
        """
        self._cores = cores
        self._door = door
        self._stop = stop
        self._fold = fold
        self._catalogue = catalogue
        self._seconds = seconds
        self._begun: LRUCache[tuple[str, int], Reviewer] = LRUCache(KEPT)

    def review(self, match_ids: list[str], is_needed: Callable[[], bool]) -> None:
        """Think about the hints and go on with the reviews of these matches for a while. Raises Unanswered.

        `is_needed`: whether a bot waits for this worker. What is not done, a later job does. Something is done in any
        case, however long it took to ask what is wanted.
        """
        end = monotonic() + SHARE
        for match_id in match_ids:
            try:
                wanted = self._report(match_id)
                while (wanted.hints or wanted.reviews) and not self._stop.is_set():
                    beat()
                    wanted = self._on(match_id, wanted)
                    if is_needed() or monotonic() >= end:
                        return
            except Denied as error:
                # the matches after it must not wait for it
                logger.warning("nothing could be thought about", match=match_id, error=str(error))

    def _on(self, match_id: str, wanted: WantedThoughts) -> WantedThoughts:
        """Think about one hint, or if there is none about the next decision of a review. Returns what is left."""
        if wanted.hints:
            return self._report(match_id, hints=[self._hint(match_id, wanted.hints[0])])
        return self._report(match_id, found=[self._next(match_id, wanted.reviews[0])])

    def _report(self, match_id: str, **found: list[Any]) -> WantedThoughts:
        return _decoder.decode(self._door.post("/api/thoughts", {"match": match_id, **found}))

    def _hint(self, match_id: str, wanted: WantedHint) -> HintReport:
        """Return what a search thinks of the decision, by what its seat was told."""
        seat = wanted.seat
        weighed: tuple[review.Weighed, ...] = ()
        try:
            game, state = self._fold(match_id, wanted.events)
            legal = game.legal(state.table, seat)
            race = Race(game, state.table, seat, f"{match_id}:{wanted.decision}", self._cores)
            thought = race.run(legal, self._budget(1))
            weighed = tuple(review.weighed(one) for one in thought.candidates)
        except Exception as error:
            logger.warning("no hint could be found", match=match_id, kind=type(error).__name__)
        return HintReport(seat=seat, decision=wanted.decision, weighed=weighed)

    def _budget(self, decisions: int) -> Budget:
        return Budget(seconds=min(LONGEST, self._seconds / decisions))

    def _next(self, match_id: str, wanted: WantedReview) -> ReviewReport:
        """Return what was found out about the next decision, or the account if all decisions are known."""
        seat, known = wanted.seat, wanted.known
        try:
            reviewer = self._reviewer(match_id, seat)
            if known >= reviewer.total:
                return ReviewReport(seat=seat, total=reviewer.total, first=known, account=reviewer.account(beat))
            decision = reviewer.decision(known, self._budget(reviewer.total))
            return ReviewReport(seat=seat, total=reviewer.total, first=known, decisions=(decision,))
        except Exception as error:
            if isinstance(error, Unanswered) and not isinstance(error, Denied):
                raise
            # the match is over, but its own rules may be missing here, or the match that a fork continues
            logger.warning("a match could not be reviewed", match=match_id, seat=seat, kind=type(error).__name__)
            return ReviewReport(seat=seat, total=known, first=known, failed=True)

    def _reviewer(self, match_id: str, seat: int) -> Reviewer:
        if (begun := self._begun.get((match_id, seat))) is None:
            lines = self._door.get(f"/api/matches/{match_id}/export")
            export = Export(read(io.BytesIO(lines), match_id), match_id)
            catalogue = self._catalogue()
            export.pack_for(catalogue)
            log = Log(export, match_id, catalogue)
            log.need_own_rules()
            events = log.events(TRUTH)
            late = log.sealed_by_clock()
            begun = Reviewer(log.game, log.pack.pack, events, seat, match_id, self._cores, late)
            self._begun[match_id, seat] = begun
        return begun
