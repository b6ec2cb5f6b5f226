"""What holds whatever was done, in whichever order: told of one match, and of all of them at the end."""

from __future__ import annotations

from typing import Any

from domain.matches import PLAYING
from replays.checking.rules import validate
from replays.files import exports
from replays.log import Log
from service.store import Entry
from tests.replays.exported import audited
from tests.service.anyhow.crowd import Crowd
from tests.service.house import Visitor, games

LEFT = ("orders", "offers", "consents", "reminders", "reminded", "pauses", "agreements", "decisions")
"""Tables of which nothing is left of a match that is over."""

BEFORE = ("sittings", "declined")
"""Tables of which nothing is left once it has started."""

ALIKE = ("id", "game", "status", "visibility", "created", "talk", "moves_made", "moved", "ended", "how", "result")


class Truths:
    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.versions: dict[tuple[str, str], int] = {}
        self.open: dict[str, set[tuple[int, int]]] = {}
        self.answered: dict[str, set[tuple[int, int]]] = {}
        self.over: dict[str, str] = {}
        self.tagged: dict[tuple[str, str, str], Any] = {}
        """What was seen of a match, by whom and with which ETag."""

    def look(self) -> None:
        for match in sorted(self.crowd.touched):
            self.hold(match)
        self.turns_hold()
        self.crowd.touched.clear()

    def hold(self, match: str) -> None:
        entry = self.crowd.entry(match)
        looks = {who: self._seen(who, match) for who in self._viewers(entry)}
        decisions_hold(self.crowd, match)
        for who, look in looks.items():
            self._grows(match, who, look)
            same_status(entry, look)
            own_decision_holds(self.crowd, match, who, look)
            time_holds(self.crowd, match, look)
            lobby_holds(self.crowd, match, who, look)
        one_table(looks)
        self._asks_once(match)
        nothing_is_left(self.crowd, entry)

    def _viewers(self, entry: Entry) -> list[Visitor]:
        seated = [*self.crowd.seated(entry.id).values()]
        known = [*seated, *(one for one in self.crowd.people if one.id == entry.creator and one not in seated)]
        return [*known, self.crowd.stranger] if entry.visibility == "public" else known

    def _seen(self, who: Visitor, match: str) -> dict[str, Any]:
        answer = self.crowd.ask(who, "GET", self.crowd.of(match))
        assert answer.status_code == 200, answer.json
        # whoever asks by an ETag is told when anything is otherwise
        tag = match, who.id, answer.headers["ETag"]
        assert self.tagged.setdefault(tag, answer.json) == answer.json
        return dict(answer.json)

    def _grows(self, match: str, who: Visitor, look: dict[str, Any]) -> None:
        place = match, who.id
        assert look["version"] >= self.versions.get(place, 0)
        assert look["version"] == self.crowd.service.recorder.head(match).version
        self.versions[place] = look["version"]
        if (was := self.over.get(match)) is not None:
            assert look["status"] == was, "what is over stays so"
        elif look["status"] in {"finished", "aborted"}:
            self.over[match] = look["status"]

    def _asks_once(self, match: str) -> None:
        """A decision that was closed is never open again."""
        now_open = {(one.seat, one.since) for one in self.crowd.owed(match)}
        closed = self.answered.setdefault(match, set())
        closed |= self.open.get(match, set()) - now_open
        assert not closed & now_open
        self.open[match] = now_open

    def turns_hold(self) -> None:
        """Everybody is told of their own turns, and of when they are due."""
        owed = [one for match in self.crowd.matches for one in self.crowd.owed(match)]
        for who in self.crowd.people:
            told = self.crowd.ask(who, "GET", "/me/turns").json["turns"]
            found = [(one["match"], one["seat"], one["decision"], one["due"]) for one in told]
            mine = [(one.match, one.seat, one.since, one.due or None) for one in owed if one.who == f"player:{who.id}"]
            assert sorted(found, key=str) == sorted(mine, key=str)
            dues = [one["due"] for one in told if one["due"]]
            assert dues == sorted(dues)


def decisions_hold(crowd: Crowd, match: str) -> None:
    """A seat is asked one thing at a time, by who plays it; and time runs where there is a clock."""
    entry, owed = crowd.entry(match), crowd.owed(match)
    assert len({one.seat for one in owed}) == len(owed)
    position = crowd.service.changes.look(match)
    clocks, head = position.truth.clocks, position.head.version
    if position.truth.status is PLAYING:
        assert owed or position.log.secret, "somebody is always asked"
    for one in owed:
        chair = entry.chairs[one.seat]
        assert one.who == chair.who
        assert 0 < one.since <= head
        is_timed = clocks.terms is not None and not clocks.is_paused and chair.is_asked_itself
        assert bool(one.due) == is_timed or chair.resigned, (one, chair)
        if clocks.is_paused or clocks.terms is None:
            assert not one.due or clocks.terms is None


def same_status(entry: Entry, look: dict[str, Any]) -> None:
    assert look["status"] == entry.status
    players = [chair["player"]["id"] for chair in look["seats"] if chair["player"]]
    assert len(players) == len(set(players)), "a player sits on one seat"
    for chair in look["seats"]:
        assert not (chair["bot"] and chair["player"])
        assert not (chair["stand_in"] and not chair["player"])


def own_decision_holds(crowd: Crowd, match: str, who: Visitor, look: dict[str, Any]) -> None:
    """What a seat is told that it is asked is what the store says, and so are its moves and when it is due."""
    owed = {one.seat: one for one in crowd.owed(match)}
    mine = owed.get(look["seat"]) if look["seat"] is not None else None
    assert look["decision"] == (mine.since if mine else None)
    moves = crowd.ask(who, "GET", crowd.of(match, "/moves")).json
    assert moves["decision"] == look["decision"]
    assert bool(moves["moves"]) == (mine is not None)
    assert len({one["id"] for one in moves["moves"]}) == len(moves["moves"])
    if not look["sealed"]:
        assert look["to_act"] == sorted(owed)
    elif look["seat"] is not None:
        assert (look["seat"] in look["to_act"]) == (mine is not None)


def time_holds(crowd: Crowd, match: str, look: dict[str, Any]) -> None:
    """What is told of deadlines is what is due; under seal of one's own alone; in a pause nothing is."""
    owed = {one.seat: one for one in crowd.owed(match)}
    told = {one["seat"]: (one["decision"], one["due"]) for one in look["deadlines"]}
    chairs = crowd.entry(match).chairs
    # what the rules play for who has resigned is due, too, and nobody's to know
    due = {seat: (one.since, one.due) for seat, one in owed.items() if one.due and chairs[seat].is_asked_itself}
    if look["sealed"]:
        due = {seat: one for seat, one in due.items() if seat == look["seat"]}
        assert {seat for seat in told if seat != look["seat"]} == set()
    assert told == due
    if look["pause"]["paused"]:
        assert told == {}
        assert not any(one.due for one in owed.values())
    kept = crowd.rows(match, "SELECT due FROM pauses WHERE partition = :partition AND match = :match")
    assert bool(kept) == (look["pause"]["paused"] and look["status"] == "playing")
    if look["status"] != "playing":
        assert look["deadlines"] == look["to_act"] == []
        assert look["decision"] is None
        assert look["pause"]["agreed"] == []
        assert look["abort"]["agreed"] == []


def lobby_holds(crowd: Crowd, match: str, who: Visitor, look: dict[str, Any]) -> None:
    path = "/matches?limit=100" if who is crowd.stranger else "/matches?limit=100&mine=true"
    found = {one["id"]: one for one in crowd.ask(who, "GET", path).json["matches"]}
    row = found[match]
    assert {name: row[name] for name in ALIKE} == {name: look[name] for name in ALIKE}
    assert row["seats"] == look["seats"]
    assert row["rematch"] == look["rematch"]
    assert (row["ended"] is not None) == (row["how"] is not None) == (row["status"] in {"finished", "aborted"})


def one_table(looks: dict[Visitor, dict[str, Any]]) -> None:
    """Whoever looks sees the same match, but for what is their own."""
    for name in ("version", "status", "sealed", "seats", "abort", "pause", "clock", "moves_made", "moved", "result"):
        assert len({repr(look[name]) for look in looks.values()}) <= 1, name
    assert len({repr(look["to_act"]) for look in looks.values() if look["seat"] is None}) <= 1


def nothing_is_left(crowd: Crowd, entry: Entry) -> None:
    """Of a match that has started, of what was before it; of one that is over, of what it waited for."""
    tables = (LEFT if entry.is_over else ()) + (BEFORE if entry.status != "open" else ())
    for table in tables:
        found = crowd.rows(entry.id, f"SELECT * FROM {table} WHERE partition = :partition AND match = :match")
        assert found == [], (table, found)


def audit(crowd: Crowd, match: str) -> None:
    entry = crowd.entry(match)
    assert entry.is_over
    seated = crowd.seated(match).values()
    who = next((one for one in crowd.people if one.id == entry.creator or one in seated), None)
    if who is None and entry.visibility != "public":
        # whoever knew of it is gone
        lines = exports.lines(Log(crowd.service.recorder, match, games()), crowd.service.keyring)
        data = b"".join(lines)
    else:
        answer = crowd.ask(who or crowd.stranger, "GET", crowd.of(match, "/export"))
        assert answer.status_code == 200, answer.json
        data = bytes(answer.data)
    report = audited(data)
    assert (report.ok, report.failures) == (True, ()), (match, report)
    verdict = validate(crowd.service.recorder, match, games())
    assert not verdict.is_fault, verdict
