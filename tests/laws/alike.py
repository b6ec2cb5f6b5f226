"""The law that matters most: two logs that differ only in what a seat may not know look the same to it.

From a position the other match starts with an imagined table. The same is done in both. What the viewer is told must
be the same, event by event, until something is told that the viewer could not know before (a card is turned up: the
room says of each field who learns by it), or a tell that RULES.md lists comes here and not there. Any other first
difference is a leak. And of each event everybody is told just what the room says, whatever its marks say.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from domain import matches, play
from domain.matches import Finished, Match
from domain.play import Dice, Told
from domain.secrecy import redact, secrets
from events import chain
from events.codec import tell
from events.store import briefs_of
from replays.log import codec_of
from tests.laws.knowledge import foreseen_by, told_to
from tests.laws.rooms import known_of, table_of
from tests.laws.secrecy import look_alike
from tests.laws.table import Played, Step, Viewer, imagined, with_table

DEPTH = 3
"""How many steps both matches go on together."""

SAME, REVEALED, TELL, ILLEGAL = "same", "revealed", "tell", "not legal there"


def two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(played: Played) -> None:
    """See the module."""
    walk(played)


def walk(played: Played) -> Counter[str]:
    """From some positions, for everybody; how the steps compared."""
    found: Counter[str] = Counter()
    positions = played.positions
    sample = set(map(id, played.sample))
    for i, step in enumerate(positions):
        if id(step) not in sample:
            continue
        for viewer, seen in step.seen.items():
            other = with_table(step.truth, imagined(played, seen, viewer), viewer)
            # one viewer a position goes on, the others look one step ahead
            depth = DEPTH if (i + (viewer or 0)) % len(step.seen) == 0 else 1
            for j in range(i, min(i + depth, len(positions))):
                outcome, after = take(played, positions[j], other, viewer)
                found[outcome] += 1
                if outcome != SAME or after is None:
                    break
                other = after
                if j + 1 < len(positions):
                    compare_after(played, positions[j + 1], other, viewer)
    return found


def everybody_is_told_just_what_the_room_says_they_may_know(played: Played) -> None:
    """As events are redacted, as they are stored and read again, and as they are shown and exported."""
    table, codec = table_of(played.game.slug), codec_of(played.game)
    stored = played.stored()
    facts = [(one.type, one.schema, one.public, one.secret) for one in stored]
    for viewer in played.viewers:
        # the store's shorter way tells a seat; somebody without one is told the public part as it is
        if viewer is None:
            again = codec.decode_all([(*fact[:3], b"{}") for fact in facts])
        else:
            again = codec.decode_briefs(briefs_of(facts), viewer)
        for told, event, read in zip(played.told, stored, again, strict=True):
            may = told_to(table, told.event, viewer)
            opened = chain.show(event, viewer, played.secret).secret
            shown = codec.read(event.type, event.schema, tell(event.public, opened))
            for way, found in {"redacted": redact(told.event, viewer), "read": read, "shown": shown}.items():
                assert found == may, f"{viewer} may be told {may}, {way} it is {found}"


def compare_after(played: Played, step: Step, other: Match[Any], viewer: Viewer) -> None:
    """Both tables after the same was told of them: this one's is the next step's."""
    look_alike(played, step.table, other.table, viewer)
    if viewer is not None:
        asked = matches.decision_of(played.game, step.seen[viewer], viewer)
        assert asked == matches.decision_of(played.game, other, viewer)


def take(played: Played, step: Step, other: Match[Any], viewer: Viewer) -> tuple[str, Match[Any] | None]:
    """Do in the other match what was done in this one: how it compares, and the other match afterwards."""
    game = played.game
    dice = played.dice_of(step.truth)
    if step.seat is None:
        return close(played, step, other, viewer, dice)
    if not step.told:
        return answer(played, step, other, viewer)
    made = step.told[0].event
    table = table_of(game.slug)
    looks = told_to(table, made, viewer)
    # where the viewer may not know the whole of a move, another one is made
    for move in sorted(game.legal(other.table, step.seat), key=lambda move: move == step.move):
        if told_to(table, msgspec.structs.replace(made, move=move), viewer) == looks:
            told = play.played(game, other, step.seat, made.decision, move, dice)[0]
            outcome = compare(game.slug, step.told, told, viewer)
            return outcome, matches.fold(game, other, [one.event for one in told])
    assert step.seat != viewer, f"{step.move} of {viewer} itself is legal here and not there"
    return ILLEGAL, None


def answer(played: Played, step: Step, other: Match[Any], viewer: Viewer) -> tuple[str, Match[Any] | None]:
    """An answer under seal: one's own must be possible, others' are given when they are closed."""
    if step.seat != viewer or viewer is None:
        return SAME, other
    told = play.seal(played.game, other, viewer, matches.decision_of(played.game, other, viewer), step.move)
    return SAME, matches.answered(played.game, other, viewer, told.event, "00" * 32)


def close(played: Played, step: Step, other: Match[Any], viewer: Viewer, dice: Dice) -> tuple[str, Match[Any] | None]:
    """A closing: everybody answers there as here; who was asked there only lets it be, as the clock would."""
    game = played.game
    asked = game.to_act(other.table)
    answers = []
    for seat, (here, there) in enumerate(zip(step.truth.answers, other.answers, strict=True)):
        if seat == viewer:
            # what one has answered oneself is the same here and there, its hash too
            answers.append(here)
            continue
        dull = game.default(other.table, seat) if seat in asked else None
        if here.sealed is not None and here.answer != game.default(step.seen[seat].table, seat):
            if seat not in asked or here.answer not in game.legal(other.table, seat):
                return ILLEGAL, None
            dull = here.answer
        answers.append(there if dull is None else matches.Answer[Any](answer=dull, sealed=f"{seat:02x}" * 32))
    other = msgspec.structs.replace(other, answers=tuple(answers))
    told = play.closed(game, other, dice)[0]
    outcome = compare(game.slug, step.told, told, viewer)
    return outcome, matches.fold(game, other, [one.event for one in told])


def compare(slug: str, here: tuple[Told, ...], there: tuple[Told, ...], viewer: Viewer) -> str:
    """The first difference in what the viewer is told. Raises AssertionError for a leak."""
    table, tells = table_of(slug), known_of(slug).tells
    for one, other in zip(here, there, strict=False):
        a, b = shown(one, viewer), shown(other, viewer)
        if a == b:
            continue
        names = {type(one.event).__name__, type(other.event).__name__}
        if len(names) == 2 and names & tells:
            return TELL
        if a[:-1] == b[:-1] and foreseen_by(table, a[-1], viewer) == foreseen_by(table, b[-1], viewer):
            return REVEALED
        more = "If a field of theirs may tell it, laws.toml says so: see tests/laws/knowledge.py."
        raise AssertionError(f"{viewer} can tell two logs apart:\n  {a}\n  {b}\n{more}")
    further = here[len(there) :] or there[len(here) :]
    if further and type(further[0].event).__name__ in tells:
        return TELL
    assert not further, f"{viewer} is told {len(here)} events here and {len(there)} there"
    return SAME


def shown(told: Told, viewer: Viewer) -> tuple[Any, ...]:
    """What the viewer is shown of an event but for commits and hashes: whose secrets it holds, and its fields last."""
    event = told.event
    if isinstance(event, Finished):
        # the end opens everything: what comes with it is no leak
        event = msgspec.structs.replace(event, secret="")
    sealed = [(path, readers) for path, readers, _ in secrets(event)]
    return told.actor, told.move, sealed, redact(event, viewer)
