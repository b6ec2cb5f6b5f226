"""What a doctor says of the pictures that links show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.run.test_doctor import finds

pytestmark = [pytest.mark.sqlite, pytest.mark.faults]


def test_letters_that_no_font_has_are_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text(f"<fontconfig><dir>{tmp_path / 'none'}</dir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(fonts))
    for letters, package in (("Latin", "fonts-dejavu-core"), ("Japanese", "fonts-ipaexfont-gothic")):
        finds(f"no font here has {letters} letters", tmp_path / "data", do=package, level="warning")
