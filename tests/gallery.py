"""Pictures of every game's table at three moments, en and ja, light and dark, wide and on a phone: to be looked at.

python -m tests.gallery <folder> [game …]
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.browser import Browser, browser, launched
from tests.replays.table.moments import DRAWN, decisions, game_of, match_of, moves_of, scene_of
from tests.replays.table.served import Served, called, served

NAMES = ["Ada", "Grace Hopper", "松本 さくら", "Kurt", "Emmy"]
SIZES = {"wide": (1440, 900), "phone": (390, 844)}
SHOW = """(scene, moves, game, seat, lang, names) => {
    const hand = foldtable.begin(moves, scene)
    window.opened ??= foldtable.openTable(root)
    opened.jump(scene, { game, seat, lang, names, lit: foldtable.lit(hand), onTouch: () => {} })
}"""
HEIGHT = "document.documentElement.scrollHeight"


def main(folder: Path, slugs: tuple[str, ...]) -> None:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    with launched() as chromium, browser(chromium) as page, served() as server:
        for slug in slugs:
            photograph(page, server, slug, folder)


def photograph(page: Browser, server: Served, slug: str, folder: Path) -> None:
    """One game."""
    played = match_of(slug)
    asked = list(decisions(played))
    moments = {"start": asked[0], "middle": asked[len(asked) // 2], "end": asked[-1]}
    for lang in ("en", "ja"):
        for shade in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                page.looks(width, height, is_dark=shade == "dark")
                page.open(server.page(slug, lang))
                page.waits_for("window.ready")
                for name, (step, seat) in moments.items():
                    scene, moves = scene_of(played, step, seat, lang), moves_of(played, step, seat, lang)
                    page.value(called(SHOW, scene, moves, game_of(slug), seat, lang, NAMES))
                    page.looks(width, max(height, page.value(HEIGHT)), is_dark=shade == "dark")
                    page.picture(folder / f"{slug}-{name}-{lang}-{shade}-{size}.png", is_whole=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(sys.argv[2:]) or DRAWN)
