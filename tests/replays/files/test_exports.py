"""A match as a file, and read back."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from domain.catalogue import Catalogue
from domain.matches import Match
from events import chain
from events.keyring import Keyring
from events.memory import MemoryRecorder
from replays.files.exports import lines
from replays.files.format import ALL, BadFile, Export
from replays.files.format import read as read_lines
from replays.log import TRUTH, Log, private_stream
from tests.replays.staged import AT, SECRET, Stage


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


KEYS: list[Keyring] = []
"""Of the service that exports."""


@pytest.fixture(scope="module", autouse=True)
def keyring(tmp_path_factory: pytest.TempPathFactory) -> Keyring:
    KEYS[:] = [Keyring.open(tmp_path_factory.mktemp("keys") / "keys", AT)]
    return KEYS[0]


def read_back(data: bytes) -> Export:
    return Export(read_lines(io.BytesIO(data), "file"), "file")


@pytest.fixture(scope="module")
def stages(catalogue: Catalogue) -> dict[str, Stage]:
    recorder, room = MemoryRecorder(), catalogue.rooms["three-magic"]
    ended = Stage(recorder, room, "m_ended", ["greedy", "random", "greedy"], laps=1)
    ended.seat_all()
    ended.finish()
    sealed = Stage(recorder, room, "m_sealed", ["greedy"] * 3, laps=1)
    sealed.seat_all()
    sealed.step_until_sealed()
    return {"m_ended": ended, "m_sealed": sealed, "m_open": Stage(recorder, room, "m_open", ["greedy"] * 3)}


def log_of(stages: dict[str, Stage], match_id: str) -> Log:
    return Log(stages[match_id].recorder, match_id, Catalogue())


def export(stages: dict[str, Stage], match_id: str, seat: int | None = None) -> list[bytes]:
    return list(lines(log_of(stages, match_id), KEYS[0], seat))


def read(written: list[bytes]) -> Log:
    found = read_back(b"".join(written))
    return Log(found, found.header.match, Catalogue())


def known(log: Log, viewer: int | None) -> Match[Any]:
    return log.on_top(log.fold(viewer), viewer)


def test_who_reads_the_file_knows_what_its_viewer_knows(stages: dict[str, Stage]) -> None:
    for seat in (None, 0, 1, 2):
        theirs, log = read(export(stages, "m_sealed", seat)), log_of(stages, "m_sealed")
        assert known(theirs, seat) == known(log, seat)


def test_a_running_match_tells_nothing_that_its_viewer_may_not_read(stages: dict[str, Stage]) -> None:
    for seat in (None, 0, 1, 2):
        text = b"".join(export(stages, "m_sealed", seat))
        assert SECRET.encode() not in text
        for line in text.splitlines()[1:]:
            shown = json.loads(line)
            assert shown["stream"] in {"m_sealed", private_stream("m_sealed", seat if seat is not None else -1)}
            assert all(seat in one["readers"] for one in shown.get("secret", {}).values())


def test_a_match_that_is_over_is_exported_whole_whoever_asks(stages: dict[str, Stage]) -> None:
    written = export(stages, "m_ended")
    assert written == export(stages, "m_ended", 2)
    theirs, log = read(written), log_of(stages, "m_ended")
    assert theirs.fold(TRUTH) == log.fold(TRUTH) == stages["m_ended"].state
    assert theirs.secret.hex() == SECRET
    for stream in ("m_ended", *log.store.private_streams("m_ended")):
        assert theirs.store.read(stream) == log.store.read(stream)
        assert theirs.store.head(stream) == log.store.head(stream)
    assert theirs.store.private_streams("m_ended") == log.store.private_streams("m_ended") != ()


def test_the_secret_of_a_running_match_is_not_in_its_file(stages: dict[str, Stage]) -> None:
    with pytest.raises(LookupError, match="secret of m_sealed"):
        _ = read(export(stages, "m_sealed", 0)).secret


def test_the_file_is_read_by_the_pack_that_it_brings(stages: dict[str, Stage], catalogue: Catalogue) -> None:
    found = read_back(b"".join(export(stages, "m_ended")))
    bare = Catalogue()
    bare.rooms["three-magic"].kept.clear()
    found.pack_for(bare)
    assert Log(found, "m_ended", bare).fold(TRUTH) == stages["m_ended"].state


def damaged(written: list[bytes], number: int, **changes: Any) -> bytes:
    """The file with other fields in one line, counted from 1."""
    fields = json.loads(written[number - 1])
    for name, value in changes.items():
        fields[name] = value
    again = [*written[: number - 1], chain.encode_canonical(fields) + b"\n", *written[number:]]
    return b"".join(again)


def test_a_file_in_which_events_are_missing_is_refused(stages: dict[str, Stage]) -> None:
    written = export(stages, "m_sealed")
    for data, says in (
        (damaged(written, 1, version=7), f"ends at version {len(written) - 2} of 7"),
        (damaged(written, 5, version=9), "version 9 of m_sealed follows 3"),
        (damaged(written, 5, stream="m_other"), "version 4 of m_other follows 0"),
        (b"".join(written[:-2]), "ends at version"),
    ):
        with pytest.raises(BadFile, match=says) as caught:
            read_back(data)
        assert "\n" not in str(caught.value)


def test_a_pack_that_is_not_the_one_its_hash_names_is_refused(stages: dict[str, Stage]) -> None:
    written = export(stages, "m_open")
    pack = json.loads(written[0])["pack"]
    other = read_back(damaged(written, 1, pack={**pack, "text": pack["text"] + "\n"}))
    with pytest.raises(BadFile, match="not the one that its hash names"):
        other.pack_for(Catalogue())


def test_a_file_is_not_looked_at_from_a_seat_that_it_knows_nothing_of(stages: dict[str, Stage]) -> None:
    mine, public, whole = (
        read_back(b"".join(export(stages, name, seat)))
        for name, seat in (("m_sealed", 1), ("m_sealed", None), ("m_ended", None))
    )
    for found, seat in ((mine, 1), (mine, None), (public, None), (whole, 0), (whole, 2)):
        found.check_viewer(seat)
    for found, says in ((mine, "what seat 1 may see"), (public, "what anybody may see")):
        with pytest.raises(BadFile, match=says):
            found.check_viewer(0)
    assert whole.header.viewer == ALL


def test_what_is_read_back_is_written_the_same_again(stages: dict[str, Stage]) -> None:
    written = export(stages, "m_ended")
    found = read_back(b"".join(written))
    again = list(lines(Log(found, "m_ended", Catalogue()), KEYS[0]))
    assert again == written
