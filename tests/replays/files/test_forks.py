"""Every game goes on from wherever somebody was asked: everybody sees there what they saw, and it audits to its end."""

from __future__ import annotations

import pytest

from domain import matches
from domain.games.ttmp.events import DiceRolled
from events.memory import MemoryRecorder
from replays.checking.audit import audit
from replays.checking.rules import Kind, validate
from replays.files import exports
from replays.files.exports import lines
from replays.film import Film
from replays.log import TRUTH, Log
from replays.printing import picture
from tests.replays.exported import export, file_of, games, stage
from tests.replays.staged import Stage

SECRET = "cd" * 32


def finished(slug: str, seats: int) -> Stage:
    parent = stage(slug, ("random", "greedy", "random")[:seats], match_id="m_parent")
    parent.finish()
    return parent


@pytest.mark.parametrize("slug", sorted(games().rooms))
def test_a_fork_of_any_game_looks_to_everybody_as_its_parent_did_and_is_played_to_its_end(slug: str) -> None:
    room = games().rooms[slug]
    seats = room.game.seats[0]
    recorder, bots = finished(slug, seats).recorder, ("random", "greedy", "random")[:seats]
    log = Log(recorder, "m_parent", games())
    points = exports.fork_points(log)
    assert len(points) > 2
    for at in {points[0], points[len(points) // 3], points[-1]}:
        told, _ = exports.fork(log, at, SECRET)
        fork = Stage(recorder, room, f"m_{at}", bots[::-1], told)
        fork.seat_all()
        forked = Log(recorder, fork.id, games())
        for viewer in (TRUTH, None, *range(seats)):
            before, after = log.fold(viewer, at=at), forked.fold(viewer)
            assert after.table == before.table
            assert matches.to_act(room.game, after) == matches.to_act(room.game, before)
        fork.finish()
        assert validate(recorder, fork.id, games()).kind is Kind.SAME
    assert audit(file_of(export(fork)), games()).ok


def test_a_fork_has_its_own_chance() -> None:
    """From the same place with the same bots other cards come, unless the secret is the same."""
    room = games().rooms["ttmp"]
    log = Log(finished("ttmp", 2).recorder, "m_parent", games())
    at = exports.fork_points(log)[2]

    def rolled(secret: str) -> list[object]:
        told, _ = exports.fork(log, at, secret)
        fork = Stage(MemoryRecorder(), room, "m_fork", ("random", "random"), told)
        fork.seat_all()
        fork.finish()
        events = Log(fork.recorder, "m_fork", games()).events(TRUTH, len(told))
        return [event for event in events if isinstance(event, DiceRolled)]

    assert rolled("aa" * 32) == rolled("aa" * 32) != rolled("bb" * 32)


def test_before_it_starts_a_fork_is_exported_and_shown_to_a_seat_as_to_anybody() -> None:
    recorder = finished("three-magic", 3).recorder
    log = Log(recorder, "m_parent", games())
    told, _ = exports.fork(log, exports.fork_points(log)[2], SECRET)
    Stage(recorder, games().rooms["three-magic"], "m_fork", ("random",) * 3, told)
    fork = Log(recorder, "m_fork", games())
    assert list(lines(fork, None, 1)) == list(lines(fork, None))
    assert picture(fork, 1, None, "en").events == picture(fork, None, None, "en").events
    assert Film(fork, 1).told("en") == Film(fork, None).told("en")
    assert Film(fork, TRUTH).told("en") != Film(fork, None).told("en")
