"""Logs of every release fold for ever, and prove themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from events import chain
from events.chain import Stored
from events.memory import MemoryRecorder
from replays.checking.rules import Kind, validate
from replays.film import Film, reel, viewers
from tests import museum
from tests.laws.rooms import SLUGS, room_of

LOGS = sorted(museum.GAMES.glob("*/museum/*.jsonl"))
FIRSTS = {(path.parts[-3], path.stem.partition("-")[0]): path for path in reversed(LOGS)}
"""The first log of each version of a room."""
every_room = pytest.mark.parametrize("slug", SLUGS)


def logs_of(slug: str) -> list[Path]:
    """The room's logs in the museum."""
    return [path for path in LOGS if path.parts[-3] == slug.replace("-", "_")]


@every_room
def test_every_version_has_logs_in_the_museum_and_its_defaults_noted_if_it_is_played(slug: str) -> None:
    game, labels = room_of(slug).game, [museum.label_of(path) for path in logs_of(slug)]
    assert {label.version for label in labels} >= set(range(1, game.version + 1))
    noted = {label.version for label in labels if label.defaults}
    assert not game.earlier or noted >= set(game.versions)


@every_room
def test_an_old_log_folds_to_what_it_always_folded_to(slug: str) -> None:
    for path in logs_of(slug):
        label = museum.label_of(path)
        log = next(iter(museum.streams_of(path).values()))
        truth = museum.fold(label, log, None, is_open=True)
        assert truth.is_over, path
        assert room_of(label.game).game.standing(truth.table) == label.standing, path
        assert (truth.points, truth.ranking) == (label.standing.points, label.standing.ranking), path
        seen = {name: museum.view_digest(label, log, museum.viewer_of(name)) for name in label.views}
        assert seen == label.views, f"{path}: python -m tests.museum --digest, if a view was meant to change"


@pytest.mark.parametrize("path", [
    pytest.param(path, marks=() if path in FIRSTS.values() else pytest.mark.soak, id=f"{path.parts[-3]}-{path.stem}")
    for path in LOGS
])  # fmt: skip
def test_an_old_log_can_be_looked_at_after_every_event(path: Path) -> None:
    recorder, catalogue = MemoryRecorder(), Catalogue((domain.games, tests.toy))
    log = museum.kept(path, recorder, catalogue)
    for viewer in viewers(log):
        told = reel(Film(log, viewer), "en")
        assert len(told.frames) == log.store.head(log.id).version
        assert all(scene.line for scene in told.scenes)


@every_room
def test_an_old_log_comes_again_under_the_rules_of_its_version(slug: str) -> None:
    for path in logs_of(slug):
        recorder, catalogue = MemoryRecorder(), Catalogue((domain.games, tests.toy))
        verdict = validate(recorder, museum.kept(path, recorder, catalogue).id, catalogue)
        assert not verdict.is_fault, f"{path}: {verdict}"
        assert verdict.rules != verdict.at_hand or verdict.kind in {Kind.SAME, Kind.UPCAST}, f"{path}: {verdict}"


@every_room
def test_the_clock_plays_in_an_old_match_what_it_always_played(slug: str) -> None:
    """An audit refuses a move of the clock that is not the default: a bot that learns must not change it."""
    for path in logs_of(slug):
        label = museum.label_of(path)
        if room_of(label.game).game.by(label.version) is not None and label.defaults:
            log = next(iter(museum.streams_of(path).values()))
            assert museum.defaults_digest(label, log) == label.defaults, f"{path}: its default moves are promised"


@every_room
def test_an_old_logs_chain_and_commits_hold(slug: str) -> None:
    for path in logs_of(slug):
        label, streams = museum.label_of(path), museum.streams_of(path)
        log = next(iter(streams.values()))
        secret = bytes.fromhex(museum.fold(label, log, None, is_open=True).secret or "")
        assert log[-1].hash.hex() == label.head, path
        for stream, events in streams.items():
            check_chain(stream, events, secret)


def check_chain(stream: str, events: Sequence[Stored], secret: bytes) -> None:
    """Each hash covers the event before it, and each commit opens to what it hides."""
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
