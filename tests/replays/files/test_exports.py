"""A match as a file, and read back; and packs, looked at as such files are audited when they are offered."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import domain.games
from domain.catalogue import Catalogue
from domain.game import PackError
from events import chain
from events.memory import MemoryRecorder
from replays.checking.audit import audit
from replays.checking.rules import Kind, validate
from replays.files import exports
from replays.files.exports import lines
from replays.files.format import ALL, BadFile, Export, read_file
from replays.files.packs import MOST, Packs
from replays.log import TRUTH, Log, private_stream
from replays.printing import picture
from tests.replays.checking.second import named, needs_node, run, verdicts
from tests.replays.exported import file_of, games, keyring, opened
from tests.replays.staged import SECRET, Stage


@cache
def stages() -> dict[str, Stage]:
    recorder, room = MemoryRecorder(), Catalogue().rooms["three-magic"]
    ended = Stage(recorder, room, "m_ended", ["greedy", "random", "greedy"], laps=1)
    ended.seat_all()
    ended.finish()
    sealed = Stage(recorder, room, "m_sealed", ["greedy"] * 3, laps=1)
    sealed.seat_all()
    sealed.step_until_sealed()
    return {"m_ended": ended, "m_sealed": sealed, "m_open": Stage(recorder, room, "m_open", ["greedy"] * 3)}


def log_of(match_id: str) -> Log:
    return Log(stages()[match_id].recorder, match_id, Catalogue())


def export(match_id: str, seat: int | None = None) -> list[bytes]:
    return list(lines(log_of(match_id), keyring(), seat))


def read(written: list[bytes]) -> Log:
    found = opened(b"".join(written))
    return Log(found, found.header.match, Catalogue())


def test_a_running_match_tells_its_viewer_what_they_may_know_and_no_more() -> None:
    for seat in (None, 0, 1, 2):
        written = export("m_sealed", seat)
        theirs, log = read(written), log_of("m_sealed")
        assert theirs.on_top(theirs.fold(seat), seat) == log.on_top(log.fold(seat), seat)
        assert SECRET.encode() not in b"".join(written)
        for line in written[1:]:
            shown = json.loads(line)
            assert shown["stream"] in {"m_sealed", private_stream("m_sealed", seat if seat is not None else -1)}
            assert all(seat in one["readers"] for one in shown.get("secret", {}).values())
        with pytest.raises(LookupError, match="secret of m_sealed"):
            _ = theirs.secret


def test_a_match_that_is_over_is_exported_whole_whoever_asks_and_written_the_same_again() -> None:
    written = export("m_ended")
    assert written == export("m_ended", 2)
    theirs, log = read(written), log_of("m_ended")
    assert theirs.fold(TRUTH) == log.fold(TRUTH) == stages()["m_ended"].state
    assert theirs.secret.hex() == SECRET
    for stream in ("m_ended", *log.store.private_streams("m_ended")):
        assert theirs.store.read(stream) == log.store.read(stream)
        assert theirs.store.head(stream) == log.store.head(stream)
    assert theirs.store.private_streams("m_ended") == log.store.private_streams("m_ended") != ()
    assert list(lines(theirs, keyring())) == written


def test_the_file_is_read_by_the_pack_that_it_brings_if_its_hash_names_it() -> None:
    written = export("m_ended")
    found, bare = opened(b"".join(written)), Catalogue()
    bare.rooms["three-magic"].kept.clear()
    found.pack_for(bare)
    assert Log(found, "m_ended", bare).fold(TRUTH) == stages()["m_ended"].state
    pack = json.loads(written[0])["pack"]
    other = opened(damaged(written, 1, pack={**pack, "text": pack["text"] + "\n"}))
    with pytest.raises(BadFile, match="not the one that its hash names"):
        other.pack_for(Catalogue())


def damaged(written: list[bytes], number: int, **changes: Any) -> bytes:
    """The file with other fields in one line, counted from 1."""
    fields = json.loads(written[number - 1])
    for name, value in changes.items():
        fields[name] = value
    again = [*written[: number - 1], chain.encode_canonical(fields) + b"\n", *written[number:]]
    return b"".join(again)


def test_a_file_in_which_events_are_missing_is_refused() -> None:
    written = export("m_sealed")
    for data, says in (
        (damaged(written, 1, version=7), f"ends at version {len(written) - 2} of 7"),
        (damaged(written, 5, version=9), "version 9 of m_sealed follows 3"),
        (damaged(written, 5, stream="m_other"), "version 4 of m_other follows 0"),
        (b"".join(written[:-2]), "ends at version"),
    ):
        with pytest.raises(BadFile, match=says) as caught:
            opened(data)
        assert "\n" not in str(caught.value)


def test_a_file_is_not_looked_at_from_a_seat_that_it_knows_nothing_of() -> None:
    mine, public, whole = (
        opened(b"".join(export(name, seat))) for name, seat in (("m_sealed", 1), ("m_sealed", None), ("m_ended", None))
    )
    for found, seat in ((mine, 1), (mine, None), (public, None), (whole, 0), (whole, 2)):
        found.check_viewer(seat)
    for found, says in ((mine, "what seat 1 may see"), (public, "what anybody may see")):
        with pytest.raises(BadFile, match=says):
            found.check_viewer(0)
    assert whole.header.viewer == ALL


FILES = sorted((Path(__file__).parent / "museum").glob("*.jsonl"))


def test_there_are_files_of_every_kind() -> None:
    kinds = {path.stem.partition("-")[2] for path in FILES}
    assert kinds >= {"finished", "aborted", "playing-nobody", "playing-seat-0", "fork-of-a-fork", "running-fork-seat-1"}


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_an_old_export_holds_is_shown_and_if_it_is_over_comes_again(path: Path) -> None:
    export = Export(read_file(path), path.name)
    report = audit(export.file, games())
    assert (report.ok, report.failures) == (True, ())
    log = Log(export, export.header.match, games())
    seat = export.header.viewer if isinstance(export.header.viewer, int) else None
    assert picture(log, seat, None, "en").text
    if export.header.viewer == "all":
        assert validate(export, log.id, games()).kind is Kind.SAME


@needs_node
def test_old_exports_hold_for_the_second_verifier() -> None:
    done = run("--json", *FILES)
    assert (done.returncode, done.stderr) == (0, "")


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
