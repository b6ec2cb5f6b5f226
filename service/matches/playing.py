"""What players do with matches: take a seat, leave it, move. Everything here goes through the log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain import match, play
from domain.chance import Scripted
from domain.game import Refusal, move_id
from domain.match import Match, Status
from domain.play import DecisionClosed, Told
from events.sqlite import SqliteRecorder
from events.store import Appended, Write
from replays import log as logs
from replays.log import TRUTH, Log
from service import clock
from service.accounts.players import BOT, PLAY, Asker
from service.matches import lobby, sittings
from service.matches.change import decided, next_write, owed, turned
from service.matches.lobby import Entry, Register, Statement
from service.matches.states import Tables
from service.problems import Conflict, Forbidden, Malformed, unknown_seat
from service.store.idempotency import Once, Requests


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A move that answers a decision, by the move's id or by its fields."""

    decision: int
    id: str | None = None
    move: dict[str, Any] | None = None


class Matches:
    """The use cases. They raise Problems, the domain's Refusals and the store's errors."""

    def __init__(
        self, recorder: SqliteRecorder, tables: Tables, found: Register, asked: Requests, now: clock.Now
    ) -> None:
        self._recorder = recorder
        self._tables = tables
        self._register = found
        self._requests = asked
        self._now = now

    def take_seat(self, match_id: str, asker: Asker, wanted: int | None, nonce: str, once: Once | None) -> int:
        """Sit down, on the seat named or on the first that is free; who sits on the last one starts the match.

        Answers the version of the last event that came of it.
        """
        asker.need(PLAY)
        self._register.entry(match_id, asker)
        with self._tables.deciding(match_id):
            answered = self._requests.do(
                once, lambda: decided(lambda: self._take_seat(match_id, asker, wanted, nonce, once))
            )
        # the release before noted the seat alone
        return int(answered.partition("@")[2] or self._recorder.head(match_id).version)

    def _take_seat(self, match_id: str, asker: Asker, wanted: int | None, nonce: str, once: Once | None) -> str:
        entry, log, before = self._looked(match_id, asker)
        if (seated := entry.seat_of(asker)) is not None:
            raise Conflict("already-seated", seat=seated)
        log.need_own_rules()
        seat = free_seat(entry, asker, wanted, before.taken)
        sittings.check(self._recorder, entry, asker)
        told = play.take_seat(log.game, before, seat, nonce)
        answer = f"{seat}@{before.version + len(told)}"
        beside = [sittings.note(match_id, asker.player), *self._requests.remember(once, answer)]
        self._seated(log, entry, before, told, seat, asker.player, beside)
        return answer

    def leave_seat(self, match_id: str, asker: Asker) -> int:
        """Leave one's seat before the match starts. Answers the version of the event that tells it."""
        asker.need(PLAY)
        with self._tables.deciding(match_id):
            return decided(lambda: self._leave_seat(match_id, asker))

    def _leave_seat(self, match_id: str, asker: Asker) -> int:
        entry, log, before = self._looked(match_id, asker)
        seat = entry.seat_of(asker)
        if seat is None:
            raise Conflict("not-seated")
        log.need_own_rules()
        return self._seated(log, entry, before, play.leave_seat(before, seat), seat, None, [])

    def _looked(self, match_id: str, asker: Asker) -> tuple[Entry, Log, Match[Any]]:
        """The match in the register, its log and the truth of it.

        The truth is never later than the register: if somebody writes in between, its version is stale, and it is
        looked at again.
        """
        self._register.entry(match_id, asker)
        log = self._tables.log(match_id)
        truth = self._tables.folded(log, TRUTH)
        return self._register.entry(match_id, asker), log, truth

    def _seated(
        self,
        log: Log,
        entry: Entry,
        before: Match[Any],
        told: tuple[Told, ...],
        seat: int,
        player: str | None,
        beside: Iterable[Statement],
    ) -> int:
        after = match.fold(log.game, before, (one.event for one in told))
        chairs = tuple(
            msgspec.structs.replace(chair, player=player) if chair.seat == seat else chair for chair in entry.chairs
        )
        self._recorder.append(
            log.id,
            [self._next(log, log.id, told, before.version)],
            decisions=owed(log.game, after, msgspec.structs.replace(entry, chairs=chairs)),
            beside=[lobby.sit(log.id, seat, player), *beside, *turned(entry, after)],
        )
        self._tables.advance(log, TRUTH, after)
        return after.version

    def move(
        self, match_id: str, asker: Asker, seat: int | None, choice: Choice, once: Once | None
    ) -> tuple[int, Appended]:
        """Answer an open decision. What was stored comes back, with the seat that it was for."""
        asker.need(PLAY, BOT)
        entry = self._register.entry(match_id, asker)
        own = entry.viewpoint(asker, seat)
        if own is None:
            raise Forbidden("not-seated")
        with self._tables.deciding(match_id):
            log = self._tables.log(match_id)
            if once and (before := self._requests.command(once, match_id)):
                return own, before
            try:
                if not entry.is_over:
                    log.need_own_rules()
                return own, decided(lambda: self._answer(log, entry, own, choice, once))
            except Exception:
                # somebody who shares nothing but the store may have made it since it was looked for
                if not (once and (before := self._requests.command(once, match_id))):
                    raise
                return own, before

    def _answer(self, log: Log, entry: Entry, seat: int, choice: Choice, once: Once | None) -> Appended:
        move = chosen(log, self._tables.known(log, seat), seat, choice)
        truth = self._tables.folded(log, TRUTH)
        if match.is_sealed(log.game, truth):
            writes, after = self._sealed(log, truth, seat, choice.decision, move)
        else:
            told = play.play(log.game, truth, seat, choice.decision, move, play.dice(truth))
            writes = [self._next(log, log.id, told, truth.version)]
            after = match.fold(log.game, truth, (one.event for one in told))
        appended = self._recorder.append(
            log.id,
            writes,
            command=once.command if once else None,
            decisions=owed(log.game, after, entry),
            beside=turned(entry, after),
        )
        if after.version > truth.version and not appended.repeated:
            self._tables.advance(log, TRUTH, after)
        return appended

    def _sealed(
        self, log: Log, folded: Match[Any], seat: int, decision: int, move: Any
    ) -> tuple[list[Write], Match[Any]]:
        """The answer for the seat's private log; with the last one the closing move, for the match's log.

        The other streams are to be where they were when the answers were counted: of two last answers at once,
        neither could know that it is the last.
        """
        seats = range(len(folded.taken))
        heads = [self._recorder.head(logs.private_stream(log.id, other)).version for other in seats]
        truth = log.on_top(folded, TRUTH)
        told = play.seal(log.game, truth, seat, decision, move)
        own = self._next(log, logs.private_stream(log.id, seat), (told,), heads[seat])
        after = match.answered(log.game, truth, seat, told.event, own.events[0].hash.hex())
        others = [Write(logs.private_stream(log.id, other), head) for other, head in enumerate(heads) if other != seat]
        if not play.is_complete(log.game, after):
            return [own, *others, Write(log.id, truth.version)], after
        closing = play.close(log.game, after, play.dice(after))
        after = match.fold(log.game, after, (one.event for one in closing))
        return [own, *others, self._next(log, log.id, closing, truth.version)], after

    def _next(self, log: Log, stream: str, told: Iterable[Told], expected: int) -> Write:
        return next_write(self._recorder, log, stream, told, expected, self._now)


def free_seat(entry: Entry, asker: Asker, wanted: int | None, taken: tuple[bool, ...]) -> int:
    """The seat to take: the one named, or else the one kept for the asker, or else the first that is nobody's.

    Shape:   `taken` is what the log says: of a match that was adopted the register may not know who sits there.
    """
    if wanted is None:
        free = [
            chair
            for chair in entry.chairs
            if chair.is_free and not taken[chair.seat] and chair.reserved in {None, asker.player}
        ]
        if not free:
            raise Conflict("no-free-seat")
        return min(free, key=lambda chair: (chair.reserved is None, chair.seat)).seat
    if not 0 <= wanted < len(entry.chairs):
        raise unknown_seat(wanted, len(entry.chairs))
    if entry.chairs[wanted].reserved not in {None, asker.player}:
        raise Forbidden("seat-reserved", seat=wanted)
    return wanted


def chosen(log: Log, seen: Match[Any], seat: int, choice: Choice) -> Any:
    """The move that was chosen, judged by nothing but what its seat sees.

    Raises:  Malformed when it is no move of this game; Refusal when it is not open or not legal now.
    """
    game = log.game
    move = None if choice.move is None else read_move(game, choice.move)
    if seen.status != Status.PLAYING:
        raise Refusal("", f"match-{seen.status}")
    if (now := match.decision_of(game, seen, seat)) != choice.decision or not now:
        raise DecisionClosed(now)
    legal = game.legal(seen.table, seat)
    if move is None:
        found = next((one for one in legal if move_id(one) == choice.id), None)
        if found is None:
            raise Refusal("", "not-legal", id=choice.id or "")
        return found
    if move not in legal:
        game.decide(seen.table, seat, move, Scripted())  # refuses, with the clause
        raise AssertionError(f"{game.slug} decides {move}, which is not legal")
    return move


def read_move(game: Any, fields: dict[str, Any]) -> Any:
    """The move of that class with those fields. Raises Malformed."""
    try:
        return msgspec.convert(fields, game.Move, strict=True)
    except (msgspec.ValidationError, OverflowError) as error:
        raise Malformed("malformed-move", reason=str(error)) from error
