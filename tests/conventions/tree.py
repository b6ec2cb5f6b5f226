"""The files of this tree, as git knows them; where there is no git, whatever lies here."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {
    *(".git", ".venv", ".api-tools", "node_modules", "__pycache__"),
    *(".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache", "data"),
}


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


@cache
def python_files() -> tuple[Path, ...]:
    return tuple(path for path in tracked() if path.suffix == ".py")
