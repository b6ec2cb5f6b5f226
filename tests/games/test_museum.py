"""Logs of every release fold for ever, prove themselves, and come again under the rules of their version or at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from replays.checking.rules import Difference, Kind, validate
from replays.film import Film, reel, viewers
from replays.log import TRUTH, OtherRules
from tests import museum
from tests.laws.log import check_chain
from tests.laws.rooms import SLUGS, room_of

LOGS = sorted(museum.GAMES.glob("*/museum/*.jsonl"))
FIRSTS = {(path.parts[-3], path.stem.partition("-")[0]): path for path in reversed(LOGS)}
"""The first log of each version of a room."""
every_room = pytest.mark.parametrize("slug", SLUGS)


def logs_of(slug: str) -> list[Path]:
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
        reached = (label.standing.points, label.standing.ranking)
        if truth.conceded is not None:
            # the points are the table's, and who has given up is last
            reached = (label.standing.points, tuple(1 + (seat == truth.conceded) for seat in range(2)))
        assert (truth.points, truth.ranking) == reached, path
        assert label.standing.over is (truth.conceded is None), path
        seen = {name: museum.view_digest(label, log, museum.viewer_of(name)) for name in label.views}
        assert seen == label.views, f"{path}: python -m tests.museum --digest, if a view was meant to change"


@pytest.mark.parametrize("path", [
    pytest.param(path, marks=() if path in FIRSTS.values() else pytest.mark.soak, id=f"{path.parts[-3]}-{path.stem}")
    for path in LOGS
])  # fmt: skip
def test_an_old_log_can_be_looked_at_after_every_event(path: Path) -> None:
    recorder, catalogue = MemoryRecorder(), Catalogue((domain.games, tests.toy))
    log = museum.kept(path, recorder, catalogue)
    for viewer in viewers(log)[::2]:
        told = reel(Film(log, viewer), "en")
        assert len(told.frames) == log.store.head(log.id).version
        assert all(scene.line for scene in told.scenes)


@every_room
def test_an_old_log_comes_again_under_the_rules_of_its_version_or_where_they_are_not_kept_the_newest(slug: str) -> None:
    for path in logs_of(slug):
        recorder, catalogue = MemoryRecorder(), Catalogue((domain.games, tests.toy))
        verdict = validate(recorder, museum.kept(path, recorder, catalogue).id, catalogue)
        game, version = room_of(slug).game, museum.label_of(path).version
        assert not verdict.is_fault, f"{path}: {verdict}"
        at_hand = version if version in game.versions else game.version
        assert (verdict.rules, verdict.at_hand) == (version, at_hand), path
        assert verdict.rules != verdict.at_hand or verdict.kind is Kind.SAME, f"{path}: {verdict}"


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
        for events in streams.values():
            check_chain(events, secret)


def logs_of_version_1(room: str) -> list[Path]:
    found = sorted((museum.GAMES / room / "museum").glob("v1-*.jsonl"))
    assert found
    return found


@pytest.mark.parametrize("room", ["magicative", "terraformers", "troll_master"])
def test_a_match_of_version_1_differs_where_the_rules_have_changed(room: str) -> None:
    for path in logs_of_version_1(room):
        recorder, catalogue = MemoryRecorder(), Catalogue((domain.games,))
        verdict = validate(recorder, museum.kept(path, recorder, catalogue).id, catalogue)
        types = [event.type.partition("/")[2] for event in next(iter(museum.streams_of(path).values()))]
        first = verdict.first
        assert verdict.kind is (Kind.DIFFERING if first else Kind.SAME)
        match room:
            case "magicative":  # MG-9: it took a formula's chips before the draw
                assert first
                assert first.reason in ("chips is 1, and 0 by the rules", "chips is 3, and 0 by the rules"), path
                assert first.version == types.index("FormulaFixed") + 1
            case "terraformers":  # TF-18: carnival without tips gave nothing, or was another's
                assert first
                assert types[first.version - 1] in {"TipsReturned", "CarnivalScored"}, path
            case _:  # TM-47: the engine was done for a seat that may pay now
                expected = (
                    Difference(597, "", "a MoveMade that no move brought about") if "tm-47" in path.stem else None
                )
                assert first == expected, path


def test_a_match_of_version_1_is_read_to_its_end_and_not_played_on() -> None:
    for path in logs_of_version_1("troll_master"):
        log = museum.kept(path, MemoryRecorder(), Catalogue((domain.games,)))
        assert log.fold(TRUTH).is_over
        with pytest.raises(OtherRules):
            log.need_own_rules()


def test_mg_19_a_match_of_version_1_that_took_chips_and_could_not_draw_then_is_kept() -> None:
    (path,) = (path for path in logs_of_version_1("magicative") if path.stem == "v1-29-random")
    types = [event.type.partition("/")[2] for event in museum.streams_of(path)["m1"]]
    assert types.count("DeckReshuffled") > 1, "the deck was rebuilt as often as there were discards"
    *_, fixed = (at for at, name in enumerate(types) if name == "FormulaFixed")
    assert "TurnStarted" not in types[fixed:]
    assert types[-2:] == ["MatchDrawn", "Finished"]
