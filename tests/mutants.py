"""Change one thing in what judges and keeps secrets, and see a test fail: `make mutants`. It is the rules, the frame of
matches, clocks, mail, accounts and the audit.

    python -m tests.mutants                     200 mutants, twenty of each part of the house
    python -m tests.mutants --each 50 --seed 7  others
    python -m tests.mutants --only ttmp         of one part
    python -m tests.mutants --list              what would be tried
    python -m tests.mutants --again             with the last run's knowledge of which test runs which line

A mutant is made in a copy of the tree, never in the tree. First all tests run once, and coverage notes which of them
run which line. A mutant in a function meets the tests of its part that run its line: those that bear its file's name
first, then the quickest. A mutant of what is run by an import meets all tests of its part. The first test that fails
ends it; a mutant that fails none is alive. Those that no test could tell from the original are listed in
`tests/mutants.toml`, each with its reason.

Neither mutmut nor cosmic-ray serves here: both leave alone what this is most about (marks stand in annotations, members
of enums and numbers at the top of modules), neither draws a sample by a seed or picks the tests by the file, and
cosmic-ray writes into the tree itself.
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple
from xml.etree import ElementTree

import click
from coverage import CoverageData

from tests.mutations import Mutation, mutations

ROOT = Path(__file__).resolve().parents[1]
ROOMS = tuple(sorted(path.parent.name for path in (ROOT / "domain" / "games").glob("*/rules")))
PATIENCE = 600
"""Seconds that a part's tests may take on a mutant. One that goes round in circles for longer was noticed."""
CIRCLES = 5
"""How many times as long as they took as it is may chosen tests take on a mutant, beside `START`."""
START = 60
"""Seconds that starting pytest may take."""
MANY = 600
"""When more tests than this run a line, all tests of the part are named instead: pytest is slow with long lists."""
MEASURED = ("domain", "events", "replays", "service")
KNOWN = (".coverage.mutants", ".mutants.xml")
"""Kept in the tree and not committed: which test runs which line, and how long each takes."""
SPARED = 0.02
"""How many of the mutants may stay alive."""
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "node_modules")
FAILED = (1, 2)
"""What pytest answers when a test failed, or when the tests could not even be read."""
NONE_CHOSEN = 5
"""And when `-k` left none."""
NOT_FOUND = 4
"""And when there is no test of a name that it was told: a file has none if importing it fails."""


class Part(NamedTuple):
    """A part of the house: its files, and the tests that concern them."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""
    """What `pytest -k` is told."""


def part_of(room: str) -> Part:
    """A room: its rules and what it tells, its own tests first, then its laws, sentences, transcripts and museum."""
    folder = f"domain/games/{room}"
    files = (f"{folder}/rules/*.py", f"{folder}/events.py", f"{folder}/evolve.py", f"{folder}/view.py")
    shared = (f"tests/games/test_{name}.py" for name in ("sentences", "museum"))
    tests = (f"tests/games/{room}", "tests/laws", *shared)
    return Part((*files, f"{folder}/moves.py"), tests, f"{room} or {room.replace('_', '-')}")


JUDGED = ("test_log", "checking/test_audit", "files/test_forks")
"""The tests of replays that judge logs."""
FRAME = ("secrecy", "play", "matches", "happenings", "clocks", "deadlines", "orders")
SEALED = ("chain", "codec", "receipts")
LETTERS = ("answering", "desk", "incoming", "reading", "sending", "settings", "situation")
"""The files of mail that judge and choose; the others word and draw what these have chosen."""
CLOCKED = ("security/test_two_logs", "security/test_every_asker")
"""The tests that ask, beside all else, for what the clocks do: what may be seen of it, and by whom it may be asked."""
DEEDS = "tests/service/deeds"
ORDERED = "tests/service/matches/test_orders.py"
"""The tests that ask whether a player is told of a turn that a standing order may take."""
PARTS = {
    "frame": Part(
        (*(f"domain/{name}.py" for name in FRAME), *(f"events/{name}.py" for name in SEALED)),
        ("tests/domain", "tests/events", "tests/laws", *(f"tests/replays/{name}.py" for name in JUDGED)),
        " and ".join(f"not {room} and not {room.replace('_', '-')}" for room in ROOMS if room != "ttmp"),
    ),
    "audit": Part(("replays/checking/*.py",), ("tests/replays/checking", "tests/replays/commands")),
    "clocks": Part(
        ("service/clocks/*.py", "service/jobs/sweep.py", "service/matches/deadlines.py", "service/matches/terms.py"),
        ("tests/service/clocks", "tests/service/jobs", DEEDS, *(f"tests/service/{name}.py" for name in CLOCKED)),
    ),
    "mail": Part(tuple(f"service/mail/{name}.py" for name in LETTERS), ("tests/service/mail",)),
    "outbox": Part(("service/outbox/*.py",), ("tests/service/mail", "tests/service/webhooks", ORDERED)),
    "accounts": Part(("service/accounts/*.py",), ("tests/service/accounts", "tests/service/security", DEEDS)),
    **{room: part_of(room) for room in ROOMS},
}


class Mutant(NamedTuple):
    """One change of one file."""

    part: str
    path: str
    change: Mutation

    def __str__(self) -> str:
        return f"{self.path}:{self.change.line} {self.change.kind}: {self.change.old} -> {self.change.new or 'nothing'}"


def all_of(part: str) -> list[Mutant]:
    """Return every mutant of a part.

    Raises:  ClickException: one of the part's patterns names no file, or the part has no mutant. A file under its old
             name would be passed over in silence otherwise.
    """
    found: list[Mutant] = []
    for pattern in PARTS[part].files:
        if not (paths := sorted(ROOT.glob(pattern))):
            raise click.ClickException(f"{part}: no file is called {pattern}")
        for path in paths:
            name = path.relative_to(ROOT).as_posix()
            found += (Mutant(part, name, change) for change in mutations(path))
    if not found:
        raise click.ClickException(f"{part}: there is nothing to change in {', '.join(PARTS[part].files)}")
    return found


def equivalents() -> dict[tuple[str, str, str], str]:
    """Reasons by path, the line as it stands, and as the mutant makes it."""
    listed = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))
    return {(one["path"], one["line"], one["becomes"]): one["reason"] for one in listed.get("equivalent", ())}


def sample(parts: tuple[str, ...], each: int, seed: int) -> list[Mutant]:
    """So many mutants of each part, drawn by the seed, without those that are listed as equivalent."""
    listed, found = equivalents(), []
    for part in parts:
        there = [one for one in all_of(part) if (one.path, one.change.text, one.change.becomes) not in listed]
        found += random.Random(f"{seed} {part}").sample(there, min(each, len(there)))
    return found


def pytest(tree: Path, arguments: Iterable[str], patience: float | None) -> int | None:
    """Run tests in a copy of the tree. Returns pytest's exit code, or None if they took longer than `patience` seconds.

    Raises:  RuntimeError: pytest could not run at all.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=tree,
        # a mutant as long as the one of a moment ago would be taken for it
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        # with all that its tests have started
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    if process.returncode not in (0, *FAILED, NONE_CHOSEN, NOT_FOUND):
        raise RuntimeError(f"pytest answers {process.returncode}: {said[-3000:]}")
    return process.returncode


def learn(tree: Path, parts: Iterable[str], workers: int) -> None:
    """Run all tests of the parts once, and keep in the tree which of them run which line and how long each takes.

    Raises:  ClickException: a test fails as it is. No mutant could be told by it.
    """
    tests = dict.fromkeys(test for part in parts for test in PARTS[part].tests)
    times, covered = (str(tree / name) for name in (KNOWN[1], ".coverage"))
    measure = [f"--cov={package}" for package in MEASURED]
    arguments = [*tests, f"-n{workers}", "--dist=worksteal", *measure, "--cov-context=test", "--cov-report="]
    if pytest(tree, [*arguments, f"--junitxml={times}", "-ojunit_family=xunit1"], None) != 0:
        cases = ElementTree.parse(times).iter("testcase")
        failed = [str(case.get("name")) for case in cases if {part.tag for part in case} & {"failure", "error"}]
        raise click.ClickException(f"As it is, these tests fail, which could tell no mutant: {', '.join(failed)}")
    for made, name in zip((covered, times), KNOWN, strict=True):
        shutil.copy(made, ROOT / name)


class Known:
    """Which test runs which line, and for how long."""

    def __init__(self) -> None:
        self.lines = CoverageData(str(ROOT / KNOWN[0]))
        self.lines.read()
        self.took = {
            f"{case.get('file')}::{case.get('name')}": float(case.get("time", 0))
            for case in ElementTree.parse(ROOT / KNOWN[1]).iter("testcase")
        }

    @lru_cache(maxsize=64)  # noqa: B019 - lives as long as the program
    def by_line(self, path: str) -> dict[int, list[str]]:
        """The tests that run each line of a file of the tree, by line."""
        measured = next((one for one in self.lines.measured_files() if one.endswith(f"/{path}")), "")
        return self.lines.contexts_by_lineno(measured) if measured else {}

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests of its part that run what was changed: those named like its file first, then the quickest. None are
        returned for what an import runs, for what no test runs itself, and for what too many run.
        """
        lines = statement((ROOT / mutant.path).read_text(encoding="utf-8"), mutant.change.line)
        by_line, folders = self.by_line(mutant.path), PARTS[mutant.part].tests
        contexts = {context.split("|")[0] for line in lines for context in by_line.get(line, ())} - {""}
        chosen = [one for one in contexts if any(one.startswith((f"{folder}/", f"{folder}::")) for folder in folders)]
        near = f"/test_{Path(mutant.path).stem}"
        chosen.sort(key=lambda one: (near not in one, self.took.get(one, 0), one))
        return chosen if len(chosen) <= MANY else []


def statement(source: str, line: int) -> range:
    """The lines of the innermost statement of a function that the line belongs to; none if an import runs the line.

    Of a statement that holds others only the head counts.
    """
    found = range(0)
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for inner in (node for one in function.body for node in ast.walk(one) if isinstance(node, ast.stmt)):
            held = getattr(inner, "body", None)
            lines = range(inner.lineno, (held[0].lineno if held else (inner.end_lineno or inner.lineno) + 1))
            if line in lines:
                found = lines
    return found


def notices(mutant: Mutant, copies: SimpleQueue[Path], known: Known) -> bool:
    """Make the mutant in a copy of the tree that nobody else works in, run its tests, and put the file back."""
    tree = copies.get()
    path = tree / mutant.path
    source = path.read_bytes()
    path.write_bytes(mutant.change.applied(source))
    try:
        noticed = fails(tree, mutant, known)
    finally:
        path.write_bytes(source)
        copies.put(tree)
    click.echo(f"{'noticed' if noticed else 'ALIVE  '} {mutant}")
    return noticed


def fails(tree: Path, mutant: Mutant, known: Known) -> bool:
    """Whether a test fails, or does not come to its end. Files named like the changed one run whole: a test in them
    may be newer than what is known.
    """
    part, tests = PARTS[mutant.part], known.tests_of(mutant)
    named = f"test_{Path(mutant.path).stem}*.py"
    near = [str(path.relative_to(tree)) for folder in part.tests for path in sorted((tree / folder).rglob(named))]
    patience = START + CIRCLES * sum(known.took.get(test, 0) for test in tests) if tests else PATIENCE
    if near and runs(tree, near, part, patience) in (None, *FAILED):
        return True
    rest = [test for test in tests if test.split("::")[0] not in near]
    if tests and not rest:
        return False
    return runs(tree, rest or part.tests, part, patience) in (None, *FAILED)


def runs(tree: Path, tests: Sequence[str], part: Part, patience: float) -> int | None:
    """Run tests of a part until the first fails; if one is not found, all of their files. Returns as `pytest` does."""
    listed = tree / ".chosen"
    listed.write_text("\n".join(tests), encoding="utf-8")
    answer = pytest(tree, [f"@{listed}", "-x", "-n0", *(("-k", part.only) if part.only else ())], patience)
    if answer == NOT_FOUND and any("::" in test for test in tests):
        return runs(tree, tuple(dict.fromkeys(test.split("::")[0] for test in tests)), part, patience)
    return answer


@click.command()
@click.option("--each", default=20, show_default=True, help="Mutants of each part.")
@click.option("--seed", default=1, show_default=True, help="Which ones.")
@click.option("--only", type=click.Choice(tuple(PARTS)), multiple=True, help="Parts; all, if none is named.")
@click.option("--workers", default=2, show_default=True, help="Copies of the tree that are worked on at once.")
@click.option("--again", is_flag=True, help="Trust what the last run noted of which test runs which line.")
@click.option("--list", "only_list", is_flag=True, help="Only name them.")
def main(each: int, seed: int, only: tuple[str, ...], workers: int, again: bool, only_list: bool) -> None:
    """Make mutants of the rules and of what keeps secrets, and name those that no test notices."""
    parts = only or tuple(PARTS)
    mutants = sample(parts, each, seed)
    if only_list:
        for mutant in mutants:
            click.echo(str(mutant))
        return
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(workers) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(workers):
            copies.put(Path(shutil.copytree(ROOT, Path(folder, str(number)), ignore=NOT_COPIED)))
        if not again:
            learn(Path(folder, "0"), parts, workers)
        found = pool.map(partial(notices, copies=copies, known=Known()), mutants)
        alive = [mutant for mutant, noticed in zip(mutants, found, strict=True) if not noticed]
    spared, took = len(equivalents()), time.monotonic() - begun
    click.echo(f"\n{len(mutants)} mutants, {len(alive)} alive, {spared} listed as equivalent, {took:.0f} s.")
    for mutant in alive:
        click.echo(f"  {mutant}")
    if len(alive) > SPARED * len(mutants):
        sys.exit(1)


if __name__ == "__main__":
    main()
