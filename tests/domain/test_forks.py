"""How a match is broken off, and how one goes on from another: given a match, then this is told, or refused."""

from __future__ import annotations

from typing import Any

from domain import matches, play
from domain.matches import Cause, Match, MoveMade, SeatTaken, Status
from domain.play import Told
from tests.domain.table import (
    GAME,
    NO_PAIRS,
    OTHER,
    ROOM,
    SECRET,
    deck_of,
    fold,
    names,
    open_match,
    refused,
    scripted,
    start_match,
)
from tests.rows import each
from tests.toy.high_card.events import Dealt
from tests.toy.high_card.moves import Roll, SetAside


def test_one_goes_on_only_from_where_somebody_was_asked() -> None:
    for parent, following in each(
        (open_match(), SeatTaken(seat=0, nonce="")),
        (start_match(NO_PAIRS), Dealt(seat=0, cards=())),
        (start_match(NO_PAIRS), MoveMade(seat=0, decision=0, move=Roll(), cause=Cause.FORCED)),
    ):
        with refused("fork-point"):
            forked(parent, following)


def test_a_match_that_is_broken_off_reveals_its_secret() -> None:
    for state in (open_match(), start_match(NO_PAIRS)):
        told = play.abort(state, "agreement")
        assert told == (Told(matches.Aborted(reason="agreement", secret=SECRET), "service", state.moves),)
        assert fold(state, told).status is Status.ABORTED


def test_what_is_over_is_not_broken_off() -> None:
    over = fold(start_match(NO_PAIRS), play.abort(start_match(NO_PAIRS), "operator"))
    with refused("match-aborted"):
        play.abort(over, "operator")


def forked(state: Match[Any], following: Any) -> tuple[tuple[Told, ...], Match[Any]]:
    """A match that goes on from there."""
    events = GAME.setup(open_match().table, scripted(deck_of(NO_PAIRS))(0))
    pack = next(iter(ROOM.packs.values())).pack
    return play.fork_match(GAME, pack, state, events, following, id="m_0", hash="ab" * 32, secret=OTHER)


def test_a_fork_begins_with_its_opening_its_parent_and_the_parent_s_events() -> None:
    parent = start_match(NO_PAIRS)
    told, state = forked(parent, MoveMade(seat=0, decision=parent.version, move=SetAside(card=6), cause=Cause.SEAT))
    assert names(told) == ["Opened", "Forked", "RoundStarted", "Shuffled", "Dealt", "Dealt"]
    assert {(one.actor, one.move) for one in told} == {("service", 0)}
    opened, forking = told[0].event, told[1].event
    assert (opened.secret, opened.options, opened.pack_hash) == (OTHER, parent.opened.options, parent.opened.pack_hash)
    assert (forking.parent, forking.version, forking.hash) == ("m_0", parent.version, "ab" * 32)
    assert (state.status, state.version, state.moves, state.is_fork) == (Status.OPEN, 6, 0, True)
    assert state.table == parent.table


def test_a_fork_starts_where_its_parent_stood_and_nothing_is_dealt() -> None:
    parent = start_match(NO_PAIRS)
    _, state = forked(parent, MoveMade(seat=0, decision=parent.version, move=SetAside(card=6), cause=Cause.SEAT))
    state = fold(state, play.take_seat(GAME, state, 1))
    told = play.take_seat(GAME, state, 0)
    assert names(told) == ["SeatTaken", "Started"]
    after = fold(state, told)
    assert (after.status, after.table) == (Status.PLAYING, state.table)
