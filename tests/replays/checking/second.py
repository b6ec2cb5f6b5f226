"""The second verifier, replays/verify.mjs, under Node; exports for it, and what somebody does who tampers with them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from replays.checking.audit import Report
from replays.checking.proof import BY_RULES
from tests.replays.checking.by_hand import Line, Table, fork, play, rehash, resign
from tests.replays.exported import audited
from tests.service.run.uprun import ran

VERIFY = Path(__file__).resolve().parents[3] / "replays" / "verify.mjs"

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

Change = Callable[[list[Line]], object]
Named = tuple[str, str, int]
"""Clause, stream and version."""


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return ran("node", VERIFY, *arguments)


def verdicts(folder: Path, files: Iterable[bytes], *options: str | Path) -> list[dict[str, Any]]:
    """What the verifier says of each, all in one process."""
    paths = []
    for number, content in enumerate(files):
        paths.append(folder / f"{number}.jsonl")
        paths[-1].write_bytes(content)
    result = run("--json", *options, *paths)
    assert not result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def named(verdict: dict[str, Any]) -> list[Named]:
    return [(one["clause"], one["stream"], one["version"]) for one in verdict["failures"]]


def ours(report: Report) -> set[Named]:
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


def finished() -> list[Line]:
    return play().export("all", "finished")


def running(viewer: int | None) -> list[Line]:
    return play(is_over=False).export(viewer, "playing")


def forked(secret_of: str = "") -> list[Line]:
    return fork(play(), 7, secret_of=secret_of).export("all", "finished")


def forked_twice(secret_of: str = "") -> list[Line]:
    return fork(fork(play(), 7), 6, "g", secret_of).export("all", "finished")


def opened() -> Table:
    table = Table("m")
    table.open()
    return table


def left() -> list[Line]:
    """A match where the only nonce is taken back, by leaving, and that is given up."""
    table = opened()
    table.add("match/SeatTaken", {"seat": 0, "nonce": "cd" * 32}, actor="seat:0")
    table.add("match/SeatLeft", {"seat": 0}, actor="seat:0")
    table.sit("", "")
    table.add("match/Aborted", {"reason": "pause", "secret": table.secret.hex()})
    return table.export("all", "aborted")


def ordered(*, is_over: bool = True) -> list[Line]:
    """A match where other things stand among the answers of the private streams: before, between and after them."""
    table = opened()
    table.sit("ab" * 32, "")
    table.say(0, "match/OrderGiven", {"order": 1, "moves": [{"type": "Pass"}]})
    for move in (1, 2):
        table.say(1, "match/OrderGiven", {"order": move})
        given = table.answer(1, {"type": "Claim", "number": move}, move=move)
        table.say(1, "match/RungSealed", {"rung": "bank"})
        table.close(None, given, move=move)
    table.answer(1, {"type": "Claim", "number": 3}, move=3)
    for number in (2, 1):
        table.say(1, "match/OrderWithdrawn", {"order": number})
    if is_over:
        table.finish()
    return table.export("all" if is_over else 1, "finished" if is_over else "playing")


def at(lines: list[Line], stream: str, version: int) -> Line:
    return next(line for line in lines if line.get("stream") == stream and line["version"] == version)


def put(stream: str, version: int, /, **members: Any) -> Change:
    return lambda lines: at(lines, stream, version).update(members)


def show(stream: str, version: int, /, **fields: Any) -> Change:
    return lambda lines: at(lines, stream, version)["public"].update(fields)


def forge(*changes: Change, is_rehashed: bool = True) -> Change:
    """Changes, and then hashes and receipts that fit."""

    def change(lines: list[Line]) -> None:
        for one in changes:
            one(lines)
        lines[:] = resign(rehash(lines) if is_rehashed else lines)

    return change
