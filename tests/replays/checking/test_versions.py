"""Rules that change: an invented version 2 of the toy room reads what version 1 has written, and never guesses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import pytest

import tests.toy
from domain import matches
from domain.catalogue import Catalogue
from domain.game import Event, Evolve, Game, Seat
from events.memory import MemoryRecorder
from events.store import Write
from replays.checking.audit import Report, audit
from replays.checking.rules import Difference, Kind, Verdict, validate
from replays.files import exports
from replays.log import TRUTH, Log, OtherRules, classes
from tests.replays.exported import export, file_of, games
from tests.replays.staged import SECRET, Stage
from tests.toy.high_card import GAME
from tests.toy.high_card.events import DieRolled as FirstDieRolled

OLDER = FirstDieRolled
Old = Game[Any, Any, Any]


class DieRolled(Event, frozen=True):
    """A seat rolled its die, of which the sides are now said."""

    schema: ClassVar[int] = 2
    seat: Seat
    pips: int
    sides: int


def low_dice(table: Any, seat: Seat, move: Any, chance: Any) -> tuple[Any, ...]:
    """Another rule: a die counts what lies below."""
    told = GAME.decide(table, seat, move, chance)
    return tuple(OLDER(seat=one.seat, pips=7 - one.pips) if isinstance(one, OLDER) else one for one in told)


def said_sides(one: Any) -> Any:
    return DieRolled(seat=one.seat, pips=one.pips, sides=6) if isinstance(one, OLDER) else one


def unsaid(event: Any) -> Any:
    return OLDER(seat=event.seat, pips=event.pips) if isinstance(event, DieRolled) else event


def with_sides(fields: dict[str, Any]) -> tuple[str, int, dict[str, Any]]:
    return "high-card/DieRolled", 2, {**fields, "sides": 6}


def with_writer(kind: type[Any], write: Callable[[Any, Any], Any]) -> Evolve[Any]:
    """How the toy's events are written down, with another way for one class."""
    return Evolve({**GAME.evolve.by_class, kind: write})


OTHERS: Any = [cls for cls in classes(GAME.Event) if cls is not OLDER]
NEWER: Any = DieRolled
for _cls in OTHERS:
    NEWER = NEWER | _cls

SAME_RULES = replace(
    GAME,
    version=2,
    Event=NEWER,
    decide=lambda table, seat, move, chance: tuple(map(said_sides, GAME.decide(table, seat, move, chance))),
    evolve=with_writer(DieRolled, lambda table, event: GAME.evolve(table, unsaid(event))),
    describe=lambda event, lang: GAME.describe(unsaid(event), lang),
    upcasters=((("high-card/DieRolled", 1), with_sides),),
)
OTHER_RULES = replace(GAME, version=2, decide=low_dice)
CHANGED_UNAWARES = replace(GAME, decide=low_dice)
FORGOTTEN: Any = replace(SAME_RULES, upcasters=())


def with_game(game: Old) -> Catalogue:
    """The house with that game where the toy room was."""
    catalogue = Catalogue((tests.toy,))
    catalogue.rooms["high-card"].game = game
    return catalogue


@pytest.fixture(scope="module")
def played() -> Stage:
    staged = Stage(MemoryRecorder(), games().rooms["high-card"], "m_1", ("greedy", "random"))
    staged.seat_all()
    staged.finish()
    return staged


@pytest.fixture(scope="module")
def running() -> Stage:
    staged = Stage(MemoryRecorder(), games().rooms["high-card"], "m_2", ("greedy", "random"))
    staged.seat_all()
    staged.step()
    return staged


def verdict(played: Stage, game: Old) -> Verdict:
    return validate(played.recorder, played.id, with_game(game))


def first_die(played: Stage) -> int:
    log = Log(played.recorder, played.id, games())
    return 1 + next(at for at, event in enumerate(log.events(TRUTH)) if isinstance(event, OLDER))


def test_under_the_code_that_played_it_a_match_is_the_same(played: Stage, running: Stage) -> None:
    for staged in (played, running):
        found = verdict(staged, GAME)
        assert (found.kind, found.first, found.is_fault) == (Kind.SAME, None, False)
        assert (found.game, found.rules, found.at_hand) == ("high-card", 1, 1)
        assert found.events == staged.recorder.head(staged.id).version


def test_older_events_are_brought_up_to_date_and_the_match_comes_out_the_same(played: Stage) -> None:
    found = verdict(played, SAME_RULES)
    assert (found.kind, found.first, found.is_fault) == (Kind.UPCAST, None, False)
    catalogue = with_game(SAME_RULES)
    theirs = Log(played.recorder, "m_1", catalogue).events(TRUTH)
    assert sum(isinstance(event, DieRolled) for event in theirs) > 0
    assert [unsaid(event) for event in theirs] == Log(played.recorder, "m_1", games()).events(TRUTH)


def test_stored_bytes_are_never_rewritten(played: Stage) -> None:
    before = played.recorder.read("m_1")
    verdict(played, SAME_RULES)
    assert played.recorder.read("m_1") == before


@pytest.mark.parametrize(("game", "is_fault"), [(OTHER_RULES, False), (CHANGED_UNAWARES, True)])
def test_other_rules_differ_and_the_first_difference_is_named(played: Stage, game: Old, is_fault: bool) -> None:
    found = verdict(played, game)
    assert (found.kind, found.is_fault) == (Kind.DIFFERING, is_fault)
    assert found.first is not None
    assert found.first.version == first_die(played)
    assert found.first.reason.startswith("pips is ")


@pytest.mark.parametrize(
    ("change", "first"),
    [
        (lambda told: told[:-1], Difference(8, "", "a Dealt that no move brought about")),
        (
            lambda told: (told[1], *told[1:]),
            Difference(5, "", "high-card/RoundStarted stands where high-card/Shuffled belongs"),
        ),
    ],
)
def test_events_that_lack_or_are_too_many_are_named(
    played: Stage, change: Callable[[tuple[Any, ...]], tuple[Any, ...]], first: Difference
) -> None:
    found = verdict(played, replace(GAME, setup=lambda table, chance: change(GAME.setup(table, chance))))
    assert (found.kind, found.first) == (Kind.DIFFERING, first)


def test_what_would_follow_is_named(played: Stage) -> None:
    cut = MemoryRecorder()
    cut.append("m_1", [Write("m_1", 0, played.recorder.read("m_1", 0, 7))])
    found = validate(cut, "m_1", games())
    assert found.first == Difference(7, "", "a Dealt should follow")


def test_what_the_rules_no_longer_allow_is_named_by_its_clause(played: Stage) -> None:
    found = verdict(played, replace(GAME, to_act=lambda table: ()))
    assert found.kind is Kind.DIFFERING
    assert found.first is not None
    assert found.first.version == 1 + first_move(played)


def first_move(played: Stage) -> int:
    log = Log(played.recorder, played.id, games())
    return next(at for at, event in enumerate(log.events(TRUTH)) if isinstance(event, matches.MoveMade))


def test_an_event_that_no_code_knows_any_more_makes_a_match_unreadable(played: Stage) -> None:
    found = verdict(played, FORGOTTEN)
    assert (found.kind, found.is_fault) == (Kind.UNREADABLE, True)
    assert found.first is not None
    assert found.first.version == first_die(played)
    assert "high-card/DieRolled, schema 1" in found.first.reason


def test_a_game_that_is_not_at_hand_is_unreadable_and_so_is_a_match_that_is_none(played: Stage) -> None:
    bare = Catalogue(())
    for match_id, says in (("m_1", "not at hand"), ("m_none", "no match")):
        found = validate(played.recorder, match_id, bare)
        assert (found.kind, found.rules, found.at_hand, found.events) == (Kind.UNREADABLE, 0, 0, 0)
        assert found.first is not None
        assert found.first.version == 1
        assert says in found.first.reason


def test_rules_that_fail_over_an_event_are_told_and_crash_nothing(played: Stage) -> None:
    evolve = with_writer(OLDER, lambda table, event: GAME.title["die"])
    events = Log(played.recorder, played.id, games()).events(TRUTH)
    before = [version for version, event in enumerate(events, 1) if matches.begins_move(event)]
    found = verdict(played, replace(GAME, evolve=evolve))
    assert found.kind is Kind.UNREADABLE
    assert found.first is not None
    assert found.first.version == max(version for version in before if version < first_die(played))

    def decide(table: Any, seat: Seat, move: Any, chance: Any) -> Any:
        return GAME.title["rules"]

    found = verdict(played, replace(GAME, decide=decide))
    assert found.kind is Kind.DIFFERING
    assert found.first is not None
    assert found.first.version == 1 + first_move(played)


def test_a_match_of_another_version_is_read_and_replayed_from_its_events(played: Stage, running: Stage) -> None:
    for game in (SAME_RULES, OTHER_RULES):
        for staged in (played, running):
            log = Log(staged.recorder, staged.id, with_game(game))
            assert log.fold(TRUTH).table == staged.state.table
            assert not log.has_own_rules


def test_it_is_refused_for_play_and_for_forks_in_words_that_say_why(played: Stage) -> None:
    log = Log(played.recorder, "m_1", with_game(OTHER_RULES))
    says = "m_1 is played by version 1 of high-card; at hand here: 2. It can be read"
    with pytest.raises(OtherRules, match=says):
        log.need_own_rules()
    with pytest.raises(OtherRules, match=says):
        exports.fork(log, 10, SECRET)


def test_an_audit_by_other_rules_says_that_they_are_others_and_passes_what_it_can_check(played: Stage) -> None:
    file = file_of(export(played))
    report: Report = audit(file, with_game(OTHER_RULES))
    assert (report.ok, report.failures) == (True, ())
    assert report.not_checked == ("LOG-11", "LOG-12", "LOG-13", "LOG-14", "LOG-15")
    assert report.why_not.startswith("m_1 is played by version 1 of high-card; at hand here: 2.")
    judged = audit(file, with_game(GAME))
    assert (judged.ok, judged.not_checked, judged.why_not) == (True, (), "")


def test_a_match_of_version_2_is_played_and_audited_by_version_2() -> None:
    recorder, catalogue = MemoryRecorder(), with_game(SAME_RULES)
    staged = Stage(recorder, catalogue.rooms["high-card"], "m_new", ("random", "random"))
    staged.seat_all()
    staged.finish()
    assert validate(recorder, "m_new", catalogue).kind is Kind.SAME
    assert Log(recorder, "m_new", catalogue).opening.version == 2


def test_an_audit_takes_events_of_older_schemas_by_their_value() -> None:
    """The rules stay version 1, only what they write is said more fully."""
    game = replace(SAME_RULES, version=1)
    older = Stage(MemoryRecorder(), games().rooms["high-card"], "m_1", ("greedy", "random"))
    older.seat_all()
    older.finish()
    assert audit(file_of(export(older)), with_game(game)).ok


@pytest.mark.parametrize("is_fork", [False, True])
def test_a_match_that_nobody_has_joined_is_the_same(played: Stage, is_fork: bool) -> None:
    told = None
    if is_fork:
        log = Log(played.recorder, played.id, games())
        told, _ = exports.fork(log, exports.fork_points(log)[0], "ab" * 32)
    Stage(played.recorder, games().rooms["high-card"], f"m_{is_fork}", ("greedy", "random"), told)
    found = validate(played.recorder, f"m_{is_fork}", games())
    assert (found.kind, found.events) == (Kind.SAME, played.recorder.head(f"m_{is_fork}").version)


def test_a_running_match_is_validated_with_its_sealed_answers() -> None:
    recorder = MemoryRecorder()
    staged = Stage(recorder, games().rooms["three-magic"], "m_3", ("greedy",) * 3)
    staged.seat_all()
    staged.step_until_sealed()
    assert validate(recorder, "m_3", games()).kind is Kind.SAME
