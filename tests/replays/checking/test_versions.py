"""Rules that change: an invented version 2 of the toy room reads what version 1 has written, and never guesses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import pytest
from msgspec import structs

import tests.toy
from domain import matches
from domain.catalogue import Catalogue
from domain.game import Event, Evolve, Game, Seat, classes
from events.memory import MemoryRecorder
from events.store import Write
from replays.checking.audit import audit
from replays.checking.rules import Difference, Kind, Verdict, validate
from replays.files import exports
from replays.log import TRUTH, Log, OtherRules, private_stream
from tests.replays.exported import export, file_of, games, stage
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


def play(match_id: str, catalogue: Catalogue | None = None) -> Stage:
    staged = Stage(MemoryRecorder(), (catalogue or games()).rooms["high-card"], match_id, ("greedy", "random"))
    staged.seat_all()
    return staged


@pytest.fixture(scope="module")
def played() -> Stage:
    staged = play("m_1")
    staged.finish()
    return staged


@pytest.fixture(scope="module")
def running() -> Stage:
    staged = play("m_2")
    staged.step()
    return staged


def verdict(played: Stage, game: Old) -> Verdict:
    return validate(played.recorder, played.id, with_game(game))


def first(found: Verdict, kind: Kind) -> Difference:
    assert found.kind is kind
    assert found.first is not None
    return found.first


def version_of(played: Stage, kind: type[Any]) -> int:
    events = Log(played.recorder, played.id, games()).events(TRUTH)
    return next(version for version, event in enumerate(events, 1) if isinstance(event, kind))


def test_under_the_code_that_played_it_a_match_is_the_same(played: Stage, running: Stage) -> None:
    for staged in (played, running):
        found = verdict(staged, GAME)
        assert (found.kind, found.first, found.is_fault) == (Kind.SAME, None, False)
        assert (found.game, found.rules, found.at_hand) == ("high-card", 1, 1)
        assert found.events == staged.recorder.head(staged.id).version
    sealed = stage("three-magic", ("greedy",) * 3, match_id="m_3")
    sealed.step_until_sealed()
    assert validate(sealed.recorder, "m_3", games()).kind is Kind.SAME


def test_older_events_are_brought_up_to_date_and_stored_bytes_are_never_rewritten(played: Stage) -> None:
    before = played.recorder.read("m_1")
    found = verdict(played, SAME_RULES)
    assert (found.kind, found.first, found.is_fault) == (Kind.UPCAST, None, False)
    assert played.recorder.read("m_1") == before
    theirs = Log(played.recorder, "m_1", with_game(SAME_RULES)).events(TRUTH)
    assert sum(isinstance(event, DieRolled) for event in theirs) > 0
    assert [unsaid(event) for event in theirs] == Log(played.recorder, "m_1", games()).events(TRUTH)


@pytest.mark.parametrize(("game", "is_fault"), [(OTHER_RULES, False), (CHANGED_UNAWARES, True)])
def test_other_rules_differ_and_the_first_difference_is_named(played: Stage, game: Old, is_fault: bool) -> None:
    found = verdict(played, game)
    difference = first(found, Kind.DIFFERING)
    assert (difference.version, found.is_fault) == (version_of(played, OLDER), is_fault)
    assert difference.reason.startswith("pips is ")


def test_events_that_lack_or_are_too_many_or_illegal_are_named(played: Stage) -> None:
    changes: list[tuple[Callable[[Any], Any], Difference]] = [
        (lambda told: told[:-1], Difference(8, "", "a Dealt that no move brought about")),
        (
            lambda told: (told[1], *told[1:]),
            Difference(5, "", "high-card/RoundStarted stands where high-card/Shuffled belongs"),
        ),
    ]
    for change, difference in changes:
        setup = partial(lambda change, table, chance: change(GAME.setup(table, chance)), change)
        assert first(verdict(played, replace(GAME, setup=setup)), Kind.DIFFERING) == difference
    cut = MemoryRecorder()
    cut.append("m_1", [Write("m_1", 0, played.recorder.read("m_1", 0, 7))])
    assert validate(cut, "m_1", games()).first == Difference(7, "", "a Dealt should follow")
    nobody = verdict(played, replace(GAME, to_act=lambda table: ()))
    assert first(nobody, Kind.DIFFERING).version == version_of(played, matches.MoveMade)


def test_what_no_code_at_hand_can_read_is_unreadable(played: Stage) -> None:
    found = verdict(played, FORGOTTEN)
    difference = first(found, Kind.UNREADABLE)
    assert (found.is_fault, difference.version) == (True, version_of(played, OLDER))
    assert "high-card/DieRolled, schema 1" in difference.reason
    for match_id, says in (("m_1", "not available here"), ("m_none", "no match")):
        found = validate(played.recorder, match_id, Catalogue(()))
        assert (found.rules, found.at_hand, found.events) == (0, 0, 0)
        assert first(found, Kind.UNREADABLE).version == 1
        assert says in first(found, Kind.UNREADABLE).reason


def test_what_only_a_private_log_has_unreadable_stands_at_no_version_of_the_match(played: Stage) -> None:
    store, private = MemoryRecorder(), private_stream("m_1", 0)
    store.append("m_1", [Write("m_1", 0, played.recorder.read("m_1"))])
    later = structs.replace(played.recorder.read("m_1")[0], stream=private, type=matches.SEALED, schema=99)
    store.append("m_1", [Write(private, 0, (later,))])
    assert first(validate(store, "m_1", games()), Kind.UNREADABLE).version == 0


def test_rules_that_fail_over_an_event_are_told_and_crash_nothing(played: Stage) -> None:
    evolve = with_writer(OLDER, lambda table, event: GAME.title["die"])
    events = Log(played.recorder, played.id, games()).events(TRUTH)
    before = [version for version, event in enumerate(events, 1) if matches.begins_move(event)]
    found = verdict(played, replace(GAME, evolve=evolve))
    last = max(version for version in before if version < version_of(played, OLDER))
    assert first(found, Kind.UNREADABLE).version == last

    def decide(table: Any, seat: Seat, move: Any, chance: Any) -> Any:
        return GAME.title["rules"]

    found = verdict(played, replace(GAME, decide=decide))
    assert first(found, Kind.DIFFERING).version == version_of(played, matches.MoveMade)


def test_a_match_of_another_version_is_read_and_replayed_and_is_neither_played_on_nor_forked(
    played: Stage, running: Stage
) -> None:
    for game in (SAME_RULES, OTHER_RULES):
        for staged in (played, running):
            log = Log(staged.recorder, staged.id, with_game(game))
            assert log.fold(TRUTH).table == staged.state.table
            assert not log.has_own_rules
    log = Log(played.recorder, "m_1", with_game(OTHER_RULES))
    for ask in (log.need_own_rules, lambda: exports.fork(log, 10, SECRET)):
        with pytest.raises(OtherRules, match="is played by version 1 of high-card; at hand here: 2"):
            ask()


def test_an_audit_by_other_rules_says_that_they_are_others_and_passes_what_it_can_check(played: Stage) -> None:
    file = file_of(export(played))
    report = audit(file, with_game(OTHER_RULES))
    assert (report.ok, report.failures) == (True, ())
    assert report.not_checked == ("LOG-11", "LOG-12", "LOG-13", "LOG-14", "LOG-15")
    assert report.why_not.startswith("m_1 is played by version 1 of high-card; at hand here: 2.")
    judged = audit(file, with_game(GAME))
    assert (judged.ok, judged.not_checked, judged.why_not) == (True, (), "")
    # the rules stay version 1, only what they write is said more fully
    assert audit(file, with_game(replace(SAME_RULES, version=1))).ok


def test_a_match_of_version_2_is_played_and_audited_by_version_2() -> None:
    catalogue = with_game(SAME_RULES)
    staged = play("m_new", catalogue)
    staged.finish()
    assert validate(staged.recorder, "m_new", catalogue).kind is Kind.SAME
    assert Log(staged.recorder, "m_new", catalogue).opening.version == 2


@pytest.mark.parametrize("is_fork", [False, True])
def test_a_match_that_nobody_has_joined_is_the_same(played: Stage, is_fork: bool) -> None:
    told = None
    if is_fork:
        log = Log(played.recorder, played.id, games())
        told, _ = exports.fork(log, exports.fork_points(log)[0], "ab" * 32)
    Stage(played.recorder, games().rooms["high-card"], f"m_{is_fork}", ("greedy", "random"), told)
    found = validate(played.recorder, f"m_{is_fork}", games())
    assert (found.kind, found.events) == (Kind.SAME, played.recorder.head(f"m_{is_fork}").version)
