"""Imports matches from files into a store: completely, once, and by default only those that pass the audit."""

from __future__ import annotations

from domain.catalogue import Catalogue, PackFile
from events.store import Recorder, Write
from replays.checking.audit import audit
from replays.checking.audit.report import Report
from replays.files.format import ALL, Export, File, proof_of
from replays.files.packs import Packs


class AlreadyHere(ValueError):
    """The store has a match with that id, which is not overwritten."""


class NotWhole(ValueError):
    """The file holds only what a seat may see of a running match, which is not enough to store it."""


class NotProven(ValueError):
    """The file does not pass the audit."""

    def __init__(self, report: Report) -> None:
        if not report.failures:
            super().__init__(report.why_not)
            return
        first = report.failures[0]
        super().__init__(f"version {first.version} of {first.stream}, {first.check} ({first.clause}): {first.reason}")
        self.report = report


def import_file(file: File, recorder: Recorder, packs: Packs, *, is_trusted: bool = False) -> int:
    """Store the match of the file with its id and all that its export needs. Returns the number of its events.

    Shape:   `is_trusted`: store it even if it does not pass the audit.
    Raises:  AlreadyHere, NotWhole, NotProven, BadFile, StoreError.
    """
    header = file.header
    if header.viewer != ALL:
        raise NotWhole(f"{header.match} is not over: the file holds only what its reader may see.")
    export = Export(file, header.match)
    own = [header.match, *export.private_streams(header.match)]
    if any(recorder.head(stream).version for stream in own):
        raise AlreadyHere(f"{header.match} is in the store already.")
    if not is_trusted:
        report = audit(file, Catalogue())
        if not report.ok or report.not_checked:
            raise NotProven(report)
    data = header.pack.text.encode()
    packs.keep(header.game, PackFile(name=header.pack.name, data=data, hash=header.pack.hash, pack=None))
    writes = [Write(stream, 0, export.read(stream)) for stream in own]
    recorder.append(header.match, writes, decisions=(), proof=proof_of(file))
    return sum(len(write.events) for write in writes)
