"""Who may sign up: everybody, nobody, or who has a pass, which is good for one and for a while, also at once."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from freezegun import freeze_time

from service import config as said
from service.accounts.passes import BY_PASS, CLOSED, OPEN
from service.config import Config
from service.limits.settings import ADDRESS, Rate
from tests.service.accounts.insiders import asked_at_once, entered
from tests.service.house import Answer, House, Visitor, beside, refusal
from tests.service.stored import rows
from tests.service.together import at_once
from tests.service.web.test_limits import Guest, housed


def sign_up(visitor: Visitor, code: str | None = None, name: str = "Bob") -> Answer:
    return visitor.post("/players", {"name": name} if code is None else {"name": name, "pass": code})


def joined(house: House, visitor: Visitor, code: str | None = None) -> Visitor:
    return entered(house, sign_up(visitor, code))


def test_an_operator_says_who_may_sign_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (said.read().sign_up, said.read().passes) == (OPEN, 5)
    monkeypatch.setenv("FOLDTABLE_SIGN_UP", "invitation")
    assert said.read().sign_up == BY_PASS


def test_where_nobody_new_is_taken_in_the_operator_still_makes_accounts(config: Config) -> None:
    with housed(replace(config, sign_up=CLOSED)) as house:
        for code in (None, "x"):
            assert sign_up(house.stranger, code).json["code"] == "sign-up-closed"
        ann = joined(house, house.operator)
        assert ann.get("/me").status_code == 200
        assert ann.post("/passes").json["code"] == "no-passes"
        assert ann.post("/me/bots", {"name": "Robot"}).status_code == 201, "whoever is in has bots"


def test_by_a_pass_one_signs_up(config: Config) -> None:
    with housed(replace(config, sign_up=BY_PASS), rates=(Rate("guesses", ADDRESS, 2, 60),)) as house:
        assert sign_up(house.stranger).json["code"] == "pass-needed"
        assert [sign_up(Guest(house.app), "x").status_code for _ in range(3)] == [403, 403, 429], "none is guessed"
        code = house.operator.post("/passes").json["code"]
        ann = joined(house, house.stranger, code)
        assert sign_up(house.stranger, code).json["code"] == "pass-not-good"
        made = ann.post("/passes").json
        assert ann.get("/passes").json == {
            "passes": [{"id": made["id"], "created": made["created"], "expires": made["expires"], "used": False}],
            "left": 4,
        }
        assert house.operator.get("/passes").json["left"] is None
        joined(house, house.stranger, made["code"])
        assert [one["used"] for one in ann.get("/passes").json["passes"]] == [True]
        kept = repr(rows(house.service, "SELECT * FROM passes"))
        assert code not in kept
        assert made["code"] not in kept


def test_a_pass_may_be_withdrawn_and_ends_after_two_weeks(config: Config) -> None:
    with housed(replace(config, sign_up=BY_PASS)) as house, freeze_time("2026-05-01") as clock:
        ann = joined(house, house.operator)
        first, second, third = (ann.post("/passes").json for _ in range(3))
        assert ann.delete(f"/passes/{first['id']}").status_code == 204
        assert sign_up(house.stranger, first["code"]).json["code"] == "pass-not-good"
        for gone in (first["id"], "i_none"):
            assert ann.delete(f"/passes/{gone}").json["code"] == "unknown-pass"
        assert house.operator.delete(f"/passes/{second['id']}").json["code"] == "unknown-pass", "it is another's"
        clock.move_to("2026-05-14T23:59:59.999Z")
        assert sign_up(house.stranger, second["code"]).status_code == 201
        clock.move_to("2026-05-15T00:00:00Z")
        assert sign_up(house.stranger, third["code"]).json["code"] == "pass-not-good"


def test_a_player_makes_so_many_passes_in_thirty_days(config: Config) -> None:
    with housed(replace(config, sign_up=BY_PASS, passes=2)) as house, freeze_time("2026-05-01") as clock:
        ann = joined(house, house.operator)
        assert [ann.post("/passes").status_code for _ in range(3)] == [201, 201, 409]
        for _ in range(2):
            assert refusal(ann.post("/passes", key="one-too-many")) == (409, "too-many-passes")
        assert ann.get("/passes").json["left"] == 0
        assert [house.operator.post("/passes").status_code for _ in range(3)] == [201, 201, 201]
        clock.move_to("2026-05-30T23:59:59.999Z")
        assert (ann.get("/passes").json["left"], ann.post("/passes").status_code) == (0, 409)
        clock.move_to("2026-05-31T00:00:00Z")
        assert (ann.get("/passes").json["left"], ann.post("/passes").status_code) == (2, 201)
        bot = ann.post("/me/bots", {"name": "Robot"}).json
        assert Visitor(ann.client, bot["token"]).post("/passes").json["code"] == "not-for-bots"


def test_however_many_ask_at_once_of_several_processes_none_gets_past_it(config: Config) -> None:
    with housed(replace(config, sign_up=BY_PASS, passes=3)) as house:
        ann = joined(house, house.operator)
        asker = house.service.accounts.asker(ann.token)
        made = asked_at_once(house, 8, lambda one, key: one.passes.make(asker, once=key)[1])
        codes = [code for code in made if code != "too-many-passes"]
        assert len(codes) == 3
        houses = [house, House(beside(house.service))]
        answers = at_once(*[partial(sign_up, one.stranger, codes[0]) for one in houses] * 4)
        assert sorted(answer.status_code for answer in answers) == [201] + [403] * 7
