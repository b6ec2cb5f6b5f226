"""`python -m tests.screens FOLDER`: pictures of every page and of each game's table, in every look."""

from __future__ import annotations

import re
import sys
import tempfile
from html import escape
from pathlib import Path

import click

from tests.browser import CHROMIUM, WHY, browser, launched
from tests.screens.eyes import LOOKS, go, picture
from tests.screens.places import places
from tests.screens.staged import staged

STYLE = """body { font: 15px system-ui; margin: 1rem; background: #888 }
section { display: flex; gap: 1rem; overflow-x: auto; align-items: start } h2 { margin: 1rem 0 .3rem }
figure { margin: 0 } img { height: 30rem; object-fit: cover; object-position: top; border: 1px solid #444 }"""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path("screens"))
@click.option("--only", default="", help="Pages whose names this pattern is found in.")
@click.option("--looks", "of", default="", help="Looks, such as en-dark-390, that this pattern is found in.")
def cli(folder: Path, only: str, of: str) -> None:
    """Take them, into FOLDER, with an index.html to look through."""
    if CHROMIUM is None:
        raise click.ClickException(WHY)
    folder.mkdir(parents=True, exist_ok=True)
    looks = [look for look in LOOKS if re.search(of, look.name)]
    with (
        tempfile.TemporaryDirectory() as place,
        staged(Path(place)) as stage,
        launched() as chromium,
        browser(chromium, no_viewport=True) as eyes,
    ):
        found = [one for one in places(stage) if re.search(only, one.name)]
        for at, one in enumerate(found, 1):
            click.echo(f"{at}/{len(found)} {one.name}", err=True)
            for look in looks:
                go(eyes, stage, one, look)
                picture(eyes, folder / f"{one.name}.{look.name}.png")
    index(folder)
    click.echo(f"{len(found) * len(looks)} pictures of {len(found)} pages: {folder}/index.html")


def index(folder: Path) -> None:
    """Write the page that shows all pictures in the folder."""
    rows: dict[str, list[str]] = {}
    for file in sorted(folder.glob("*.*.png")):
        rows.setdefault(file.name.split(".")[0], []).append(file.name)
    body = "".join(
        f"<h2>{escape(name)}</h2><section>"
        + "".join(f'<figure><a href="{one}"><img loading="lazy" src="{one}" alt="{one}"></a></figure>' for one in files)
        + "</section>"
        for name, files in rows.items()
    )
    page = f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{STYLE}</style><h1>Screens</h1>{body}'
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(cli())
