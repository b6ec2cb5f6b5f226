"""Files that a program writes: what is there is compared with what it would write now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]


def compare(what: str, of: Callable[[Sequence[str]], Iterable[tuple[Path, str]]], names: Sequence[str] = ()) -> None:
    """Run as the command line of a module: name the files whose text is another one, or write them.

    `what`: what they are; `of`: the games -> each file and its text now; `names`: the games that may be named, each of
    them by default. Exits with 1 if some differ.
    """

    @click.command(help=f"Compare {what} with what they would be now, and name the files that differ.")
    @click.option("--write", "is_written", is_flag=True, help="Write them.")
    @click.argument("games", nargs=-1, type=click.Choice(names), metavar="[GAME]...")
    def main(games: tuple[str, ...], is_written: bool) -> None:
        code = 0
        for path, text in of(games or names):
            if path.is_file() and path.read_text(encoding="utf-8") == text:
                continue
            if is_written:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            else:
                code = 1
            click.echo(f"{path.relative_to(ROOT)}: {'written' if is_written else 'differs'}")
        raise SystemExit(code)

    main()
