"""What the lobby tells of each match: how far it is, how it ended and came to that; and what it finds."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from typing import Any

import pytest

from domain import clocks, matches, play
from domain.happenings import ClockSet
from domain.matches import Cause
from domain.play import Told
from events.store import Statement
from service.matches.startup import note_endings
from service.matches.states import Outcome, Position
from tests.service.house import House, Visitor, each, play_out
from tests.service.stored import list_anew, out_of_step

TERMS = ClockSet(allowance=90_000, claims=60_000, bank=86_400_000, defaults=1)

STATUSES = """
SELECT seats.status, matches.status FROM seats
JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match WHERE seats.partition = :partition
"""


def row_of(house: House, match: str, visitor: Visitor | None = None) -> dict[str, Any]:
    """The match as the lobby lists it."""
    listed = (visitor or house.stranger).get("/matches", limit=100).json["matches"]
    return next(one for one in listed if one["id"] == match)


def happen(house: House, match: str, *deeds: Any) -> None:
    """Have the match told what each deed says of its position."""
    for deed in deeds:

        def decide(position: Position, deed: Any = deed) -> Outcome:
            return position.told(deed(position))

        house.service.changes.change(match, decide)


def by_clock(position: Position) -> tuple[Told, ...]:
    """The clock moves for whoever is asked."""
    game, state = position.log.game, position.truth
    seat = matches.to_act(game, state)[0]
    decision, move = matches.decision_of(game, state, seat), game.default(state.table, seat)
    return play.played(game, state, seat, decision, move, play.dice(state), Cause.CLOCK)[0]


def test_a_row_tells_how_far_a_match_is_and_its_result(house: House) -> None:
    match, players = house.table()
    before = row_of(house, match)
    assert (before["moves_made"], before["moved"], before["ended"], before["how"]) == (0, None, None, None)
    assert before["seats"][0]["conduct"] is None
    for most in (1, 1, 1_000):
        play_out(match, players, most=most)
        event = [one for one in house.stranger.events(match) if one["type"] == "match/MoveMade"][-1]
        row, look = row_of(house, match), house.stranger.look(match)
        assert (row["moves_made"], row["moved"]) == (event["move"], event["at"])
        assert {key: look[key] for key in row} == row
    last = house.stranger.events(match)[-1]
    assert (row["status"], row["how"], row["ended"]) == ("finished", "played", last["at"])
    assert row["result"]["points"] == last["public"]["points"]
    places = last["public"]["ranking"]
    assert row["result"]["winners"] == [seat for seat, place in enumerate(places) if place == 1]
    assert row["seats"][0]["conduct"] == {"resigned": False, "by_clock": 0, "handed_over": []}


def test_a_row_tells_the_clock_and_who_broke_a_match_off(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    happen(house, match, lambda position: clocks.set_clock(position.truth, TERMS))
    clock = {"allowance": "PT1M30S", "claims": "PT1M", "bank": "P1D", "defaults": 1}
    assert row_of(house, match)["clock"] == clock
    assert house.stranger.look(match)["clock"].items() >= clock.items()
    each((ann, bob), match, "seats")
    play_out(match, [ann, bob], most=1)
    made = row_of(house, match)
    assert made["clock"] == clock
    each((ann, bob), match, "abort")
    row = row_of(house, match)
    assert (row["status"], row["how"], row["result"]) == ("aborted", "agreement", None)
    assert (row["moves_made"], row["moved"]) == (made["moves_made"], made["moved"])
    other = ann.open()
    house.operator.post(f"/matches/{other}/abort")
    assert [row_of(house, other)[key] for key in ("how", "moves_made", "moved")] == ["operator", 0, None]


@pytest.mark.parametrize("ending", ["played", "agreement"])
def test_what_became_of_the_seats_is_told_alike_by_the_state_and_by_the_log(house: House, ending: str) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    happen(house, match, lambda position: clocks.set_clock(position.truth, TERMS))
    each((ann, bob), match, "seats")
    first = ann.look(match)["to_act"][0]
    happen(
        house,
        match,
        by_clock,
        lambda at: clocks.hand_over(at.log.game, at.truth, first, "greedy", "absence"),
        lambda at: clocks.hand_back(at.log.game, at.truth, first),
        lambda at: clocks.hand_over(at.log.game, at.truth, first, "random", "wish"),
        lambda at: clocks.pass_on(at.log.game, at.truth, 1 - first),
        lambda at: clocks.resign(at.log.game, at.truth, 1 - first),
    )
    if ending == "played":
        play_out(match, [ann, bob])
    else:
        each((ann, bob), match, "abort")
    row = row_of(house, match)
    assert row["how"] == ending
    assert row["seats"][first]["conduct"] == {"resigned": False, "by_clock": 1, "handed_over": ["absence", "wish"]}
    assert row["seats"][1 - first]["conduct"] == {"resigned": True, "by_clock": 0, "handed_over": ["passed"]}
    # as an import leaves it
    forget = (
        "UPDATE matches SET ended = NULL, how = NULL, moves = NULL, moved = NULL"
        " WHERE partition = :partition AND id = :match",
        "UPDATE seats SET points = NULL, place = NULL, has_quit = NULL, by_clock = NULL, handed = NULL"
        " WHERE partition = :partition AND match = :match",
    )
    house.service.recorder.write([Statement(sql, {"match": match}, match) for sql in forget])
    assert row_of(house, match) != row
    note_endings(house.service.recorder, lambda: None)
    assert row_of(house, match) == row


def lobby(house: House) -> tuple[Visitor, Visitor]:
    """Matches of all sorts: two who play in some of them."""
    ann, bob = house.player("Ann"), house.player("Bob")
    for visibility in ("public", "link", "private"):
        for number, game in enumerate(("high-card", "high-card", "three-magic")):
            seats = [None, {"player": bob.id}] if game == "high-card" else [{"bot": "random"}, None, {"player": bob.id}]
            match = ann.open(game, seats, visibility=visibility)
            if number == 1:
                happen(house, match, lambda position: clocks.set_clock(position.truth, TERMS))
            ann.sit(match)
            if number < 2:
                bob.sit(match)
            if number == 0:
                play_out(match, [ann, bob], seed=number)
            if number == 1 and visibility == "link":
                house.operator.post(f"/matches/{match}/abort")
        bob.open(seats=[None, {"bot": "greedy"}], visibility=visibility)
    return ann, bob


def expected(
    known: list[dict[str, Any]], visitor: Visitor, query: dict[str, Any], mine: Collection[str] = ()
) -> set[str]:
    """The matches that a filter lets through, of all that somebody knows of; `mine`: those of the visitor."""

    def sits(row: dict[str, Any], id: str) -> bool:
        return any(seat["player"] and seat["player"]["id"] == id for seat in row["seats"])

    def place(row: dict[str, Any], id: str) -> int:
        found = next((one["seat"] for one in row["seats"] if one["player"] and one["player"]["id"] == id), None)
        return 0 if found is None or row["result"] is None else int(row["result"]["ranking"][found])

    def free(row: dict[str, Any]) -> bool:
        return row["status"] == "open" and any(
            not one["player"] and not one["bot"] and (one["reserved"] or {"id": visitor.id})["id"] == visitor.id
            for one in row["seats"]
        )

    tests: dict[str, Any] = {
        "game": lambda row, said: row["game"] == said,
        "status": lambda row, said: row["status"] == said,
        "how": lambda row, said: row["how"] == said,
        "seats": lambda row, said: len(row["seats"]) == said,
        "seat": lambda row, said: free(row),
        "speed": lambda row, said: (row["clock"] is None) == (said == "none"),
        "since": lambda row, said: row["ended"] is not None and row["ended"] >= said,
        "player": sits,
        "mine": lambda row, said: row["id"] in mine,
        "result": lambda row, said: (
            (place(row, query["player"]) == 1) == (said == "won") and place(row, query["player"])
        ),
    }
    return {row["id"] for row in known if all(tests[name](row, said) for name, said in query.items())}


def read(visitor: Visitor, query: dict[str, Any]) -> list[str]:
    """What is found, by pages of two."""
    sent, found = dict(query), list[str]()
    while True:
        answer = visitor.get("/matches", limit=2, **sent)
        found += [row["id"] for row in answer.json["matches"]]
        assert ("Link" in answer.headers) is (answer.json["next"] is not None)
        if answer.json["next"] is None:
            return found
        sent["cursor"] = answer.json["next"]


def test_every_pair_of_filters_finds_what_both_say_also_of_matches_of_one_moment(house: House) -> None:
    ann, bob = lobby(house)
    kinds: list[dict[str, Any]] = [
        *({"game": name} for name in ("high-card", "three-magic")),
        *({"status": name} for name in ("open", "playing", "finished", "aborted")),
        *({"how": name} for name in ("played", "operator")),
        *({"seats": number} for number in (2, 3)),
        *({"speed": name} for name in ("minutes", "none")),
        *({"player": one.id} for one in (ann, bob)),
        *({"player": one.id, "result": "won"} for one in (ann, bob)),
        {"seat": "free"},
        {"since": "2026-01-01T00:00:00.000Z"},
        {"mine": True},
    ]
    sizes = set()
    for visitor in (house.stranger, ann, bob):
        known = visitor.get("/matches", limit=100).json["matches"]
        # of all that ann and bob know of one alone is nobody's but bob's: those that he opened
        mine = [row["id"] for row in known if visitor is not ann or len(row["seats"]) > 2 or row["seats"][0]["player"]]
        for one, other in combinations(kinds, 2):
            query = {**one, **other}
            if len(query) < 2 or {**other, **one} != query or ("mine" in query and visitor is house.stranger):
                continue
            found = read(visitor, {name: str(said).lower() if said is True else said for name, said in query.items()})
            assert len(set(found)) == len(found), query
            assert set(found) == expected(known, visitor, query, mine), query
            sizes.add(len(found))
    assert len(sizes) > 5
    statuses = {*house.service.recorder.find_everywhere(STATUSES)}
    assert statuses == {(one, one) for one in ("open", "playing", "finished", "aborted")}, "seats know them too"
    assert out_of_step(house.service) == set()
    for sql in ("UPDATE matches SET created = :at", "UPDATE seats SET created = :at"):
        house.service.recorder.write([Statement(sql, {"at": "2026-01-01T00:00:00.000Z"})])
    list_anew(house.service)
    queries: list[dict[str, Any]] = [{}, {"player": ann.id}, {"mine": "true"}]
    for query in queries:
        ids = {one["id"] for one in ann.get("/matches", limit=100, **query).json["matches"]}
        found = read(ann, query)
        assert (len(found), set(found)) == (len(ids), ids)
        assert len(found) > 5


def test_with_since_the_last_that_ended_comes_first(house: House) -> None:
    first, players = house.table()
    second, _ = house.played()
    play_out(first, players)
    found = house.stranger.get("/matches", since="2026-01-01T00:00:00Z").json["matches"]
    assert [row["id"] for row in found] == [first, second]
    assert [row["id"] for row in house.stranger.get("/matches").json["matches"]] == [second, first]
    after = house.stranger.get("/matches", since=found[0]["ended"]).json["matches"]
    assert [row["id"] for row in after] == [first]
