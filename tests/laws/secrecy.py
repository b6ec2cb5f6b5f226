"""Laws of secrets: what a seat sees is true, suffices for all that it is answered, and tells nothing else."""

from __future__ import annotations

from typing import Any

from domain import matches, play
from domain.chance import Simulation
from domain.game import Refusal, undivided
from domain.matches import Match
from domain.texts import LANGS
from tests.laws.moves import all_refused, refusal
from tests.laws.rooms import known_of
from tests.laws.table import Played, Step, Viewer, drawn, imagined, inside

Pairs = set[tuple[int, int]]
"""Pairs of parts, by identity, that were found to agree: from step to step most of a table is the same."""


def difference(seen: object, truth: object, agreed: Pairs, where: str = "") -> str:
    """Where something known is not the truth; "" when all that is known is true, None being unknown.

    Shape:   both must outlive `agreed`, for it tells parts by their identity.
    """
    pair = id(seen), id(truth)
    if seen is None or seen is truth or pair in agreed:
        return ""
    known, true = inside(seen), inside(truth)
    if not known or type(seen) is not type(truth) or len(known) != len(true):
        return "" if seen == truth else f"{where}: {seen!r} is known, {truth!r} is true"
    for (at, one), (_, other) in zip(known, true, strict=True):
        if found := difference(one, other, agreed, f"{where}.{at}"):
            return found
    agreed.add(pair)
    return ""


def unknown_in(value: object, full: set[int], where: str = "") -> str:
    """Where something is unknown; "" in a full state. `full`: parts that were found to be, by identity."""
    if value is None:
        return where
    parts = inside(value) if id(value) not in full else []
    for at, part in parts:
        if found := unknown_in(part, full, f"{where}.{at}"):
            return found
    if parts:
        full.add(id(value))
    return ""


ROUNDING = 1e-6


def views_of(played: Played) -> list[tuple[Match[Any], Viewer, Match[Any]]]:
    """The truth, a viewer and what they see: at some positions, for everybody, and at the end."""
    found = [(step.truth, viewer, seen) for step in played.sample for viewer, seen in step.seen.items()]
    if played.truth.is_over:
        found += [(played.truth, viewer, seen) for viewer, seen in played.seen.items()]
    return found


def whatever_is_known_is_true(played: Played) -> None:
    """And of the truth nothing is unknown."""
    agreed: Pairs = set()
    full: set[int] = set()
    for truth, viewer, seen in views_of(played):
        assert not (wrong := difference(seen.table, truth.table, agreed)), f"for {viewer}: {wrong}"
        assert (seen.status, seen.version, seen.moves) == (truth.status, truth.version, truth.moves)
        assert not (missing := unknown_in(truth.table, full)), f"the truth does not know {missing}"


def a_view_shows_the_same_from_what_is_seen_as_from_the_truth(played: Played) -> None:
    """So it shows nothing that its viewer may not know; and it can be drawn."""
    game = played.game
    for truth, viewer, seen in views_of(played):
        view = game.view(seen.table, viewer)
        assert view == game.view(truth.table, viewer), f"{viewer} sees more or less in the true state"
        for lang in LANGS:
            told = drawn(played, seen.table, viewer, lang)
            assert told.strip()
            assert "None" not in told, told


def answers_from_what_is_seen_are_those_from_the_truth(played: Played) -> None:
    """Legal moves, own decision, standing, seal, forced moves, and how good one's position looks."""
    game = played.game
    for truth, viewer, seen in views_of(played):
        for ask in (game.standing, game.secret, game.forced):
            assert ask(seen.table) == ask(truth.table)
        if viewer is None:
            continue
        assert (viewer in matches.to_act(game, seen)) == (viewer in matches.to_act(game, truth))
        assert matches.decision_of(game, seen, viewer) == matches.decision_of(game, truth, viewer)
        assert game.legal(seen.table, viewer) == game.legal(truth.table, viewer)
        assert game.evaluate(seen.table, viewer) == game.evaluate(truth.table, viewer)


def the_worth_of_a_position_is_the_sum_of_its_parts(played: Played) -> None:
    """Each has a name in every language; a game without parts says none at all."""
    game = played.game
    called = [game.names(played.pack.pack, lang).get("term", {}) for lang in LANGS]
    for truth, viewer, seen in views_of(played):
        if viewer is not None and (terms := game.terms(seen.table, viewer)):
            assert all(terms.keys() <= names.keys() for names in called), terms
            assert abs(sum(terms.values()) - game.evaluate(truth.table, viewer)) < ROUNDING
    assert any(called) == (game.terms is not undivided), "a game whose parts have names says what they are worth"


def refusals_from_what_is_seen_are_those_from_the_truth(played: Played) -> None:
    """Clause, code, fields and words."""
    for step, seat, move, told in all_refused(played):
        assert refusal(played, step.seen[seat].table, seat, move) == told


def an_imagined_state_looks_the_same_to_its_seat(played: Played) -> None:
    """It is full, holds all that there is, agrees with everything known, and answers the seat as the truth does."""
    conserved = known_of(played.game.slug).conserved
    agreed: Pairs = set()
    full: set[int] = set()
    for truth, viewer, seen in views_of(played):
        other = imagined(played, seen, viewer)
        assert not (missing := unknown_in(other, full)), f"imagined without {missing}"
        assert not (wrong := difference(seen.table, other, agreed)), f"{viewer} imagines otherwise: {wrong}"
        assert conserved(other) == conserved(truth.table)
        look_alike(played, truth.table, other, viewer)


def look_alike(played: Played, one: Any, other: Any, viewer: Viewer) -> None:
    """Two tables that the viewer can't tell apart by looking and asking."""
    game = played.game
    assert game.view(one, viewer) == game.view(other, viewer)
    for ask in (game.standing, game.secret, game.forced):
        assert ask(one) == ask(other)
    if viewer is not None:
        legal = game.legal(one, viewer)
        assert game.legal(other, viewer) == legal
        for lang in LANGS:
            for move in legal:
                assert game.label(one, viewer, move, lang) == game.label(other, viewer, move, lang)
        assert (viewer in game.to_act(one)) == (viewer in game.to_act(other))
        assert game.evaluate(one, viewer) == game.evaluate(other, viewer)


def an_imagined_state_refuses_its_seat_alike(played: Played) -> None:
    """A refusal can't be used to look at what is hidden."""
    for step, seat, move, told in all_refused(played):
        assert refusal(played, imagined(played, step.seen[seat], seat), seat, move) == told


def a_closed_decision_is_refused_alike(played: Played) -> None:
    """What is told of an open decision is one's own."""
    for step in played.positions[::5]:
        for viewer, seen in step.seen.items():
            if viewer is not None and step.move is not None:
                told = {_closed(played, state, viewer, step) for state in (seen, step.truth)}
                assert len(told) == 1


def _closed(played: Played, state: Match[Any], seat: int, step: Step) -> tuple[str, str]:
    try:
        play.played(played.game, state, seat, -1, step.move, lambda _: Simulation(1))
    except Refusal as refused:
        return refused.code, str(refused.fields)
    raise AssertionError("a decision numbered -1 was open")
