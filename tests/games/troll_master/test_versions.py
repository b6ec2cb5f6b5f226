"""What became of matches that were played by version 1 of the rules: they are read, and not played on."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from events.store import Write
from replays.checking.rules import Difference, Kind, validate
from replays.log import TRUTH, Log, OtherRules
from tests import museum

LOGS = sorted(Path(__file__).with_name("museum").glob("v1-*.jsonl"))
DIFFERING = {
    "v1-tm-47-eager": Difference(
        597, "", "a MoveMade that no move brought about"
    ),  # the engine was done for a seat that may pay now
}
"""Where the rules at hand tell another match than version 1 did; all others come again."""


def stored(path: Path) -> tuple[MemoryRecorder, str, Catalogue]:
    """The match in a store, with the pack that it was played with at hand."""
    recorder, catalogue = MemoryRecorder(), Catalogue()
    streams = museum.streams_of(path)
    catalogue.rooms["troll-master"].keep_pack("museum.toml", museum.label_of(path).pack.encode())
    match_id = next(iter(streams))
    recorder.append(match_id, [Write(stream, 0, tuple(events)) for stream, events in streams.items()])
    return recorder, match_id, catalogue


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_a_match_of_version_1_comes_again_but_for_what_the_rules_have_changed(path: Path) -> None:
    verdict = validate(*stored(path))
    assert (verdict.rules, verdict.at_hand) == (1, 2)
    assert not verdict.is_fault
    assert verdict.first == DIFFERING.get(path.stem)
    assert verdict.kind is (Kind.DIFFERING if path.stem in DIFFERING else Kind.SAME)


@pytest.mark.parametrize("path", LOGS, ids=[path.stem for path in LOGS])
def test_a_match_of_version_1_is_read_to_its_end_and_not_played_on(path: Path) -> None:
    log = Log(*stored(path))
    assert log.fold(TRUTH).is_over
    with pytest.raises(OtherRules):
        log.need_own_rules()
