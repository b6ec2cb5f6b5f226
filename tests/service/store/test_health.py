"""Whether the service can work is found out by working: a disk that is full is told."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from service.config import Config
from service.health import Health
from tests.events.test_files import small_files
from tests.service.house import House, build
from tests.service.run.test_up_starts import small_disk
from tests.service.stored import pragma

pytestmark = pytest.mark.sqlite


def test_a_service_that_can_write_is_ready(house: House) -> None:
    answer = house.send("GET", "/readyz")
    assert (answer.status_code, answer.json) == (200, {"status": "ready"})


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with small_disk(folder, 3000):
        house = House(build(Config(data=folder)))
        house.service.health.every = 0.0
        assert house.send("GET", "/readyz").status_code == 200
        with open(folder / "filler", "wb", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(bytes(4096))
        answer = house.send("GET", "/readyz")
        assert (answer.status_code, answer.json["code"]) == (503, "not-ready")
        assert answer.headers["Retry-After"]
        assert str(folder) not in answer.text, "paths are the operator's"
        assert house.send("GET", "/healthz").status_code == 200, "it lives all the same"
        (folder / "filler").unlink()
        assert house.send("GET", "/readyz").status_code == 200
        house.service.close()


def test_files_that_may_not_grow_are_told(house: House) -> None:
    house.service.health.every = 0.0
    assert house.send("GET", "/readyz").status_code == 200
    with small_files(1000):
        assert house.send("GET", "/readyz").status_code == 503
    assert house.send("GET", "/readyz").status_code == 200


def test_a_store_that_cannot_write_is_told(house: House) -> None:
    """There is room, and the store fails: what is written goes the way of every move."""
    house.service.health.every = 0.0
    pragma(house.service, "query_only = ON")
    answer = house.send("GET", "/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "not-ready")


def test_however_often_it_is_asked_it_is_tried_now_and_then_only(house: House) -> None:
    tried = []

    def count() -> None:
        tried.append(1)

    health = Health(count)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: health.trouble(), range(200))) == {None}
    assert len(tried) == 1


def test_what_was_found_holds_for_a_while_and_is_looked_at_again(tmp_path: Path) -> None:
    troubles = iter([OSError("full"), None, OSError("full again")])

    def fail() -> None:
        if trouble := next(troubles):
            raise trouble

    health = Health(fail, every=0.0)
    assert [health.trouble() for _ in range(3)] == ["OSError", None, "OSError"]
