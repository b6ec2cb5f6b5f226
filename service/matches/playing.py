"""Moves: answers to open decisions, in the open or under seal, by players and by the workers that play the bots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import structlog

from domain import matches, play
from domain.chance import Scripted
from domain.game import Refusal, move_id
from domain.matches import Cause, Match
from domain.play import Told
from events.chain import Head, Stored, head_of
from events.codec import told
from events.store import Appended, Decision, Fact, Store, Write
from replays.log import TRUTH, Log, private_stream
from service.deeds import BOT, OF_WORKERS, PLAY, Asker, Deed, Front
from service.limits import MOVES
from service.matches.answers import BotDecision, BotDecisions
from service.matches.change import Changed, Changes
from service.matches.deadlines import Hesitation
from service.matches.states import (
    Lobby,
    Outcome,
    Position,
    States,
    check_asked_itself,
    check_open_to,
    is_open_to,
    viewpoint,
)
from service.problems import INTERNAL, Forbidden, Malformed, code_of
from service.store import Entry, Once
from service.telemetry import metrics
from service.work import AskedBot, BotTurnsTaken, BotTurnTaken, ToldEvent, Turn

PAGE = 500
"""The most events for one seat in the answer to a turn of a bot."""

LOT = 32
"""The number of matches that are decided together and share a commit; no other request is served meanwhile."""

BOTS = "bot:"
"""Stands before a bot's name where a decision says who must answer."""

logger = structlog.get_logger(__name__)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A move that answers a decision, by the move's id or by its fields."""

    decision: int
    id: str | None = None
    move: dict[str, Any] | None = None


class _Attempt(msgspec.Struct):
    """A move that somebody wants to make, and what was known when it was last decided."""

    asker: Asker
    match: str
    wanted: int | None
    choice: Choice
    seat: int | None = None
    seen: Match[Any] | None = None
    game: str = ""


class Moved(msgspec.Struct, frozen=True):
    """The result of a move."""

    seat: int
    """The seat that made it."""
    appended: Appended
    changed: Changed | None
    """The match after the move; None for a repeated request."""
    seen: Match[Any] | None = None
    """What the seat knows now, with its own sealed answer added; None if `changed` is."""
    tells_others: bool = False
    """Whether the mover is told what other bots are asked: they play them, and these need not wait."""


@dataclass
class Playing:
    """The use case. It raises Problems, the domain's Refusals and the store's errors."""

    recorder: Store
    changes: Changes
    states: States
    lobby: Lobby
    hesitation: Hesitation
    """How long bots wait under seal among people."""
    pace: Hesitation | None
    """How long they wait among themselves; None for not at all."""
    front: Front

    @Deed("makeMove", (PLAY, BOT), limits=(MOVES,), is_move=True)
    def move(
        self, asker: Asker, match_id: str, choice: Choice, wanted: int | None = None, *, once: Once | None = None
    ) -> Moved:
        """Answer an open decision of the asker's seat, or of the seat `wanted` of a bot that the asker plays."""
        attempt = _Attempt(asker, match_id, wanted, choice)
        try:
            command = once.command if once else None
            changed = self.changes.change(match_id, partial(self._decide, attempt), command, at_hand=True)
        except Exception as error:
            if attempt.seat is None:
                # no error of its log shows that there is such a match
                self.lobby.entry(match_id, asker)
            # an earlier request with this key may have made the move
            if attempt.seat is None or (before := self.front.command(once, match_id)) is None:
                _note(attempt, error)
                raise
            return Moved(attempt.seat, before, None)
        seat, seen = attempt.seat, attempt.seen
        assert seat is not None
        assert seen is not None
        if changed.appended.repeated:
            return Moved(seat, changed.appended, None)
        log = changed.position.log
        if changed.told:
            seen = self.states.tell(log, seat, seen, changed.told)
        else:
            seen = log.answered(seen, changed.stored[private_stream(log.id, seat)])
        _note(attempt, changed)
        return Moved(
            seat, changed.appended, changed, seen, asker.may(BOT) and not self._slowness(changed.position.entry)
        )

    @Deed("takeBotTurns", (BOT,), free=OF_WORKERS)
    def take_turns(self, asker: Asker, turns: Sequence[Turn]) -> BotTurnsTaken:
        """Make the moves of bots. Returns of each match its problem, and who is asked then. Raises StoreError."""
        # between two lots other requests are served
        lots = (turns[start : start + LOT] for start in range(0, len(turns), LOT))
        return BotTurnsTaken(tuple([taken for lot in lots for taken in self._take(asker, lot)]))

    def _take(self, asker: Asker, turns: Sequence[Turn]) -> list[BotTurnTaken]:
        attempts = {
            number: _Attempt(asker, turn.match, move.seat, Choice(decision=move.decision, move=move.move))
            for number, turn in enumerate(turns)
            if (move := turn.move) is not None
        }
        decides = [(attempt.match, partial(self._decide, attempt)) for attempt in attempts.values()]
        results = dict(zip(attempts, self.changes.change_all(decides), strict=True)) if attempts else {}
        for number, result in results.items():
            _note(attempts[number], result)
        return [self._taken(asker, turn, results.get(number)) for number, turn in enumerate(turns)]

    def _taken(self, asker: Asker, turn: Turn, result: Changed | Exception | None) -> BotTurnTaken:
        """Return the answer to a turn. `result`: that of its move, if it has one."""
        changed = result if isinstance(result, Changed) else None
        made, problem = changed is not None, None
        try:
            if isinstance(result, Refusal):
                problem = result.code
            elif isinstance(result, Exception):
                raise result
            return BotTurnTaken(turn.match, made, problem, self._asked(asker, turn, changed))
        except Exception as error:
            if (code := code_of(error)) == INTERNAL:
                logger.error("unforeseen", match=turn.match, exc_info=error)
            return BotTurnTaken(turn.match, made, code)

    def _asked(self, asker: Asker, turn: Turn, changed: Changed | None) -> tuple[AskedBot, ...]:
        position = changed.position if changed is not None else self.states.at_hand(turn.match)
        if changed is None or changed.decisions is None:
            entry, asked = self._asked_bots(turn.match, asker)
        else:
            # what was just stored need not be read back
            entry = changed.position.entry
            asked = self._waits(entry, [each for each in changed.decisions if each.who.startswith(BOTS)])
        bots = []
        for decision, wait in asked:
            seat = viewpoint(entry, asker, decision.seat)
            assert seat is not None, "the decision names it"
            after = turn.known.get(seat, 0)
            events, more = ((), False) if wait else self._told(position, decision, after)
            bot = decision.who.removeprefix(BOTS)
            bots.append(AskedBot(seat, decision.since, bot, wait, after, events, more))
        return tuple(bots)

    def _told(self, position: Position | None, decision: Decision, after: int) -> tuple[tuple[ToldEvent, ...], bool]:
        """Return a page of the events after `after`, as the asked seat may read them, and whether there are more."""
        kept: Sequence[Fact] = ()
        if position is not None and position.truth.version >= decision.since and (missing := position.missing(after)):
            kept = position.facts[-missing:]
        facts = iter(kept or self.recorder.facts(decision.match, after))
        page = told_events(islice(facts, PAGE), decision.seat)
        return page, next(facts, None) is not None

    def bots(self, match_id: str, asker: Asker) -> BotDecisions:
        """Return the open decisions of the match's bots: only for those who play them, since it shows who is asked."""
        _, asked = self._asked_bots(match_id, asker)
        return BotDecisions(
            [BotDecision(each.seat, each.since, each.who.removeprefix(BOTS), wait) for each, wait in asked]
        )

    def _asked_bots(self, match_id: str, asker: Asker) -> tuple[Entry, list[tuple[Decision, float]]]:
        """Return who sits where, and the bots' open decisions, each with the seconds until it may be answered."""
        position, owed = self.states.at_hand(match_id), self.recorder.decisions(BOTS, match_id)
        entry = position.entry if position is not None and is_open_to(position.entry, asker) else None
        if entry is None or any(entry.chairs[decision.seat].played_by is None for decision in owed):
            # none was kept, or in another process a bot has taken over since
            entry = self.lobby.entry(match_id, asker)
        return entry, self._waits(entry, owed)

    def _waits(self, entry: Entry, owed: Sequence[Decision]) -> list[tuple[Decision, float]]:
        slowness = self._slowness(entry) if owed else None
        return [(decision, self.wait(decision, slowness) if slowness else 0.0) for decision in owed]

    def _slowness(self, entry: Entry) -> Hesitation | None:
        """Return how long the bots of a match wait now; None for not at all."""
        if not any(chair.player for chair in entry.chairs):
            return self.pace
        # without people at the table nobody could learn anything from fast answers
        log = self.states.log(entry.id)
        return self.hesitation if matches.is_sealed(log.game, self.states.folded(log, TRUTH)) else None

    def wait(self, decision: Decision, slowness: Hesitation | None = None) -> float:
        """Return the seconds until a decision may be answered, by orders too: they are secret, so they wait as bots."""
        asked = self.recorder.read(decision.match, decision.since - 1, 1)
        return round((slowness or self.hesitation).left(decision, asked[0].at), 3) if asked else 0.0

    def _decide(self, attempt: _Attempt, position: Position) -> Outcome:
        attempt.game = position.log.game.slug
        check_open_to(position.entry, attempt.asker)
        seat = viewpoint(position.entry, attempt.asker, attempt.wanted)
        if seat is None:
            raise Forbidden("not-seated")
        attempt.seat = seat
        check_asked_itself(position.entry.chairs[seat], attempt.asker)
        if not position.entry.is_over:
            position.log.need_own_rules()
        attempt.seen = self.states.seen(position, seat)
        return self.outcome_of(position, seat, attempt.seen, attempt.choice)

    def outcome_of(
        self, position: Position, seat: int, seen: Match[Any], choice: Choice, also: Sequence[Told] = ()
    ) -> Outcome:
        """Return the outcome of the seat's answer, judged by what it has seen. Raises Malformed, Refusal.

        `also`: events that follow an answer under seal in the seat's private log.
        """
        log, truth = position.log, position.truth
        if not matches.is_sealed(log.game, truth):
            move = chosen(log, seen, seat, choice)
            entries, after = play.played(log.game, truth, seat, choice.decision, move, play.dice(truth))
            return Outcome(told=entries, after=after)

        def choose(own: Sequence[Stored]) -> Any:
            return chosen(log, log.answered(seen, own), seat, choice)

        return seal_answer(self.changes, position, seat, choice.decision, choose, also=also)


def told_events(facts: Iterable[Fact], seat: int) -> tuple[ToldEvent, ...]:
    """Return events as the seat may read them."""
    shows = ((type, schema, told(public, secret, seat)) for type, schema, public, secret in facts)
    return tuple([ToldEvent(type, schema, msgspec.Raw(public)) for type, schema, public in shows])


def _note(attempt: _Attempt, result: Changed | Exception) -> None:
    """Count a move that was made or refused."""
    if isinstance(result, Refusal):
        metrics.refusals.note(attempt.match, attempt.game, result.clause or result.code)
    elif isinstance(result, Changed) and result.told:
        metrics.moved(attempt.game)


def chosen(log: Log, seen: Match[Any], seat: int, choice: Choice) -> Any:
    """Return the chosen move, judged only by what its seat sees.

    Raises:  Malformed if it is no move of this game; Refusal if the decision is not open or the move not legal now.
    """
    game = log.game
    move = None if choice.move is None else read_move(game, choice.move)
    play.check_open(game, seen, seat, choice.decision)
    legal = game.legal(seen.table, seat)
    if move is None:
        for each in legal:
            if move_id(each) == choice.id:
                return each
        raise Refusal("", "not-legal", id=choice.id or "")
    if move not in legal:
        game.decide(seen.table, seat, move, Scripted())  # raises Refusal with the clause
        raise AssertionError(f"{game.slug} decides {move}, which is not legal")
    return move


def read_move(game: Any, fields: dict[str, Any]) -> Any:
    """Return the move with these fields. Raises Malformed."""
    try:
        return msgspec.convert(fields, game.Move, strict=True)
    except (msgspec.ValidationError, OverflowError) as error:
        raise Malformed("malformed-move", reason=str(error)) from error


Choose = Callable[[Sequence[Stored]], Any]
"""(the end of the seat's private log) -> the move, chosen by what the seat sees with it. May raise Refusal."""


def seal_answer(
    changes: Changes,
    position: Position,
    seat: int,
    decision: int,
    choose: Choose,
    cause: Cause = Cause.SEAT,
    also: Sequence[Told] = (),
) -> Outcome:
    """Return the outcome of an answer to a decision under seal; `also` follows it in its log. Raises Refusal."""
    log = position.log
    ends = {end.stream: end for end in log.private_ends(TRUTH)}
    stream = private_stream(log.id, seat)
    move = choose([ends[stream]] if stream in ends else [])
    truth = log.answered(position.truth, ends.values())
    told_private = play.seal(log.game, truth, seat, decision, move, cause)
    streams = [private_stream(log.id, other) for other in range(len(truth.taken))]
    heads = {each: head_of((ends[each],)) if each in ends else Head() for each in streams}
    own = changes.seal(log, stream, heads[stream], told_private, *also)
    after = matches.answered(log.game, truth, seat, told_private.event, own.events[0].hash.hex())
    # the other logs must not grow meanwhile, since of two last answers at once neither could know that it is the last
    others = [Write(each, heads[each].version) for each in streams if each != stream]
    outcome = partial(Outcome, private=(own, *others))
    if not play.is_complete(log.game, after):
        return outcome(after=after)
    entries, after = play.closed(log.game, after, play.dice(after))
    return outcome(told=entries, after=after)
