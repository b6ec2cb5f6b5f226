"""Where pictures are drawn: in a process of its own, which may fail or hang without anybody else noticing."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from replays.table import picture
from replays.table.picture import Easel, NotDrawn, letters_missing

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="8"><rect width="4" height="4"/></svg>'


def width(png: bytes) -> int:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20])


def test_each_of_several_threads_gets_its_own_picture() -> None:
    easel = Easel()
    with ThreadPoolExecutor(8) as threads:
        drawn = list(threads.map(lambda size: easel.drawn(SVG.format(size)), range(1, 9)))
    assert [width(png) for png in drawn] == list(range(1, 9))


@pytest.mark.parametrize(
    ("program", "svg", "patience", "reason"),
    [
        (picture.PROGRAM, "<svg", 60.0, "can't be drawn"),
        ((sys.executable, "-c", "raise SystemExit(1)"), SVG, 60.0, "can't be drawn"),
        ((sys.executable, "-c", "import time; time.sleep(600)"), SVG, 1.0, "not drawn within 1 s"),
        (("/nowhere/to/be/found",), SVG, 60.0, "can't be drawn"),
    ],
    ids=["malformed", "ends", "hangs", "missing"],
)
def test_a_picture_that_fails_is_reported_and_harms_no_other(
    monkeypatch: pytest.MonkeyPatch, program: tuple[str, ...], svg: str, patience: float, reason: str
) -> None:
    easel = Easel()
    with monkeypatch.context() as broken:
        broken.setattr(picture, "PROGRAM", program)
        broken.setattr(picture, "PATIENCE", patience)
        with pytest.raises(NotDrawn, match=reason):
            easel.drawn(svg)
    assert width(easel.drawn(SVG.format(3))) == 3


def test_without_the_library_nothing_is_drawn() -> None:
    easel = Easel()
    easel.is_at_hand = False
    with pytest.raises(NotDrawn, match="resvg-py is not installed"):
        easel.drawn(SVG.format(1))


def test_the_process_that_draws_gets_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_SECRET", "hush")
    monkeypatch.setattr(picture, "PROGRAM", (sys.executable, "-c", "import os; print(dict(os.environ))"))
    environment = Easel().drawn(SVG).decode()
    assert "PATH" in environment
    assert "hush" not in environment


def test_letters_that_no_font_has_are_missed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as replaced:
        replaced.setattr(picture, "LETTERS", {"ja": "\U0010fffc"})
        assert letters_missing(Easel()) == ("ja",), "no font has it, and most draw a box"
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{tmp_path}</dir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    assert letters_missing(Easel()) == ("en", "ja")
