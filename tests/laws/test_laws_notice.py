"""The laws notice what they are there for: the toy or the house, broken in one place, breaks the law of that place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from itertools import count
from typing import Any, Literal, NamedTuple

import msgspec
import pytest

from domain import matches, play
from domain import secrecy as secrecy_of_events
from domain.game import Evolve, Game, Refusal
from domain.matches import Status
from domain.secrecy import unknown
from events import chain
from tests.laws import alike, broken, lists, log, moves, secrecy, table, texts
from tests.laws.rooms import room_of
from tests.laws.table import Played, play_match
from tests.laws.test_every_game import LAWS
from tests.toy.high_card.events import CardSetAside, DieRolled, RaisesOpened
from tests.toy.high_card.moves import Pass, Raise, Roll, SetAside
from tests.toy.high_card.state import Table

TOY = "high-card"
MATCHES = 12
TIMES = count()
"""How often something was done: it is done otherwise each time."""
GAME: Game[Table, Any, Any] = room_of(TOY).game


def rolled(told: tuple[Any, ...], pips: int) -> tuple[Any, ...]:
    """The same, with a die that shows so much."""
    return tuple(DieRolled(seat=one.seat, pips=pips) if isinstance(one, DieRolled) else one for one in told)


def die_that_tells(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """A die that shows the cards still hidden in the stock."""
    bottom = state.stock[-1] if state.stock else 0
    return rolled(GAME.decide(state, seat, move, chance), bottom or 1)


def six_that_plays_itself(state: Table) -> Any:
    """The engine plays for whoever holds a 6, once somebody else has played: whoever sees it knows the hand."""
    if (only := GAME.forced(state)) is not None or GAME.secret(state):
        return only
    begun = any(place.aside for place in state.places)
    return next(
        ((seat, SetAside(card=6)) for seat in GAME.to_act(state) if begun and 6 in state.places[seat].hand), None
    )


def refusal_that_tells(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """A refusal that names another's card, if only to programs."""
    try:
        return GAME.decide(state, seat, move, chance)
    except Refusal as refusal:
        card = next((card for card in state.stock if card is not None), "?")
        refusal.fields["lies"] = card
        raise


def imagine_what_is_not(seen: Table, seat: int | None, chance: Any) -> Table:
    """Puts all unknown cards anywhere, whoever knows them."""
    places = tuple(msgspec.structs.replace(place, hand=unknown(place.hand)) for place in seen.places)
    return GAME.imagine(msgspec.structs.replace(seen, places=places), seat, chance)


def said(english: str, japanese: str) -> Callable[[Any, str], str]:
    """The same of everything."""
    return lambda told, lang: japanese if lang == "ja" else english


def writer(write: Callable[[Table, Any], Table]) -> Evolve[Table]:
    """Write down events of every class in this way."""
    return Evolve(dict.fromkeys(GAME.evolve.by_class, write))


def lost_chips(state: Table, event: Any) -> Table:
    """A die costs a chip that goes nowhere."""
    after = GAME.evolve(state, event)
    return msgspec.structs.replace(after, pot=after.pot - 1) if isinstance(event, DieRolled) else after


def listed_twice(state: Table, seat: int) -> tuple[Any, ...]:
    """Equal cards are two choices."""
    if state.phase == "setting" and seat in GAME.to_act(state):
        return tuple(SetAside(card=card) for card in state.places[seat].hand)
    return GAME.legal(state, seat)


def guessed(state: Table, event: Any) -> Table:
    """Whoever is not told that others are asked believes that they are not."""
    after = GAME.evolve(state, event)
    return msgspec.structs.replace(after, asked=tuple(map(bool, after.asked)))


def row_that_can_be_changed(state: Table, event: Any) -> Table:
    """Who is asked is kept in a list."""
    after = GAME.evolve(state, event)
    return msgspec.structs.replace(after, asked=list(after.asked)) if isinstance(event, RaisesOpened) else after


def sixes_are_kept(state: Table, seat: int, move: Any, chance: Any) -> tuple[Any, ...]:
    """Refuses a move that is listed."""
    if move == SetAside(card=6):
        raise Refusal("TOY-4", "not-in-hand", card=6)
    return GAME.decide(state, seat, move, chance)


def uncounted(game: Any, state: Any, event: Any) -> Any:
    """A forced move is not counted when events are taken one by one."""
    after = EVOLVE(game, state, event)
    is_forced = isinstance(event, matches.MoveMade) and event.cause is matches.FORCED
    return msgspec.structs.replace(after, moves=state.moves) if is_forced else after


def uncounted_together(game: Any, state: Any, events: Any) -> Any:
    """A forced move is not counted when events are taken together."""
    events = tuple(events)
    forced = sum(isinstance(event, matches.MoveMade) and event.cause is matches.FORCED for event in events)
    after = FOLD(game, state, events)
    return msgspec.structs.replace(after, moves=after.moves - forced)


def closed_with_a_card(game: Any, state: Any, seat: int, decision: int) -> None:
    """What is told of another decision depends on the stock."""
    raise Refusal("", "decision-closed", decision=sum(card or 0 for card in state.table.stock))


def unchained(head: Any, stream: str, drafts: Any, at: str, secret: bytes) -> Any:
    """Each event of an append is sealed to the one before the append."""
    return tuple(one for draft in drafts for one in SEAL(head, stream, (draft,), at, secret))


def marked_but(*others: type[Any]) -> Callable[[type[Any]], Any]:
    """These classes hide nothing."""
    return lambda cls: () if cls in others else MARKS(cls)


EVOLVE, FOLD, COMMITS, SEAL = matches.evolve, matches.fold, chain._commits, chain.seal
MARKS, SECRETS = secrecy_of_events.marks, secrecy_of_events.secrets

Law = Callable[[Played], None]


class Fault(NamedTuple):
    """Something broken, and the law that notices it."""

    law: Law
    game: dict[str, Any] = {}
    """What is broken of the toy."""
    house: tuple[Any, str, Any] | None = None
    """What is broken of the house: a module, the name of a function in it, what stands there instead."""
    is_late: bool = False
    """Whether matches were played before it broke, which could not be played with it."""

    def __str__(self) -> str:
        name = self.house[1] if self.house else next(iter(self.game))
        return f"{name}-{self.law.__name__}"


def of_secrecy(law: Law, name: str, broken: Any) -> Fault:
    """A function of `domain/secrecy.py` that is broken once matches were played."""
    return Fault(law, house=(secrecy_of_events, name, broken), is_late=True)


def with_secrets(law: Law, change: Callable[[tuple[int, ...], Any], tuple[tuple[int, ...], Any]]) -> Fault:
    """What is hidden is stored with other readers, or another value, though it is told as it was."""
    return of_secrecy(
        law, "secrets", lambda event: ((path, *change(readers, value)) for path, readers, value in SECRETS(event))
    )


TWO_LOGS = alike.two_logs_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it
JUST_WHAT = alike.everybody_is_told_just_what_the_room_says_they_may_know
FAULTS = (
    Fault(log.the_log_folds_to_the_live_state, house=(matches, "evolve", uncounted)),
    # what is stored may be read by nobody, though it is told
    with_secrets(log.what_a_seat_knows_is_the_fold_of_what_it_was_told, lambda readers, value: ((), value)),
    Fault(log.what_a_seat_knows_is_the_fold_of_what_it_was_told, house=(table, "redact", lambda event, viewer: event)),
    # what is hidden is stored as unknown
    with_secrets(log.every_event_and_move_goes_through_json_unharmed, lambda readers, value: (readers, unknown(value))),
    Fault(log.the_chain_holds_and_every_commit_opens, house=(chain, "seal", unchained)),
    # all events of a stream share their salts
    Fault(
        log.the_chain_holds_and_every_commit_opens,
        house=(chain, "_commits", lambda secrets, secret, stream, version: COMMITS(secrets, secret, stream, 1)),
    ),
    Fault(
        log.secret_nonces_and_moves_give_the_same_log_again,
        {"decide": lambda *asked: rolled(GAME.decide(*asked), next(TIMES) % 6 + 1)},
    ),
    Fault(log.states_moves_and_events_are_values, {"evolve": writer(row_that_can_be_changed)}),
    # a seat that the match does not have may read everything
    with_secrets(log.every_hidden_value_has_its_readers_among_the_seats, lambda readers, value: ((*readers, 9), value)),
    Fault(moves.lists_of_legal_moves_are_short_and_without_doubles, {"legal": listed_twice}),
    Fault(moves.lists_of_legal_moves_are_short_and_without_doubles, {"never": lambda options: (Pass,)}),
    Fault(moves.no_two_legal_moves_have_the_same_label, {"label": lambda seen, seat, move, lang: type(move).__name__}),
    Fault(moves.somebody_can_act_until_the_match_is_over, {"default": lambda seen, seat: Roll()}),
    Fault(moves.somebody_can_act_until_the_match_is_over, {"forced": lambda state: (0, Roll())}, is_late=True),
    Fault(moves.every_legal_move_is_accepted, {"decide": sixes_are_kept}, is_late=True),
    Fault(
        moves.deciding_again_tells_the_same,
        {"decide": lambda *asked: GAME.decide(*asked) if next(TIMES) % 2 else ()},
        is_late=True,
    ),
    Fault(
        moves.every_other_move_is_refused_with_a_clause_and_a_code,
        {"legal": lambda state, seat: GAME.legal(state, seat)[:1]},
    ),
    Fault(
        lists.of_all_moves_that_could_be_written_those_are_accepted_that_are_listed, {"decide": broken.any_card_will_do}
    ),
    Fault(moves.nothing_is_lost_and_nothing_comes_from_nowhere, {"evolve": writer(lost_chips)}),
    Fault(moves.a_match_ends_within_its_bound, {"bound": 5}),
    Fault(moves.moves_are_numbered_without_gaps, house=(matches, "fold", uncounted_together)),
    Fault(secrecy.whatever_is_known_is_true, {"evolve": writer(guessed)}),
    *(Fault(law, game) for law, game in broken.FAULTS),
    Fault(
        moves.what_was_tried_comes_out_so,
        house=(moves, "tried", lambda game, seen, seat, legal: ((move, seen) for move in legal)),
    ),
    # a bot looks at others' cards when it can
    Fault(
        secrecy.answers_from_what_is_seen_are_those_from_the_truth,
        {"evaluate": lambda table, seat: sum(card or 0 for place in table.places for card in place.hand)},
    ),
    Fault(secrecy.refusals_from_what_is_seen_are_those_from_the_truth, {"decide": refusal_that_tells}),
    Fault(secrecy.an_imagined_state_looks_the_same_to_its_seat, {"imagine": imagine_what_is_not}),
    Fault(secrecy.the_worth_of_a_position_is_the_sum_of_its_parts, {"terms": lambda seen, seat: {"chips": 1.0}}),
    Fault(secrecy.an_imagined_state_refuses_its_seat_alike, {"decide": refusal_that_tells}),
    Fault(secrecy.a_closed_decision_is_refused_alike, house=(play, "check_open", closed_with_a_card), is_late=True),
    Fault(texts.everything_told_can_be_said_in_every_language, {"describe": lambda told, lang: str(told)}),
    Fault(texts.nobody_is_addressed_in_what_is_told_to_all, {"describe": said("It is YOUR turn.", "席0の番。")}),
    Fault(texts.seats_are_named_as_in_the_data_and_are_at_the_table, {"describe": said("Seat 4 takes it.", "続く。")}),
    Fault(texts.japanese_is_written_with_its_own_punctuation, {"describe": said("It goes on.", "続く.")}),
    Fault(
        texts.what_is_said_of_a_seat_can_be_said_to_it,
        {"describe": said("Seat 0 brags. Seat 1 sits and brags.", "終。")},
    ),
    Fault(texts.what_is_said_of_a_seat_can_be_said_to_it, {"describe": said("It goes on.", "席1つの番。")}),
    Fault(texts.every_move_leaves_a_line, house=(texts, "is_aside", lambda game, event, following: event is not None)),
    Fault(TWO_LOGS, {"decide": die_that_tells}),
    Fault(TWO_LOGS, {"forced": six_that_plays_itself}),
    # a tell excuses that it is there or not, never what it says
    of_secrecy(TWO_LOGS, "marks", marked_but(RaisesOpened)),
    # what one may know is excused for nobody else
    of_secrecy(TWO_LOGS, "marks", marked_but(CardSetAside, SetAside)),
    of_secrecy(JUST_WHAT, "_readers", lambda event, mark: (0, 1)),
    # seat 0 may read everything that is stored, though it is not told it
    with_secrets(JUST_WHAT, lambda readers, value: (tuple(sorted({0, *readers})), value)),
)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_breaks_its_law(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    moves.pool_of(TOY)
    play_match.cache_clear()
    before = played()
    monkeypatch.setattr(room_of(TOY), "game", dataclasses.replace(GAME, **fault.game))
    if fault.house:
        monkeypatch.setattr(*fault.house)
    play_match.cache_clear()
    try:
        matches = before if fault.is_late else played()
        with pytest.raises((AssertionError, Refusal)):
            hold(fault.law, matches)
    finally:
        play_match.cache_clear()


def hold(law: Law, matches: list[Played]) -> None:
    """The law, of each of them."""
    for one in matches:
        law(one)


def played() -> list[Played]:
    """As many matches as the toy is tried on elsewhere."""
    return [play_match(TOY, seed, "random") for seed in range(MATCHES)]


def test_every_law_is_seen_to_notice_a_fault() -> None:
    assert {fault.law for fault in FAULTS} == set(LAWS)


def test_a_log_that_goes_on_is_told_apart_unless_it_does_by_a_listed_tell() -> None:
    events = RaisesOpened(asked=(None, None)), DieRolled(seat=0, pips=1), DieRolled(seat=1, pips=2)
    tell, plain, first = (play.Told(event, "service", 1) for event in events)
    assert alike.compare(TOY, (first,), (first, tell, plain), None) == alike.TELL
    assert alike.compare(TOY, (first, tell), (first,), None) == alike.TELL
    with pytest.raises(AssertionError, match="told 1 events here and 3 there"):
        alike.compare(TOY, (first,), (first, plain, tell), None)


def test_a_state_that_is_no_value_is_noticed() -> None:
    log.check_value((1, "a", b"a", None, True, (Pass(), Raise())), set())
    for wrong in ([1], {"a": 1}, {1}, 1.5, (1, [2]), bytearray(b"a")):
        with pytest.raises(AssertionError, match="no value of this house"):
            log.check_value(wrong, set())


def test_a_false_belief_is_found_where_it_stands() -> None:
    truth = (1, (2, 3), SetAside(card=4))
    assert secrecy.difference((None, (2, None), SetAside(card=None)), truth, set()) == ""
    assert secrecy.difference((1, (2, 9), SetAside(card=4)), truth, set()) == ".1.1: 9 is known, 3 is true"
    assert secrecy.difference((1, (2,), SetAside(card=4)), truth, set()) == ".1: (2,) is known, (2, 3) is true"
    assert secrecy.unknown_in((1, (2, None)), set()) == ".1.1"
    assert secrecy.unknown_in(truth, set()) == ""


def test_a_space_holds_every_value_of_a_type_once() -> None:
    seen = lists.Seen({}, {Pass: (Pass(),)})

    def values(hint: Any, most: int = 1) -> list[Any]:
        space = lists.space_of(hint, most, seen)
        return [space.at(index) for index in range(space.size)]

    assert values(bool | None) == [False, True, None]
    assert values(int, 2) == [-1, 0, 1, 2, 3]
    assert values(tuple[bool, Pass]) == [(False, Pass()), (True, Pass())]
    assert values(Literal["a", "b"]) == ["a", "b"]
    assert values(Status) == list(Status)
    assert len(values(tuple[bool, ...])) == len({*values(tuple[bool, ...])}) == 1 + 2 + 4 + 8
    assert values(Raise) == [], "none was seen"
