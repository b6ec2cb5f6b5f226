"""`python -m benchmarks.traced KIND TIMES`: make requests of a kind, and print as JSON which files they enter.

Python's profiler gets every call on the thread that sets it and on threads that start later; all greenlets of a thread
share it. So the tracer is made before anything else, and notes calls only during a request.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.http import Client
    from service.wiring import Service

ROOT = Path(__file__).parents[1]
OURS = tuple(f"{ROOT / name}/" for name in ("domain", "events", "replays", "bots", "service"))
"""The folders whose files are counted."""

GAME, SEATS = "three-magic", 3
DOMAIN = "play.test"


class Tracer:
    """Notes the file of each call of foldtable's own code during a request."""

    def __init__(self) -> None:
        self._is_on = False
        self._calls: list[str] = []
        threading.setprofile(self._hear)
        sys.setprofile(self._hear)

    def _hear(self, frame: FrameType, event: str, arg: Any) -> None:
        if self._is_on and event == "call" and (file := frame.f_code.co_filename).startswith(OURS):
            name = file.removeprefix(f"{ROOT}/")
            if self._calls[-1:] != [name]:
                self._calls.append(name)

    def of(self, request: Callable[[], object]) -> dict[str, list[str]]:
        """Make the request, and return the fields of a `benchmarks.trace.Trace`."""
        self._calls = []
        self._is_on = True
        try:
            request()
        finally:
            self._is_on = False
        return {"calls": self._calls}


class TracedService:
    """A service with a new store and its web server, all in this process."""

    def __init__(self, stack: ExitStack, **settings: str) -> None:
        from tempfile import TemporaryDirectory

        from service import wiring
        from service.config import Config
        from service.sockets import listen
        from service.web import create_app
        from service.web.door import Loop

        folder = Path(stack.enter_context(TemporaryDirectory()))
        # every setting is text in the environment
        self.config = Config(data=folder, port=0, bot_pause=0.0, **settings)  # type: ignore[arg-type]
        self.service: Service = wiring.build(self.config)
        stack.callback(self.service.close)
        listener = stack.enter_context(listen(self.config))
        self.port = int(listener.getsockname()[1])
        app, addresses = create_app(self.service), self.service.limits.addresses
        loop = Loop(listener, app, addresses, connections=100, patience=self.config.patience)
        loop.start()
        stack.callback(loop.stop)
        self._stack = stack

    def client(self, token: str = "") -> Client:
        """Return a client, which is closed together with the service."""
        from benchmarks.http import Client

        made = Client(self.port, token)
        self._stack.callback(made.close)
        return made


class TracedTable:
    """A match, with people on the first seats and bots on the others."""

    def __init__(self, house: TracedService, people: int = SEATS) -> None:
        stranger = house.client()
        signed_up = [stranger.ask("POST", "/api/players", {"name": f"Player {seat}"}) for seat in range(people)]
        self.ids, self.tokens = [one["id"] for one in signed_up], [one["token"] for one in signed_up]
        self.people = [house.client(token) for token in self.tokens]
        seats = [None] * people + [{"bot": "random"}] * (SEATS - people)
        self.id = str(self.people[0].ask("POST", "/api/matches", {"game": GAME, "seats": seats})["id"])
        for seat, person in enumerate(self.people):
            person.ask("POST", f"/api/matches/{self.id}/seats", {"seat": seat})

    def asked(self) -> tuple[int, dict[str, Any]] | None:
        """Return the seat of a person who is asked, and their moves; None if no person is asked."""
        for seat, person in enumerate(self.people):
            moves = person.ask("GET", f"/api/matches/{self.id}/moves")
            if moves["decision"] is not None:
                return seat, moves
        return None

    def move(self, seat: int, moves: dict[str, Any]) -> None:
        """Make the first one of the moves over REST."""
        said = {"decision": moves["decision"], "id": moves["moves"][0]["id"]}
        self.people[seat].ask("POST", f"/api/matches/{self.id}/moves", said)


Request = Callable[[], object]
Prepare = Callable[[], Request]
"""Prepares a request, untraced, and returns it."""


def moves(stack: ExitStack) -> Prepare:
    """Return how to prepare a person's move over REST."""
    table = TracedTable(TracedService(stack))

    def prepare() -> Request:
        asked = table.asked()
        assert asked is not None, "the match goes on"
        return lambda: table.move(*asked)

    return prepare


def pages(stack: ExitStack) -> Prepare:
    """Return how to prepare a player's request for the page of their table."""
    from http.client import HTTPConnection

    house = TracedService(stack)
    table = TracedTable(house)
    connection = HTTPConnection("127.0.0.1", house.port)
    stack.callback(connection.close)

    def look() -> None:
        connection.request("GET", f"/matches/{table.id}", headers={"Cookie": f"foldtable={table.tokens[0]}"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status

    return lambda: look


def turns(stack: ExitStack) -> Prepare:
    """Return how to prepare a bot's turn: the sweep finds it, and a worker plays it until a person is asked."""
    from tempfile import TemporaryDirectory
    from threading import Event

    from service.jobs import worker
    from service.jobs.queue import TurnQueue, connect
    from service.jobs.sweep import TurnSweep
    from service.run.redis_server import RedisServer
    from tests.service.run.redisrun import running

    redis = RedisServer(Path(stack.enter_context(TemporaryDirectory())))
    connection = stack.enter_context(connect(stack.enter_context(running(redis)).url))
    house = TracedService(stack)
    table = TracedTable(house, people=SEATS - 1)
    work = TurnQueue(connection)
    worker.prepare(house.config, f"http://127.0.0.1:{house.port}", Event(), work)
    sweep = TurnSweep(house.service.recorder, work)
    hand = worker.Worker.on(Event(), work.queue)

    def play() -> None:
        sweep.tell([table.id])
        sweep.look()
        hand.work(burst=True, logging_level="CRITICAL")

    def prepare() -> Request:
        while asked := table.asked():
            table.move(*asked)
        return play

    return prepare


def replies(stack: ExitStack) -> Prepare:
    """Return how to prepare a person's move by a reply to a mail."""
    from events.store import Statement
    from service.mail import MailListener, MailReceiver, MailTokens
    from service.mail.situation import PLAY_TO
    from service.store import mailing
    from tests.service.mail.mailbox import hand_in

    house = TracedService(stack, smtp="smtp://127.0.0.1:9", mail_from=f"table@{DOMAIN}", mail_domain=DOMAIN)
    table, tokens = TracedTable(house), MailTokens(house.service.signer)
    for seat, player in enumerate(table.ids):
        address = f"seat-{seat}@people.test"
        confirmed = "UPDATE players SET email = :email, confirmed = created WHERE id = :id"
        house.service.recorder.write(
            [Statement(confirmed, {"email": address, "id": player}), mailing.confirm(player, address, "en", "")]
        )
    assert house.service.mail is not None, "it is configured"
    listener = MailListener(MailReceiver(house.service.mail.answering), "127.0.0.1", 0, DOMAIN)
    stack.callback(listener.close)

    def prepare() -> Request:
        asked = table.asked()
        assert asked is not None, "the match goes on"
        seat, now = asked
        token = tokens.reply(table.ids[seat], table.id, seat, now["decision"], [move["id"] for move in now["moves"]])
        mail = EmailMessage()
        mail["From"], mail["To"] = f"seat-{seat}@people.test", f"{PLAY_TO}{token}@{DOMAIN}"
        mail["Subject"], mail["Message-ID"] = "Re: Your turn", f"<{now['decision']}@people.test>"
        mail.set_content("1\n")

        def reply() -> None:
            code, said = hand_in(listener.port, str(mail["From"]), str(mail["To"]), mail.as_bytes())
            assert code == 250, said

        return reply

    return prepare


KINDS: dict[str, Callable[[ExitStack], Prepare]] = {"move": moves, "table": pages, "bot": turns, "mail": replies}


def main(kind: str, times: int) -> None:
    """Print the traces as JSON. One request is made before, untraced, for all that is done only once."""
    tracer = Tracer()
    from service.greenlets import patch

    patch()
    from msgspec import json

    with ExitStack() as stack:
        prepare = KINDS[kind](stack)
        prepare()()
        print(json.encode([tracer.of(prepare()) for _ in range(times)]).decode())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
