"""Receipts are taken from the service's answers as they were saved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from service.config import Config
from tests.replays.commands.typed import as_json, printed, refused, replays
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


def audited(kept: Kept, file: Path, *held: Any) -> str:
    """The words of an audit that finds no fault, with what is held, one a line."""
    file.write_text("\n".join(map(json.dumps, held)))
    return printed("audit", kept.match, "--data", kept.data, "--receipt", file)


def counted(kept: Kept, file: Path, held: str) -> int:
    """How many receipts hold, with what is held."""
    file.write_text(held)
    receipts: int = as_json("audit", kept.match, "--data", kept.data, "--receipt", file)["receipts"]
    return receipts


def test_an_answer_is_as_good_as_its_receipts_alone_or_among_others(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    alone = counted(kept, file, json.dumps(kept.opened["receipt"]))
    for answer in (kept.opened, *kept.seated, *[one for one in kept.moved if not one[SEALED]][::60]):
        assert counted(kept, file, json.dumps(answer)) == alone
    assert counted(kept, file, json.dumps(kept.moved[0], indent=4)) == alone, "as json.tool writes it"
    # an answer under seal brings the receipt for the private log too
    closing = next(answer for answer in kept.moved if answer[SEALED] and answer["receipt"] is not None)
    assert counted(kept, file, json.dumps(closing)) == alone + 1, "both"
    assert counted(kept, file, json.dumps({**closing, "receipt": None})) == alone, "of an answer that was not the last"
    answers = [kept.opened, *kept.seated, *kept.moved]
    receipts = sum((one["receipt"] is not None) + bool(one.get(SEALED)) for one in answers)
    for held in ("\n".join(map(json.dumps, answers)), json.dumps(answers)):
        assert counted(kept, file, held) == alone - 1 + receipts
    # answers that bring none are passed over
    refusal = {"type": "about:blank", "status": 409, "code": "decision-closed", "detail": "That decision is not open."}
    lines = [json.dumps(one) for one in (refusal, kept.get, kept.opened, {}, refusal)]
    assert counted(kept, file, "\n".join(lines)) == alone


def test_what_is_held_of_another_history_is_found_out_and_what_holds_nothing_is_told(
    kept: Kept, tmp_path: Path
) -> None:
    # one with a single receipt: chance decides which moves answer under seal
    answer, file = next(one for one in kept.moved if one["receipt"] and not one[SEALED]), tmp_path / "answer.json"
    forged = {**answer, "receipt": {**answer["receipt"], "hash": "00" * 32}}
    for held, says in (
        ([forged], "receipt (LOG-9)"),
        ([{"nonce": "dd" * 32}, answer], "receipt (LOG-9): a nonce that is held is not in the log"),
    ):
        file.write_text("\n".join(map(json.dumps, held)))
        done = replays("audit", kept.match, "--data", kept.data, "--receipt", file)
        assert done.returncode == 1
        assert says in done.stdout
    nothing = (kept.get, {**answer, "receipt": None}, {"receipt": "none"}, {"receipt": None, "sealed": 3})
    for empty in (*nothing, *({"nonce": nonce} for nonce in (5, None, ["dd"]))):
        file.write_text(json.dumps(empty))
        refused("holds no receipts", "audit", kept.match, "--data", kept.data, "--receipt", file)
    file.write_text("\n".join((json.dumps(answer), json.dumps(answer)[:-9])))
    refused("line 2, which may be cut off", "audit", kept.match, "--data", kept.data, "--receipt", file)
    refused("it is larger than", "audit", kept.match, "--data", kept.data, "--keys", "/dev/zero")


def test_a_nonce_among_the_answers_says_who_had_a_part_in_chance(kept: Kept, tmp_path: Path) -> None:
    file = tmp_path / "held"
    told = audited(kept, file, kept.opened, kept.seated[1], {"nonce": NONCE}, kept.seated[2], *kept.moved)
    assert "chance: not the service's alone: your nonce is in it (seat 2) and came last\n" in told
    assert "no receipt from before" not in told
    # what was written after the only receipt from before may have been written when the nonce was known
    between = audited(kept, file, kept.opened, {"nonce": NONCE}, kept.seated[2], *kept.moved)
    assert "chance: your nonce is in it (seat 2) and came last\n" in between
    assert "another nonce is in the log between your last receipt and the nonce of seat 2" in between
    late = audited(kept, file, {"nonce": NONCE}, *kept.moved)
    assert "chance: your nonce is in it (seat 2) and came last\n" in late
    assert "no receipt from before the nonce of seat 2" in late
    early = audited(kept, file, kept.opened, {"nonce": EARLIER})
    assert "chance: your nonce is in it (seat 1); the nonce of seat 2 came last, and whoever knew" in early
    nothing = audited(kept, file, kept.opened)
    assert "chance: seats had a part in the seed, but you hold none of their nonces (--receipt); the nonce" in nothing
    assert "the nonce of seat 2 came last, and whoever brought it chose the seed if they knew the secret\n" in nothing
    assert "your nonce" not in nothing


def test_without_the_file_of_keys_receipts_are_judged_by_the_keys_that_the_store_publishes(
    kept: Kept, tmp_path: Path
) -> None:
    file, data = tmp_path / "answer.json", Path(shutil.copytree(kept.data, tmp_path / "data"))
    (data / "keys").unlink()
    file.write_text(json.dumps(kept.opened))
    told = as_json("audit", kept.match, "--data", data, "--receipt", file)
    assert (told["receipts"], told["keys"]) == (1, [kept.opened["receipt"]["key"]])
    file.write_text(json.dumps({**kept.opened, "receipt": {**kept.opened["receipt"], "hash": "00" * 32}}))
    assert replays("audit", kept.match, "--data", data, "--receipt", file).returncode == 1
