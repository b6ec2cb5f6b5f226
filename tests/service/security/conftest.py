"""A furnished house."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.config import Config
from tests.service.house import House, build
from tests.service.security.furnished import Furnished, furnish


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """One house for all tests of a module."""
    config = Config(data=tmp_path_factory.mktemp("house"), bot_pause=0.0, sign_up="invitation")
    with House(build(config)) as house:
        yield furnish(house)
