"""What became of matches of version 1 of the rules, in which carnival without tips gave nothing. Rule TF-18."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from events.store import Write
from replays.checking.rules import Kind, Verdict, validate
from tests import museum

LOGS = sorted((Path(__file__).parent / "museum").glob("*.jsonl"))


def verdict_on(path: Path) -> Verdict:
    """What becomes of the match in the museum under the rules at hand."""
    recorder, catalogue = MemoryRecorder(), Catalogue()
    streams = museum.streams_of(path)
    match_id = next(iter(streams))
    catalogue.rooms["terraformers"].keep_pack("museum.toml", museum.label_of(path).pack.encode())
    recorder.append(match_id, [Write(stream, 0, tuple(events)) for stream, events in streams.items()])
    return validate(recorder, match_id, catalogue)


@pytest.mark.parametrize("path", [path for path in LOGS if path.stem.startswith("v1-")], ids=lambda path: path.stem)
def test_tf_18_a_match_of_version_1_comes_out_otherwise_and_is_at_no_fault(path: Path) -> None:
    verdict = verdict_on(path)
    assert (verdict.rules, verdict.at_hand, verdict.kind) == (1, 3, Kind.DIFFERING)
    assert not verdict.is_fault
    first = verdict.first
    assert first
    (log,) = museum.streams_of(path).values()
    # where the rules at hand tell of carnival, version 1 told that the tips go to the stock, or of another's carnival
    assert log[first.version - 1].type.split("/")[1] in {"TipsReturned", "CarnivalScored"}


@pytest.mark.parametrize("path", [path for path in LOGS if path.stem.startswith("v2-")], ids=lambda path: path.stem)
def test_tf_18_a_match_of_version_2_comes_again(path: Path) -> None:
    verdict = verdict_on(path)
    assert (verdict.rules, verdict.at_hand, verdict.kind) == (2, 2, Kind.SAME)
