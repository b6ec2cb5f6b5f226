"""The files of this tree, as git knows them; where there is no git, whatever lies here."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {
    *(".git", ".venv", ".api-tools", "node_modules", "__pycache__"),
    *(".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache", "data"),
}
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields that hold rows of statements, or what has such rows itself: handlers of errors, and cases of a match."""


@cache
def tracked() -> tuple[Path, ...]:
    """Files in git, paths relative to the root; deleted ones left out."""
    listed: list[Path] = []
    if (ROOT / ".git").exists():
        try:
            command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
            found = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
            listed = [Path(name) for name in found.stdout.decode().split("\0") if name]
        except (OSError, subprocess.CalledProcessError):
            listed = []
    if not listed:
        inside = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
        listed = [path for path in inside if not SKIPPED & set(path.parts)]
    return tuple(path for path in listed if (ROOT / path).is_file())


@cache
def text_of(path: Path) -> str | None:
    """The file's text, None for a file that has none."""
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def statements_of(path: Path) -> Iterator[ast.stmt]:
    """Every statement of a Python file, inner ones too. Expressions, which are most of a tree, hold no statement."""
    waiting: list[ast.AST] = [ast.parse(text_of(path) or "")]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        for field in BLOCKS:
            waiting += getattr(node, field, ())


@cache
def python_files() -> tuple[Path, ...]:
    return tuple(path for path in tracked() if path.suffix == ".py")
