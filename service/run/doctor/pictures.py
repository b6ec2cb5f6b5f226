"""Checks whether pictures of tables, which links show, can be drawn, and whether there are fonts for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from replays.table.picture import Easel, NotDrawn, letters_missing
from service.run.doctor.report import Finding, good, warning

AREA = "pictures"
FONTS = {"en": ("Latin", "fonts-dejavu-core"), "ja": ("Japanese", "fonts-ipaexfont-gothic")}
"""The letters of each language, and the package of Debian with a font for them."""


def examine() -> Iterator[Finding]:
    """Check the renderer and its fonts."""
    with closing(Easel()) as easel:
        if not easel.is_at_hand:
            yield warning(AREA, "links show none: what draws them is not installed", "install the package resvg-py")
            return
        try:
            missing = letters_missing(easel)
        except NotDrawn as error:
            yield warning(AREA, f"links show none: {error}", "install the locked packages anew")
            return
    for lang in missing:
        letters, package = FONTS[lang]
        yield warning(
            AREA, f"no font here has {letters} letters: pictures leave them out", f"apt-get install {package}"
        )
    if not missing:
        yield good(AREA, "they are drawn, with letters of both languages")
