"""Answers under seal: written into the seat's private log, and closed with the last one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from domain import matches, play
from domain.matches import Cause
from events.chain import Head, Stored, head_of
from events.store import Write
from replays.log import TRUTH, private_stream
from service.matches.change import Changes
from service.matches.outcome import Outcome
from service.matches.states import Position

Choose = Callable[[Sequence[Stored]], Any]
"""(the end of the seat's private log) -> the move, chosen by what the seat sees with it. May raise Refusal."""


def seal_answer(
    changes: Changes, position: Position, seat: int, decision: int, choose: Choose, cause: Cause = Cause.SEAT
) -> Outcome:
    """Return the outcome of an answer to a decision under seal. Raises Refusal."""
    log = position.log
    ends = {end.stream: end for end in log.private_ends(TRUTH)}
    stream = private_stream(log.id, seat)
    move = choose([ends[stream]] if stream in ends else [])
    truth = log.answered(position.truth, ends.values())
    told_private = play.seal(log.game, truth, seat, decision, move, cause)
    streams = [private_stream(log.id, other) for other in range(len(truth.taken))]
    heads = {each: head_of((ends[each],)) if each in ends else Head() for each in streams}
    own = changes.seal(log, stream, heads[stream], told_private)
    after = matches.answered(log.game, truth, seat, told_private.event, own.events[0].hash.hex())
    # the other logs must not grow meanwhile, since of two last answers at once neither could know that it is the last
    others = [Write(each, heads[each].version) for each in streams if each != stream]
    outcome = partial(Outcome, private=(own, *others))
    if not play.is_complete(log.game, after):
        return outcome(after=after)
    entries, after = play.closed(log.game, after, play.dice(after))
    return outcome(told=entries, after=after)
