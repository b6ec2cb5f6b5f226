"""What may be done around matches: people come and go, open matches, sit down, talk, play once more."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from tests.service.anyhow import truths
from tests.service.anyhow.crowd import MOST_MATCHES, MOST_PEOPLE, SELDOM, Crowd
from tests.service.anyhow.playing import N, Playing
from tests.service.anyhow.truths import Truths
from tests.service.house import HIGH_CARD, THREE_MAGIC, Visitor
from tests.service.stored import out_of_step

CLOCKS: tuple[Any, ...] = (
    None,
    {"allowance": "PT1H", "claims": "PT10M", "bank": "PT0S", "defaults": 2},
    {"allowance": "PT1H", "bank": "PT20M", "defaults": 0, "resignation": "rules"},
    {"allowance": "PT10M", "claims": "PT5M", "bank": "PT3M", "defaults": 1, "bot": "random"},
    {"preset": "day"},
)
TALK = ("seats", "after", "open", "none")
VISIBLE = ("public", "public", "link", "private")
GAMES = ((HIGH_CARD, 2), (HIGH_CARD, 3), (THREE_MAGIC, 3), ("troll-master", 3))

CALLED_OFF = ("DELETE /seats", "DELETE /invitations", "POST /invitations/accept", "POST /link")


class Meeting(Playing):
    """A crowd that meets, plays, and in the end is audited."""

    def __init__(self, crowd: Crowd) -> None:
        super().__init__()
        self.crowd = crowd
        self.truths = Truths(crowd)

    @initialize(seed=N)
    def begin(self, seed: int) -> None:
        for _ in range(4):
            self.come()
        self.sit_together(seed, 1 + seed // 16, 0)
        self.sit_together(seed + 2, seed, 0)

    @invariant()
    def holds(self) -> None:
        if self.crowd.people:
            self.truths.look()
        assert out_of_step(self.crowd.service) == set(), "the lobby's lists say what the matches say"

    @rule()
    def come(self) -> None:
        if len(self.crowd.people) < MOST_PEOPLE:
            answer = self.crowd.post(self.crowd.stranger, "/players", {"name": f"P{len(self.crowd.people)}"})
            assert answer.status_code == 201, answer.json
            self.crowd.people.append(Visitor(self.crowd.clients[0], answer.json["token"], answer.json["id"]))

    @rule(who=N)
    def go_for_good(self, who: int) -> None:
        """Whoever is erased plays nowhere any longer."""
        if len(self.crowd.people) < 4 or who % 4:
            return
        someone = self.crowd.person(who)
        self.crowd.touched |= set(self.crowd.matches)
        assert self.crowd.ask(someone, "DELETE", "/me", {"confirm": someone.id}).status_code == 204
        self.crowd.people.remove(someone)
        self.crowd.gone.add(someone.id)

    def open(self, who: Visitor, body: dict[str, Any]) -> str | None:
        answer = self.crowd.post(who, "/matches", body)
        return self.opened(answer.json["id"]) if answer.status_code == 201 else None

    def opened(self, match: str) -> str:
        if match not in self.crowd.matches:
            self.crowd.matches.append(match)
            self.crowd.touched.add(match)
        return match

    def is_full(self) -> bool:
        return sum(not self.crowd.entry(match).is_over for match in self.crowd.matches) >= MOST_MATCHES

    @rule(form=N, clock=N, visible=N)
    def sit_together(self, form: int, clock: int, visible: int) -> None:
        game, seats = GAMES[form % len(GAMES)]
        if self.is_full() or len(self.crowd.people) < seats:
            return
        wanted = {"clock": CLOCKS[clock % len(CLOCKS)], "talk": TALK[form % 3]}
        match = self.open(self.crowd.people[0], {"game": game, "seats": [None] * seats, **wanted})
        assert match is not None
        for someone in self.crowd.people[:seats]:
            answer = self.crowd.post(someone, self.crowd.of(match, "/seats"), {})
            assert answer.status_code == 200, answer.json

    @rule(who=N, form=N, clock=N, visible=N, seats=st.lists(N, min_size=2, max_size=3))
    def open_a_match(self, who: int, form: int, clock: int, visible: int, seats: list[int]) -> None:
        """With seats for anybody, bots, and people who are asked to come."""
        if self.is_full():
            return
        places: list[Any] = [
            (None, {"bot": ("random", "greedy")[one % 2]}, {"player": self.crowd.person(one).id}, None)[one % 4]
            for one in seats
        ]
        game = GAMES[form % len(GAMES)][0] if len(seats) == 3 else HIGH_CARD
        more = {"clock": CLOCKS[clock % len(CLOCKS)], "visibility": VISIBLE[visible % 4], "talk": TALK[form % 4]}
        self.open(self.crowd.person(who), {"game": game, "seats": places, **more})

    @rule(which=N, who=N, seat=st.none() | st.integers(0, 3), nonce=st.booleans())
    def sit(self, which: int, who: int, seat: int | None, nonce: bool) -> None:
        said = {"seat": seat, "nonce": "a7" * 32 if nonce else ""}
        self.crowd.post(self.crowd.person(who), self.crowd.of(self.waiting(which), "/seats"), said)

    def waiting(self, which: int) -> str:
        found = [match for match in self.crowd.matches if self.crowd.entry(match).status == "open"]
        return found[which % len(found)] if found and which % 16 != SELDOM else self.crowd.match(which)

    @rule(which=N, who=N, deed=st.sampled_from(CALLED_OFF))
    def change_ones_mind(self, which: int, who: int, deed: str) -> None:
        method, path = deed.split()
        match = self.waiting(which)
        self.crowd.ask(self.crowd.person(who), method, self.crowd.of(match, path))

    @rule(which=N, who=N, to=N, by_link=st.booleans())
    def have_somebody_come(self, which: int, who: int, to: int, by_link: bool) -> None:
        match, someone, new = self.waiting(which), self.crowd.person(who), self.crowd.person(to)
        if not by_link:
            player = None if to % 4 == 3 else new.id
            self.crowd.post(someone, self.crowd.of(match, "/invitations"), {"seat": to % 3, "player": player})
            return
        answer = self.crowd.ask(someone, "GET", self.crowd.of(match, "/link"))
        if answer.status_code == 200:
            self.crowd.post(new, self.crowd.of(match, f"/seats?link={answer.json['token']}"), {})

    @rule(who=N, to=N)
    def mute(self, who: int, to: int) -> None:
        self.crowd.post(self.crowd.person(who), "/me/mutes", {"player": self.crowd.person(to).id})

    @rule(which=N, who=N, version=N, word=st.sampled_from(["rematch", "fork"]))
    def play_once_more(self, which: int, who: int, version: int, word: str) -> None:
        ended = [match for match in self.crowd.matches if self.crowd.entry(match).is_over]
        if not ended or self.is_full():
            return
        match = ended[which % len(ended)]
        someone, seats = self.crowd.one_of(match, who), len(self.crowd.entry(match).chairs)
        body = {"version": 1 + version, "seats": [None] * (seats - 1) + [{"bot": "greedy"}]} if word == "fork" else None
        answer = self.crowd.post(someone, self.crowd.of(match, f"/{word}"), body)
        if answer.status_code == 409 and word == "fork" and answer.json.get("nearest"):
            nearest = answer.json["nearest"][-1]
            answer = self.crowd.post(someone, self.crowd.of(match, "/fork"), {**(body or {}), "version": nearest})
        if answer.status_code < 300:
            self.opened(answer.json["id"])

    def end(self) -> None:
        """Every match is brought to an end, played or broken off, and audited."""
        for number, match in enumerate(self.crowd.matches):
            if number % 2 == 0:
                self.play_on(match, 60, Random(number))
            if not self.crowd.entry(match).is_over:
                answer = self.crowd.ask(self.crowd.operator, "POST", self.crowd.of(match, "/abort"))
                assert answer.status_code == 200, answer.json
        self.crowd.touched |= set(self.crowd.matches)
        self.truths.look()
        for match in self.crowd.matches:
            truths.audit(self.crowd, match)

    def teardown(self) -> None:
        try:
            # else something was found already
            if sys.exc_info()[0] is None:
                self.end()
        finally:
            self.crowd.service.close()
