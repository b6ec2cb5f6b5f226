"""What processes log: lines for programs, or for people at a terminal, and never a secret."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from events.store import StoreError
from service.signing import fresh_token
from service.telemetry.logs import BLOT, blot, where
from tests.service.run.backups import service
from tests.service.run.uprun import TREE, environment, ran
from tests.typed import at_a_terminal

SAYS = """
import logging, sys
from service.telemetry import logs
logs.configure("worker", {level!r})
import structlog
logger = structlog.get_logger("service.somewhere")
logger.debug("quiet")
logger.info("hello", seat=3, path=__import__("pathlib").Path("/a b"))
logger.info("found", seat=3, path=__import__("pathlib").Path("/\\udcff"))
logging.getLogger("library").warning("from %s", "redis://:hunter2@elsewhere")
logging.getLogger("library").info("not of interest")
try:
    raise ValueError("the hand is fire 3")
except ValueError:
    logging.getLogger("library").exception("failed")
    logger.error("failed too", exc_info=True)
"""


def said(level: str = "info") -> list[dict[str, Any]]:
    """What a process logs that is not at a terminal."""
    done = ran(sys.executable, "-c", SAYS.format(level=level))
    assert (done.returncode, done.stdout) == (0, "")
    return [json.loads(line) for line in done.stderr.splitlines()]


def test_where_the_log_is_full_a_process_goes_on_and_its_lines_are_dropped() -> None:
    says = [sys.executable, "-c", SAYS.format(level="debug") + "print('went on')"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(says, cwd=TREE, env=environment(), stdout=subprocess.PIPE, stderr=full, check=False)
    assert done.stdout == b"went on\n"


def test_lines_are_json_with_time_level_and_who_says_it_libraries_too() -> None:
    hello, found, library, failed, too = said()
    assert list(hello)[:5] == ["timestamp", "level", "event", "process", "pid"]
    assert hello["event"] == "hello"
    assert (hello["process"], hello["seat"], hello["path"]) == ("worker", 3, "/a b")
    assert (found["seat"], found["path"]) == (3, "/\udcff"), "its name is not UTF-8"
    from_library = library["event"], library["level"], library["logger"]
    assert from_library == ("from redis://***@elsewhere", "warning", "library")
    for line in (failed, too):
        assert line["kind"] == "ValueError"
        assert line["where"], "the place"
        assert "fire 3" not in json.dumps(line), "never an exception's words"
    assert [line["event"] for line in said("debug")][:2] == ["quiet", "hello"]
    assert [line["event"] for line in said("error")] == ["failed", "failed too"]


def test_at_a_terminal_lines_are_for_people() -> None:
    text, _ = at_a_terminal([sys.executable, "-c", SAYS.format(level="info")], "stderr", env=environment())
    assert b"event=hello" in text
    assert b'"event"' not in text


@pytest.mark.parametrize(
    "secret",
    [
        "Authorization: Bearer hunter-hunter-hunter",
        f"bearer {'ab' * 32}",
        "aB3-_" * 8 + "xyz",
        pytest.param(fresh_token(), id="a token of the service"),
        pytest.param(token_hex(32), id="hexadecimal digits"),
        "redis://:hunter2@host:6379/0 is away",
        "postgresql://foldtable:hunter2@host/foldtable",
    ],
)
def test_what_looks_like_a_secret_is_blotted_out(secret: str) -> None:
    hidden = secret.rpartition(" ")[2] if "://" not in secret else "hunter2"
    for value in (secret, f"it was {secret}, and no other", [secret], ValueError(secret), {"a": secret}):
        told = blot(None, "", {"event": "x", "error": value})["error"]
        assert hidden not in str(told)
        assert BLOT in str(told)


def test_no_row_of_postgresql_is_told_and_what_is_no_secret_stays_as_it_is() -> None:
    error = StoreError('null value in column\nDETAIL:  Failing row contains (m_1, {"fire": 3}).\nCONTEXT: x')
    assert blot(None, "", {"event": "x", "error": error})["error"] == f"null value in column\nDETAIL: {BLOT}"
    fields = {"match": "m_dt4p3xi2fk2p4qmy", "seconds": 0.25, "where": ["a.py:3 f"], "path": Path("/data")}
    assert blot(None, "", dict(fields)) == fields
    assert where(None, "", {"event": "x", "exc_info": None}) == {"event": "x"}


def test_a_level_that_is_none_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_LOG", "loud")
    done = service("follow")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("error: FOLDTABLE_LOG is one of debug, info, warning, error, not 'loud'")
