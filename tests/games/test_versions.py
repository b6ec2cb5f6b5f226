"""What becomes of the museum's matches of earlier versions under the rules at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import domain.games
from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from replays.checking.rules import Difference, Kind, validate
from replays.log import TRUTH, OtherRules
from tests import museum

AT_HAND = {"magicative": 3, "terraformers": 3, "troll_master": 2}
"""The version by which a match is played again whose own version is not kept, by room."""
KEPT = {"magicative": 2, "terraformers": 2}
"""The earliest version that is played by its own rules, by room; the newest where none is named."""


def logs(room: str, version: int) -> list[Path]:
    """The room's logs of a version."""
    found = sorted((museum.GAMES / room / "museum").glob(f"v{version}-*.jsonl"))
    assert found
    return found


@pytest.mark.parametrize("room", KEPT)
def test_a_match_of_a_version_that_is_kept_comes_again(room: str) -> None:
    for path in logs(room, KEPT[room]):
        recorder, catalogue = MemoryRecorder(), Catalogue((domain.games,))
        verdict = validate(recorder, museum.kept(path, recorder, catalogue).id, catalogue)
        assert (verdict.rules, verdict.at_hand, verdict.kind) == (KEPT[room], KEPT[room], Kind.SAME), path


@pytest.mark.parametrize("room", AT_HAND)
def test_a_match_of_version_1_differs_where_the_rules_have_changed_and_is_at_no_fault(room: str) -> None:
    for path in logs(room, 1):
        recorder, catalogue = MemoryRecorder(), Catalogue((domain.games,))
        verdict = validate(recorder, museum.kept(path, recorder, catalogue).id, catalogue)
        assert (verdict.rules, verdict.at_hand, verdict.is_fault) == (1, AT_HAND[room], False), path
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
    for path in logs("troll_master", 1):
        log = museum.kept(path, MemoryRecorder(), Catalogue((domain.games,)))
        assert log.fold(TRUTH).is_over
        with pytest.raises(OtherRules):
            log.need_own_rules()


def test_mg_19_a_match_of_version_1_that_took_chips_and_could_not_draw_then_is_kept() -> None:
    (path,) = (path for path in logs("magicative", 1) if path.stem == "v1-29-random")
    types = [event.type.partition("/")[2] for event in museum.streams_of(path)["m1"]]
    assert types.count("DeckReshuffled") > 1, "the deck was rebuilt as often as there were discards"
    *_, fixed = (at for at, name in enumerate(types) if name == "FormulaFixed")
    assert "TurnStarted" not in types[fixed:]
    assert types[-2:] == ["MatchDrawn", "Finished"]
