"""What docs/tables.md tells is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from events.memory import MemoryRecorder
from replays.log import TRUTH, Log
from replays.tables import SCHEMA
from tests.conventions.tree import ROOT
from tests.laws.rooms import CATALOGUE
from tests.replays.tabulate.databases import asked, written
from tests.replays.timed import stage

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
