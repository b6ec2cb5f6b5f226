"""Files that a program writes: what is there is compared with what it would write now."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def compare(files: Iterable[tuple[Path, str]], arguments: list[str]) -> int:
    """Print the files whose text is another one, or write them with `--write`. Returns 1 if some differ."""
    code = 0
    for path, text in files:
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if "--write" in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        else:
            code = 1
        print(f"{path.relative_to(ROOT)}: {'written' if '--write' in arguments else 'differs'}")
    return code
