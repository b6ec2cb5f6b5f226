"""What an operator changes, and hashes, commits and signs anew, is named by the rules."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Any

import pytest

from replays.checking.proof import CLAUSES
from replays.checking.rules import _difference
from replays.commands.checking import told
from tests.replays.checking.test_audit import first, of_type, public, resealed, sealed
from tests.replays.exported import audited, conceded, finished, forked, with_sealed_answers
from tests.replays.forgery import Forger

Change = Callable[[Forger], Any]
"""Changes the lines, and returns the event at which that is to be named."""


def edit(kind: str, change: Callable[[Any], object], number: int = 0) -> Change:
    """Change that event of the type."""

    def act(bad: Forger) -> Any:
        event = of_type(bad, kind, number)
        change(event)
        return event

    return act


def insert(kind: str, where: int | None = None, times: int = 1, number: int = 0) -> Change:
    """Insert the event again, behind itself or there; the copy is named."""

    def act(bad: Forger) -> Any:
        event = of_type(bad, kind, number)
        copies = [{**copy.deepcopy(event), "version": 0} for _ in range(times)]
        place = bad.events.index(event) + 1 if where is None else where
        bad.events[place:place] = copies
        bad.renumber()
        return copies[0]

    return act


def drop(kind: str) -> Change:
    """Leave the event out; the one after it is named."""

    def act(bad: Forger) -> Any:
        event = of_type(bad, kind)
        place = bad.events.index(event)
        bad.events.remove(event)
        bad.renumber()
        return bad.events[place]

    return act


def reverse_cards(event: Any) -> None:
    event["secret"]["cards"]["value"].reverse()


def move_illegally(bad: Forger) -> Any:
    made = next(event for event in bad.events if event["public"].get("move", {}).get("type") == "Discard")
    made["public"]["move"].update(at=7, reach=True)
    return made


def answer_otherwise(bad: Forger) -> Any:
    closed = of_type(bad, "AnswersClosed")
    opened = next(opening for opening in closed["secret"].values() if opening["value"]["sealed"])
    is_pass = opened["value"]["answer"]["type"] == "Pass"
    opened["value"]["answer"] = {"type": "Raise" if is_pass else "Pass"}
    return closed


def end_at_once(bad: Forger) -> Any:
    """Let a fork end right after its parent's events, with a result of one's own."""
    *_, end = own = bad.stream()
    copies = next(at for at, event in enumerate(own) if event["type"] == "match/SeatTaken")
    bad.events = [event for event in bad.events if event["stream"] == own[1]["public"]["parent"]]
    bad.events = [*own[:copies], end, *bad.events]
    end["public"]["points"] = [99, 0]
    bad.renumber()
    return end


def begin_without_seats(bad: Forger) -> Any:
    """Let a fork start although nobody sits."""
    bad.events = [event for event in bad.events if event["type"] != "match/SeatTaken" or event["stream"] == "m_0"]
    bad.renumber()
    return of_type(bad, "Started")


finished_high_card, finished_three_magic = (partial(finished, slug) for slug in ("high-card", "three-magic"))

RESEALED: dict[str, tuple[Callable[[], bytes], Change, str, str]] = {
    "another shuffle": (with_sealed_answers, edit("Shuffled", reverse_cards), "chance", ""),
    "another seat, by no chance": (with_sealed_answers, edit("CardSetAside", public(seat=1)), "events", ""),
    "who rolled": (with_sealed_answers, edit("DieRolled", lambda event: event.update(actor="seat:0")), "events", ""),
    "another decision": (with_sealed_answers, edit("MoveMade", public(decision=7)), "move", ""),
    "another result": (
        with_sealed_answers,
        edit("Finished", public(points=[9, 8])),
        "result",
        "points is [9,8], and [8,8] by the rules",
    ),
    "an illegal move": (finished_three_magic, move_illegally, "move", ""),
    "another answer than the sealed one": (with_sealed_answers, answer_otherwise, "sealed", ""),
    "other options": (finished_high_card, edit("Opened", public(options={"rounds": 9})), "move", ""),
    "too many seats": (finished_high_card, edit("Opened", public(seats=7)), "move", ""),
    "seats with which the game can't begin": (
        finished_three_magic,
        edit("Opened", public(seats=7)),
        "rules",
        "the rules can't make it: AssertionError",
    ),
    "an event twice": (finished_high_card, insert("CardSetAside"), "events", "a CardSetAside that no move brought"),
    "a seat taken again": (finished_high_card, insert("SeatTaken", times=2), "move", ""),
    "an early start": (with_sealed_answers, insert("Started", 1), "events", "Started belongs to no move."),
    "an early move": (with_sealed_answers, insert("MoveMade", 1), "move", "This match has not started"),
    "an early closing": (
        with_sealed_answers,
        insert("AnswersClosed", 1),
        "events",
        "The seats  were asked under seal, and 0, 1 have answered.",
    ),
    "who forks": (forked, edit("Forked", lambda event: event.update(actor="seat:0")), "events", ""),
    "a fork that ends at once": (forked, end_at_once, "events", "Finished belongs to no move."),
    "a fork that starts without anybody": (forked, begin_without_seats, "events", "Started belongs to no move."),
    "the wrong winner of a match that was given up": (
        conceded,
        edit("Finished", public(ranking=[1, 2])),
        "result",
        "ranking is [1,2], and [2,1] by the rules",
    ),
    "who has given a match up": (
        conceded,
        edit("MatchConceded", public(seat=1)),
        "events",
        "the actor is seat:0, and seat:1 by the rules",
    ),
    "a match of three that is given up": (
        partial(conceded, 3),
        edit("MatchConceded", public()),
        "move",
        "Only a match of two seats ends by a resignation, and this one has 3.",
    ),
    "an end that no rule and no resignation brought about": (
        conceded,
        drop("MatchConceded"),
        "result",
        "a Finished that no move brought about",
    ),
    "a move of the clock's where there is no clock": (
        finished_high_card,
        edit("MoveMade", lambda event: (event.update(actor="clock"), event["public"].update(cause="clock"))),
        "move",
        "The decision of seat ",
    ),
    "an answer that no closing has taken": (
        with_sealed_answers,
        insert("AnswerSealed", number=-1),
        "move",
        "That decision is not open now.",
    ),
}


CLAUSE_OF_GAME = {"an illegal move": "3M-19", "other options": "TOY-2"}
"""What the game's own rules forbid is named by their clause."""


@pytest.mark.parametrize("name", RESEALED)
def test_what_the_rules_do_not_bring_about_is_named_though_it_is_sealed_anew(name: str) -> None:
    make, change, check, reason = RESEALED[name]
    bad = Forger(make())
    event = change(bad)
    report = resealed(bad)
    here = [one for one in report.failures if (one.stream, one.version) == (event["stream"], event["version"])]
    (named, *_) = [one for one in here if one.check == check]
    assert named.reason.startswith(reason)
    assert named.clause == CLAUSE_OF_GAME.get(name, CLAUSES[check])


def test_each_of_several_refused_events_in_a_row_is_named() -> None:
    bad = Forger(finished_high_card())
    version = insert("SeatTaken", times=2)(bad)["version"]
    failures = resealed(bad).failures
    assert [(one.check, one.version) for one in failures[:2]] == [("move", version), ("move", version + 1)]


def test_an_event_dropped_or_another_secret_is_noticed_by_the_rules() -> None:
    for kind in ("MoveMade", "CardSetAside"):
        bad = sealed()
        bad.events.remove(of_type(bad, kind))
        bad.renumber()
        assert first(resealed(bad))[1] in {"events", "move"}
    bad, other = sealed(), "11" * 32
    bad.events[0]["secret"]["secret"]["value"] = other
    bad.stream()[-1]["public"]["secret"] = other
    assert first(resealed(bad, secret=other))[1:] == ("chance", "LOG-13")


def test_what_came_about_otherwise_is_named_once_and_not_for_what_follows_from_it() -> None:
    """After it the rules need not find their way, and that they don't is no fault of its own."""
    bad = sealed()
    for event in bad.events:
        if event["type"].endswith("/Dealt"):
            event["public"]["seat"] ^= 1
    failures = resealed(bad).failures
    assert failures
    assert not any("can't make it" in one.reason for one in failures), failures


def test_faults_are_named_in_the_order_of_the_file_and_receipts_hold_beside_them() -> None:
    bad = sealed()
    shuffled = of_type(bad, "Shuffled")
    reverse_cards(shuffled)
    report = audited(bad)
    assert first(report) == (shuffled["version"], "commit", "LOG-5")
    assert (len(report.keys), report.receipts) == (1, len(bad.receipts)), "receipts hold all the same"
    after = bad.events[bad.events.index(shuffled) + 1]
    for event, checks in ((after, ["commit", "chain"]), (shuffled, ["chain", "commit", "chain"])):
        event["hash"] = "00" * 32
        assert [one.check for one in audited(bad).failures[: len(checks)]] == checks


@pytest.mark.parametrize(("length", "said"), [(118, f'"{"x" * 118}"'), (119, f'"{"x" * 116}...')])
def test_of_a_long_difference_the_beginning_is_said(length: int, said: str) -> None:
    found = json.dumps({"a": 1, "b": "x" * length}).encode()
    assert _difference(found, b'{"a":1}') == f"b is {said}, and null by the rules"
    assert _difference(b'{"a": 1}', b'{"a":1}') == "it is written in another way"


def test_a_log_of_more_seats_than_any_match_has_is_not_read_at_all() -> None:
    """It would take all memory."""
    bad = Forger(finished_high_card())
    edit("Opened", public(seats=10**9))(bad)
    (named,) = [one for one in resealed(bad).failures if one.check == "rules"]
    assert named.reason.startswith("The opening event of m_")


def test_numbers_of_the_files_own_are_told_though_a_shipped_packs_name_stands_on_them() -> None:
    known = audited(finished_high_card())
    assert (known.ok, known.pack, known.is_pack_known) == (True, "house", True)
    assert "own pack" not in " ".join(told(known, is_doubtful=True))
    bad = Forger(finished_high_card())
    text = bad.header["pack"]["text"] + "# other numbers\n"
    bad.header["pack"] |= {"text": text, "hash": sha256(text.encode()).hexdigest()}
    edit("Opened", public(pack_hash=bad.header["pack"]["hash"]))(bad)
    report = resealed(bad)
    assert (report.ok, report.pack, report.is_pack_known) == (True, "house", False)
    said = " ".join(told(report, is_doubtful=True))
    assert "no pack that is offered here has the numbers of the file's own pack, 'house'" in said


@pytest.mark.parametrize("text", ["x = " + "9" * 5000, "a." * 200_000 + "a = 1", "x = " + "[" * 20_000])
def test_a_pack_that_can_t_be_read_is_named_soon_and_ends_no_audit(text: str) -> None:
    bad = Forger(finished_high_card())
    bad.header["pack"] |= {"text": text, "hash": sha256(text.encode()).hexdigest()}
    edit("Opened", public(pack_hash=bad.header["pack"]["hash"]))(bad)
    (failure,) = resealed(bad).failures
    assert (failure.clause, failure.version) == ("LOG-11", 0)
    assert "house.toml: toml: " in failure.reason


@pytest.mark.parametrize(("cause", "actor", "why"), [("clock", "clock", "no deadline"), ("forced", "seat:0", "forced")])
def test_an_answer_under_seal_is_neither_forced_nor_the_clocks_where_there_is_none(
    cause: str, actor: str, why: str
) -> None:
    bad = Forger(with_sealed_answers())
    edit("AnswerSealed", lambda event: (event.update(actor=actor), event["public"].update(cause=cause)))(bad)
    (named,) = [one for one in resealed(bad).failures if one.check == "move"]
    assert why in named.reason
