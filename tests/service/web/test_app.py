"""The app, made by several threads at once, and its paths."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import sleep

import pytest
from flask import Flask

from service.web import create_app


def test_one_app_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11.7 stumbles over two threads that parse source at once, as werkzeug does for every route."""
    alone = Lock()

    def make(_: object) -> Flask:
        assert alone.acquire(blocking=False)
        sleep(0.01)
        alone.release()
        return Flask("made")

    monkeypatch.setattr("service.web.app._made", make)
    with ThreadPoolExecutor(4) as pool:
        assert len({*pool.map(create_app, [None] * 8)}) == 8


def test_no_path_but_the_first_page_s_ends_with_a_slash() -> None:
    # else who asks for it would be sent there, by a host that is known to nobody here
    paths = {rule.rule for rule in create_app(None).url_map.iter_rules()}
    assert {path for path in paths if path.endswith("/")} == {"/"}
