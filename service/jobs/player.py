"""Plays the bots of an account's matches, many matches at a time. A bot knows only what its seat sees."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter
from typing import Any

import msgspec
import structlog
from cachetools import LRUCache

from bots import BOTS, QUICK
from bots.search import Searcher
from bots.search.cores import Cores
from domain import matches
from domain.catalogue import Catalogue, PackFile
from domain.chance import Simulation
from domain.matches import Match
from domain.secrecy import hides
from replays.files.packs import Packs
from replays.log import OtherRules, codec_of, rules_of
from service.heartbeat import beat
from service.jobs.door import Door, Unanswered
from service.jobs.queue import WorkerShare
from service.telemetry import metrics
from service.work import Answer, AskedBot, BotTurnTaken, ToldEvent, Turn

TABLES = 64
"""The most matches that are played at a time: the moves of half of them are one request."""

FEW = 8
"""The most matches of an account in a request if several accounts play: the others must not wait for all of them."""

LOOK = 0.02
"""Seconds between two looks for more matches, while there are matches to play."""

KEPT = 512
"""The most matches whose seen states are kept between jobs, at most 64 KiB a seat."""

LOOKS = 3
"""The most looks at a match in a row without a move that counted; then the match is left for a while."""

RENEW = 0.5
"""Seconds between two renewals of the claims."""

HURRY = 0.5
"""The n-th thought of a bot since a person moved has this part of its time: 1 / (1 + HURRY * (n - 1))."""

SHORTEST = 0.25
"""The least part of its time that a thought gets."""

SEALED = "greedy"
"""The bot that answers under seal for those that search: the time of a search would show who was asked."""

LONGER = 5
"""How many times longer a job plays if no other account waits."""

CLOSED = {"decision-closed", "match-finished", "match-aborted", "not-your-seat", "unknown-match"}
"""Problems that only say that a decision was answered, or is not open to a bot any more."""

logger = structlog.get_logger(__name__)


class ToThinkOf(Exception):
    """A bot is to search, which this worker does not do."""


class Seen(msgspec.Struct, frozen=True):
    """The game of a match, and its state as a seat has seen it."""

    game: Any
    state: Match[Any]


class _Table(msgspec.Struct):
    """A match that is being played."""

    id: str
    account: str
    asked: tuple[AskedBot, ...] | None = None
    """The bots that are asked; None if they are not known."""
    looks: int = 0
    """The looks in a row without a move that counted."""
    is_sent: bool = False
    """Whether a request for it is under way."""
    thoughts: Counter[int] = msgspec.field(default_factory=Counter)
    """By seat, the searches since the match was taken, which is when bots came to act."""


class _Evening(msgspec.Struct):
    """The matches that one job plays. Moments are those of `monotonic`."""

    work: WorkerShare
    chance: Simulation
    seconds: float
    """For how long the job plays while other accounts wait."""
    end: float = 0.0
    """When the job ends."""
    last: float = 0.0
    """The latest moment to which `end` may be put off."""
    tables: dict[str, _Table] = {}
    done: list[str] = []
    """Matches to be given back: no bot is to act in them for now."""
    failed: list[str] = []
    moves: Counter[str] = msgspec.field(default_factory=Counter)
    """By match, the moves that were made."""
    looks: float = 0.0
    """When to look for more matches."""
    has_begun: bool = False
    renewed: float = msgspec.field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.end = self.renewed + self.seconds
        self.last = self.renewed + LONGER * self.seconds

    @property
    def idle(self) -> list[_Table]:
        """The matches without a request under way, those first that have waited longest."""
        return [table for table in self.tables.values() if not table.is_sent]

    def next(self) -> list[_Table]:
        """Return the matches for the next request: at most half of all, and few of each account if several play."""
        half, most = -(-len(self.tables) // 2), len(self.tables)
        if len({table.account for table in self.tables.values()}) > 1:
            most = FEW
        counted: Counter[str] = Counter()
        picked = []
        for table in self.idle:
            counted[table.account] += 1
            if counted[table.account] <= most:
                picked.append(table)
        return picked[:half]


class BotPlayer:
    """Plays the bots of matches as long as they are to act."""

    def __init__(
        self, door: Door, stop: Event, packs: Path, *, thinks: bool = False, cores: Cores | None = None
    ) -> None:
        """`packs`: the folder of the operator's packs; `thinks`: whether it plays the bots that search, too.

        `cores`: the processes of a search; None for this one.
        """
        self._cores = cores
        self._door = door
        # while it thinks, a second match would wait, and others can take it
        self._most = 1 if thinks else TABLES
        self._mind = ThreadPoolExecutor(1, "mind") if thinks else None
        self._stop = stop
        self._catalogue = Catalogue()
        self._packs = Packs(self._catalogue, packs)
        for slug, room in self._catalogue.rooms.items():
            room.elsewhere = partial(door.pack, slug)
        self._seen: LRUCache[str, dict[int, Seen]] = LRUCache(KEPT)
        self._line = ThreadPoolExecutor(1, "door")
        self._left: LRUCache[str, tuple[AskedBot, ...]] = LRUCache(KEPT)
        """The bots that were asked when a job left a match; others may be asked by now."""

    def play(self, work: WorkerShare, seconds: float) -> int:
        """Answer the decisions of the bots for so many seconds. Returns how many answers counted. Raises Unanswered.

        If a match can't be played, that is logged, and the match is left for a while.
        """
        # unlike all other chance in a match, nobody may be able to derive this: it decides the bots' moves
        evening = _Evening(work, Simulation(secrets.token_hex(32)), seconds)
        sent: deque[Future[tuple[BotTurnTaken, ...]]] = deque()
        try:
            while True:
                beat()
                if not self._is_over(evening):
                    self._send(evening, sent)
                if not sent:
                    break
                # while the service works on one half of the matches, this process works on the other
                if len(sent) > 1 or self._is_over(evening) or not evening.idle:
                    answered = sent.popleft()
                    self._wait(answered, evening)
                    for taken in answered.result():
                        self._hear(taken, evening)
        except Unanswered as error:
            for match_id in evening.tables:
                work.put_off(match_id, max(1.0, error.after))
            evening.tables.clear()
            raise
        finally:
            wait(sent)
            self._left.update({table.id: table.asked for table in evening.tables.values() if table.asked})
            work.close(list(evening.tables), evening.failed, evening.moves)
        return evening.moves.total()

    def _is_over(self, evening: _Evening) -> bool:
        """Return whether all is sent, which is at least one request. Put off the end if no other account waits."""
        if not evening.has_begun or self._stop.is_set():
            return evening.has_begun
        now = monotonic()
        if evening.end <= now < evening.last and not evening.work.others:
            evening.end = now + evening.seconds
        return now >= evening.end

    def _send(self, evening: _Evening, sent: deque[Future[tuple[BotTurnTaken, ...]]]) -> None:
        """Take more matches if there is room, and send the next request."""
        evening.has_begun = True
        if monotonic() >= evening.renewed + RENEW:
            evening.work.renew()
            evening.renewed = monotonic()
        room, now = self._most - len(evening.tables), monotonic()
        if room > 0 and (now >= evening.looks or not evening.tables):
            for match_id, account in evening.work.take(room).items():
                # after a slow answer its claim may have lapsed, so that it is there to be taken once more
                if match_id not in evening.tables:
                    evening.tables[match_id] = _Table(match_id, account, self._left.pop(match_id, None))
            evening.looks = now + LOOK
            if evening.done:
                evening.work.release(evening.done)
                evening.done.clear()
        wanted: list[Turn] = []
        for table in evening.next():
            if wanted and monotonic() >= evening.end:
                break
            try:
                wanted.append(self._turn(table, evening))
                table.is_sent = True
                evening.tables[table.id] = evening.tables.pop(table.id)
            except ToThinkOf:
                evening.work.hand_over(evening.tables.pop(table.id).id)
            except Exception as error:
                self._give_up(table.id, error, evening)
        if wanted:
            sent.append(self._line.submit(self._door.take, wanted))

    def _turn(self, table: _Table, evening: _Evening) -> Turn:
        """Return the match's part of a request, with a bot's answer if this process knows a decision to answer.

        Raises:  Unanswered after too many looks; ToThinkOf; any error of the rules and the bot.
        """
        kept = self._seen.get(table.id, {})
        known = {seat: seen.state.version for seat, seen in kept.items()}
        for asked in () if table.asked is None else table.asked:
            seen = kept.get(asked.seat)
            if asked.wait or seen is None or asked.more:
                continue
            if matches.decision_of(seen.game, seen.state, asked.seat) != asked.decision:
                continue
            move = self._chosen(asked, seen, table, evening)
            return Turn(table.id, known, Answer(asked.seat, asked.decision, move))
        table.looks += 1
        if table.looks > LOOKS:
            raise Unanswered(f"{table.id}: nothing that is asked can be answered")
        return Turn(table.id, known)

    def _chosen(self, asked: AskedBot, seen: Seen, table: _Table, evening: _Evening) -> Any:
        """Return the move of the bot that is asked. Raises ToThinkOf if it is to search and this worker does not."""
        bot = BOTS[asked.bot]
        if not isinstance(bot, Searcher) or matches.is_sealed(seen.game, seen.state):
            return chosen(asked.bot, seen.game, seen.state, asked.seat, evening.chance)
        if self._mind is None:
            raise ToThinkOf
        # people wait for all decisions of a turn; how many there were is known to everybody
        thinker = bot.hurried(max(SHORTEST, 1 / (1 + HURRY * table.thoughts[asked.seat])), self._cores)
        table.thoughts[asked.seat] += 1
        thought = self._mind.submit(self._unhurried, thinker, asked, seen, evening.chance)
        self._wait(thought, evening)
        return thought.result()

    def _wait(self, result: Future[Any], evening: _Evening) -> None:
        """Wait for a search or an answer. Meanwhile renew the claim on the account, and give signs of life."""
        while not wait([result], RENEW).done:
            beat()
            evening.work.renew()
            evening.renewed = monotonic()

    def _unhurried(self, thinker: Searcher, asked: AskedBot, seen: Seen, chance: Simulation) -> Any:
        """Return the move that the thinker chooses; in a game that hides anything, only when its whole time is over.

        The time that it needs could reveal something about its cards: a short time, that it had only one move. So
        metrics note the whole time too.
        """
        begun = monotonic()
        end = begun + (thinker.budget.seconds if hides(seen.game) else 0.0)
        move = thinker.choose(seen.game, seen.state.table, asked.seat, chance)
        self._stop.wait(max(0.0, end - monotonic()))
        metrics.thought(asked.bot, monotonic() - begun)
        return move

    def _hear(self, taken: BotTurnTaken, evening: _Evening) -> None:
        """Fold the events of an answer, and note which bots are asked now."""
        table = evening.tables[taken.match]
        table.is_sent = False
        if taken.made:
            evening.moves[taken.match] += 1
            table.looks = 0
        try:
            if taken.problem is not None and taken.problem not in CLOSED:
                raise Unanswered(f"{taken.match}: {taken.problem}")
            for asked in taken.bots:
                # a look that brings a page of many is not in vain
                if not asked.wait and self._catch_up(taken.match, asked) and asked.more:
                    table.looks = 0
        except Exception as error:
            self._give_up(taken.match, error, evening)
            return
        table.asked = taken.bots
        waits = [asked.wait for asked in taken.bots]
        if waits and all(waits):
            evening.work.put_off(taken.match, min(waits))
        if not waits or all(waits):
            del evening.tables[taken.match]
            evening.done.append(taken.match)

    def _give_up(self, match_id: str, error: Exception, evening: _Evening) -> None:
        # the text of another error may reveal a hand
        more = {"error": str(error)} if isinstance(error, (Unanswered, OtherRules)) else {}
        logger.warning("a bot could not move", match=match_id, kind=type(error).__name__, **more)
        self._seen.pop(match_id, None)
        evening.work.fail(match_id)
        evening.failed.append(match_id)
        evening.tables.pop(match_id, None)

    def _catch_up(self, match_id: str, asked: AskedBot) -> bool:
        """Fold the new events into what the seat has seen; nothing is sealed for it while its decision is open.

        Returns whether there were any, and they fit.
        """
        kept = self._seen.setdefault(match_id, {})
        seen, events = kept.get(asked.seat), asked.events
        if asked.after != (seen.state.version if seen else 0):
            return False  # the events don't fit: the match is looked at again
        if seen is not None:
            game = seen.game
            kept[asked.seat] = Seen(game, matches.fold(game, seen.state, [_typed(game, event) for event in events]))
        elif events:
            kept[asked.seat] = Seen(*self.fold(match_id, events))
        return bool(events)

    def fold(self, match_id: str, events: Sequence[ToldEvent]) -> tuple[Any, Match[Any]]:
        """Return the game of a match, and its state by all these events. Raises OtherRules."""
        game, pack = self._rules(match_id, bytes(events[0].public))
        begun = matches.begin(game, pack.pack, _typed(game, events[0]))
        return game, matches.fold(game, begun, [_typed(game, event) for event in events[1:]])

    def _rules(self, match_id: str, opening: bytes) -> tuple[Any, PackFile]:
        try:
            opened, game, pack = rules_of(match_id, opening, self._catalogue)
        except OtherRules:
            # a pack may have been added meanwhile; the web process logs what is wrong with packs
            self._packs.refresh()
            opened, game, pack = rules_of(match_id, opening, self._catalogue)
        if opened.version != game.version:
            # this worker may be of another release than the web process
            raise OtherRules.of_version(match_id, opened.version, game)
        return game, pack


def _typed(game: Any, event: ToldEvent) -> Any:
    return codec_of(game).read(event.type, event.schema, bytes(event.public))


def chosen(bot: str, game: Any, state: Match[Any], seat: int, chance: Simulation) -> Any:
    """Return the move that the bot chooses. Metrics note how long it took, unless the answer is under seal."""
    if matches.is_sealed(game, state):
        return BOTS[bot if bot in QUICK else SEALED].choose(game, state.table, seat, chance)
    begun = perf_counter()
    move = BOTS[bot].choose(game, state.table, seat, chance)
    metrics.thought(bot, perf_counter() - begun)
    return move
