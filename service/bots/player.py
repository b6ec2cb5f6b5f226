"""Plays the bots of an account's matches, many matches at a time, from what their seats see."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, perf_counter
from typing import Any, Protocol

import msgspec
import structlog
from cachetools import LRUCache

from bots import BOTS
from domain import matches
from domain.catalogue import Catalogue, PackFile
from domain.chance import Simulation
from domain.matches import Match
from replays.files.packs import Packs
from replays.log import OtherRules, codec_of, rules_of
from service.bots.door import Door, Unanswered
from service.heartbeat import beat
from service.matches import turns
from service.telemetry import metrics

TABLES = 64
"""Matches that are played at a time: the moves of half of them are one request."""

FEW = 8
"""Most matches of an account in a request where others play too: theirs are not to wait for all of its matches."""

LOOK = 0.02
"""Seconds between two looks for more matches, as long as there are some."""

KEPT = 512
"""Most matches of which is kept between jobs what their seats have seen, at most 64 KiB a seat."""

LOOKS = 3
"""Looks at a match without a move that counted, after which it is left for a while."""

RENEW = 0.5
"""Seconds between two claims of what is being played."""

LONGER = 5
"""How many times longer a job plays on where no other account waits."""

CLOSED = {"decision-closed", "match-finished", "match-aborted", "unknown-match"}
"""What the service says of a decision that has been answered, or is asked no longer."""

logger = structlog.get_logger(__name__)


class Work(Protocol):
    """Matches to be played: see `queue.Share`."""

    @property
    def others(self) -> int:
        """How many accounts wait."""
        ...

    def take(self, most: int) -> Mapping[str, str]:
        """Matches that wait, each with the account whose it is."""
        ...

    def renew(self) -> None:
        """They are being played."""
        ...

    def release(self, match_ids: Sequence[str]) -> None:
        """Nobody is to act in them for now."""
        ...

    def put_off(self, match_id: str, seconds: float) -> None:
        """It has to wait."""
        ...

    def fail(self, match_id: str) -> None:
        """It can't be played."""
        ...

    def close(self, left: list[str], failed: list[str], moves: Mapping[str, int]) -> None:
        """What was left, what could not be played, and by match how many moves were made."""
        ...


class Seen(msgspec.Struct, frozen=True):
    """What a seat was told of its match."""

    game: Any
    state: Match[Any]


class _Table(msgspec.Struct):
    """A match at play: who is asked in it, and how often it was looked at without a move."""

    id: str
    account: str
    asked: tuple[turns.AskedBot, ...] | None = None
    """None: not known."""
    looks: int = 0
    is_sent: bool = False


class _Evening(msgspec.Struct):
    """What is at play in one job."""

    work: Work
    chance: Simulation
    seconds: float
    """For which it goes on, as long as others wait."""
    end: float = 0.0
    last: float = 0.0
    """Until when it goes on, and until when at most; by `monotonic`."""
    tables: dict[str, _Table] = {}
    done: list[str] = []
    """Matches to be given back: no bot is to act in them for now."""
    failed: list[str] = []
    moves: Counter[str] = msgspec.field(default_factory=Counter)
    """By match."""
    looks: float = 0.0
    """When more matches are looked for; by `monotonic`."""
    has_begun: bool = False
    renewed: float = msgspec.field(default_factory=monotonic)

    def __post_init__(self) -> None:
        self.end = self.renewed + self.seconds
        self.last = self.renewed + LONGER * self.seconds

    @property
    def idle(self) -> list[_Table]:
        """The matches that are not on their way, those first that have waited longest."""
        return [table for table in self.tables.values() if not table.is_sent]

    def next(self) -> list[_Table]:
        """Half of the matches, as far as they are not on their way; where several accounts play few of each."""
        half, most = -(-len(self.tables) // 2), len(self.tables)
        if len({table.account for table in self.tables.values()}) > 1:
            most = FEW
        counted: Counter[str] = Counter()
        found = []
        for table in self.idle:
            counted[table.account] += 1
            if counted[table.account] <= most:
                found.append(table)
        return found[:half]


class BotPlayer:
    """Plays the bots of matches as long as they are to act."""

    def __init__(self, door: Door, stop: Event, packs: Path) -> None:
        """`packs`: the folder of the operator's packs."""
        self._door = door
        self._stop = stop
        self._catalogue = Catalogue()
        self._packs = Packs(self._catalogue, packs)
        for slug, room in self._catalogue.rooms.items():
            room.elsewhere = partial(door.pack, slug)
        self._seen: LRUCache[str, dict[int, Seen]] = LRUCache(KEPT)
        self._line = ThreadPoolExecutor(1, "door")
        self._left: LRUCache[str, tuple[turns.AskedBot, ...]] = LRUCache(KEPT)
        """Who was asked in matches that were left in the midst of it; it may be another one by now."""

    def play(self, work: Work, seconds: float) -> int:
        """Answer what the bots of the matches are asked, for a while: how many answers counted.

        What is wrong with one match is logged, and the match left for a while.

        Raises:  Unanswered.
        """
        # unlike everything else in a match this must not be derivable: who knew it would know the bots' moves
        evening = _Evening(work, Simulation(secrets.token_hex(32)), seconds)
        sent: deque[Future[tuple[turns.BotTurnTaken, ...]]] = deque()
        try:
            while True:
                beat()
                if not self._is_over(evening):
                    self._send(evening, sent)
                if not sent:
                    break
                # while the service thinks about one half of the matches we think about the other
                if len(sent) > 1 or self._is_over(evening) or not evening.idle:
                    for taken in sent.popleft().result():
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
        """Whether nothing more is to be sent; once at least it is. Where nobody else waits it goes on for longer."""
        if not evening.has_begun or self._stop.is_set():
            return evening.has_begun
        now = monotonic()
        if evening.end <= now < evening.last and not evening.work.others:
            evening.end = now + evening.seconds
        return now >= evening.end

    def _send(self, evening: _Evening, sent: deque[Future[tuple[turns.BotTurnTaken, ...]]]) -> None:
        """Send half of the matches that are not on their way."""
        evening.has_begun = True
        if monotonic() >= evening.renewed + RENEW:
            evening.work.renew()
            evening.renewed = monotonic()
        room, now = TABLES - len(evening.tables), monotonic()
        if room > 0 and (now >= evening.looks or not evening.tables):
            for match_id, account in evening.work.take(room).items():
                evening.tables[match_id] = _Table(match_id, account, self._left.pop(match_id, None))
            evening.looks = now + LOOK
            if evening.done:
                evening.work.release(evening.done)
                evening.done.clear()
        wanted: list[turns.Turn] = []
        for table in evening.next():
            if wanted and monotonic() >= evening.end:
                break
            try:
                wanted.append(self._turn(table, evening.chance))
                table.is_sent = True
                evening.tables[table.id] = evening.tables.pop(table.id)
            except Exception as error:
                self._give_up(table.id, error, evening)
        if wanted:
            sent.append(self._line.submit(self._door.take, wanted))

    def _turn(self, table: _Table, chance: Simulation) -> turns.Turn:
        """The bot's answer, if it is known what it is asked. Raises whatever the rules and the bot do."""
        kept = self._seen.get(table.id, {})
        known = {seat: seen.state.version for seat, seen in kept.items()}
        for asked in () if table.asked is None else table.asked:
            seen = kept.get(asked.seat)
            if asked.wait or seen is None or asked.more:
                continue
            if matches.decision_of(seen.game, seen.state, asked.seat) != asked.decision:
                continue
            move = chosen(asked.bot, seen.game, seen.state, asked.seat, chance)
            return turns.Turn(table.id, known, turns.Answer(asked.seat, asked.decision, move))
        table.looks += 1
        if table.looks > LOOKS:
            raise Unanswered(f"{table.id}: nothing that is asked can be answered")
        return turns.Turn(table.id, known)

    def _hear(self, taken: turns.BotTurnTaken, evening: _Evening) -> None:
        """Fold what was told, and note who is asked now."""
        table = evening.tables[taken.match]
        table.is_sent = False
        if taken.made:
            evening.moves[taken.match] += 1
            table.looks = 0
        try:
            if taken.problem is not None and taken.problem not in CLOSED:
                raise Unanswered(f"{taken.match}: {taken.problem}")
            for asked in taken.bots:
                if not asked.wait:
                    self._catch_up(taken.match, asked)
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
        said = {"error": str(error)} if isinstance(error, (Unanswered, OtherRules)) else {}  # others may tell of a hand
        logger.warning("a bot could not move", match=match_id, kind=type(error).__name__, **said)
        self._seen.pop(match_id, None)
        evening.work.fail(match_id)
        evening.failed.append(match_id)
        evening.tables.pop(match_id, None)

    def _catch_up(self, match_id: str, asked: turns.AskedBot) -> None:
        """What the seat sees now: what it saw before, and what it was told since.

        Its private log is not needed: a decision is open to a seat only as long as nothing is sealed for it.
        """
        kept = self._seen.setdefault(match_id, {})
        seen, events = kept.get(asked.seat), asked.events
        if asked.after != (seen.state.version if seen else 0):
            return  # it is looked at again
        if seen is None:
            if not events:
                return
            game, pack = self._rules(match_id, bytes(events[0].public))
            seen = Seen(game, matches.begin(game, pack.pack, _typed(game, events[0])))
            events = events[1:]
        game = seen.game
        kept[asked.seat] = Seen(game, matches.fold(game, seen.state, [_typed(game, event) for event in events]))

    def _rules(self, match_id: str, opening: bytes) -> tuple[Any, PackFile]:
        try:
            opened, game, pack = rules_of(match_id, opening, self._catalogue)
        except OtherRules:
            # it may be played with a pack that was put there meanwhile; what is wrong with packs the web process tells
            self._packs.refresh()
            opened, game, pack = rules_of(match_id, opening, self._catalogue)
        if opened.version != game.version:
            # this process may be of another release than the one that serves
            raise OtherRules.of_version(match_id, opened.version, game)
        return game, pack


def _typed(game: Any, event: turns.ToldEvent) -> Any:
    return codec_of(game).read(event.type, event.schema, bytes(event.public))


def chosen(bot: str, game: Any, state: Match[Any], seat: int, chance: Simulation) -> Any:
    """What the bot chooses; how long it took is told, unless the answer is under seal."""
    begun = perf_counter()
    move = BOTS[bot].choose(game, state.table, seat, chance)
    if not matches.is_sealed(game, state):
        metrics.thought(bot, perf_counter() - begun)
    return move
