"""A page's own words stand beside those of the frame: none takes the place of what the frame says."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

from service.web.pages import page, words

FRAME = set(re.findall(r'\bt(?:\.(\w+)|\["([\w-]+)"\])', (page.FOLDER / "frame.html.j2").read_text(encoding="utf-8")))
SAID = {one or other for one, other in FRAME}
"""What the frame says, by name."""

MODULES = [one.name for one in pkgutil.iter_modules(words.__path__) if one.name != "frame"]


@pytest.mark.parametrize("name", MODULES)
def test_the_frame_says_the_same_on_every_page(name: str) -> None:
    assert {"settings", "menu"} <= SAID
    found: dict[str, Any] = {
        key: texts for key, texts in vars(import_module(f"{words.__name__}.{name}")).items() if key.isupper()
    }
    for key, texts in found.items():
        if isinstance(texts, dict) and isinstance(texts.get("en"), dict):
            if key == "SCRIPT":
                continue  # for a page's script alone
            assert not SAID & texts["en"].keys(), key
