"""What the tables say of a match is what its viewer was told, and what docs/tables.md tells of them is there."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import msgspec
import pytest

from domain import matches
from events import chain
from events.memory import MemoryRecorder
from events.store import Write
from replays import words
from replays.files import exports
from replays.film import Film
from replays.log import TRUTH, Log
from replays.tables import SCHEMA
from tests.conventions.tree import ROOT
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.exported import forked, games, opened
from tests.replays.exported import stage as played
from tests.replays.staged import SECRET
from tests.replays.tabulate.databases import asked, written
from tests.replays.timed import Timed, stage, stages


@pytest.fixture(scope="module")
def staged() -> dict[str, Timed]:
    """A match of each room that is over, one that runs, and one in which somebody has answered under seal."""
    sealed = stage(MemoryRecorder(), "three-magic", "r_sealed", 0)
    sealed.step_until_sealed()
    return stages() | {"r_sealed": sealed}


RUNNING = [*(f"r_{slug}" for slug in SLUGS), "r_sealed"]


def log_of(staged: dict[str, Timed], match: str) -> Log:
    return Log(staged[match].recorder, match, CATALOGUE)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_event_is_a_row_in_its_place_with_its_words(staged: dict[str, Timed], slug: str, tmp_path: Path) -> None:
    log = log_of(staged, f"o_{slug}")
    rows = asked(written(tmp_path / "t", (log, TRUTH)), "SELECT * FROM events ORDER BY id")
    own, film = [row for row in rows if row["stream"] == log.id], Film(log, TRUTH)
    assert [row["id"] for row in rows] == list(range(1, len(rows) + 1))
    assert len(own) == film.head
    for row, stored, frame in zip(own, log.store.read(log.id), film.frames, strict=True):
        assert [row[name] for name in ("version", "type", "at", "actor", "move")] == [
            getattr(stored, name) for name in ("version", "type", "at", "actor", "move")
        ]
        for lang in ("en", "ja"):
            assert row[f"text_{lang}"] == words.describe(log.game, frame.event, lang)
        assert log.codec.decode(stored.type, stored.schema, row["fields"].encode()) == frame.event
    private = [one for stream in log.store.private_streams(log.id) for one in log.store.read(stream)]
    assert [(row["stream"], row["version"], row["type"]) for row in rows[film.head :]] == [
        (one.stream, one.version, one.type) for one in private
    ]
    assert private or slug != "three-magic"


@pytest.mark.parametrize("slug", SLUGS)
def test_each_choice_has_the_time_that_it_took(staged: dict[str, Timed], slug: str, tmp_path: Path) -> None:
    log = log_of(staged, f"o_{slug}")
    path = written(tmp_path / "t", (log, TRUTH))
    rows = asked(path, "SELECT * FROM moves ORDER BY event")
    timed = sorted((row["seat"], row["asked"], row["thought_ms"]) for row in rows if row["cause"] != "forced")
    assert timed == sorted((seat, asked, 1000 * s) for seat, asked, s in staged[log.id].thought)
    for row in rows:
        if row["cause"] == "forced":
            assert (row["asked"], row["asked_at"], row["thought_ms"]) == (None, None, None)
    joined = asked(
        path, "SELECT m.*, e.type AS event_type, e.at AS told, e.fields FROM moves m JOIN events e ON id=event"
    )
    for row in joined:
        assert row["event_type"] == ("match/AnswerSealed" if row["sealed"] else "match/MoveMade")
        assert (row["told"], row["type"]) == (
            row["at"],
            json.loads(row["fields"])["answer" if row["sealed"] else "move"]["type"],
        )


@pytest.mark.parametrize("slug", ["ttmp", *(pytest.param(slug, marks=pytest.mark.soak) for slug in SLUGS)])
def test_the_points_are_the_standing_after_each_move(slug: str, tmp_path: Path) -> None:
    whole = stage(MemoryRecorder(), slug, "m_whole")
    log, state = Log(whole.recorder, whole.id, CATALOGUE), whole.state
    path = written(tmp_path / "t", (log, TRUTH))
    by_move = defaultdict(list)
    for row in asked(path, "SELECT * FROM points ORDER BY move, seat"):
        by_move[row["move"]].append(row)
    assert list(by_move) == list(range(state.moves + 1))
    for move, rows in by_move.items():
        (version,) = {row["version"] for row in rows}
        then = log.fold(TRUTH, at=version)
        standing = log.game.standing(then.table)
        assert [(row["points"], row["place"]) for row in rows] == list(
            zip(standing.points, standing.ranking, strict=True)
        )
        assert then.moves == move
        if version < state.version:
            assert log.fold(TRUTH, at=version + 1).moves == move + 1
    seats = asked(path, "SELECT * FROM seats ORDER BY seat")
    assert [(row["points"], row["place"]) for row in seats] == list(zip(state.points, state.ranking, strict=True))
    (match,) = asked(path, "SELECT * FROM matches")
    assert (match["moves"], match["events"], match["status"]) == (state.moves, state.version, "finished")
    assert (match["opened"], match["ended"]) == (log.store.read(log.id)[0].at, log.store.head(log.id).at)


@pytest.mark.parametrize("match", RUNNING)
def test_of_a_running_match_the_tables_are_made_of_what_its_viewer_may_know(
    staged: dict[str, Timed], match: str, tmp_path: Path
) -> None:
    """Of its export, which has nothing else, they are the same to the byte."""
    log = log_of(staged, match)
    for viewer in (None, *range(log.opening.seats)):
        data = b"".join(exports.lines(log, None, viewer))
        theirs = Log(opened(data), log.id, CATALOGUE)
        here = written(tmp_path / f"here-{viewer}", (log, viewer))
        assert written(tmp_path / f"export-{viewer}", (theirs, viewer)).read_bytes() == here.read_bytes()
        assert SECRET.encode() not in here.read_bytes()
        (row,) = asked(here, "SELECT viewer, ended FROM matches")
        assert row == {"viewer": "anybody" if viewer is None else f"seat:{viewer}", "ended": None}


def test_private_logs_are_told_when_the_match_is_over_and_not_before(staged: dict[str, Timed], tmp_path: Path) -> None:
    log = log_of(staged, "r_sealed")
    answered = [seat for seat, one in enumerate(staged["r_sealed"].state.answers) if one.sealed]
    assert answered
    for viewer in (None, *range(3)):
        path = written(tmp_path / f"{viewer}", (log, viewer))
        assert asked(path, "SELECT 1 FROM events WHERE stream <> match OR type = 'match/AnswerSealed'") == []
        assert asked(path, "SELECT 1 FROM moves WHERE sealed") == []
    over = log_of(staged, "o_three-magic")
    streams = "SELECT DISTINCT stream FROM events WHERE stream <> match ORDER BY 1"
    told = {one: asked(written(tmp_path / f"o{one}", (over, one)), streams) for one in (TRUTH, None, 0, 1, 2)}
    assert [row["stream"] for row in told[TRUTH]] == list(over.store.private_streams(over.id))
    assert told[None] == []
    for seat in range(3):
        assert [row["stream"] for row in told[seat]] == [
            stream for stream in over.store.private_streams(over.id) if stream.endswith(f":{seat}")
        ]


def test_an_open_match_one_that_was_broken_off_and_a_fork_have_tables(tmp_path: Path) -> None:
    recorder = MemoryRecorder()
    free = Timed(recorder, CATALOGUE.rooms["ttmp"], "m_open", ["greedy"] * 2)
    broken = stage(recorder, "ttmp", "m_broken", 3)
    broken.abort()
    looks = [(Log(recorder, match, CATALOGUE), viewer) for match, viewer in (("m_open", 0), ("m_broken", TRUTH))]
    path = written(tmp_path / "t", *looks)
    first, second = asked(path, "SELECT status, viewer, ended, moves FROM matches")
    assert first == {"status": "open", "viewer": "anybody", "ended": None, "moves": 0}
    assert (second["status"], second["viewer"]) == ("aborted", "all")
    assert second["ended"] is not None
    assert {(row["place"], row["points"]) for row in asked(path, "SELECT * FROM seats")} == {(None, None)}
    assert free.state.status is matches.Status.OPEN
    assert asked(path, "SELECT 1 FROM points WHERE match = 'm_open'") == []
    # a fork names its parent
    export = opened(forked())
    log = Log(export, export.header.match, games())
    (row,) = asked(written(tmp_path / "fork", (log, TRUTH)), "SELECT parent, parent_version FROM matches")
    event = log.events(TRUTH)[1]
    assert row == {"parent": event.parent, "parent_version": event.version}
    assert row["parent"] == "m_0"


def test_matches_are_apart_though_events_are_counted_through(tmp_path: Path) -> None:
    recorder = MemoryRecorder()
    for match in ("m_1", "m_2"):
        stage(recorder, "magicative", match)
    logs = [Log(recorder, match, CATALOGUE) for match in ("m_1", "m_2")]
    both = written(tmp_path / "both", *((log, TRUTH) for log in logs))
    for log in logs:
        alone = written(tmp_path / log.id, (log, TRUTH))
        for table in ("matches", "seats", "points"):
            of_match = f"SELECT * FROM {table} WHERE match = ?"
            assert asked(both, of_match, log.id) == asked(alone, of_match, log.id) != []
        moves = "SELECT moves.*, text_en FROM moves JOIN events ON id = event WHERE moves.match = ? ORDER BY event"
        here, there = asked(both, moves, log.id), asked(alone, moves, log.id)
        assert [row | {"event": 0} for row in here] == [row | {"event": 0} for row in there] != []
    assert asked(both, "PRAGMA foreign_key_check") == []
    assert asked(both, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]


def test_a_decision_that_the_log_does_not_have_is_not_timed(tmp_path: Path) -> None:
    staged = played("ttmp")
    staged.step()
    log = Log(staged.recorder, staged.id, games())
    events = list(log.store.read(log.id))
    (at,) = [i for i, one in enumerate(events) if one.type == "match/MoveMade" and b'"cause":"seat"' in one.public]
    public = json.loads(events[at].public) | {"decision": 999}
    events[at] = msgspec.structs.replace(events[at], public=chain.encode_canonical(public))
    other = MemoryRecorder()
    other.append(log.id, [Write(log.id, 0, tuple(events))])
    path = written(tmp_path / "t", (Log(other, log.id, games()), None))
    (row,) = asked(path, "SELECT asked, asked_at, thought_ms FROM moves WHERE cause = 'seat'")
    assert row == {"asked": None, "asked_at": None, "thought_ms": None}


PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"^```sql\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
GAMES = sorted(slug for slug in CATALOGUE.rooms if slug != "high-card")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few matches of every game."""
    recorder = MemoryRecorder()
    ids = [stage(recorder, slug, f"m_{slug}_{number}").id for slug in GAMES for number in range(2)]
    return written(tmp_path_factory.mktemp("t") / "t.db", *((Log(recorder, one, CATALOGUE), TRUTH) for one in ids))


def test_the_page_asks_three_questions_of_every_game_and_they_are_answered(database: Path) -> None:
    pace, leaders, ends = (asked(database, question) for question in QUESTIONS)
    for rows in (pace, leaders):
        assert sorted({row["game"] for row in rows}) == GAMES
    assert [row["mean_s"] for row in pace] == sorted((row["mean_s"] for row in pace), reverse=True)
    assert all(0 < row["mean_s"] <= row["longest_s"] + 1 for row in pace)
    assert all(0 <= row["winners"] <= row["leaders"] for row in leaders)
    last = asked(database, "SELECT match, text_en FROM events WHERE type LIKE '%/MatchEnded' ORDER BY match")
    assert [(row["match"], row["text_en"]) for row in ends] == [
        (row["match"], row["text_en"]) for row in last if " wins" in row["text_en"]
    ]
    assert 1 < len(ends) < len(last) == 2 * len(GAMES)


@pytest.mark.parametrize("table", re.findall(r"^CREATE TABLE (\w+)", SCHEMA.read_text(), re.MULTILINE))
def test_every_column_is_told_of_and_no_other(database: Path, table: str) -> None:
    told = re.search(rf"^\| `{table}` \|.*?\n\|---\|---\|\n(.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert told, table
    columns = [name for row in told[1].split("\n") for name in re.findall(r"`(\w+)`", row.split(" | ")[0])]
    found = asked(database, f"SELECT name FROM pragma_table_info('{table}')")
    assert sorted(columns) == sorted(row["name"] for row in found)
    assert len(columns) == len(set(columns))


@pytest.mark.parametrize(("words", "found"), [("wins", True), ("点で", True), ("zzyzx", False)])
def test_words_are_found_wherever_they_stand_in_a_text(database: Path, words: str, found: bool) -> None:
    sql = "SELECT events.text_en || events.text_ja AS text FROM events_fts JOIN events ON id = events_fts.rowid WHERE"
    if len(words) > 2:
        rows = asked(database, f"{sql} events_fts MATCH ?", words)
    else:
        rows = asked(database, "SELECT text_ja AS text FROM events WHERE text_ja LIKE ?", f"%{words}%")
    assert bool(rows) == found
    assert all(words.lower() in row["text"].lower() for row in rows)
    every = asked(database, "SELECT text_en, text_ja FROM events")
    assert len(rows) == sum(words.lower() in f"{one['text_en']}\n{one['text_ja']}".lower() for one in every)
