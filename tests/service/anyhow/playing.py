"""What may be done at a table while a match is played, as rules of a state machine."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from service.clock import now
from service.store import RULES
from tests.service.anyhow.crowd import KEPT, Crowd
from tests.service.anyhow.truths import Truths
from tests.service.house import Visitor

N = st.sampled_from(range(64))
"""Stands for one of those that there are then."""

PASSING = ("offer", "offer", "accept", "agree", "drop", "disagree", "decline", "all", "all")

LENGTHS = (
    *(timedelta(seconds=30), timedelta(minutes=8), timedelta(minutes=48), timedelta(hours=1), timedelta(hours=5)),
    *(timedelta(days=1), timedelta(days=12), timedelta(days=91)),
)


AT_A_TABLE: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/resign", None),
    *((method, "/stand-in", None) for method in ("POST", "DELETE") for _ in range(2)),
    ("DELETE", "/pause", None),
    ("DELETE", "/abort", None),
    *(("DELETE", f"/orders/{order}", None) for order in (1, 1, 2, 9)),
    *(("POST", "/talk", {"text": f"Hello {number}"}) for number in range(2)),
    *(("DELETE", f"/talk/{message}", None) for message in (1, 2)),
    *(("POST", f"/talk/{message}/report", {}) for message in (1, 2)),
    *(("GET", path, None) for path in ("/talk", "/export", "/events?private=true", "/events?after=7")),
    *(("GET", f"/at/{version}", None) for version in (0, 3, 12, 40)),
)
"""What whoever sits there may ask for, by method, path and body."""


class Playing(RuleBasedStateMachine):
    crowd: Crowd
    truths: Truths

    @rule(which=N, who=N, deeds=st.lists(st.sampled_from(AT_A_TABLE), min_size=1, max_size=3))
    def do_at_a_table(self, which: int, who: int, deeds: list[tuple[str, str, Any]]) -> None:
        match = self.crowd.match(which)
        someone = self.crowd.one_of(match, who)
        for method, path, body in deeds:
            if method == "POST":
                self.crowd.post(someone, self.crowd.of(match, path), body)
            else:
                self.crowd.ask(someone, method, self.crowd.of(match, path))

    @rule(which=N, times=st.integers(1, 12), chance=N)
    def play(self, which: int, times: int, chance: int) -> None:
        """Whoever is asked answers, people and bots, so that matches come on."""
        self.play_on(self.crowd.match(which), times, Random(chance))

    def play_on(self, match: str, times: int, draw: Random) -> None:
        for _ in range(times):
            owed = sorted(self.crowd.owed(match), key=lambda one: one.seat)
            asked = [one for one in owed if one.who != RULES]
            if not asked:
                return
            one = draw.choice(asked)
            seated = self.crowd.seated(match)
            who = self.crowd.worker if one.who.startswith("bot:") else seated.get(one.seat)
            if who is None:
                return  # who sat there is gone, and the clock or the operator ends it
            said = {"seat": one.seat} if who is self.crowd.worker else {}
            query = f"/moves?seat={one.seat}" if said else "/moves"
            moves = self.crowd.ask(who, "GET", self.crowd.of(match, query)).json
            assert moves.get("decision") == one.since, (one, moves)
            chosen = draw.choice(moves["moves"])
            wanted = {"id": chosen["id"]} if draw.random() < 0.5 else {"move": chosen["move"]}
            answer = self.crowd.post(who, self.crowd.of(match, "/moves"), {"decision": one.since, **wanted, **said})
            assert answer.status_code == 200, answer.json

    @rule(which=N, who=N, how=st.sampled_from(["stale", "next", "unknown", "fields", "other", "both"]))
    def move_wrongly(self, which: int, who: int, how: str) -> None:
        match = self.crowd.match(which)
        someone, before = self.crowd.one_of(match, who), self.crowd.size()
        moves = self.crowd.ask(someone, "GET", self.crowd.of(match, "/moves")).json
        decision = moves.get("decision") or 1
        body: dict[str, Any] = {
            "stale": {"decision": max(0, decision - 1), "id": "x"},
            "next": {"decision": decision + 1, "id": "x"},
            "unknown": {"decision": decision, "id": "nothing"},
            "fields": {"decision": decision, "move": {"type": "Raise", "card": -1}},
            "other": {"decision": decision, "id": "x", "seat": who % 4},
            "both": {"decision": decision, "id": "x", "move": {}},
        }[how]
        answer = self.crowd.post(someone, self.crowd.of(match, "/moves"), body)
        assert 400 <= answer.status_code < 500, answer.json
        assert self.crowd.size() == before

    @rule(which=N)
    def repeat(self, which: int) -> None:
        fresh = [one for one in self.crowd.said if one[-1] + KEPT > now()]
        if not fresh:
            return
        who, path, body, key, _ = fresh[which % len(fresh)]
        before = self.crowd.size()
        answer = self.crowd.ask(who, "POST", path, body, key)
        assert self.crowd.size() == before, (path, body, answer.json)
        if who.id not in self.crowd.gone:
            other = self.crowd.ask(who, "POST", path, {"another": 1}, key)
            assert 400 <= other.status_code < 500, other.json

    @rule(which=N, who=N, word=st.sampled_from(["pause", "resume", "pause", "abort"]), all_agree=st.booleans())
    def agree(self, which: int, who: int, word: str, all_agree: bool) -> None:
        match = self.crowd.match(which)
        is_by_all = all_agree and (word != "abort" or who % 4 == 0)
        people = [*self.crowd.seated(match).values()] if is_by_all else [self.crowd.one_of(match, who)]
        for someone in people:
            self.crowd.post(someone, self.crowd.of(match, f"/{word}"))

    @rule(which=N, word=st.sampled_from(["pause", "resume", "resume"]))
    def the_operator_pauses(self, which: int, word: str) -> None:
        self.crowd.post(self.crowd.operator, self.crowd.of(self.crowd.match(which), f"/{word}"))

    @rule(which=N, who=N, form=N, value=st.integers(0, 12))
    def give_an_order(self, which: int, who: int, form: int, value: int) -> None:
        match = self.crowd.match(which)
        someone = self.crowd.one_of(match, who)
        legal = self.crowd.ask(someone, "GET", self.crowd.of(match, "/moves")).json.get("moves", [])
        move = legal[form % len(legal)]["move"] if legal else {"type": "Pass"}
        fields = [name for name, one in move.items() if isinstance(one, int) and not isinstance(one, bool)]
        where = [{"of": fields[0], "relation": "=" if form % 2 else ">=", "value": value}] if fields else []
        body = {"play": [{"type": move["type"], "where": where}], "unless": [{"type": "Ron"}] if form % 5 == 4 else []}
        self.crowd.post(someone, self.crowd.of(match, "/orders"), body)

    @rule()
    def follow_orders(self) -> None:
        if self.crowd.matches:
            answer = self.crowd.ask(self.crowd.worker, "POST", "/orders", {"matches": self.crowd.matches})
            assert answer.status_code == 200, answer.json
            self.crowd.touched |= set(self.crowd.matches)

    @rule(length=st.sampled_from(LENGTHS), is_watched=st.booleans())
    def wait(self, length: timedelta, is_watched: bool) -> None:
        self.crowd.wait(length, is_watched=is_watched)

    @rule(who=N, days=st.sampled_from([0, 1, 10]))
    def go_on_vacation(self, who: int, days: int) -> None:
        """0: come back."""
        someone = self.crowd.person(who)
        if days:
            self.crowd.post(someone, "/me/vacation", {"days": days})
        else:
            self.crowd.ask(someone, "DELETE", "/me/vacation")
        self.crowd.touched |= set(self.crowd.matches)

    @rule(which=N, who=N, to=N, word=st.sampled_from(PASSING))
    def pass_a_seat_on(self, which: int, who: int, to: int, word: str) -> None:
        match = self.crowd.match(which)
        seated = self.crowd.seated(match)
        seat = [*seated, 0][who % (len(seated) + (not seated))]
        own, new = seated.get(seat, self.crowd.person(who)), self.crowd.beside(match, to)
        someone, of = self.crowd.one_of(match, to), self.crowd.of(match, "/offers")
        heir = {"bot": "random"} if to % 3 == 2 else {"player": new.id}
        if word in {"offer", "all"}:
            self.crowd.post(own, of, heir)
        if word in {"agree", "all"}:
            others: list[Visitor] = [one for one in seated.values() if one is not own] if word == "all" else [someone]
            for one in others:
                self.crowd.post(one, f"{of}/{seat}/agreement", heir)
        if word in {"accept", "all"}:
            self.crowd.post(new, f"{of}/{seat}/acceptance")
        if word in {"drop", "disagree", "decline"}:
            rest = {"drop": "", "disagree": f"/{seat}/agreement", "decline": f"/{seat}/acceptance"}[word]
            asker = {"drop": own, "disagree": someone, "decline": new}[word]
            self.crowd.ask(asker, "DELETE", of + rest)
