"""Logs of every release fold for ever, and prove themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from events import chain
from events.memory import MemoryRecorder
from replays.checking.rules import Kind, validate
from replays.film import Film, reel, viewers
from tests import museum
from tests.laws.rooms import SLUGS, room_of

LOGS = sorted(museum.GAMES.glob("*/museum/*.jsonl"))
FIRSTS = {(path.parts[-3], path.stem.partition("-")[0]): path for path in reversed(LOGS)}
"""The first log of each version of a room."""
every_log = pytest.mark.parametrize("path", LOGS, ids=[f"{path.parts[-3]}-{path.stem}" for path in LOGS])


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_has_logs_in_the_museum(slug: str) -> None:
    mine = [path for path in LOGS if path.parts[-3] == slug.replace("-", "_")]
    version = room_of(slug).game.version
    assert {museum.label_of(path).version for path in mine} >= set(range(1, version + 1))


@every_log
def test_an_old_log_folds_to_what_it_always_folded_to(path: Path) -> None:
    label, streams = museum.label_of(path), museum.streams_of(path)
    log = next(iter(streams.values()))
    truth = museum.fold(label, log, None, is_open=True)
    assert truth.is_over
    assert room_of(label.game).game.standing(truth.table) == label.standing
    assert (truth.points, truth.ranking) == (label.standing.points, label.standing.ranking)


@every_log
def test_every_viewers_last_view_of_an_old_log_is_what_it_was(path: Path) -> None:
    label = museum.label_of(path)
    log = next(iter(museum.streams_of(path).values()))
    seen = {name: museum.view_digest(label, log, museum.viewer_of(name)) for name in label.views}
    assert seen == label.views, "python -m tests.museum --digest, if a view has changed and was meant to"


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path in FIRSTS.values() else pytest.mark.soak) for path in LOGS],
    ids=lambda path: f"{path.parts[-3]}-{path.stem}",
)
def test_an_old_log_can_be_looked_at_after_every_event(path: Path) -> None:
    recorder, catalogue = MemoryRecorder(), Catalogue((domain.games, tests.toy))
    log = museum.kept(path, recorder, catalogue)
    for viewer in viewers(log):
        told = reel(Film(log, viewer), "en")
        assert len(told.frames) == log.store.head(log.id).version
        assert all(scene.line for scene in told.scenes)


@every_log
def test_an_old_log_comes_again_under_the_rules_of_its_version(path: Path) -> None:
    recorder, catalogue = MemoryRecorder(), Catalogue((domain.games, tests.toy))
    verdict = validate(recorder, museum.kept(path, recorder, catalogue).id, catalogue)
    assert not verdict.is_fault, verdict
    if verdict.rules == verdict.at_hand:
        assert verdict.kind in {Kind.SAME, Kind.UPCAST}


@every_log
def test_the_clock_plays_in_an_old_match_what_it_always_played(path: Path) -> None:
    """An audit refuses a move of the clock that is not the default: a bot that learns must not change it."""
    label = museum.label_of(path)
    if room_of(label.game).game.by(label.version) is None or not label.defaults:
        return
    log = next(iter(museum.streams_of(path).values()))
    assert museum.defaults_digest(label, log) == label.defaults, "this version's default moves are promised"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_earlier_version_that_is_played_has_its_defaults_noted(slug: str) -> None:
    game = room_of(slug).game
    noted = {label.version for label in map(museum.label_of, LOGS) if label.game == slug and label.defaults}
    assert {version for version, _ in game.earlier} <= noted
    assert not game.earlier or game.version in noted


@every_log
def test_an_old_logs_chain_and_commits_hold(path: Path) -> None:
    label, streams = museum.label_of(path), museum.streams_of(path)
    log = next(iter(streams.values()))
    secret = bytes.fromhex(museum.fold(label, log, None, is_open=True).secret or "")
    assert log[-1].hash.hex() == label.head
    for stream, events in streams.items():
        previous = chain.GENESIS
        for version, event in enumerate(events, 1):
            assert (event.stream, event.version) == (stream, version)
            assert chain.link(previous, event) == event.hash
            previous = event.hash
            for part in (event.public, event.secret, event.commits):
                chain.decode_canonical(part)
            shown = chain.show(event, None, secret, is_open=True)
            assert shown.secret.keys() == shown.commits.keys()
            for at, opening in shown.secret.items():
                opened = chain.commit_to(bytes(opening.value), bytes.fromhex(opening.salt)).hex()
                assert opened == shown.commits[at].commit
