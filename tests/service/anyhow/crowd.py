"""A crowd that does whatever comes to mind, at matches of its own: who is there, what time it is, what was asked.

Two services on the one store take turns in answering, as two processes would: each keeps what it knows of a match.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from flask.testing import FlaskClient
from freezegun.api import FrozenDateTimeFactory

from events.store import Decision, Row, Statement
from service.clock import now, stamp
from service.config import Config
from service.store import Entry
from tests.service import documented
from tests.service.house import Answer, House, Visitor, beside, build

MOMENT = "2126-03-04T12:00:00Z"
MOST_PEOPLE, MOST_MATCHES = 6, 5
SELDOM = 5
"""Of 16 numbers: for it somebody does what there is little sense in."""

KEPT = timedelta(hours=24)
"""For how long a request's key is known at least."""


class Crowd:
    def __init__(self, config: Config, time: FrozenDateTimeFactory) -> None:
        self.service = build(config)
        self.time = time
        self.houses = [House(one) for one in (self.service, beside(self.service))]
        self.clients: list[FlaskClient] = [house.app.test_client() for house in self.houses]
        first = self.houses[0]
        self.stranger, self.worker, self.operator = first.stranger, first.worker, first.operator
        self.people: list[Visitor] = []
        self.gone: set[str] = set()
        self.matches: list[str] = []
        self.touched: set[str] = set()
        """Matches that may have changed since they were looked at last."""
        self.said: list[tuple[Any, ...]] = []
        """What was asked with a key, and done: by whom, how, and when."""
        self._asked = 0

    def ask(self, who: Visitor, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """One service after the other is asked; none breaks down, and none says what the document does not tell."""
        self._asked += 1
        headers = who.headers if key is None else {**who.headers, "Idempotency-Key": key}
        more = {} if body is None else {"json": body}
        client = self.clients[self._asked * 5 % 3 % 2]
        answer = cast(Answer, client.open(f"/api{path}", method=method, headers=headers, **more))
        assert answer.status_code < 500, (method, path, body, answer.json)
        found, documented.faults[:] = [*documented.faults], []
        assert not found, "\n".join(found)
        if method != "GET":
            self.touched |= {match for match in self.matches if match in path}
            assert answer.status_code < 400 or answer.json["code"] != "busy", "nobody else is at it"
        return answer

    def post(self, who: Visitor, path: str, body: Any = None) -> Answer:
        """Ask for it with a key, which may be repeated later."""
        key = f"k-{self._asked}"
        answer = self.ask(who, "POST", path, body, key)
        if answer.status_code < 300:
            self.said.append((who, path, body, key, now()))
        return answer

    def of(self, match: str, path: str = "") -> str:
        return f"/matches/{match}{path}"

    def person(self, number: int) -> Visitor:
        return self.people[number % len(self.people)]

    def match(self, number: int) -> str:
        """One that is being played, where there is one: seldom another."""
        playing = [match for match in self.matches if self.entry(match).status == "playing"]
        found = playing if playing and number % 16 != SELDOM else self.matches
        return found[number % len(found)]

    def entry(self, match: str) -> Entry:
        found = self.service.lobby.find(match)
        assert found is not None
        return found

    def seated(self, match: str) -> dict[int, Visitor]:
        known = {one.id: one for one in self.people}
        return {chair.seat: known[chair.player] for chair in self.entry(match).chairs if chair.player in known}

    def one_of(self, match: str, number: int) -> Visitor:
        """Somebody who sits there; seldom, or where nobody does, anybody."""
        found = list(self.seated(match).values())
        return found[number % len(found)] if found and number % 16 != SELDOM else self.person(number)

    def beside(self, match: str, number: int) -> Visitor:
        seated = self.seated(match).values()
        found = [one for one in self.people if one not in seated] if number % 16 != SELDOM else []
        return found[number % len(found)] if found else self.person(number)

    def owed(self, match: str) -> tuple[Decision, ...]:
        return self.service.recorder.decisions(match=match)

    def rows(self, match: str, sql: str) -> list[Row]:
        return self.service.recorder.find(Statement(sql, {"match": match}, match))

    def size(self) -> tuple[int, ...]:
        """How much there is: of what is not to be done twice."""
        tables = ("events", "matches", "talk", "offers", "orders", "pauses", "agreements", "decisions")
        counts = (f"SELECT count(*) FROM {table} WHERE partition = :partition" for table in tables)
        vacations = self.service.recorder.find(Statement("SELECT id FROM vacations"))
        found = (self.service.recorder.find_everywhere(counted) for counted in counts)
        return len(vacations), *(sum(int(number) for (number,) in rows) for rows in found)

    def wait(self, length: timedelta, *, is_watched: bool) -> None:
        """Time passes, the clocks looked after all the time or by nobody; then they are looked after."""
        self.time.tick(length)
        if is_watched:
            self.service.recorder.write([Statement("DELETE FROM pulse")])
        self.fire()

    def fire(self) -> None:
        """Have what is due done, as a worker does, again while there is something."""
        for _ in range(8):
            answer = self.ask(self.worker, "POST", "/clocks", {"matches": self.matches})
            assert answer.status_code == 200, answer.json
            assert {one["problem"] for one in answer.json["matches"]} <= {None}, answer.json
            self.touched |= set(self.matches)
            if not self.late():
                return
        assert not self.late()

    def late(self) -> list[Decision]:
        moment = stamp(now())
        return [one for match in self.matches for one in self.owed(match) if one.due and one.due <= moment]
