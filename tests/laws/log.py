"""Laws of the log: it folds to the live state, goes through JSON unharmed, and comes again from secret and moves."""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any

import msgspec

from domain import matches, play, secrecy
from domain.matches import AnswersClosed, Cause, MoveMade, SeatTaken
from domain.play import Told
from domain.secrecy import redact
from events import chain
from events.chain import Stored, secrets_of
from events.codec import tell
from replays.log import codec_of
from tests.laws.table import Played, inside

ATOMS = (NoneType, int, str, bytes)
"""What values are made of in the end; bools and enums are among them."""


def the_log_folds_to_the_live_state(played: Played) -> None:
    """Folding at once and evolving one by one; append by append, from the start and from any version."""
    game, (opening, *told) = played.game, played.told
    evolved = start = matches.begin(game, played.pack.pack, opening.event)
    for step in played.steps:
        at_once = matches.fold(game, evolved, [one.event for one in step.told])
        for one in step.told:
            evolved = matches.evolve(game, evolved, one.event)
        assert at_once == evolved
    folded = matches.fold(game, start, [one.event for one in told])
    assert folded == evolved
    assert folded == msgspec.structs.replace(played.truth, answers=folded.answers)
    for step in played.steps[:: max(1, len(played.steps) // 10)]:
        onwards = [one.event for one in told[step.truth.version - 1 :]]
        unanswered = msgspec.structs.replace(step.truth, answers=start.answers)
        assert matches.fold(game, unanswered, onwards) == folded


def what_a_seat_knows_is_the_fold_of_what_it_was_told(played: Played) -> None:
    """Typed events redacted, and the stored ones as they are shown, decode to the same and fold to what is seen."""
    game, codec = played.game, codec_of(played.game)
    stored = played.stored()
    for viewer in played.viewers:
        seen = None
        for event, one in zip(stored, played.told, strict=True):
            shown = {path: secret for path, secret in secrets_of(event).items() if viewer in secret.readers}
            told = codec.read(event.type, event.schema, tell(event.public, shown))
            assert told == redact(one.event, viewer), f"stored and typed redaction disagree for {viewer}: {event}"
            seen = matches.begin(game, played.pack.pack, told) if seen is None else matches.evolve(game, seen, told)
        assert seen == msgspec.structs.replace(played.seen[viewer], answers=seen.answers if seen else ())


def every_event_and_move_goes_through_json_unharmed(played: Played) -> None:
    """Typed to stored to typed, byte by byte canonical."""
    codec = codec_of(played.game)
    decode = msgspec.json.Decoder(played.game.Move).decode
    for one in played.told:
        draft = codec.encode(one.event, one.actor, one.move)
        chain.decode_canonical(draft.public)
        chain.decode_canonical(draft.secret)
        assert codec.decode(draft.type, draft.schema, draft.public, draft.secret) == one.event
        assert codec.read(draft.type, draft.schema, draft.public) == redact(one.event, None)
    for move in {step.move for step in played.steps if step.move is not None}:
        assert decode(msgspec.json.encode(move)) == move


def the_chain_holds_and_every_commit_opens(played: Played) -> None:
    """Each hash covers the one before it; each hidden value is the one that was committed to."""
    for log in (played.stored(), *played.private.values()):
        check_chain(log, played.secret)


def check_chain(log: Sequence[Stored], secret: bytes) -> None:
    """One stream's events, all of which it has."""
    previous = chain.GENESIS
    for version, event in enumerate(log, 1):
        assert (event.stream, event.version) == (log[0].stream, version)
        assert chain.link(previous, event) == event.hash
        previous = event.hash
        for part in (event.public, event.secret, event.commits):
            chain.decode_canonical(part)
        shown = chain.show(event, None, secret, is_open=True)
        assert shown.secret.keys() == shown.commits.keys()
        for path, opening in shown.secret.items():
            salted = bytes.fromhex(opening.salt)
            assert chain.commit_to(bytes(opening.value), salted).hex() == shown.commits[path].commit


def secret_nonces_and_moves_give_the_same_log_again(played: Played) -> None:
    """An auditor who decides everything again, from what was chosen alone, is told the same events."""
    if not played.is_derived:
        return
    game, (opening, *rest) = played.game, played.told
    state = matches.begin(game, played.pack.pack, opening.event)
    again: list[Told] = [opening]
    while len(again) < len(played.told):
        told = _again(played, state, rest[len(again) - 1])
        state = matches.fold(game, state, [one.event for one in told])
        again += told
    assert again == played.told


def _again(played: Played, state: matches.Match[Any], recorded: Told) -> tuple[Told, ...]:
    """What the rules say to the choice that was recorded."""
    match recorded.event:
        case SeatTaken(seat=seat, nonce=nonce):
            return play.take_seat(played.game, state, seat, nonce)
        case MoveMade(seat=seat, decision=decision, move=move, cause=cause):
            assert cause is not Cause.FORCED, "a forced move belongs to the append before it"
            return play.played(played.game, state, seat, decision, move, play.dice(state), cause)[0]
        case AnswersClosed(answers=answers):
            return play.closed(played.game, msgspec.structs.replace(state, answers=answers), play.dice(state))[0]
        case _:
            raise AssertionError(f"nobody chose {recorded.event}")


def states_moves_and_events_are_values(played: Played) -> None:
    """Structs, tuples, ints, bools, enums, strings and bytes only: whatever is told can't change afterwards."""
    met: set[int] = set()
    for step in played.steps:
        check_value(step.table, met)
        check_value(step.move, met)
        for one in step.told:
            check_value(one.event, met)


def check_value(value: object, met: set[int]) -> None:
    """Refuse what is not immutable, or not exact.

    Shape:   parts in `met`, by identity, were checked before and must be alive: from step to step most are the same.
    """
    if isinstance(value, ATOMS) or id(value) in met:
        return
    met.add(id(value))
    if not isinstance(value, tuple):
        assert isinstance(value, msgspec.Struct), f"a {type(value).__name__} is no value of this house: {value!r}"
        assert value.__struct_config__.frozen, f"{type(value).__name__} can be changed"
    for _, part in inside(value):
        check_value(part, met)


def every_hidden_value_has_its_readers_among_the_seats(played: Played) -> None:
    """Readers are seats in order, none twice."""
    seats = range(len(played.truth.taken))
    for one in played.told:
        for path, readers, _ in secrecy.secrets(one.event):
            assert list(readers) == sorted(set(readers)), f"{type(one.event).__name__}.{path}"
            assert set(readers) <= set(seats), f"{type(one.event).__name__}.{path}"
