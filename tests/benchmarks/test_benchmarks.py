"""What is measured is what is said; how fast it is, no test asks."""

from __future__ import annotations

import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from benchmarks import __main__ as command
from benchmarks import against, crowd, engine, fold, frames, http, live, pages, paint, replays, sizes, start, views
from benchmarks.record import Record
from domain import matches
from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from replays.checking.audit import audit
from replays.files import exports
from replays.files.format import read
from replays.log import TRUTH, Log
from service import wiring
from service.config import Config
from service.run.up import TREE
from tests.browser import CHROMIUM, WHY
from tests.service.stored import out_of_step

pytestmark = pytest.mark.faults

BRIEF = 0.02


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


@pytest.fixture(scope="module")
def record(catalogue: Catalogue) -> Record:
    return Record(catalogue.rooms["three-magic"], "m_bench")


def test_a_record_is_a_whole_match_as_a_store_has_it(record: Record, catalogue: Catalogue) -> None:
    recorder = MemoryRecorder()
    assert record.store(recorder) == record.state.version
    log = Log(recorder, record.id, catalogue)
    assert log.fold(TRUTH) == record.state
    assert record.state.is_over
    begun = matches.begin(record.game, log.pack.pack, record.state.opened)
    assert matches.fold(record.game, begun, record.events) == record.state
    assert recorder.private_streams(record.id) != ()


@pytest.mark.soak
def test_every_game_is_measured(catalogue: Catalogue) -> None:
    assert set(engine.run(seconds=BRIEF)) == {f"{slug}_random_moves_per_s" for slug in catalogue.rooms}
    assert all(figure["unit"] == "moves/s" and figure["value"] for figure in engine.run(("eager",), BRIEF).values())


@pytest.mark.soak
def test_searching_is_measured(catalogue: Catalogue) -> None:
    figures = engine.search()
    assert len(figures) == 2 * len(catalogue.rooms)
    assert {figure["unit"] for figure in figures.values()} == {"worlds/s", "leaves/s"}
    assert all(figure["value"] for figure in figures.values())


def test_folding_is_measured() -> None:
    figures = fold.run(matches=1, seconds=BRIEF)
    assert {figure["unit"] for figure in figures.values()} == {"events/s", "states/s", "KiB"}
    assert all(figure["value"] for figure in figures.values())
    assert float(figures["cached_match_mean"]["value"]) <= float(figures["cached_match_max"]["value"]) <= 64


def test_replaying_is_measured(catalogue: Catalogue) -> None:
    figures = replays.run(matches=1, seconds=BRIEF)
    assert {figure["unit"] for figure in figures.values()} == {"ms", "s", "events/s"}
    assert {f"{slug}_validated_events_per_s" for slug in catalogue.rooms} < set(figures)
    assert all(figure["value"] for figure in figures.values())


@pytest.mark.soak
def test_what_a_match_takes_is_measured(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "COUNTED", 10)
    figures = sizes.run(1)
    assert {figure["unit"] for figure in figures.values()} == {"moves", "bytes", "ms", "µs"}
    assert {f"{slug.replace('-', '_')}_bytes_a_move" for slug in catalogue.rooms} < set(figures)
    assert all(figure["value"] for figure in figures.values())


@pytest.mark.soak
@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_real_server_is_measured(store: str) -> None:
    figures = http.run(seconds=0.3, callers=(3,), store=store)
    assert figures["http_3_callers_moves_per_s"]["unit"] == "moves/s"
    assert {figure["unit"] for figure in figures.values()} == {"processes", "moves/s", "looks", "ms", "CPU ms/move"}
    assert ("http_3_callers_store_server" in figures) == (store == "postgres")


@pytest.mark.soak
def test_an_earlier_release_is_measured_by_the_same_callers(tmp_path: Path) -> None:
    """This one, for want of another, by its own environment."""
    figures = against.run(TREE, callers=2, rounds=1, seconds=0.5)
    made, before, ratio = (float(figure["value"]) for figure in figures.values())
    assert min(made, before, ratio) > 0
    told = CliRunner().invoke(command.cli, ["http", "--against", str(tmp_path)])
    assert (told.exit_code, "make setup" in told.stderr) == (1, True)
    assert CliRunner().invoke(command.cli, ["views", "--against", str(tmp_path)]).exit_code == 2


@pytest.mark.soak
def test_looks_at_matches_are_measured() -> None:
    figures = views.run(seconds=0.2, callers=(2,), matches=1, moves=3, slugs=("ttmp",))
    assert {name.removeprefix("ttmp_").split("_")[0] for name in figures} == {"view", "moves"}
    assert all(float(figure["value"]) > 0 for figure in figures.values())


@pytest.mark.soak
def test_pages_are_measured() -> None:
    figures = pages.run(seconds=0.1, matches=10, tables=1, moves=3, slugs=("ttmp",))
    assert {name.split("_")[1] for name in figures} == {"matches", "ttmp", "lobby", "home", "turns"}
    assert all(float(figure["value"]) > 0 for figure in figures.values())


@pytest.mark.soak
def test_a_table_is_measured_with_nobody_and_with_a_crowd_who_hears_of_it() -> None:
    figures = crowd.run(seconds=0.5, watchers=3)
    assert all(
        float(figures[f"crowd_{name}_{many}_p50"]["value"]) > 0 for name in ("paced", "fastest") for many in (0, 3)
    )
    assert figures["crowd_fastest_0_heard"]["value"] == 0
    assert float(figures["crowd_fastest_3_heard"]["value"]) > 1


@pytest.mark.skipif(CHROMIUM is None, reason=WHY)
@pytest.mark.soak
def test_what_a_browser_draws_is_measured() -> None:
    figures = paint.run(times=1, slugs=("ttmp",))
    assert 0 < float(figures["ttmp_first_paint"]["value"]) <= float(figures["ttmp_first_table"]["value"])


@pytest.mark.soak
@pytest.mark.skipif(CHROMIUM is None, reason=WHY)
def test_what_travels_is_measured_by_frames_and_by_the_work_of_the_pages_thread() -> None:
    figures = frames.run(moves=9, slugs=("ttmp",), rates=(1,))
    assert float(figures["ttmp_x1_frame_p50"]["value"]) > 0
    assert float(figures["ttmp_x1_task_longest"]["value"]) > float(figures["ttmp_x1_tasks_long"]["value"])
    assert all(float(figures[f"ttmp_x1_{kind}"]["value"]) > 0 for kind in ("script", "style", "paint"))


@pytest.mark.skipif(CHROMIUM is None, reason=WHY)
@pytest.mark.soak
def test_how_soon_anothers_move_is_seen_is_measured() -> None:
    figures = live.run(games=("ttmp",), moves=3, watchers=(2,), pace=0.2)
    assert figures["live_ttmp_2_moves"]["value"] == 3
    assert 0 < float(figures["live_ttmp_2_heard_p50"]["value"]) < float(figures["live_ttmp_2_drawn_p50"]["value"])


def test_the_store_of_a_start_is_one_that_the_service_could_have_made(tmp_path: Path, catalogue: Catalogue) -> None:
    config = Config(data=tmp_path)
    start.fill(config, 10)
    with capture_logs() as logs, closing(wiring.build(config)) as service:
        assert [one for one in logs if one["log_level"] != "info"] == []
        keyring, recorder = service.keyring, service.recorder
        assert len(recorder.matches()) == 10
        assert out_of_step(service) == set()
        entries = [service.lobby.find(match) for match in recorder.matches()]
        assert {one.status for one in entries if one is not None} == set(start.STATUSES)
        for match in recorder.matches():
            data = b"".join(exports.lines(Log(recorder, match, catalogue), keyring, None))
            assert audit(read(io.BytesIO(data), match), catalogue).failures == (), match


@pytest.mark.soak
def test_a_start_with_matches_in_the_store_is_measured() -> None:
    figures = start.run(matches=10, times=1)
    assert figures["start_matches"]["value"] == 10
    assert {figure["unit"] for figure in figures.values()} == {"matches", "events", "s"}


class Pair(msgspec.Struct, frozen=True):
    first: Any
    second: Any


def test_what_is_held_twice_or_shared_is_counted_once_or_not() -> None:
    big = tuple(range(1000, 1100))
    alone = fold.size([big])
    assert alone > 100 * 28
    assert fold.size([big, big]) == alone
    assert fold.size([Pair(big, big)]) == alone + fold.size([Pair(None, None)])
    assert fold.size([Pair(big, None)], shared=[big]) == fold.size([Pair(None, None)])
    assert fold.size([(), None, True, 7]) == fold.size([()])


def test_figures_are_printed_for_people_and_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_figures", lambda name, matches: {f"{name}_per_s": {"value": 1234567, "unit": "x/s"}})
    shown = CliRunner().invoke(command.cli, ["fold", "store"])
    assert shown.exit_code == 0
    first, *lines = shown.output.splitlines()
    assert first == command.machine()
    assert "cores" in first
    assert [line.split() for line in lines] == [["fold_per_s", "1,234,567", "x/s"], ["store_per_s", "1,234,567", "x/s"]]
    told = json.loads(CliRunner().invoke(command.cli, ["--json"]).output)
    assert set(told) == {f"{name}_per_s" for name in command.NAMES}
    assert CliRunner().invoke(command.cli, ["moon"]).exit_code == 2
