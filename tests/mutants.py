"""Change one thing in what judges and keeps secrets, and see a test fail: `make mutants`. It is the rules, the frame of
matches, clocks, mail, accounts and the audit.

    python -m tests.mutants                     200 mutants, twenty of each part of the house
    python -m tests.mutants --each 50 --seed 7  others
    python -m tests.mutants --only ttmp         of one part
    python -m tests.mutants --list              what would be tried

A mutant is made in a copy of the tree, never in the tree. The tests of its part run, those that bear its file's name
first, and stop at the first that fails; a mutant that fails none is alive. Those that no test could tell from the
original are listed in `tests/mutants.toml`, each with its reason.

Neither mutmut nor cosmic-ray serves here: both leave alone what this is most about (marks stand in annotations, members
of enums and numbers at the top of modules), neither draws a sample by a seed or picks the tests by the file, and
cosmic-ray writes into the tree itself.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import click

from tests.mutations import Mutation, mutations

ROOT = Path(__file__).resolve().parents[1]
ROOMS = tuple(sorted(path.parent.name for path in (ROOT / "domain" / "games").glob("*/rules")))
PATIENCE = 600
"""Seconds that the tests of a part may take as it is."""
CIRCLES = 5
"""How many times as long they may take on a mutant; one that goes round in circles longer than that was noticed."""
SPARED = 0.02
"""How many of the mutants may stay alive."""
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "node_modules")
FAILED = (1, 2)
"""What pytest answers when a test failed, or when the tests could not even be read."""
NONE_CHOSEN = 5
"""And when `-k` left none."""


class Part(NamedTuple):
    """A part of the house: its files, and the tests that concern them."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""
    """What `pytest -k` is told."""


def part_of(room: str) -> Part:
    """A room: its rules and what it tells, its own tests first, then its laws, sentences, museum and transcripts."""
    folder = f"domain/games/{room}"
    files = (f"{folder}/rules/*.py", f"{folder}/events.py", f"{folder}/evolve.py", f"{folder}/view.py")
    shared = (f"tests/games/test_{name}.py" for name in ("sentences", "museum", "transcripts"))
    tests = (f"tests/games/{room}", "tests/laws", *shared)
    return Part((*files, f"{folder}/moves.py"), tests, f"{room} or {room.replace('_', '-')}")


JUDGED = ("test_log", "checking/test_audit", "files/test_forks")
"""The tests of replays that judge logs."""
FRAME = ("secrecy", "play", "matches", "happenings", "clocks", "deadlines", "step", "orders", "facedown")
SEALED = ("chain", "codec", "envelope", "receipts")
LETTERS = ("answering", "desk", "incoming", "channel", "reading", "situation", "tokens", "wishing")
"""The files of mail that judge and choose; the others word and draw what these have chosen."""
PARTS = {
    "frame": Part(
        (*(f"domain/{name}.py" for name in FRAME), *(f"events/{name}.py" for name in SEALED)),
        ("tests/domain", "tests/events", "tests/laws", *(f"tests/replays/{name}.py" for name in JUDGED)),
        " and ".join(f"not {room} and not {room.replace('_', '-')}" for room in ROOMS if room != "ttmp"),
    ),
    "audit": Part(("replays/checking/*.py", "replays/checking/audit/*.py"), ("tests/replays/checking",)),
    "clocks": Part(
        ("service/clocks/*.py", *(f"service/matches/{name}.py" for name in ("deadlines", "sealing", "timing"))),
        ("tests/service/clocks", *(f"tests/service/matches/test_{name}.py" for name in ("secrecy", "time"))),
    ),
    "mail": Part(tuple(f"service/mail/{name}.py" for name in LETTERS), ("tests/service/mail",)),
    "accounts": Part(("service/accounts/*.py",), ("tests/service/accounts", "tests/service/security")),
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


def is_listed(mutant: Mutant, listed: dict[tuple[str, str, str], str]) -> bool:
    """Whether no test could tell it from the original, for a reason that is written down."""
    return (mutant.path, mutant.change.text, mutant.change.becomes) in listed


def sample(parts: tuple[str, ...], each: int, seed: int) -> list[Mutant]:
    """So many mutants of each part, drawn by the seed, without those that are listed as equivalent."""
    listed, found = equivalents(), []
    for part in parts:
        there = [mutant for mutant in all_of(part) if not is_listed(mutant, listed)]
        found += random.Random(f"{seed} {part}").sample(there, min(each, len(there)))
    return found


def named_like(tree: Path, part: Part, changed: str) -> tuple[str, ...]:
    """The part's files of tests that bear the name of the changed file."""
    name = f"test_{Path(changed).stem}*.py"
    return tuple(str(path) for folder in part.tests for path in sorted((tree / folder).rglob(name)))


def fails(tree: Path, part: Part, tests: Iterable[str], patience: float) -> bool:
    """Run tests in a copy of the tree. Returns True if one fails, or they don't come to an end."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *tests]
    if part.only:
        command += ["-k", part.only]
    process = subprocess.Popen(
        command,
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
        return True
    if process.returncode not in (0, *FAILED, NONE_CHOSEN):
        raise RuntimeError(f"pytest answers {process.returncode}: {said[-3000:]}")
    return process.returncode in FAILED


class Bench:
    """Copies of the tree on which mutants are tried, as many at once as there are copies."""

    def __init__(self, folder: Path, copies: int) -> None:
        self.trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(copies):
            self.trees.put(Path(shutil.copytree(ROOT, folder / str(number), ignore=NOT_COPIED)))
        self.took: dict[str, float] = {}

    def holds(self, part: str) -> bool:
        """Whether the tests of the part pass as it is; how long they take is remembered."""
        tree, begun = self.trees.get(), time.monotonic()
        try:
            return not fails(tree, PARTS[part], PARTS[part].tests, PATIENCE)
        finally:
            self.took[part] = time.monotonic() - begun
            self.trees.put(tree)

    def notices(self, mutant: Mutant) -> bool:
        """Make the mutant in a copy of the tree, run its tests, and put the file back."""
        tree = self.trees.get()
        path = tree / mutant.path
        source = path.read_bytes()
        path.write_bytes(mutant.change.applied(source))
        try:
            part, patience = PARTS[mutant.part], CIRCLES * self.took[mutant.part]
            near = named_like(tree, part, mutant.path)
            # most are noticed near by, and the others need not run then
            noticed = (bool(near) and fails(tree, part, near, patience)) or fails(tree, part, part.tests, patience)
        finally:
            path.write_bytes(source)
            self.trees.put(tree)
        click.echo(f"{'noticed' if noticed else 'ALIVE  '} {mutant}")
        return noticed


@click.command()
@click.option("--each", default=20, show_default=True, help="Mutants of each part.")
@click.option("--seed", default=1, show_default=True, help="Which ones.")
@click.option("--only", type=click.Choice(tuple(PARTS)), multiple=True, help="Parts; all, if none is named.")
@click.option("--workers", default=2, show_default=True, help="Copies of the tree that are worked on at once.")
@click.option("--list", "only_list", is_flag=True, help="Only name them.")
def main(each: int, seed: int, only: tuple[str, ...], workers: int, only_list: bool) -> None:
    """Make mutants of the rules and of what keeps secrets, and name those that no test notices."""
    parts = only or tuple(PARTS)
    mutants = sample(parts, each, seed)
    if only_list:
        for mutant in mutants:
            click.echo(str(mutant))
        return
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(workers) as pool:
        bench = Bench(Path(folder), workers)
        if broken := [part for part, holds in zip(parts, pool.map(bench.holds, parts), strict=True) if not holds]:
            raise click.ClickException(f"As it is, tests fail of {', '.join(broken)}: no mutant could be told by them.")
        found = pool.map(bench.notices, mutants)
        alive = [mutant for mutant, noticed in zip(mutants, found, strict=True) if not noticed]
    spared, took = len(equivalents()), time.monotonic() - begun
    click.echo(f"\n{len(mutants)} mutants, {len(alive)} alive, {spared} listed as equivalent, {took:.0f} s.")
    for mutant in alive:
        click.echo(f"  {mutant}")
    if len(alive) > SPARED * len(mutants):
        sys.exit(1)


if __name__ == "__main__":
    main()
