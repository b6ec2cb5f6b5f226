"""A store by its URL: what it may be, and that its password is never told."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.store import StoreUnusable
from events.stores import name_of, open_to_read, open_to_write
from service import wiring
from service.config import Config

SECRET = "correct-horse"


WRONG = [
    f"mysql://me:{SECRET}@db/x",
    f"me:{SECRET}@db",
    f"postgresql://me:{SECRET}@[db/x",
    f"postgresql://me:{SECRET}@db/x?no_such={SECRET}",
    f"postgresql://me:{SECRET}@127.0.0.1:1/x",
    f"postgresql://me:{SECRET}%zz@127.0.0.1:1/x",
    "sqlite:",
    "",
]


@pytest.mark.parametrize("url", WRONG)
def test_a_url_that_opens_nothing_is_told_in_one_line_without_its_password(
    url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    for opens in (open_to_write, open_to_read):
        with pytest.raises(StoreUnusable) as refused:
            opens(url)
        told = str(refused.value)
        assert "\n" not in told
        assert SECRET not in told
    if url:
        config = Config(data=tmp_path, store=url)
        assert SECRET not in repr(config)
        with pytest.raises(StoreUnusable) as refused:
            wiring.open_store(config)
        assert SECRET not in str(refused.value)
    assert SECRET not in "".join(capfd.readouterr()) + caplog.text


def test_a_store_is_named_without_user_and_password() -> None:
    assert name_of(f"postgresql://me:{SECRET}@db.example:5433/tables") == "tables on db.example:5433"
    assert name_of("sqlite:data/foldtable.db") == "data/foldtable.db"
