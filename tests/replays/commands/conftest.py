from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from domain.catalogue import Catalogue
from replays.files import exports
from replays.log import Log
from tests.replays.commands.typed import stored
from tests.replays.staged import Stage


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service's folder, only to be read: finished matches, a fork of one, a fork of that, and a running match."""
    folder = tmp_path_factory.mktemp("data")
    rooms = Catalogue().rooms
    with stored(folder) as recorder:
        ended = Stage(recorder, rooms["three-magic"], "m_ended", ["random", "greedy", "random"], laps=1)
        ended.seat_all("ab" * 32)
        ended.finish()
        for parent, child, secret in (("m_ended", "m_fork", "ef"), ("m_fork", "m_forkfork", "01")):
            log = Log(recorder, parent, Catalogue())
            points = exports.fork_points(log)
            told, _ = exports.fork(log, points[len(points) // 3], secret * 32)
            staged = Stage(recorder, rooms["three-magic"], child, ["greedy"] * 3, told)
            staged.seat_all()
            staged.finish()
        sealed = Stage(recorder, rooms["three-magic"], "m_sealed", ["greedy"] * 3, laps=1)
        sealed.seat_all()
        sealed.step_until_sealed()
        dice = Stage(recorder, rooms["ttmp"], "m_ttmp", ["greedy", "random"])
        dice.seat_all()
        dice.finish()
    return folder


@pytest.fixture
def copied(data: Path, tmp_path: Path) -> Path:
    """The same folder without the keys, to be changed."""
    folder = tmp_path / "copied"
    folder.mkdir()
    with sqlite3.connect(data / "foldtable.db") as source, sqlite3.connect(folder / "foldtable.db") as target:
        source.backup(target)
    source.close()
    target.close()
    return folder
