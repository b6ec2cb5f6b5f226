"""Exports that were written once: they audit for ever, by both verifiers, and are read by every command.

A file is never rewritten; of a later format there are others beside it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from replays.checking.audit import audit
from replays.checking.rules import Kind, validate
from replays.files.format import Export, read_file
from replays.log import Log
from replays.printing import picture
from tests.replays.checking.second import needs_node, run
from tests.replays.exported import games

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
