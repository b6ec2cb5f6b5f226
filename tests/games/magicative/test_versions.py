"""What becomes of matches of version 1, which took a formula's chips before the draw. Rules MG-9, MG-19."""

from __future__ import annotations

from pathlib import Path

import pytest

import domain.games
from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from events.store import Write
from replays.checking.rules import Kind, Verdict, validate
from tests import museum

MUSEUM = Path(__file__).with_name("museum")


def verdict_of(path: Path) -> Verdict:
    """What becomes of a match of the museum under the rules at hand."""
    catalogue, recorder, streams = Catalogue((domain.games,)), MemoryRecorder(), museum.streams_of(path)
    catalogue.rooms["magicative"].keep_pack("museum.toml", museum.label_of(path).pack.encode())
    match_id = next(iter(streams))
    recorder.append(match_id, [Write(stream, 0, tuple(events)) for stream, events in streams.items()])
    return validate(recorder, match_id, catalogue)


@pytest.mark.parametrize("path", sorted(MUSEUM.glob("v1-*.jsonl")), ids=lambda path: path.stem)
def test_mg_9_a_match_of_version_1_differs_from_its_first_formula_on(path: Path) -> None:
    verdict = verdict_of(path)
    assert (verdict.rules, verdict.at_hand, verdict.kind) == (1, 3, Kind.DIFFERING)
    assert verdict.first is not None
    assert verdict.first.reason in ("chips is 1, and 0 by the rules", "chips is 3, and 0 by the rules")
    log = museum.streams_of(path)["m1"]
    first = next(event.version for event in log if event.type == "magicative/FormulaFixed")
    assert verdict.first.version == first


@pytest.mark.parametrize("path", sorted(MUSEUM.glob("v2-*.jsonl")), ids=lambda path: path.stem)
def test_mg_9_a_match_of_version_2_comes_again(path: Path) -> None:
    verdict = verdict_of(path)
    assert (verdict.rules, verdict.at_hand, verdict.kind) == (2, 2, Kind.SAME)


def test_mg_19_a_match_of_version_1_that_took_chips_and_could_not_draw_then_is_kept() -> None:
    path = MUSEUM / "v1-29-random.jsonl"
    types = [event.type.partition("/")[2] for event in museum.streams_of(path)["m1"]]
    assert types.count("DeckReshuffled") > 1, "the deck was rebuilt as often as there were discards"
    *_, fixed = (at for at, name in enumerate(types) if name == "FormulaFixed")
    assert "TurnStarted" not in types[fixed:]
    assert types[-2:] == ["MatchDrawn", "Finished"]
