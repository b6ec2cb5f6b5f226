"""The two verifiers, held against each other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from replays.checking.audit import Report
from replays.checking.proof import BY_RULES
from tests.replays.checking.second import named, verdicts
from tests.replays.exported import audited

Named = set[tuple[str, str, int]]
"""Clause, stream and version of each failure."""


def ours(report: Report) -> Named:
    """What the other one can name too: it has no rules."""
    return {(one.clause, one.stream, one.version) for one in report.failures if one.check not in BY_RULES}


def agree(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    files = list(files)
    theirs = verdicts(folder, [data for _, data in files])
    assert len(theirs) == len(files) > 0
    for (what, data), verdict in zip(files, theirs, strict=True):
        report = audited(data)
        assert ours(report) == set(named(verdict)), (what, report.failures, verdict["failures"])
        if report.ok:
            assert (report.chance, list(report.keys)) == (verdict["chance"], verdict["keys"])
            assert list(report.begun_anew) == verdict["begun_anew"]
            assert (report.last_nonce, list(report.taken_again)) == (verdict["last_nonce"], verdict["taken_again"])
            assert (report.match_id, report.events, report.viewer, report.status) == tuple(
                verdict[name] for name in ("match_id", "events", "viewer", "status")
            )
