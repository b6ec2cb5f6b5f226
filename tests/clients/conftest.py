"""A service on a store of its own, and its app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.config import Config
from tests.service.house import House, build


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    service = build(Config(data=tmp_path / "data", bot_pause=0.0))
    yield House(service)
    service.close()
