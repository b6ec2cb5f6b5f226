"""Both verifiers name each kind of tampering: LOG-2 to LOG-10 of docs/log.md."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.replays.checking.by_hand import NOT_ASKED, SINCE, Line, Table, file_of, key, play, receipt, rehash
from tests.replays.checking.second import (
    Change,
    Named,
    another_secret,
    answer_for_nobody,
    at,
    copy_differs,
    drop,
    finished,
    forge,
    forked,
    forked_twice,
    head,
    interleave,
    named,
    ordered,
    ours,
    put,
    recommit,
    running,
    show,
    swap,
    told,
    told_to_seat_0,
    verdicts,
    withhold,
)
from tests.replays.exported import audited

ENDS = "LOG-9 m 10"
BOTH_ENDS = f"{ENDS}, LOG-9 m/seat:1 2"

for_nobody, for_seat_0, for_seat_1 = (partial(running, viewer) for viewer in (None, 0, 1))


def end(event: Line, signer: int = 1, **other: Any) -> Change:
    """Put another receipt at the place of the one for the match's own stream."""
    return lambda lines: lines.__setitem__(-2, receipt(event, signer, **other))


def lines_are(choose: Callable[[list[Line]], list[Line]]) -> Change:
    return lambda lines: lines.__setitem__(slice(None), choose(lines))


def row(name: str) -> tuple[bytes, list[Named]]:
    """The tampered file, and what is to be named."""
    make, change, expected = TAMPERED[name]
    lines = make()
    change(lines)
    parts = (one.split() for one in expected.split(", ") if one)
    return file_of(lines), [(clause, stream, int(version)) for clause, stream, version in parts]


LAST, LAST_BUT_ONE = at(finished(), "m", 10), at(finished(), "m", 9)

TAMPERED: dict[str, tuple[Callable[[], list[Line]], Change, str]] = {
    # LOG-2
    "another text of the pack": (finished, lambda ls: ls[0]["pack"].update(text="{}"), "LOG-2 m 0"),
    "another name of the pack": (finished, lambda ls: ls[0]["pack"].update(name="x"), "LOG-2 m 0"),
    "another game": (finished, head(game="mill"), "LOG-2 m 0"),
    "other rules": (finished, head(rules=2), "LOG-2 m 0"),
    "another version": (finished, head(version=9), "LOG-2 m 0"),
    "another status": (finished, head(status="aborted"), "LOG-2 m 0"),
    "a status that is none": (finished, head(status="x"), "LOG-2 m 0"),
    "not open when it is over": (finished, head(viewer=1), "LOG-2 m 0"),
    "no seat of the match": (for_nobody, head(viewer=2), "LOG-2 m 0"),
    "seats that are no number": (for_seat_1, forge(show("m", 1, seats={"valueOf": 1})), "LOG-2 m 0"),
    "a viewer that is none": (for_nobody, head(viewer="x"), "LOG-2 m 0"),
    "open in the header, playing": (for_seat_0, head(status="open"), "LOG-2 m 0"),
    "no events": (finished, lambda ls: ls.__setitem__(slice(1, None), []), "LOG-2 m 0"),
    "only the end is cut off": (finished, lambda ls: ls.remove(at(ls, "m", 10)), "LOG-2 m 0, LOG-9 m 9"),
    # LOG-3
    "an event left out": (finished, drop("m", 6), "LOG-3 m 7, LOG-4 m 7"),
    "an event left out, and re-hashed": (finished, forge(drop("m", 6)), "LOG-3 m 7"),
    "an event twice": (finished, lambda ls: ls.insert(4, dict(ls[4])), "LOG-3 m 4, LOG-4 m 4"),
    "back in time": (finished, forge(put("m", 8, at="2024-03-01T12:00:06.999Z")), "LOG-3 m 8"),
    "streams in another order": (
        forked,
        lambda ls: ls.__setitem__(slice(1, 16), ls[9:16] + ls[1:9]),
        "LOG-9 m 7, LOG-3 f 1",
    ),
    "a stream in two pieces": (finished, interleave, "LOG-3 m 4, LOG-3 m/seat:1 2"),
    "another seat's stream": (
        for_seat_1,
        lambda ls: ls.__setitem__(
            slice(None), [ls[0], *rehash([{**line, "stream": "m/seat:0"} for line in ls[10:13]])]
        ),
        "LOG-2 m 0, LOG-3 m/seat:0 1, LOG-9 m/seat:0 3",
    ),
    "a parent without a fork": (finished, forge(lambda ls: ls.extend(play("n").events["n"][:3])), "LOG-3 n 1"),
    "opened twice": (finished, forge(put("m", 4, type="match/Opened")), "LOG-3 m 4"),
    "forked too late": (finished, forge(put("m", 4, type="match/Forked")), "LOG-3 m 4"),
    "a seat taken under seal": (for_seat_1, forge(put("m/seat:1", 3, type="match/SeatTaken")), "LOG-3 m/seat:1 3"),
    "sealed in the open": (for_seat_0, forge(put("m", 7, type="match/AnswerSealed")), "LOG-3 m 7"),
    "aborted, and goes on": (finished, forge(put("m", 9, type="match/Aborted")), "LOG-3 m 10"),
    # LOG-4
    "another actor": (finished, put("m", 6, actor="clock"), "LOG-4 m 6"),
    "another schema": (finished, put("m", 6, schema=2), "LOG-4 m 6"),
    "another move": (finished, put("m", 6, move=2), "LOG-4 m 6"),
    "another field": (finished, show("m", 5, shown=["e"]), "LOG-4 m 5"),
    "a field more": (finished, show("m", 5, constructor=1), "LOG-4 m 5"),
    "another hash": (finished, put("m", 6, hash="00" * 32), "LOG-4 m 6, LOG-4 m 7"),
    "another hash at the end": (finished, put("m", 10, hash="00" * 32), "LOG-4 m 10, LOG-9 m 10"),
    "a commit more": (
        finished,
        lambda ls: at(ls, "m", 6)["commits"].update(x={"readers": [], "commit": "00" * 32}),
        "LOG-4 m 6, LOG-5 m 6",
    ),
    # LOG-5
    "another value": (finished, told("m", 5, "rest", value=[8]), "LOG-5 m 5"),
    "another value, told to a seat": (for_seat_1, told("m", 5, "hand", value=["x", "y"]), "LOG-5 m 5"),
    "other readers": (finished, told("m", 6, "move.card", readers=[0, 1]), "LOG-5 m 6"),
    "withheld": (finished, withhold("m", 7, "card"), "LOG-5 m 7"),
    "withheld from its reader": (for_seat_1, withhold("m", 5, "hand"), "LOG-5 m 5"),
    "withheld from those who read the parent": (forked, withhold("m", 5, "hand"), "LOG-5 m 5"),
    "told too much": (for_seat_0, told_to_seat_0, "LOG-5 m 5"),
    "told to nobody's knowledge": (for_nobody, told_to_seat_0, "LOG-5 m 5"),
    "told, not committed": (
        for_seat_1,
        lambda ls: at(ls, "m", 5)["secret"].update({"__proto__": at(ls, "m", 5)["secret"]["hand"]}),
        "LOG-5 m 5",
    ),
    "told in public": (finished, forge(show("m", 5, rest=[7])), "LOG-5 m 5"),
    "gone from public": (finished, forge(lambda ls: at(ls, "m", 7)["public"].pop("card")), "LOG-5 m 7"),
    "more nulls than elements": (finished, forge(show("m", 5, rest=[None, None])), "LOG-5 m 5"),
    "null instead of a list": (finished, forge(show("m", 5, rest=None)), "LOG-5 m 5"),
    "a list instead of null": (finished, forge(show("m", 7, card=[])), "LOG-5 m 7"),
    "a commit to a prototype's field": (
        finished,
        forge(lambda ls: at(ls, "m", 6)["commits"].update(constructor={"readers": [], "commit": "00" * 32})),
        "LOG-5 m 6",
    ),
    "another secret of the match": (
        finished,
        told("m", 1, "secret", value="00" * 32),
        "LOG-5 m 1, LOG-6 m 5, LOG-6 m 6, LOG-6 m 7, LOG-6 m 8, LOG-6 m 9, LOG-6 m 10",
    ),
    "a salt for the secret": (finished, told("m", 1, "secret", salt="00" * 32), "LOG-5 m 1"),
    "a secret that is no bytes": (
        lambda: finished()[:2],
        told("m", 1, "secret", value=[1]),
        "LOG-2 m 0, LOG-5 m 1, LOG-9 m 1",
    ),
    "the secret withheld at the end": (finished, withhold("m", 1, "secret"), "LOG-5 m 1, LOG-6 m 10"),
    "another salt": (finished, told("m", 5, "hand", salt="00" * 32), "LOG-5 m 5, LOG-6 m 5"),
    "no salt": (finished, told("m", 5, "hand", salt=""), "LOG-5 m 5, LOG-6 m 5"),
    # LOG-6
    "another secret at the end": (finished, forge(show("m", 10, secret="00" * 32)), "LOG-6 m 10"),
    "no secret at the end": (finished, forge(lambda ls: at(ls, "m", 10)["public"].pop("secret")), "LOG-6 m 10"),
    "salts of another secret": (
        finished,
        forge(another_secret),
        "LOG-6 m 5, LOG-6 m 6, LOG-6 m 7, LOG-6 m 8, LOG-6 m 9",
    ),
    # LOG-7
    "another answer under seal": (
        finished,
        forge(show("m/seat:1", 1, answer={"type": "Pass"}), is_rehashed=False),
        "LOG-7 m 8, LOG-4 m/seat:1 1",
    ),
    "another answer, and re-hashed": (finished, forge(show("m/seat:1", 2, answer={"type": "Pass"})), "LOG-7 m 9"),
    "an answer at the closing that was not given": (
        finished,
        forge(recommit("m", 8, "answers.0", {"answer": {"type": "Claim"}, "sealed": None})),
        "LOG-7 m 8",
    ),
    "an answer that was given and not closed": (finished, forge(recommit("m", 9, "answers.1", NOT_ASKED)), ""),
    "two answers that were given and not closed": (
        finished,
        forge(recommit("m", 8, "answers.1", NOT_ASKED), recommit("m", 9, "answers.1", NOT_ASKED)),
        "LOG-7 m/seat:1 1",
    ),
    "answers too many": (finished, forge(answer_for_nobody), "LOG-7 m/seat:1 3"),
    "two answers, with orders between them, that were not closed": (
        ordered,
        forge(recommit("m", 6, "answers.1", NOT_ASKED)),
        "LOG-7 m/seat:1 5",
    ),
    "an order where an answer was": (
        ordered,
        forge(put("m/seat:1", 2, type="match/OrderGiven")),
        "LOG-7 m 5, LOG-7 m 6",
    ),
    "an order in the open": (ordered, forge(put("m", 3, type="match/OrderGiven")), "LOG-3 m 3"),
    "a move under seal": (ordered, forge(put("m/seat:0", 1, type="match/MoveMade")), "LOG-3 m/seat:0 1"),
    "an element that is no answer": (finished, forge(recommit("m", 8, "answers.0", 7)), "LOG-7 m 8"),
    "no private stream": (finished, forge(drop("m/seat:1", 1), drop("m/seat:1", 2)), "LOG-7 m 8, LOG-7 m 9"),
    # LOG-8
    "another key's name": (
        finished,
        lambda ls: ls[0].update(keys=[key(0), key(1, key="0" * 16)]),
        f"LOG-8 m 0, {BOTH_ENDS}",
    ),
    "a key that is not later": (finished, lambda ls: ls[0].update(keys=[key(0, since=SINCE[1]), key(1)]), "LOG-8 m 0"),
    "a key without the one before": (finished, lambda ls: ls[0].update(keys=[key(1)]), "LOG-8 m 0"),
    "another signature of a key": (finished, lambda ls: ls[0]["keys"][1].update(signature="00" * 64), "LOG-8 m 0"),
    # LOG-9
    "no keys": (finished, head(keys=[]), BOTH_ENDS),
    "no receipt": (finished, lambda ls: ls.pop(-2), ENDS),
    "a receipt twice": (finished, lambda ls: ls.append(ls[-1]), "LOG-9 m/seat:1 2"),
    "a receipt of another match": (finished, lambda ls: ls.append(receipt({**ls[3], "stream": "n"})), "LOG-9 n 3"),
    "receipts in another order": (finished, swap(-1, -2), ENDS),
    "a receipt for the event before": (finished, end(LAST_BUT_ONE), ENDS),
    "a receipt before the event": (finished, end(LAST, at="2024-03-01T12:00:00.000Z"), ENDS),
    "a receipt by the key before": (finished, end(LAST, 0), ENDS),
    "a receipt by the next key, too early": (lambda: play().export("all", "finished", keys=3), end(LAST, 2), ENDS),
    "a receipt by an unknown key": (finished, end(LAST, 2), ENDS),
    "another signature": (finished, lambda ls: ls[-2].update(signature=ls[-1]["signature"]), ENDS),
    "another time of a receipt": (finished, lambda ls: ls[-2].update(at="2024-03-01T12:00:11.000Z"), ENDS),
    "a history that was hashed anew": (finished, lambda ls: (show("m", 5, shown=["x"])(ls), rehash(ls)), ENDS),
    # LOG-10
    "no parent": (forked, forge(lines_are(lambda ls: ls[:9])), "LOG-10 f 2"),
    "the parent's end is cut off": (forked, forge(drop("m", 7)), "LOG-10 f 2, LOG-10 f 4"),
    "another event of the parent's": (forked, forge(show("f", 2, hash="00" * 32)), "LOG-10 f 2"),
    "another version of the parent's": (forked, forge(show("f", 2, version=6)), "LOG-10 f 2"),
    "other options than the parent's": (forked, forge(show("f", 1, options={})), "LOG-10 f 2"),
    "another number of seats": (forked, forge(show("f", 1, seats=3)), "LOG-10 f 2"),
    "a copy by a seat": (forked, copy_differs(3, actor="seat:0"), "LOG-10 f 3"),
    "a copy within a move": (forked, copy_differs(4, move=1), "LOG-10 f 4"),
    "a copy of another type": (forked, copy_differs(4, type="toy/Other"), "LOG-10 f 4"),
    "a copy of another schema": (forked, copy_differs(4, schema=2), "LOG-10 f 4"),
    "a copy with another field": (forked, forge(show("f", 3, shown=["x"])), "LOG-10 f 3"),
    "a copy with another value": (forked, forge(recommit("f", 3, "hand", ["x", "y"], Table("f").secret)), "LOG-10 f 3"),
    "a copy for other readers": (
        forked,
        forge(lambda ls: at(ls, "f", 3)["commits"]["hand"].update(readers=[0]), told("f", 3, "hand", readers=[0])),
        "LOG-10 f 3",
    ),
    "a game's event that the parent has not": (forked, forge(put("f", 5, type="toy/Other")), "LOG-10 f 5"),
    "copies that lack": (
        forked,
        forge(*(drop("f", version) for version in range(4, 9)), head(status="open", version=3)),
        "LOG-2 f 0, LOG-10 f 4",
    ),
    "a fork's parent that is itself": (
        forked,
        forge(show("f", 2, parent="f"), lines_are(lambda ls: ls[:9])),
        "LOG-10 f 2",
    ),
    "a fork in the parent that lacks its own": (
        forked_twice,
        forge(lines_are(lambda ls: [line for line in ls if line.get("stream") != "m"])),
        "LOG-10 f 2",
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
