"""The worker runs what is ours, whatever else somebody who can write to Redis has put there."""

from __future__ import annotations

import pickle
import zlib
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import redis
from rq import Queue
from rq.exceptions import DeserializationError
from rq.job import Callback, Job
from rq.results import Result
from rq.serializers import JSONSerializer
from rq.webhook import Webhook
from structlog.testing import capture_logs

from service.jobs import queue
from service.jobs.queue import NAME, BotJob, TurnQueue, UnknownJob
from service.jobs.worker import Worker
from tests.service.together import meanwhile
from tests.service.webhooks.receivers import receiver


@pytest.fixture
def theirs(connection: redis.Redis) -> Queue:
    """The queue, as anybody may write to it."""
    return Queue(NAME, connection=connection, serializer=JSONSerializer)


def work(queue: Queue) -> None:
    Worker.on(Event(), TurnQueue(queue.connection).queue).work(burst=True, logging_level="CRITICAL")


def done(*args: Any) -> None:
    """A job that the house knows, for these tests."""


def test_no_other_function_is_run_and_of_a_job_that_failed_it_is_logged_what_was_not_done(
    theirs: Queue, tmp_path: Path
) -> None:
    unknown = "a job that this service never queues was not done"
    failing = {
        queue.PLAY: "a bot could not move",
        queue.FIRE: "what is due by the clocks could not be done",
        queue.FOLLOW: "standing orders could not be followed",
        **dict.fromkeys(("os.mkdir", "pathlib.Path.mkdir", "service.jobs.worker.work", "nothing"), unknown),
    }
    for number, name in enumerate(failing):
        args = ("of", "too", "many", "words") if number < 3 else (str(tmp_path / "made"),)
        theirs.enqueue_call(name, args, job_id=f"failing-{number}")
    with capture_logs() as logged:
        work(theirs)
    assert [(one["event"], one["job"]) for one in logged] == [
        (what, f"failing-{number}") for number, what in enumerate(failing.values())
    ]
    assert not (tmp_path / "made").exists()
    result = Job.fetch("failing-3", theirs.connection, JSONSerializer).latest_result()
    assert result is not None
    assert "UnknownJob" in str(result.exc_string)


def test_one_that_was_told_to_end_before_it_heeded_signals_takes_no_job(theirs: Queue) -> None:
    stop = Event()
    worker = Worker.on(stop, TurnQueue(theirs.connection).queue)
    theirs.enqueue_call("os.mkdir", ("nowhere",))
    # as the handler does that stands until RQ sets its own
    with meanwhile(stop.set, Worker, "bootstrap", after=True):
        worker.work(burst=True, logging_level="CRITICAL")
    assert theirs.count == 1


def tell_a_hand(*args: Any) -> None:
    """A job that fails with words that nobody may read."""
    hand = "ace of hearts"
    raise RuntimeError(f"seat 2 holds\n{hand}")


def test_redis_is_not_told_by_what_a_job_failed(theirs: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BotJob, "known", {f"{__name__}.tell_a_hand": "a job failed"})
    theirs.enqueue_call(f"{__name__}.tell_a_hand", job_id="told")
    work(theirs)
    result = Job.fetch("told", theirs.connection, JSONSerializer).latest_result()
    assert result is not None
    assert (result.type, result.exc_string) == (Result.Type.FAILED, "RuntimeError")
    # packed or not
    texts: list[bytes] = [bytes(theirs.connection.dump(key) or b"") for key in theirs.connection.keys("*")]
    raw: Any = theirs.connection
    for key in raw.keys("rq:job:*"):
        if raw.type(key) == b"hash":
            texts += [zlib.decompress(text) if text.startswith(b"x") else text for text in raw.hvals(key)]
    assert any(b"tell_a_hand" in text for text in texts), "what is packed is read"
    assert not any(b"hearts" in text or b"seat 2" in text for text in texts)


def test_nothing_is_called_when_a_job_is_done_or_fails(
    theirs: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BotJob, "known", {f"{__name__}.done": "a job failed"})
    monkeypatch.chdir(tmp_path)
    callback = Callback(f"{__name__}.mark")
    with receiver() as listener:
        hook = Webhook(listener.url(), "finished", method="POST")
        for name in (f"{__name__}.done", "nothing.at.all"):
            after: dict[str, Any] = dict.fromkeys(("on_success", "on_failure", "on_stopped"), callback)
            theirs.enqueue_call(name, ("m", 0, 1), webhooks=[hook], **after)
        work(theirs)
    assert not (tmp_path / "called").exists()
    assert listener.requests == []


def mark(*args: Any) -> None:
    """Called when a job is done, by who would have it so."""
    Path("called").touch()


class Bomb:
    """What makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.mkdir, (self.path,))


def test_nothing_is_unpickled(theirs: Queue, tmp_path: Path) -> None:
    bomb = pickle.dumps(Bomb(tmp_path / "made"))
    for field in ("data", "meta", "result"):
        job = theirs.enqueue_call(queue.PLAY, ("m", 0, 1), job_id=f"with-{field}")
        theirs.connection.hset(job.key, field, bomb)
    work(theirs)
    with pytest.raises(DeserializationError):
        BotJob.fetch("with-data", theirs.connection, JSONSerializer).args  # noqa: B018
    assert not (tmp_path / "made").exists()
    pickle.loads(bomb)
    assert (tmp_path / "made").exists(), "it would have"


def test_the_sweep_hears_no_more_of_it_than_the_worker(theirs: Queue) -> None:
    job = theirs.enqueue_call("os.mkdir", ("m", 0, 1), job_id="m-1-0")
    theirs.connection.hset(job.key, "failure_callback_name", f"{__name__}.mark")
    (found,) = BotJob.fetch_many(["m-1-0"], theirs.connection, JSONSerializer)
    assert found is not None
    assert found.failure_callback is None
    with pytest.raises(UnknownJob, match=r"os\.mkdir"):
        found.func  # noqa: B018
    assert isinstance(TurnQueue(theirs.connection).queue.fetch_job("m-1-0"), BotJob)
