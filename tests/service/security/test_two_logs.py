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
from service.telemetry import logs
from tests.service.clocks.test_clock_secrecy import hands, set_aside, with_pairs
from tests.service.house import THREE_MAGIC, Answer, House, Visitor, build, step
from tests.service.matches.test_secrecy import MASKED, dealt_otherwise, rewritten, strip, watched
from tests.service.security.furnished import CHANGED, FOUND, PUBLIC, Furnished, furnish
from tests.service.streams.reading import NDJSON, SSE

LAST = ("POST /api/matches/{match_id}/resign", "DELETE /api/me", "DELETE /api/sessions")
"""After which less can be done, or nothing."""

GETS = sorted(name for name in FOUND if name.startswith("GET "))
OWN = [name for name in GETS if name not in PUBLIC]
DONE = sorted({*FOUND} - {*GETS, *LAST}, key=lambda name: (name.startswith("DELETE"), name))

STREAMS = ("GET /api/matches/{match_id}/events", "GET /api/me/events")

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


def masked(data: bytes, known: frozenset[bytes]) -> bytes:
    """What was told, but for what is drawn for each answer, and for hashes and signatures."""
    data = HASHED.sub(b"*", HANDED_OUT.sub(rb'"\1":"*"', data))
    data = SEALED.sub(lambda found: b"sealed %d" % len(found[0]), data)
    return ID.sub(lambda found: found[0] if found[0] in known else b"*", data)


def told_by(answer: Answer, known: frozenset[bytes]) -> list[Any]:
    headers = [(key, masked(value.encode(), known).decode()) for key, value in answer.headers if key not in MASKED]
    return [answer.status_code, masked(answer.data, known).decode(errors="backslashreplace"), headers]


def everything(furnished: Furnished, who: Visitor, *, is_moving: bool = False, is_looking: bool = False) -> list[Any]:
    """All that is answered to one who asks for everything, while Bob may move once."""
    there, match = furnished.house, furnished.match
    known = frozenset(part.encode() for part in (*furnished.parts.values(), who.id))
    found: list[Any] = []

    def asked(name: str, headers: Any = None, **more: Any) -> None:
        answer = furnished.ask(name, {**who.headers, **(headers or {})}, **more)
        found.append([name, *told_by(answer, known)])

    def look(names: Iterable[str] = OWN) -> None:
        for name in names:
            asked(name)
        for name, query in further(there.again(who).moves(match)):
            asked(name, query_string=query)
        for more in ("private", "scenes"):
            asked(STREAMS[0], query_string={more: "true", "limit": "1000"})
        there.service.bells.close()
        for name in STREAMS:
            for form in (NDJSON, SSE):
                asked(name, {"Accept": form})
        there.service.bells.is_closed = False

    look(GETS)
    if is_moving:
        then = there.again(furnished.bob)
        answer = then.choose(match)
        assert answer.status_code == 200, answer.json
        look()
    if is_looking:
        return found
    now = there.again(who).moves(match)
    chosen = {"decision": now["decision"], "id": now["moves"][0]["id"]} if now["moves"] else {"decision": 1, "id": "x"}
    for body in ({"decision": now["decision"] or 1, "move": {"type": "Ron"}}, chosen):
        asked("POST /api/matches/{match_id}/moves", json=body)
    for name in DONE:
        asked(name)
    look()
    for name in LAST:
        asked(name, **({"json": {"confirm": who.id, "password": CHANGED}} if name == "DELETE /api/me" else {}))
    return found


def further(now: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """What is asked for by another query too, touches of what lies on the table and trials of moves among it."""
    yield "GET /api/matches", {}
    yield "GET /api/matches/{match_id}", {"scene": "true"}
    for touched in ("stock", "seat.0/hand", "seat.1/hand/0", "seat.2/die"):
        yield "GET /api/matches/{match_id}/touch", {"touched": touched}
    for move in now["moves"][:2]:
        yield "GET /api/matches/{match_id}/trial", {"moves": move["id"]}


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


@pytest.mark.parametrize(
    ("who", "ask"), [soak("ann", everything), ("nobody", everything), ("ann", pages), soak("nobody", pages)]
)
def test_who_is_asked_under_seal_changes_no_answer(first: House, tmp_path: Path, who: str, ask: Ask) -> None:
    """Bob in one, Cyd in the other, or both; and Ann in neither."""

    def logs_of(match: str) -> list[list[Stored]]:
        log = first.service.states.log(match)
        return [list(log.store.read(match)), dealt_otherwise(log, 0)]

    def asked(match: str) -> list[list[int]]:
        log = first.service.states.log(match)
        return [[seat for seat in with_pairs(hands(log, one)) if seat] for one in logs_of(match)]

    def differs(match: str) -> bool:
        return bool(match) and all(found := asked(match)) and found[0] != found[1]

    furnished = furnish(first, 0, is_wanted=differs, visibility="public", talk="open", clock={"preset": "day"})
    told, match = [], furnished.match
    for number, events in enumerate(logs_of(match)):
        rewritten(first, tmp_path / str(number), events)
        dealt = hands(first.service.states.log(match), events)

        def before(there: House, dealt: Any = dealt, owing: list[int] = asked(match)[number]) -> None:  # noqa: B008
            set_aside(there, match, [furnished.ann, furnished.bob, furnished.cyd], dealt)
            assert [decision.seat for decision in there.service.recorder.decisions(match=match)] == owing

        told.append(told_there(furnished, tmp_path / str(number), who, ask, before))
    assert_alike(told[0], told[1])


@pytest.mark.parametrize(("who", "seat"), [("ann", 1), soak("eve", None)])
def test_what_was_not_told_changes_no_answer(first: House, tmp_path: Path, who: str, seat: int | None) -> None:
    """When the tiles are dealt, and while a window is open: a store that holds only what they were told answers alike,
    whoever is asked under seal.
    """
    furnished = furnish(first, 1, game=THREE_MAGIC, visibility="public", talk="open", clock={"preset": "day"})
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
