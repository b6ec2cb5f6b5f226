"""Where pictures are drawn: a process of its own, that ends, breaks and is started anew without anybody noticing."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from replays.table import picture
from replays.table.picture import Easel, NotDrawn, letters_missing

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="8"><rect width="4" height="4"/></svg>'


@pytest.fixture
def drawer() -> Iterator[Easel]:
    """One that has drawn nothing yet."""
    with closing(Easel()) as found:
        yield found


def width(png: bytes) -> int:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(png[16:20])


def test_each_gets_their_own_picture_from_one_process(drawer: Easel) -> None:
    with ThreadPoolExecutor(50) as threads:
        found = list(threads.map(lambda size: drawer.drawn(SVG.format(size)), range(1, 51)))
    assert [width(one) for one in found] == list(range(1, 51))


def test_a_process_that_has_ended_is_followed_by_another(drawer: Easel) -> None:
    drawer.drawn(SVG.format(1))
    first = drawer._process
    assert first is not None
    first.kill()
    first.wait()
    assert width(drawer.drawn(SVG.format(2))) == 2
    assert drawer._process is not first


def test_what_can_t_be_drawn_is_said_and_harms_no_other(drawer: Easel) -> None:
    with pytest.raises(NotDrawn, match="can't be drawn"):
        drawer.drawn("<svg")
    assert width(drawer.drawn(SVG.format(3))) == 3


@pytest.mark.parametrize(
    ("program", "patience", "said"),
    [
        # until it ends it has to start, twice, and that may take long
        ("raise SystemExit(1)", 60.0, "has ended"),
        ("import time; time.sleep(600)", 1.0, "not drawn within 1 s"),
    ],
)
def test_one_that_ends_or_hangs_is_given_up(
    drawer: Easel, monkeypatch: pytest.MonkeyPatch, program: str, patience: float, said: str
) -> None:
    monkeypatch.setattr(picture, "PROGRAM", (sys.executable, "-c", program))
    monkeypatch.setattr(picture, "PATIENCE", patience)
    with pytest.raises(NotDrawn, match=said):
        drawer.drawn(SVG.format(1))
    assert drawer._process is None


def test_without_what_draws_it_is_said(drawer: Easel) -> None:
    drawer.is_at_hand = False
    with pytest.raises(NotDrawn, match="resvg-py is not installed"):
        drawer.drawn(SVG.format(1))


def test_no_secret_is_told_to_what_draws(drawer: Easel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_SECRET", "hush")
    drawer.drawn(SVG.format(1))
    assert drawer._process is not None
    if not os.path.exists(said := f"/proc/{drawer._process.pid}/environ"):
        pytest.skip("a system without /proc")
    with open(said, "rb") as file:
        assert b"hush" not in file.read()


def test_letters_that_no_font_has_are_missed(drawer: Easel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{tmp_path}</dir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    assert letters_missing(drawer) == ("en", "ja")


def test_a_letter_that_stands_for_others_is_none(drawer: Easel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "LETTERS", {"ja": "\U0010fffc"})
    assert letters_missing(drawer) == ("ja",), "no font has it, and most draw a box"


def test_one_that_cannot_be_started_is_said_and_leaves_nothing_open(
    drawer: Easel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "PROGRAM", ("/nowhere/to/be/found",))
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(NotDrawn, match="has ended"):
        drawer.drawn(SVG.format(1))
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before
