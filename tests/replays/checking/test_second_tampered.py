"""Both verifiers name each kind of tampering: LOG-2 to LOG-10 of docs/log.md."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.replays.checking.by_hand import (
    NOT_ASKED,
    SINCE,
    Line,
    Table,
    commit_to,
    file_of,
    key,
    play,
    receipt,
    rehash,
    salt_of,
)
from tests.replays.checking.second import (
    Change,
    Named,
    at,
    finished,
    forge,
    forked,
    forked_twice,
    named,
    ordered,
    ours,
    put,
    running,
    show,
    verdicts,
)
from tests.replays.exported import audited

ENDS = "LOG-9 m 10"
BOTH_ENDS = f"{ENDS}, LOG-9 m/seat:1 2"

for_nobody, for_seat_0, for_seat_1 = (partial(running, viewer) for viewer in (None, 0, 1))


def drop(stream: str, version: int) -> Change:
    return lambda lines: lines.remove(at(lines, stream, version))


def head(**members: Any) -> Change:
    return lambda lines: lines[0].update(members)


def told(stream: str, version: int, path: str, /, **members: Any) -> Change:
    return lambda lines: at(lines, stream, version)["secret"][path].update(members)


def withhold(stream: str, version: int, path: str) -> Change:
    return lambda lines: at(lines, stream, version)["secret"].pop(path)


def recommit(stream: str, version: int, path: str, value: Any, secret: bytes = Table("m").secret) -> Change:
    """Another value, with the commit to it."""

    def change(lines: list[Line]) -> None:
        salt = salt_of(secret, stream, version, path)
        event = at(lines, stream, version)
        event["secret"][path].update(value=value, salt=salt)
        event["commits"][path]["commit"] = commit_to(salt, value)

    return change


def another_secret(lines: list[Line]) -> None:
    """Salts from another secret than the match's."""
    for line in lines:
        for path, one in line.get("secret", {}).items():
            if (line["version"], path) != (1, "secret"):
                one["salt"] = salt_of(b"x" * 32, line["stream"], line["version"], path)
                line["commits"][path]["commit"] = commit_to(one["salt"], one["value"])


def told_to_seat_0(lines: list[Line]) -> None:
    at(lines, "m", 5)["secret"] = at(finished(), "m", 5)["secret"]


def answer_for_nobody(lines: list[Line]) -> None:
    """One answer more, before the two that the closings took."""
    extra = Table("m")
    for number in (9, 8):
        extra.answer(1, {"type": "Claim", "number": number}, move=4)
    later = extra.events["m/seat:1"]
    for number, event in enumerate(later, start=3):
        event["version"] = number
        event["at"] = f"2024-03-01T12:00:{number:02}.000Z"
    place = lines.index(at(lines, "m/seat:1", 2)) + 1
    lines[place:place] = later


def end(event: Line, signer: int = 1, **other: Any) -> Change:
    """Put another receipt at the place of the one for the match's own stream."""
    return lambda lines: lines.__setitem__(-2, receipt(event, signer, **other))


def lines_are(choose: Callable[[list[Line]], list[Line]]) -> Change:
    return lambda lines: lines.__setitem__(slice(None), choose(lines))


def row(name: str) -> tuple[bytes, list[Named]]:
    """The tampered file, and what is to be named."""
    change, expected, *make = TAMPERED[name]
    lines = make[0]() if make else finished()
    change(lines)
    parts = (one.split() for one in expected.split(", ") if one)
    return file_of(lines), [(clause, stream, int(version)) for clause, stream, version in parts]


LAST, LAST_BUT_ONE = at(finished(), "m", 10), at(finished(), "m", 9)

Make = Callable[[], list[Line]]

TAMPERED: dict[str, tuple[Change, str] | tuple[Change, str, Make]] = {
    # LOG-2
    "another text of the pack": (lambda ls: ls[0]["pack"].update(text="{}"), "LOG-2 m 0"),
    "another name of the pack": (lambda ls: ls[0]["pack"].update(name="x"), "LOG-2 m 0"),
    "another game": (head(game="mill"), "LOG-2 m 0"),
    "other rules": (head(rules=2), "LOG-2 m 0"),
    "another version": (head(version=9), "LOG-2 m 0"),
    "another status": (head(status="aborted"), "LOG-2 m 0"),
    "a status that is none": (head(status="x"), "LOG-2 m 0"),
    "not open when it is over": (head(viewer=1), "LOG-2 m 0"),
    "no seat of the match": (head(viewer=2), "LOG-2 m 0", for_nobody),
    "seats that are no number": (forge(show("m", 1, seats={"valueOf": 1})), "LOG-2 m 0", for_seat_1),
    "a viewer that is none": (head(viewer="x"), "LOG-2 m 0", for_nobody),
    "open in the header, playing": (head(status="open"), "LOG-2 m 0", for_seat_0),
    "no events": (lambda ls: ls.__setitem__(slice(1, None), []), "LOG-2 m 0"),
    "only the end is cut off": (lambda ls: ls.remove(at(ls, "m", 10)), "LOG-2 m 0, LOG-9 m 9"),
    # LOG-3
    "an event left out": (drop("m", 6), "LOG-3 m 7, LOG-4 m 7"),
    "an event left out, and re-hashed": (forge(drop("m", 6)), "LOG-3 m 7"),
    "an event twice": (lambda ls: ls.insert(4, dict(ls[4])), "LOG-3 m 4, LOG-4 m 4"),
    "back in time": (forge(put("m", 8, at="2024-03-01T12:00:06.999Z")), "LOG-3 m 8"),
    "streams in another order": (
        lambda ls: ls.__setitem__(slice(1, 16), ls[9:16] + ls[1:9]),
        "LOG-9 m 7, LOG-3 f 1",
        forked,
    ),
    "a stream in two pieces": (lambda ls: ls.insert(4, ls.pop(11)), "LOG-3 m 4, LOG-3 m/seat:1 2"),
    "another seat's stream": (
        lines_are(lambda ls: [ls[0], *rehash([{**line, "stream": "m/seat:0"} for line in ls[10:13]])]),
        "LOG-2 m 0, LOG-3 m/seat:0 1, LOG-9 m/seat:0 3",
        for_seat_1,
    ),
    "a parent without a fork": (forge(lambda ls: ls.extend(play("n").events["n"][:3])), "LOG-3 n 1"),
    "opened twice": (forge(put("m", 4, type="match/Opened")), "LOG-3 m 4"),
    "forked too late": (forge(put("m", 4, type="match/Forked")), "LOG-3 m 4"),
    "a seat taken under seal": (forge(put("m/seat:1", 3, type="match/SeatTaken")), "LOG-3 m/seat:1 3", for_seat_1),
    "sealed in the open": (forge(put("m", 7, type="match/AnswerSealed")), "LOG-3 m 7", for_seat_0),
    "aborted, and goes on": (forge(put("m", 9, type="match/Aborted")), "LOG-3 m 10"),
    # LOG-4
    "another actor": (put("m", 6, actor="clock"), "LOG-4 m 6"),
    "another schema": (put("m", 6, schema=2), "LOG-4 m 6"),
    "another move": (put("m", 6, move=2), "LOG-4 m 6"),
    "another field": (show("m", 5, shown=["e"]), "LOG-4 m 5"),
    "a field more": (show("m", 5, constructor=1), "LOG-4 m 5"),
    "another hash": (put("m", 6, hash="00" * 32), "LOG-4 m 6, LOG-4 m 7"),
    "another hash at the end": (put("m", 10, hash="00" * 32), "LOG-4 m 10, LOG-9 m 10"),
    "a commit more": (
        lambda ls: at(ls, "m", 6)["commits"].update(x={"readers": [], "commit": "00" * 32}),
        "LOG-4 m 6, LOG-5 m 6",
    ),
    # LOG-5
    "another value": (told("m", 5, "rest", value=[8]), "LOG-5 m 5"),
    "another value, told to a seat": (told("m", 5, "hand", value=["x", "y"]), "LOG-5 m 5", for_seat_1),
    "other readers": (told("m", 6, "move.card", readers=[0, 1]), "LOG-5 m 6"),
    "withheld": (withhold("m", 7, "card"), "LOG-5 m 7"),
    "withheld from its reader": (withhold("m", 5, "hand"), "LOG-5 m 5", for_seat_1),
    "withheld from those who read the parent": (withhold("m", 5, "hand"), "LOG-5 m 5", forked),
    "told too much": (told_to_seat_0, "LOG-5 m 5", for_seat_0),
    "told to nobody's knowledge": (told_to_seat_0, "LOG-5 m 5", for_nobody),
    "told, not committed": (
        lambda ls: at(ls, "m", 5)["secret"].update({"__proto__": at(ls, "m", 5)["secret"]["hand"]}),
        "LOG-5 m 5",
        for_seat_1,
    ),
    "told in public": (forge(show("m", 5, rest=[7])), "LOG-5 m 5"),
    "gone from public": (forge(lambda ls: at(ls, "m", 7)["public"].pop("card")), "LOG-5 m 7"),
    "more nulls than elements": (forge(show("m", 5, rest=[None, None])), "LOG-5 m 5"),
    "null instead of a list": (forge(show("m", 5, rest=None)), "LOG-5 m 5"),
    "a list instead of null": (forge(show("m", 7, card=[])), "LOG-5 m 7"),
    "a commit to a prototype's field": (
        forge(lambda ls: at(ls, "m", 6)["commits"].update(constructor={"readers": [], "commit": "00" * 32})),
        "LOG-5 m 6",
    ),
    "another secret of the match": (
        told("m", 1, "secret", value="00" * 32),
        "LOG-5 m 1, LOG-6 m 5, LOG-6 m 6, LOG-6 m 7, LOG-6 m 8, LOG-6 m 9, LOG-6 m 10",
    ),
    "a salt for the secret": (told("m", 1, "secret", salt="00" * 32), "LOG-5 m 1"),
    "a secret that is no bytes": (
        told("m", 1, "secret", value=[1]),
        "LOG-2 m 0, LOG-5 m 1, LOG-9 m 1",
        lambda: finished()[:2],
    ),
    "the secret withheld at the end": (withhold("m", 1, "secret"), "LOG-5 m 1, LOG-6 m 10"),
    "another salt": (told("m", 5, "hand", salt="00" * 32), "LOG-5 m 5, LOG-6 m 5"),
    "no salt": (told("m", 5, "hand", salt=""), "LOG-5 m 5, LOG-6 m 5"),
    # LOG-6
    "another secret at the end": (forge(show("m", 10, secret="00" * 32)), "LOG-6 m 10"),
    "no secret at the end": (forge(lambda ls: at(ls, "m", 10)["public"].pop("secret")), "LOG-6 m 10"),
    "salts of another secret": (forge(another_secret), "LOG-6 m 5, LOG-6 m 6, LOG-6 m 7, LOG-6 m 8, LOG-6 m 9"),
    # LOG-7
    "another answer under seal": (
        forge(show("m/seat:1", 1, answer={"type": "Pass"}), is_rehashed=False),
        "LOG-7 m 8, LOG-4 m/seat:1 1",
    ),
    "another answer, and re-hashed": (forge(show("m/seat:1", 2, answer={"type": "Pass"})), "LOG-7 m 9"),
    "an answer at the closing that was not given": (
        forge(recommit("m", 8, "answers.0", {"answer": {"type": "Claim"}, "sealed": None})),
        "LOG-7 m 8",
    ),
    "an answer that was given and not closed": (forge(recommit("m", 9, "answers.1", NOT_ASKED)), ""),
    "two answers that were given and not closed": (
        forge(recommit("m", 8, "answers.1", NOT_ASKED), recommit("m", 9, "answers.1", NOT_ASKED)),
        "LOG-7 m/seat:1 1",
    ),
    "answers too many": (forge(answer_for_nobody), "LOG-7 m/seat:1 3"),
    "two answers, with orders between them, that were not closed": (
        forge(recommit("m", 6, "answers.1", NOT_ASKED)),
        "LOG-7 m/seat:1 5",
        ordered,
    ),
    "an order where an answer was": (
        forge(put("m/seat:1", 2, type="match/OrderGiven")),
        "LOG-7 m 5, LOG-7 m 6",
        ordered,
    ),
    "an order in the open": (forge(put("m", 3, type="match/OrderGiven")), "LOG-3 m 3", ordered),
    "a move under seal": (forge(put("m/seat:0", 1, type="match/MoveMade")), "LOG-3 m/seat:0 1", ordered),
    "an element that is no answer": (forge(recommit("m", 8, "answers.0", 7)), "LOG-7 m 8"),
    "no private stream": (forge(drop("m/seat:1", 1), drop("m/seat:1", 2)), "LOG-7 m 8, LOG-7 m 9"),
    # LOG-8
    "another key's name": (lambda ls: ls[0].update(keys=[key(0), key(1, key="0" * 16)]), f"LOG-8 m 0, {BOTH_ENDS}"),
    "a key that is not later": (lambda ls: ls[0].update(keys=[key(0, since=SINCE[1]), key(1)]), "LOG-8 m 0"),
    "a key without the one before": (lambda ls: ls[0].update(keys=[key(1)]), "LOG-8 m 0"),
    "another signature of a key": (lambda ls: ls[0]["keys"][1].update(signature="00" * 64), "LOG-8 m 0"),
    # LOG-9
    "no keys": (head(keys=[]), BOTH_ENDS),
    "no receipt": (lambda ls: ls.pop(-2), ENDS),
    "a receipt twice": (lambda ls: ls.append(ls[-1]), "LOG-9 m/seat:1 2"),
    "a receipt of another match": (lambda ls: ls.append(receipt({**ls[3], "stream": "n"})), "LOG-9 n 3"),
    "receipts in another order": (lambda ls: ls.append(ls.pop(-2)), ENDS),
    "a receipt for the event before": (end(LAST_BUT_ONE), ENDS),
    "a receipt before the event": (end(LAST, at="2024-03-01T12:00:00.000Z"), ENDS),
    "a receipt by the key before": (end(LAST, 0), ENDS),
    "a receipt by the next key, too early": (end(LAST, 2), ENDS, lambda: play().export("all", "finished", keys=3)),
    "a receipt by an unknown key": (end(LAST, 2), ENDS),
    "another signature": (lambda ls: ls[-2].update(signature=ls[-1]["signature"]), ENDS),
    "another time of a receipt": (lambda ls: ls[-2].update(at="2024-03-01T12:00:11.000Z"), ENDS),
    "a history that was hashed anew": (lambda ls: (show("m", 5, shown=["x"])(ls), rehash(ls)), ENDS),
    # LOG-10
    "no parent": (forge(lines_are(lambda ls: ls[:9])), "LOG-10 f 2", forked),
    "the parent's end is cut off": (forge(drop("m", 7)), "LOG-10 f 2, LOG-10 f 4", forked),
    "another event of the parent's": (forge(show("f", 2, hash="00" * 32)), "LOG-10 f 2", forked),
    "another version of the parent's": (forge(show("f", 2, version=6)), "LOG-10 f 2", forked),
    "other options than the parent's": (forge(show("f", 1, options={})), "LOG-10 f 2", forked),
    "another number of seats": (forge(show("f", 1, seats=3)), "LOG-10 f 2", forked),
    "a copy by a seat": (forge(put("f", 3, actor="seat:0")), "LOG-10 f 3", forked),
    "a copy within a move": (forge(put("f", 4, move=1)), "LOG-10 f 4", forked),
    "a copy of another type": (forge(put("f", 4, type="toy/Other")), "LOG-10 f 4", forked),
    "a copy of another schema": (forge(put("f", 4, schema=2)), "LOG-10 f 4", forked),
    "a copy with another field": (forge(show("f", 3, shown=["x"])), "LOG-10 f 3", forked),
    "a copy with another value": (forge(recommit("f", 3, "hand", ["x", "y"], Table("f").secret)), "LOG-10 f 3", forked),
    "a copy for other readers": (
        forge(lambda ls: at(ls, "f", 3)["commits"]["hand"].update(readers=[0]), told("f", 3, "hand", readers=[0])),
        "LOG-10 f 3",
        forked,
    ),
    "a game's event that the parent has not": (forge(put("f", 5, type="toy/Other")), "LOG-10 f 5", forked),
    "copies that lack": (
        forge(*(drop("f", version) for version in range(4, 9)), head(status="open", version=3)),
        "LOG-2 f 0, LOG-10 f 4",
        forked,
    ),
    "a fork's parent that is itself": (
        forge(show("f", 2, parent="f"), lines_are(lambda ls: ls[:9])),
        "LOG-10 f 2",
        forked,
    ),
    "the parent's secret": (forge(), "LOG-10 f 2", lambda: forked("m")),
    "the secret of the parent's parent": (forge(), "LOG-10 g 2", lambda: forked_twice("m")),
    "the secret of the parent's parent, whose first events change places": (
        forge(lambda ls: ls.insert(ls.index(at(ls, "m", 1)), ls.pop(ls.index(at(ls, "m", 2))))),
        "LOG-10 g 2, LOG-10 f 2, LOG-3 m 2, LOG-3 m 1, LOG-3 m 3",
        lambda: forked_twice("m"),
    ),
    "a fork in the parent that lacks its own": (
        forge(lines_are(lambda ls: [line for line in ls if line.get("stream") != "m"])),
        "LOG-10 f 2",
        forked_twice,
    ),
}


def test_both_verifiers_name_what_was_tampered_with(tmp_path: Path) -> None:
    rows = {name: row(name) for name in TAMPERED}
    for name, (data, expected) in rows.items():
        report = audited(data)
        assert (ours(report), report.ok) == (set(expected), not expected), (name, report.failures)
    if shutil.which("node") is not None:
        theirs = verdicts(tmp_path, [data for data, _ in rows.values()])
        for (name, (_, expected)), verdict in zip(rows.items(), theirs, strict=True):
            assert (named(verdict), verdict["ok"]) == (expected, not expected), (name, verdict["failures"])


def test_private_events_of_a_schema_that_is_not_known_are_counted_since_nothing_judges_them() -> None:
    lines = ordered()
    (given, *_) = [line for line in lines if line.get("type") == "match/OrderGiven"]
    forge(put(given["stream"], given["version"], schema=9))(lines)
    assert audited(file_of(lines)).skipped == 1
    assert audited(file_of(ordered())).skipped == 0
