"""Receipts are taken from the service's answers as they were saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from service.config import Config
from tests.replays.commands.typed import refused, replays
from tests.service.house import THREE_MAGIC, House, build

SEALED = "sealed"
NONCE, EARLIER = "c1" * 32, "b0" * 32
"""Those of who sits down last, and of who sat down before."""


class Kept:
    """A match that two people have played to its end, with all that they were answered."""

    def __init__(self, data: Path) -> None:
        self.data = data
        service = build(Config(data=data, bot_pause=0.0))
        house = House(service)
        people = [house.player(name) for name in ("Ann", "Bob", "Cid")]
        opened = people[0].post("/matches", {"game": THREE_MAGIC, "seats": [None] * 3, "options": {"laps": 1}})
        self.opened: dict[str, Any] = opened.json
        self.match: str = self.opened["id"]
        nonces = ("", EARLIER, NONCE)
        self.seated = [
            one.post(f"/matches/{self.match}/seats", {"nonce": nonce}).json
            for one, nonce in zip(people, nonces, strict=True)
        ]
        self.moved: list[dict[str, Any]] = []
        while people[0].look(self.match)["status"] == "playing":
            for one in people:
                now = one.moves(self.match)
                if now["moves"]:
                    chosen = now["moves"][-1]["id"]
                    self.moved.append(one.move(self.match, chosen, now["decision"]).json)
        self.get = one.get(f"/matches/{self.match}").json
        service.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return Kept(tmp_path_factory.mktemp("data"))


def counted(kept: Kept, file: Path, held: str) -> int:
    """How many receipts hold, with what is held."""
    file.write_text(held)
    done = replays("audit", kept.match, "--data", kept.data, "--receipt", file, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    receipts: int = json.loads(done.stdout)["receipts"]
    return receipts


def test_the_answer_to_a_move_or_of_a_match_is_as_good_as_its_receipt(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    alone = counted(kept, file, json.dumps(kept.opened["receipt"]))
    for answer in (kept.opened, *kept.seated, *[one for one in kept.moved if not one[SEALED]][::20]):
        assert counted(kept, file, json.dumps(answer)) == alone
    assert counted(kept, file, json.dumps(kept.moved[0], indent=4)) == alone, "as json.tool writes it"


def test_an_answer_under_seal_brings_the_receipt_for_the_private_log(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    closing = next(answer for answer in kept.moved if answer[SEALED] and answer["receipt"] is not None)
    alone = counted(kept, file, json.dumps(kept.opened))
    assert counted(kept, file, json.dumps(closing)) == alone + 1, "both"
    assert counted(kept, file, json.dumps({**closing, "receipt": None})) == alone, "of an answer that was not the last"


def test_many_answers_may_lie_in_one_file(kept: Kept, tmp_path: Path) -> None:
    answers = [kept.opened, *kept.seated, *kept.moved]
    receipts = sum((one["receipt"] is not None) + bool(one.get(SEALED)) for one in answers)
    base = counted(kept, tmp_path / "file", json.dumps(kept.opened)) - 1
    for held in ("\n".join(map(json.dumps, answers)), json.dumps(answers)):
        assert counted(kept, tmp_path / "file", held) == base + receipts


def test_answers_that_bring_none_are_passed_over_among_others(kept: Kept, tmp_path: Path) -> None:
    refusal = {"type": "about:blank", "status": 409, "code": "decision-closed", "detail": "That decision is not open."}
    alone = counted(kept, tmp_path / "file", json.dumps(kept.opened))
    lines = [json.dumps(one) for one in (refusal, kept.get, kept.opened, {}, refusal)]
    assert counted(kept, tmp_path / "file", "\n".join(lines)) == alone


def test_a_saved_answer_of_another_history_is_found_out(kept: Kept, tmp_path: Path) -> None:
    answer = kept.moved[3]
    forged = {**answer, "receipt": {**answer["receipt"], "hash": "00" * 32}}
    (tmp_path / "answer.json").write_text(json.dumps(forged))
    done = replays("audit", kept.match, "--data", kept.data, "--receipt", tmp_path / "answer.json")
    assert done.returncode == 1
    assert "receipt (LOG-9)" in done.stdout


def test_an_answer_without_a_receipt_is_told_in_one_line(kept: Kept, tmp_path: Path) -> None:
    for answer in (kept.get, {**kept.moved[0], "receipt": None}, {"receipt": "none"}, {"receipt": None, "sealed": 3}):
        (tmp_path / "answer.json").write_text(json.dumps(answer))
        refused("holds no receipts", "audit", kept.match, "--data", kept.data, "--receipt", tmp_path / "answer.json")


def audited(kept: Kept, file: Path, *held: Any) -> tuple[int, str]:
    """The exit code and the words of an audit with what is held, one a line."""
    file.write_text("\n".join(map(json.dumps, held)))
    done = replays("audit", kept.match, "--data", kept.data, "--receipt", file)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_nonce_among_the_answers_says_that_chance_was_not_the_services_alone(kept: Kept, tmp_path: Path) -> None:
    told = audited(kept, tmp_path / "held", kept.opened, {"nonce": NONCE}, kept.seated[2], *kept.moved)
    assert told[0] == 0
    assert "chance: not the service's alone: your nonce is in it (seat 2) and came last\n" in told[1]
    assert "no receipt from before" not in told[1]
    late = audited(kept, tmp_path / "held", {"nonce": NONCE}, *kept.moved)[1]
    assert "chance: your nonce is in it (seat 2) and came last\n" in late
    assert "no receipt from before seat 2's nonce was sent is held" in late


def test_of_a_nonce_that_did_not_come_last_no_more_is_said_than_is_so(kept: Kept, tmp_path: Path) -> None:
    early = audited(kept, tmp_path / "held", kept.opened, {"nonce": EARLIER})[1]
    assert "chance: your nonce is in it (seat 1); the nonce of seat 2 came last, and whoever knew" in early
    nothing = audited(kept, tmp_path / "held", kept.opened)[1]
    assert "chance: seats had a part in the seed; the nonce of seat 2 came last" in nothing
    assert "your nonce" not in nothing


def test_a_nonce_that_is_not_in_the_log_is_a_failure_and_one_that_is_none_can_not_be_read(
    kept: Kept, tmp_path: Path
) -> None:
    code, told = audited(kept, tmp_path / "held", {"nonce": "dd" * 32}, kept.moved[0])
    assert (code, "receipt (LOG-9): a nonce that is held is not in the log" in told) == (1, True)
    for wrong in (5, None, ["dd"]):
        (tmp_path / "held").write_text(json.dumps({"nonce": wrong}))
        refused("holds no receipts", "audit", kept.match, "--data", kept.data, "--receipt", tmp_path / "held")
