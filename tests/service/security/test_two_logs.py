"""Two logs that differ only in what somebody may not know: whatever they ask is answered alike, and so is every page.

Everything that the document lets them ask is asked for in both, in one order: what is looked at, what is done, what is
refused, streams too. So is what is logged and counted meanwhile. An operation that is new takes part by being one, and
so does a page; one whose address has a part that is not known here fails the test until it is said what to ask for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.chain import Stored
from service.config import Config
from service.store import Statement
from service.telemetry import logs
from tests.service.clocks.timing import fire, kinds
from tests.service.house import HIGH_CARD, THREE_MAGIC, Answer, House, Visitor, build, each, step
from tests.service.matches.test_orders import NEVER, aside, follow, give
from tests.service.matches.test_secrecy import MASKED, dealt_otherwise, hands, rewritten, strip, watched, with_pairs
from tests.service.security.furnished import CHANGED, FOUND, PUBLIC, Furnished, furnish
from tests.service.streams.reading import NDJSON, SSE

LAST = ("POST /api/matches/{match_id}/resign", "DELETE /api/me", "DELETE /api/sessions")
"""After which less can be done, or nothing."""

GETS = sorted(name for name in FOUND if name.startswith("GET "))
OWN = [name for name in GETS if name not in PUBLIC]
DONE = sorted({*FOUND} - {*GETS, *LAST}, key=lambda name: (name.startswith("DELETE"), name))

STREAMS = ("GET /api/matches/{match_id}/events", "GET /api/me/events")
MOVE = "POST /api/matches/{match_id}/moves"

ID = re.compile(rb"\b[a-z]{1,2}_[a-z0-9]{16}\b")
HANDED_OUT = re.compile(
    rb'"(token|secret|code|csrf)":"[^"]{16,}"|(?<=name="csrf" value=")[^"]{16,}|/api/feeds/([^"]{16,})"'
)
SEALED = re.compile(rb"\bgAAAAA[A-Za-z0-9_=-]+")
"""Nobody reads what is in it, but how long it is."""
HASHED = re.compile(rb"[0-9a-f]{64,128}")

PARTS = {
    "match_id": "match_id", "match": "match_id", "slug": "game", "game": "game", "name": "pack", "pack": "pack",
    "player_id": "player", "player": "player", "version": "version", "what": "resign",
    "seat": "seat", "operation": "getMatch", "schema": "Match",
}  # fmt: skip
"""What stands in the addresses of pages, by the names of these parts."""

BETWEEN, LATER = "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"

TERMS = {"allowance": "PT1H", "claims": "PT10M", "bank": "PT1H", "defaults": 2}

WRONG = ({"id": "none"}, {"move": {"type": "Discard", "at": 70}}, {"move": {"type": "SetAside", "card": 70}})


def masked(data: bytes, known: frozenset[bytes]) -> bytes:
    """What was told, but for what is drawn for each answer, and for hashes and signatures."""
    data = HASHED.sub(b"*", HANDED_OUT.sub(rb'"\1":"*"', data))
    data = SEALED.sub(lambda found: b"sealed %d" % len(found[0]), data)
    return ID.sub(lambda found: found[0] if found[0] in known else b"*", data)


def told_by(answer: Answer, known: frozenset[bytes]) -> list[Any]:
    headers = [(key, masked(value.encode(), known).decode()) for key, value in answer.headers if key not in MASKED]
    return [answer.status_code, masked(answer.data, known).decode(errors="backslashreplace"), headers]


class Asking:
    """Somebody who asks, and all that they are answered."""

    def __init__(self, furnished: Furnished, who: Visitor) -> None:
        self.furnished, self.who = furnished, who
        self.known = frozenset(part.encode() for part in (*furnished.parts.values(), who.id))
        self.found: list[Any] = []

    def ask(self, name: str, headers: Any = None, of: dict[str, str] | None = None, **more: Any) -> None:
        asked = self.furnished._replace(parts={**self.furnished.parts, **(of or {})})
        answer = asked.ask(name, {**self.who.headers, **(headers or {})}, **more)
        self.found.append([name, *told_by(answer, self.known)])

    def now(self) -> Any:
        return self.furnished.house.again(self.who).moves(self.furnished.match)

    def look(self, names: Iterable[str] = OWN) -> None:
        there = self.furnished.house
        for name in names:
            self.ask(name)
        version = there.stranger.look(self.furnished.match)["version"]
        self.ask("GET /api/matches/{match_id}/at/{version}", of={"version": str(version)})
        for name, more in further(self.now()):
            self.ask(name, **more)
        there.service.bells.close()
        for name in STREAMS:
            for form in (NDJSON, SSE):
                self.ask(name, {"Accept": form})
        there.service.bells.is_closed = False

    def do(self) -> None:
        """Do all that can be done, last of all what leaves nothing to do."""
        now = self.now()
        chosen = {"id": now["moves"][0]["id"]} if now["moves"] else {"id": "x"}
        for said in ({"move": {"type": "Ron"}}, chosen):
            self.ask(MOVE, json={"decision": now["decision"] or 1, **said})
        for name in DONE:
            self.ask(name)
        self.look()
        for name in LAST:
            is_erased = name == "DELETE /api/me"
            self.ask(name, **({"json": {"confirm": self.who.id, "password": CHANGED}} if is_erased else {}))


def everything(furnished: Furnished, who: Visitor, *, is_moving: bool = False, is_looking: bool = False) -> list[Any]:
    """All that is answered to one who asks for everything, while Bob may move once."""
    asking = Asking(furnished, who)
    asking.look(GETS)
    if is_moving:
        answer = furnished.house.again(furnished.bob).choose(furnished.match)
        assert answer.status_code == 200, answer.json
        asking.look()
    if not is_looking:
        asking.do()
    return asking.found


def further(now: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is asked for in another way too, touches of what lies on the table and trials of moves among it."""
    yield "GET /api/matches", {"query_string": {}}
    yield "GET /api/matches/{match_id}", {"query_string": {"scene": "true"}}
    yield "GET /api/matches/{match_id}/film", {"query_string": {"nobody": "true", "lang": "ja"}}
    for touched in ("stock", "seat.0/hand", "seat.1/hand/0", "seat.2/die"):
        yield "GET /api/matches/{match_id}/touch", {"query_string": {"touched": touched}}
    for move in now["moves"][:2]:
        yield "GET /api/matches/{match_id}/trial", {"query_string": {"moves": move["id"]}}
    for more in ("private", "scenes"):
        yield STREAMS[0], {"query_string": {more: "true", "limit": "1000"}}
    for wrong in WRONG:
        yield MOVE, {"json": {"decision": now["decision"] or 1, **wrong}}


def pages(furnished: Furnished, who: Visitor) -> list[Any]:
    """All pages, as that one sees them, in both languages, and each part of them that is loaded anew by itself."""
    client, found = furnished.house.app.test_client(), []
    if who.token:
        client.set_cookie("foldtable", who.token)
    known = frozenset(part.encode() for part in (*furnished.parts.values(), who.id))
    for address in addresses(furnished):
        parts = parts_of(client, address)
        for path in (address, f"{address}?lang=ja"):
            for part in ("", *parts):
                headers = {"HX-Request": "true", "HX-Target": part, "HX-Current-URL": path} if part else {}
                answer = cast(Answer, client.get(path, headers=headers))
                found.append([f"{path} {part}", *told_by(answer, known)])
    assert any(furnished.match in page[0] and "seat.0/hand" in page[2] for page in found), "a table"
    assert any('id="matches"' in page[2] and "<html" not in page[2] for page in found), "a part of a page"
    return found


def addresses(furnished: Furnished) -> list[str]:
    """Of every page, for that match, its game and its players."""
    app, found = furnished.house.app, []
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("pages_") and "GET" in (rule.methods or ()):
            named: dict[str, Any] = {part: furnished.parts.get(PARTS[part], PARTS[part]) for part in rule.arguments}
            with app.test_request_context():
                found.append(app.url_for(rule.endpoint, **named))
    return sorted(found)


def parts_of(client: FlaskClient, address: str) -> list[str]:
    return sorted({part.decode() for part in re.findall(rb'hx-target="#(\w+)"', client.get(address).data)})


Ask = Callable[[Furnished, Visitor], list[Any]]
Told = tuple[list[Any], list[Any], dict[str, float]]


def told_there(
    furnished: Furnished, data: Path, who: str, ask: Ask, before: Callable[[House], object] = lambda _: None
) -> Told:
    """What is told, logged and counted in the house on that store, when somebody asks."""
    with House(build(Config(data=data, bot_pause=0.0, sign_up="invitation"))) as house:
        there = furnished._replace(house=house)
        with freeze_time(BETWEEN):
            before(there.house)
        asker = there.house.stranger if who == "nobody" else getattr(there, who)
        with freeze_time(LATER):  # pages have what is new before what was there
            told, logged, counted = watched(there.house, lambda _: ask(there, asker))
        assert len(told) > len(OWN)
        known = frozenset(part.encode() for part in furnished.parts.values())
        return told, [masked(repr(sorted(line.items())).encode(), known) for line in logged], counted


def assert_alike(one: Told, other: Told) -> None:
    for here, there in zip(one[0], other[0], strict=True):
        assert here == there, here[0]
    assert one[1] == other[1]
    assert one[2] == other[2]


@pytest.fixture(autouse=True)
def requests_are_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "tells_requests", True)


def soak(*row: Any) -> Any:
    """The row, where there is much time: what it guards is guarded for another asker in each run."""
    return pytest.param(*row, marks=pytest.mark.soak)


moving = partial(everything, is_moving=True)


@pytest.mark.parametrize(
    ("who", "sits", "ask"),
    [
        *(("ann", 1, moving), ("eve", 0, moving), soak("nobody", 0, moving)),
        *(("ann", 1, pages), soak("eve", 0, pages), ("nobody", 0, pages)),
    ],
)
def test_other_hidden_cards_change_no_answer(first: House, tmp_path: Path, who: str, sits: int, ask: Ask) -> None:
    furnished = furnish(first, sits, visibility="public", talk="open", clock={"preset": "day"})
    own = (sits,) if who == "ann" else ()
    log = first.service.states.log(furnished.match)
    other = dealt_otherwise(log, *own)
    assert [one.hash for one in other] != [one.hash for one in log.store.read(furnished.match)], "they do differ"
    rewritten(first, tmp_path / "one")
    rewritten(first, tmp_path / "other", other)
    one, two = (told_there(furnished, tmp_path / name, who, ask) for name in ("one", "other"))
    assert_alike(one, two)


@pytest.mark.parametrize(
    ("who", "ask"), [("ann", everything), soak("eve", everything), soak("ann", pages), ("eve", pages)]
)
def test_anothers_answer_under_seal_or_none_changes_no_answer(first: House, tmp_path: Path, who: str, ask: Ask) -> None:
    """Bob has raised, or passed, or has not answered; Cyd has not, so that the window stays open."""
    furnished = furnish(first, 2, visibility="public", talk="open", clock={"preset": "day"}, pack="flat")
    for player in (furnished.bob, furnished.cyd, furnished.ann):
        assert player.move(furnished.match, {"type": "SetAside", "card": 1}).status_code == 200
    assert first.stranger.look(furnished.match)["sealed"]
    told = []
    for answer in ("raise", "pass", None):
        rewritten(first, tmp_path / f"{answer}")

        def before(there: House, answer: str | None = answer) -> None:
            if answer is not None:
                assert there.again(furnished.bob).move(furnished.match, answer).status_code == 200

        told.append(told_there(furnished, tmp_path / f"{answer}", who, ask, before))
    assert_alike(told[0], told[1])
    assert_alike(told[0], told[2])


def test_anothers_orders_change_no_answer(first: House, tmp_path: Path) -> None:
    """Given, withdrawn, and followed: what is played is the same, for Bob plays it himself in the other one."""
    furnished = furnish(first, visibility="public", talk="open", clock={"preset": "day"})
    match, told = furnished.match, []
    for has_orders in (True, False):
        rewritten(first, tmp_path / f"{has_orders}")

        def before(there: House, has_orders: bool = has_orders) -> None:
            bob = there.again(furnished.bob)
            there.again(furnished.ann).delete(f"/matches/{match}/orders/1")
            for rule in (NEVER, NEVER | {"once": True}, aside(bob, match)) if has_orders else ():
                give(bob, match, rule)
            if has_orders:
                assert bob.delete(f"/matches/{match}/orders/1").status_code == 204

        def ask(there: Furnished, who: Visitor, has_orders: bool = has_orders) -> list[Any]:
            found = everything(there, who, is_looking=True)
            if has_orders:
                follow(there.house, match)
            else:
                assert there.house.again(there.bob).choose(match).status_code == 200
            return found + everything(there, who, is_looking=True)

        told += [told_there(furnished, tmp_path / f"{has_orders}", "ann", ask, before)[0]]
    assert told[0] == told[1]


# Who is asked under seal


def set_aside(match: str, players: list[Visitor], dealt: list[tuple[Any, ...]]) -> None:
    """Everybody sets a card aside, which opens a window: all but the first seat keep their pairs."""
    for seat, player in enumerate(players):
        cards = dealt[seat]
        odd = next((card for card in cards if cards.count(card) == 1), cards[0])
        paired = next((card for card in cards if cards.count(card) > 1), odd)
        card = odd if seat else paired
        assert player.move(match, {"type": "SetAside", "card": card}).status_code == 200


def rungs(furnished: Furnished, who: Visitor) -> list[Any]:
    """What is answered at each moment at which the clock does something, or nearly."""
    there, match, found = furnished.house, furnished.match, []
    for moment, expected in {
        "12:01:00": [],
        "12:08:31": [],  # those who are asked are reminded
        "12:10:29.999": [],
        "12:10:30": ["AnswersClosed"],
    }.items():
        before = there.stranger.look(match)["version"]
        there.service.recorder.write([Statement("DELETE FROM pulse")])
        with freeze_time(f"2026-03-01T{moment}Z"):
            fire(there, match)
            # what the closing turns up is open by then
            found += [] if expected else everything(furnished, who, is_looking=True)
        assert kinds(there, match, before)[:1] == expected
    return found


def stopped(furnished: Furnished, who: Visitor) -> list[Any]:
    """What is answered after an outage, in a pause, and after it."""
    there, match, found = furnished.house, furnished.match, []
    players = [furnished.ann, furnished.bob, furnished.cyd]
    for moment, what in (("15:00:00", ""), ("15:05:00", "pause"), ("15:30:00", "resume")):
        with freeze_time(f"2026-03-01T{moment}Z"):
            fire(there, match)
            if what:
                each(map(there.again, players), match, what)
            fire(there, match)
            found += everything(furnished, who, is_looking=True)
    assert kinds(there, match)[-3:] == ["OutageExtended", "Paused", "Resumed"]
    return found


@pytest.mark.parametrize(
    ("who", "ask"),
    [
        *(soak("ann", everything), ("nobody", everything), ("ann", pages), soak("nobody", pages)),
        *(("ann", rungs), soak("nobody", rungs), soak("ann", stopped), ("nobody", stopped)),
    ],
)
def test_who_is_asked_under_seal_changes_no_answer(first: House, tmp_path: Path, who: str, ask: Ask) -> None:
    """Bob in one, Cyd in the other, or both; and Ann in neither."""

    def logs_of(match: str) -> list[list[Stored]]:
        log = first.service.states.log(match)
        return [list(log.store.read(match)), dealt_otherwise(log, 0)]

    def asked(match: str) -> list[list[int]]:
        log = first.service.states.log(match)
        return [with_pairs(hands(log, one)) for one in logs_of(match)]

    def differs(match: str) -> bool:
        return bool(match) and all(found := asked(match)) and found[0] != found[1]

    furnished = furnish(first, 0, is_wanted=differs, visibility="public", talk="open", clock=TERMS)
    told, match = [], furnished.match
    for number, events in enumerate(logs_of(match)):
        rewritten(first, tmp_path / str(number), events)
        dealt = hands(first.service.states.log(match), events)

        def before(there: House, dealt: Any = dealt, owing: list[int] = asked(match)[number]) -> None:  # noqa: B008
            fire(there)
            set_aside(match, [there.again(one) for one in (furnished.ann, furnished.bob, furnished.cyd)], dealt)
            assert [decision.seat for decision in there.service.recorder.decisions(match=match)] == owing

        told.append(told_there(furnished, tmp_path / str(number), who, ask, before))
    assert_alike(told[0], told[1])


@pytest.mark.parametrize(
    ("who", "seat", "game", "pack"),
    [
        *(("ann", 1, THREE_MAGIC, "house"), soak("eve", None, THREE_MAGIC, "house")),
        *(soak("ann", 1, HIGH_CARD, "flat"), ("eve", None, HIGH_CARD, "flat")),
    ],
)
def test_what_was_not_told_changes_no_answer(
    first: House, tmp_path: Path, who: str, seat: int | None, game: str, pack: str
) -> None:
    """When the cards are dealt, and while a window is open: a store that holds only what they were told answers alike,
    whoever is asked under seal.
    """
    furnished = furnish(first, 1, game=game, pack=pack, visibility="public", talk="open", clock={"preset": "day"})
    players, draw = [furnished.bob, furnished.ann, furnished.cyd], random.Random(7)
    for moment in ("dealt", "asked"):
        if moment == "asked":
            while not first.stranger.look(furnished.match)["sealed"]:
                assert step(furnished.match, draw.sample(players, 3), draw)
        rewritten(first, tmp_path / f"{moment}-all")
        strip(first.service.config.data, tmp_path / f"{moment}-told", seat)
        looking = partial(everything, is_looking=True)
        whole, part = (told_there(furnished, tmp_path / f"{moment}-{name}", who, looking) for name in ("all", "told"))
        assert_alike(whole, part)
