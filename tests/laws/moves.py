"""Laws of moves: the list of legal ones is complete, short and clean; whatever is not in it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat
from typing import Any

import msgspec

from domain import matches, play, refusals
from domain.chance import Scripted, Simulation
from domain.game import Refusal, Standing, fold, move_id, rank
from domain.matches import MoveMade
from domain.play import advance
from domain.secrecy import redact
from domain.trying import tried
from tests.laws.rooms import known_of, room_of
from tests.laws.table import Played, Step, imagined, once, play_match

MOST = 100
ENDS = {"en": (".",), "ja": ("。", ".")}
"""How a sentence ends, by language."""
POOL = 8
"""How many moves that are not legal are tried a position."""


def lists_of_legal_moves_are_short_and_without_doubles(played: Played) -> None:
    """At most 100, no two that a client would call the same, and none that the options are said never to allow."""
    never = played.game.never(played.opened.event.options)
    for step, seat, _ in played.asked():
        legal = played.game.legal(step.table, seat)
        assert 0 < len(legal) <= MOST
        assert len({*legal}) == len(legal), legal
        assert not any(isinstance(move, never) for move in legal), legal
        assert len({move_id(move) for move in legal}) == len(legal), legal


def no_two_legal_moves_have_the_same_label(played: Played) -> None:
    """And each says something, of what its seat sees."""
    game = played.game
    for _, seat, seen in played.asked():
        for lang in ENDS:
            labels = [game.label(seen, seat, move, lang) for move in game.legal(seen, seat)]
            assert all(label == label.strip() != "" and "None" not in label for label in labels), labels
            assert len({*labels}) == len(labels), labels


def a_label_tells_nothing_that_its_seat_does_not_know(played: Played) -> None:
    """Where cards that the seat can't know lie otherwise, its moves are called the same."""
    game = played.game
    for step, seat, seen in played.asked():
        other = imagined(played, step.seen[seat], seat)
        for move in game.legal(seen, seat):
            for lang in ENDS:
                assert game.label(other, seat, move, lang) == game.label(seen, seat, move, lang)


def what_was_tried_comes_out_so(played: Played) -> None:
    """A move that can be taken back does in truth what it did on what the seat sees, leaves nothing to chance, and
    leaves the turn to the seat, which has learned nothing by it.
    """
    game = played.game
    for step, seat, seen in played.asked():
        for move, after in tried(game, seen, seat, game.legal(seen, seat)):
            if after is None:
                continue
            events = game.decide(step.table, seat, move, Scripted())
            truth, asked, forced = advance(game, step.table, events, repeat(Scripted()))
            assert asked == (seat,)
            assert game.view(truth, seat) == game.view(after, seat)
            assert game.legal(truth, seat) == game.legal(after, seat)
            told = (*events, *(event for _, _, _, more in forced for event in more))
            again = fold(game, seen, tuple(redact(event, seat) for event in told))
            assert again == after, f"{move} tells seat {seat} what it did not know"


def somebody_can_act_until_the_match_is_over(played: Played) -> None:
    """No position is left to nobody, to somebody without a move, or to the engine."""
    game = played.game
    for step in played.positions:
        owing = game.to_act(step.table)
        assert matches.to_act(game, step.truth) or play.is_complete(game, step.truth)
        assert list(owing) == sorted({*owing})
        assert game.forced(step.table) is None, "a forced move was left over"
        assert not game.standing(step.table).over
        for seat in range(len(step.truth.taken)):
            assert bool(game.legal(step.table, seat)) == (seat in owing)
            if seat in matches.to_act(game, step.truth):
                assert game.default(step.seen[seat].table, seat) in game.legal(step.table, seat)
    if played.truth.is_over:
        assert game.to_act(played.truth.table) == ()


def every_legal_move_is_accepted(played: Played) -> None:
    """And leads on to a state in which the game is over or somebody can act."""
    game = played.game
    for step, seat, _ in played.asked():
        for move in game.legal(step.table, seat):
            if game.secret(step.table):
                play.seal(game, step.truth, seat, matches.decision_of(game, step.truth, seat), move)
                continue
            after = fold(game, step.table, game.decide(step.table, seat, move, Simulation(7)))
            assert game.standing(after).over or game.to_act(after), f"{move} leaves nobody to act"


def deciding_again_tells_the_same(played: Played) -> None:
    """The same input, the same output, and the state is what it was: also when the move is refused."""
    game = played.game
    for step in played.sample:
        if step.seat is None or game.secret(step.table):
            continue
        before = repr(step.table)
        first = game.decide(step.table, step.seat, step.move, Simulation(3))
        assert game.decide(step.table, step.seat, step.move, Simulation(3)) == first
        for move in others(played, step, step.seat):
            refusal(played, step.table, step.seat, move)
        assert repr(step.table) == before


def every_other_move_is_refused_with_a_clause_and_a_code(played: Played) -> None:
    """Moves of other positions, and these a little changed, by every seat."""
    rules = played.room.rules()
    for _, _, move, (clause, code, _, *said) in all_refused(played):
        assert clause, f"{move} is refused without a clause"
        assert f"- {clause} " in rules, f"{clause}, which refuses {move}, is no clause of RULES.md"
        assert code == code.lower().replace(" ", "-") != ""
        for sentence, end in zip(said, ENDS.values(), strict=True):
            assert sentence.endswith(end)


def refusal(played: Played, table: Any, seat: int, move: Any) -> tuple[str, ...]:
    """Clause, code and fields with which the game refuses the move, and its sentence in each language."""
    try:
        told = played.game.decide(table, seat, move, Simulation(7))
    except Refusal as refused:
        said = tuple(refusals.say(played.game, refused, lang) for lang in ENDS)
        return refused.clause, refused.code, repr(sorted(refused.fields.items())), *said
    raise AssertionError(f"seat {seat} may not {move}, but it brings about {told}")


Refused = tuple[Step, int, Any, tuple[str, ...]]
"""A position, a seat, a move that is not legal for it there, and how it is refused."""


def all_refused(played: Played) -> list[Refused]:
    """At all positions some moves that are not legal, by every seat."""
    found: list[Refused] = once(
        played,
        ("refused",),
        lambda: [
            (step, seat, move, refusal(played, step.table, seat, move))
            for step in played.positions
            for seat in range(len(step.truth.taken))
            for move in others(played, step, seat)
        ],
    )
    return found


def others(played: Played, step: Step, seat: int) -> Iterator[Any]:
    pool = pool_of(played.game.slug)
    legal = set(played.game.legal(step.table, seat))
    start = step.truth.version * 31 + seat * 7
    for i in range(min(POOL, len(pool))):
        move = pool[(start + i * 17) % len(pool)]
        if move not in legal:
            yield move


@lru_cache
def pool_of(slug: str) -> tuple[Any, ...]:
    """Moves that were legal somewhere in a match, and what a mischievous client would make of them."""
    found: dict[Any, None] = {}
    for step in play_match(slug, 0).positions:
        for seat in step.seen:
            if seat is not None:
                found |= dict.fromkeys(room_of(slug).game.legal(step.table, seat))
    decoder = msgspec.json.Decoder(room_of(slug).game.Move)
    for move in tuple(found):
        for changed in changes(move):
            try:
                found[decoder.decode(msgspec.json.encode(changed))] = None
            except msgspec.ValidationError:
                continue
    return Simulation(slug).shuffle(tuple(found))


def changes(move: Any) -> Iterator[Any]:
    for name in move.__struct_fields__:
        value = getattr(move, name)
        others: tuple[Any, ...] = (None,)
        if isinstance(value, bool):
            others = (not value,)
        elif isinstance(value, int):
            others = (None, -1, value + 1, -value, 10**9)
        elif isinstance(value, tuple):
            others = (None, (), value[::-1], value + value)
        for other in others:
            yield msgspec.structs.replace(move, **{name: other})


def nothing_is_lost_and_nothing_comes_from_nowhere(played: Played) -> None:
    """Cards, money: whatever the room says is conserved, after every append."""
    known = known_of(played.game.slug)
    tables = [step.table for step in played.positions]
    if played.truth.is_over:
        tables.append(played.truth.table)
    first = known.conserved(tables[0])
    for table in tables:
        assert known.conserved(table) == first


def a_match_ends_within_its_bound(played: Played) -> None:
    """With the result that its standing says."""
    game, end = played.game, played.truth
    assert end.moves <= game.bound
    for step in played.positions:
        check_standing(game.standing(step.table), len(end.taken))
    if end.is_over:
        standing = game.standing(end.table)
        assert standing.over
        assert (end.points, end.ranking) == (standing.points, standing.ranking)
        check_standing(standing, len(end.taken))


def check_standing(standing: Standing, seats: int) -> None:
    """A point and a place a seat; somebody is first; places follow from how many are better."""
    assert len(standing.points) == len(standing.ranking) == seats
    assert standing.ranking == rank(tuple(-place for place in standing.ranking))


def moves_are_numbered_without_gaps(played: Played) -> None:
    """Each move and each closing has the next number, its consequences the same one."""
    number = 0
    for one in played.told:
        if isinstance(one.event, MoveMade | matches.AnswersClosed):
            number += 1
        assert one.move == number
    assert number == played.truth.moves
