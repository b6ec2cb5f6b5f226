"""A pack is looked at, when it is offered, by the eyes that audit the exports of its matches."""

from __future__ import annotations

from pathlib import Path

import pytest

import domain.games
from domain.catalogue import Catalogue
from domain.game import PackError
from events.memory import MemoryRecorder
from replays.checking.audit import audit
from replays.files import exports
from replays.files.packs import MOST, Packs
from replays.log import Log
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.exported import file_of, keyring
from tests.replays.staged import Stage

SLUG = "ttmp"
HOUSE = Catalogue((domain.games,)).rooms[SLUG].packs["house"].data
SPELLED = {
    "decomposed": "カ\u3099イト\u3099",
    "an ohm": "\u2126",
    "a letter of Unicode 16": "\U000105d2\u0307",
    "no character": "\ufdd0 \U0010ffff",
    "a mark of byte order within": "\ufeff",
    "lines of their own": "a\u2028b\u0085c",
}


def offered(folder: Path, data: bytes, name: str = "odd") -> tuple[Catalogue, list[PackError]]:
    """The games with that pack beside the house's, and what is wrong with it."""
    (folder / SLUG).mkdir(parents=True, exist_ok=True)
    (folder / SLUG / f"{name}.toml").write_bytes(data)
    catalogue = Catalogue((domain.games,))
    return catalogue, Packs(catalogue, folder).refresh()


@needs_node
def test_matches_with_packs_in_any_spelling_hold_for_both_verifiers(tmp_path: Path) -> None:
    files = []
    for name, spelled in SPELLED.items():
        catalogue, wrong = offered(tmp_path / name, HOUSE + f"# {spelled}\n".encode())
        assert wrong == []
        room, recorder = catalogue.rooms[SLUG], MemoryRecorder()
        room.offer_only({"odd"})
        staged = Stage(recorder, room, "m_1", ["random", "random"])
        staged.seat_all()
        staged.finish()
        exported = b"".join(exports.lines(Log(recorder, "m_1", catalogue), keyring()))
        assert spelled.encode() in exported
        report = audit(file_of(exported), Catalogue())
        assert (report.ok, report.failures) == (True, ()), name
        files.append(exported)
    assert [named(verdict) for verdict in verdicts(tmp_path, files)] == [[]] * len(SPELLED)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (HOUSE + b"# \xff\n", "text: it is not UTF-8"),
        (HOUSE + b"# \xed\xa0\x80\n", "text: it is not UTF-8"),
        (b"\xef\xbb\xbf" + HOUSE, "text: it begins with a byte order mark: save it without one"),
        (HOUSE + b"#" * MOST, f"text: it is longer than {MOST} bytes"),
        (HOUSE + b"# " + b"\\" * (MOST // 2), f"text: it is longer than {MOST} bytes"),
    ],
    ids=["latin", "half a character", "marked", "long", "long when it is written"],
)
def test_a_pack_whose_matches_could_not_be_audited_is_refused_when_it_is_offered(
    tmp_path: Path, data: bytes, says: str
) -> None:
    catalogue, (wrong,) = offered(tmp_path / "packs", data)
    assert str(wrong).startswith(f"packs/{SLUG}/odd.toml: {says}")
    assert "odd" not in catalogue.rooms[SLUG].packs


def test_a_name_that_could_not_be_written_is_refused_and_the_others_are_offered(tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    offered(folder, HOUSE + b"# mine\n", "mine")
    catalogue, (wrong,) = offered(folder, HOUSE + b"# odd\n", "o\udcffd")
    assert "name: it is not UTF-8" in str(wrong)
    assert str(wrong).isascii()
    assert set(catalogue.rooms[SLUG].packs) == {"house", "mine"}
    # one as long as may be
    data = HOUSE + b"#" * (MOST - len(HOUSE) - HOUSE.count(b"\n") - 2 * HOUSE.count(b'"') - 100)
    assert offered(tmp_path / "others", data)[1] == []
