"""One question to every match, by many processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from domain.catalogue import Catalogue
from events.sqlite import SqliteRecorder
from events.store import Reader
from replays.commands import Wrong
from replays.commands.reading import AHEAD, BATCH, Place, ask_all, in_folder
from tests.replays.commands.typed import TREE
from tests.service.run.uprun import until

pytestmark = pytest.mark.faults

DEADLINE = 60.0
"""Seconds after which a test gives up."""


def whoever(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> tuple[str, int, int]:
    """Who answers, and how many matches have been answered for since."""
    if match_id == "m_bad":
        raise LookupError(match_id)
    answers = place.folder / "answers"
    with answers.open("ab") as file:
        file.write(b".")
    return match_id, os.getpid(), answers.stat().st_size


@pytest.fixture
def data(tmp_path: Path) -> Path:
    SqliteRecorder(tmp_path / "foldtable.db").close()
    return tmp_path


def test_answers_come_in_their_order_and_no_further_ahead_than_they_may(data: Path) -> None:
    ids = tuple(f"m_{number:03}" for number in range(40 * BATCH))
    answers = ask_all(whoever, in_folder(data), ids, "asking")
    first = next(answers)
    assert (os.getpid() == first[1]) == (os.cpu_count() == 1)
    most = (AHEAD * (os.cpu_count() or 1) + 1) * BATCH
    taken = [first[0]]
    for number, (match_id, _, _) in enumerate(answers, 2):
        taken.append(match_id)
        if number % BATCH == 0:
            assert (data / "answers").stat().st_size <= number + most
    assert tuple(taken) == ids


def test_what_an_answer_raises_is_raised_and_nobody_answers_on(data: Path) -> None:
    ids = ("m_bad", *(f"m_{number:03}" for number in range(200 * BATCH)))
    with pytest.raises(LookupError, match="m_bad"):
        list(ask_all(whoever, in_folder(data), ids, "asking"))
    answered = data / "answers"
    assert not answered.exists() or answered.stat().st_size <= (AHEAD * (os.cpu_count() or 1) + 1) * BATCH


def killed(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> None:
    """Ends as a process does for which there is no memory."""
    if match_id == "m_bad":
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.cpu_count() == 1, reason="one process asks and answers")
def test_that_a_process_which_answers_was_killed_is_told_in_one_line(data: Path) -> None:
    ids = tuple(f"m_{number:03}" for number in range(4 * BATCH))
    with pytest.raises(Wrong, match=r"^a process that was reading matches was killed: the memory may be short$"):
        list(ask_all(killed, in_folder(data), (*ids, "m_bad"), "asking"))


ASK = """
import sys
from pathlib import Path

from replays.commands import reading
from tests.replays.commands import test_parallel

question, count = getattr(test_parallel, sys.argv[2]), int(sys.argv[3])
try:
    list(reading.ask_all(question, reading.in_folder(Path(sys.argv[1])), ("m",) * count, "waiting"))
except KeyboardInterrupt:
    sys.exit(130)
"""


def asking(data: Path, question: str, count: int, **more: Any) -> subprocess.Popen[str]:
    """Another process that asks the question of so many matches."""
    command = [sys.executable, "-c", ASK, str(data), question, str(count)]
    return subprocess.Popen(command, cwd=TREE, text=True, **more)


def slow(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> str:
    """Tells which process it is, and never answers."""
    print(os.getpid(), flush=True)
    Event().wait()
    return match_id


def brief(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> str:
    """Answers after a moment."""
    Event().wait(0.01)
    return match_id


def test_processes_that_answer_end_with_one_that_was_killed(data: Path) -> None:
    with asking(data, "slow", 64, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        answering = int(process.stdout.readline())
        process.kill()
        try:
            # they hold the other end of it, which ends when all of them have
            process.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            os.kill(answering, signal.SIGKILL)
            pytest.fail("whoever answered for it lives on")


@pytest.mark.skipif(os.cpu_count() == 1, reason="one process asks and answers")
@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP])
def test_whoever_asks_ends_at_a_signal_and_says_nothing_of_it(data: Path, asked: int) -> None:
    with asking(data, "brief", 100_000, stderr=subprocess.PIPE) as process:
        until(lambda: children(process.pid), "somebody is started to answer", every=0.005)
        process.send_signal(asked)
        _, said = process.communicate(timeout=DEADLINE)
    assert (process.returncode, said) == (128 + asked, "")


def children(pid: int) -> list[int]:
    """Of a process, those that are to answer."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(one) for one in found if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.1, 0.2])
def test_who_is_started_when_ctrl_c_comes_says_nothing_of_it(data: Path, seconds: float) -> None:
    process = asking(data, "brief", 100_000, stderr=subprocess.PIPE, start_new_session=True)
    try:
        until(lambda: children(process.pid), "somebody is started to answer", every=0.005)
        Event().wait(seconds)
        # as a terminal tells it, to all of them
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=DEADLINE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, said) == (130, "")
