"""What is said at a table: who hears it, and that it can be muted, reported and erased."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from events.store import Statement
from service import clock
from service.accounts import PLAY, READ, Asker
from service.accounts.names import Unsuitable
from service.deeds import Front
from service.store import people, talk
from service.talk import LENGTH, MESSAGES, enforce
from service.wiring import Service
from tests.service.house import House, Visitor, beside, play_out, refusal
from tests.service.stored import rows


def say(visitor: Visitor, match: str, text: str = "Good luck!", **more: Any) -> dict[str, Any]:
    answer = visitor.post(f"/matches/{match}/talk", {"text": text}, **more)
    assert answer.status_code == 201, answer.json
    return dict(answer.json)


def heard(visitor: Visitor, match: str, **query: Any) -> dict[str, Any]:
    return dict(visitor.shown(f"/matches/{match}/talk", **query))


def texts(visitor: Visitor, match: str, **query: Any) -> list[str | None]:
    return [one["text"] for one in heard(visitor, match, **query)["messages"]]


def test_who_sits_there_talks_before_the_start_during_play_and_after_it(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open()
    assert ann.post(f"/matches/{match}/talk", {"text": "Anyone?"}).json["code"] == "talk-of-seats"
    ann.sit(match)
    ann.delete(f"/matches/{match}/seats")
    assert ann.get(f"/matches/{match}/talk").json["code"] == "talk-of-seats"
    ann.sit(match)
    first = ann.post(f"/matches/{match}/talk", {"text": "Anyone?"}, key="once").json
    ann.delete(f"/matches/{match}/seats")
    assert ann.post(f"/matches/{match}/talk", {"text": "Anyone?"}, key="once").json == first, "a repeat"
    ann.sit(match)
    assert (first["number"], first["seat"], first["player"]) == (1, 0, {"id": ann.id, "name": "Ann", "kind": "human"})
    bob.sit(match)
    say(bob, match, "Hello\nAnn")
    play_out(match, [ann, bob])
    say(ann, match, "Well played.")
    for player in (ann, bob):
        assert texts(player, match) == ["Anyone?", "Hello\nAnn", "Well played."]


def test_none_of_it_is_in_the_log_or_changes_what_is_seen_or_wakes_who_waits(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, (ann, bob) = house.table()
    before, tag = ann.events(match), ann.get(f"/matches/{match}").headers["ETag"]
    exported = house.stranger.get(f"/matches/{match}/export").data
    rung: list[object] = []
    monkeypatch.setattr(house.service.bells, "ring", rung.append)
    bob.delete(f"/matches/{match}/talk/{say(bob, match)['number']}")
    assert ann.events(match) == before
    assert ann.get(f"/matches/{match}").headers["ETag"] == tag
    assert house.stranger.get(f"/matches/{match}/export").data == exported
    assert house.service.recorder.head(match).version == before[-1]["version"]
    assert rung == [[f"{match}/table"]] * 2, "only those who listen to the table"
    ann.post(f"/matches/{match}/abort")
    assert rung, "what is no talk does"


@pytest.mark.parametrize("said", ["seats", "after", "open", "none"])
def test_others_hear_what_the_match_was_opened_to(house: House, said: str) -> None:
    more: dict[str, Any] = {} if said == "seats" else {"talk": said}
    match, (ann, bob) = house.table(**more)
    assert house.stranger.look(match)["talk"] == said
    if said == "none":
        for answer in (ann.post(f"/matches/{match}/talk", {"text": "a"}), ann.get(f"/matches/{match}/talk")):
            assert refusal(answer) == (409, "no-talk")
        return
    say(ann, match)
    eve = house.player("Eve")
    for is_over in (False, True):
        for stranger in (eve, house.stranger):
            answer = stranger.get(f"/matches/{match}/talk")
            assert answer.status_code == (200 if said == "open" or (said == "after" and is_over) else 403)
        assert texts(house.operator, match) == ["Good luck!"]
        refused = eve.post(f"/matches/{match}/talk", {"text": "I too"})
        hears = said == "open" or (said == "after" and is_over)
        assert refusal(refused) == (403, "not-seated" if hears else "talk-of-seats")
        if not is_over:
            play_out(match, [ann, bob])


def test_it_is_read_on_from_where_one_was(house: House) -> None:
    match, (ann, bob) = house.table()
    assert heard(ann, match) == {"messages": [], "since": 0, "before": None, "more": False}
    for number in range(5):
        say(ann if number % 2 else bob, match, f"{number}")
    last = heard(ann, match, limit=2)
    assert [one["text"] for one in last["messages"]] == ["3", "4"]
    assert texts(ann, match, limit=2, before=last["before"]) == ["1", "2"]
    assert heard(ann, match, limit=3, before=2)["before"] is None
    assert heard(ann, match, since=last["since"])["messages"] == []
    say(bob, match, "5")
    then = heard(ann, match, since=last["since"])
    assert ([one["text"] for one in then["messages"]], then["more"]) == (["5"], False)
    since, found = 0, []
    while True:
        page = heard(ann, match, since=since, limit=2)
        found += [one["text"] for one in page["messages"]]
        since = page["since"]
        if not page["more"]:
            break
    assert found == ["0", "1", "2", "3", "4", "5"]


def test_what_is_erased_is_gone_and_told_to_who_reads_on(house: House) -> None:
    match, (ann, bob) = house.table()
    number = say(ann, match, "SECRET-WORD")["number"]
    say(bob, match, "b")
    since = heard(bob, match)["since"]
    assert refusal(bob.delete(f"/matches/{match}/talk/{number}")) == (403, "not-your-message")
    for _ in range(2):
        assert ann.delete(f"/matches/{match}/talk/{number}").status_code == 204
    told = heard(bob, match, since=since)
    assert [(one["number"], one["text"]) for one in told["messages"]] == [(number, None)]
    assert heard(bob, match, since=told["since"])["messages"] == []
    assert texts(bob, match) == [None, "b"]
    assert say(bob, match, "c")["number"] > 2
    kept = house.service.recorder.find(Statement("SELECT text FROM talk WHERE partition >= 0"))
    assert "SECRET-WORD" not in str(kept)
    assert refusal(ann.delete(f"/matches/{match}/talk/99")) == (404, "unknown-message")


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_who_has_left_the_table_erases_what_they_said_there_and_reads_and_learns_nothing(
    house: House, visibility: str
) -> None:
    ann, bob, eve = house.player("Ann"), house.player("Bob"), house.player("Eve")
    match = ann.open_with(bob, seats=[None, None, {"player": bob.id}], visibility=visibility)
    own, others = say(bob, match, "SECRET-WORD")["number"], say(ann, match, "b")["number"]
    bob.delete(f"/matches/{match}/seats")
    assert ann.post(f"/matches/{match}/invitations", {"seat": 2, "player": None}).status_code == 200
    closed = (403, "talk-of-seats") if visibility == "public" else (404, "unknown-match")
    assert refusal(bob.get(f"/matches/{match}/talk")) == closed
    for visitor, number in ((bob, others), (bob, 99), (eve, own)):
        assert refusal(visitor.delete(f"/matches/{match}/talk/{number}")) == closed
    for _ in range(2):
        assert bob.delete(f"/matches/{match}/talk/{own}").status_code == 204
    assert texts(ann, match) == [None, "b"]
    assert eve.delete("/matches/%00/talk/1").status_code == 404


def test_after_a_day_only_the_operator_erases(house: House) -> None:
    match, (ann, _) = house.table()
    number = say(ann, match)["number"]
    service = house.service
    front = Front(service.recorder, lambda: clock.now() + timedelta(hours=25), service.limits)
    tomorrow = beside(service, front).talk
    asker = Asker(player=ann.id, scopes=frozenset({READ, PLAY}))
    with pytest.raises(Exception, match="too-late-to-erase"):
        tomorrow.erase(asker, match, number)
    assert house.operator.delete(f"/matches/{match}/talk/{number}").status_code == 204
    assert [one.text for one in tomorrow.newest(match, asker, 99, 5).messages] == [None]


def test_a_muted_player_is_not_heard_and_is_not_told(house: House) -> None:
    match, (ann, bob) = house.table()
    say(bob, match, "spam")
    since = heard(ann, match)["since"]
    assert ann.post("/me/mutes", {"player": bob.id}).status_code == 204
    say(bob, match, "more spam")
    say(ann, match, "quiet")
    assert texts(ann, match) == ["quiet"]
    assert texts(ann, match, since=since) == ["quiet"]
    assert texts(bob, match) == ["spam", "more spam", "quiet"]
    assert [one["player"] for one in ann.get("/me/mutes").json["mutes"]] == [
        {"id": bob.id, "name": "Player 1", "kind": "human"}
    ]
    assert bob.get("/me/mutes").json == {"mutes": []}
    for player, code in ((ann.id, "mute-yourself"), ("p_none", "unknown-player")):
        assert ann.post("/me/mutes", {"player": player}).json["code"] == code
    for player in (bob.id, bob.id, "%00"):
        assert ann.delete(f"/me/mutes/{player}").status_code == 204
    assert texts(ann, match) == ["spam", "more spam", "quiet"]


def test_the_operator_is_told_of_reports_and_settles_them(house: House) -> None:
    match, (ann, bob) = house.table()
    other, _ = house.table()
    number = say(bob, match, "rude words")["number"]
    for _ in range(2):
        assert ann.post(f"/matches/{match}/talk/{number}/report", {"reason": "Rude."}).status_code == 204
    assert bob.post(f"/matches/{match}/talk/{number}/report").status_code == 204
    # what is erased later stays reported as it was
    bob.delete(f"/matches/{match}/talk/{number}")
    assert ann.post(f"/matches/{match}/talk/{number}/report").json["code"] == "unknown-message"
    assert ann.post(f"/matches/{other}/talk/1/report").status_code == 403
    first = house.operator.get("/reports", limit=1)
    second = house.operator.get("/reports", limit=1, cursor=first.json["next"])
    assert second.json["next"] is None
    found = [*first.json["reports"], *second.json["reports"]]
    assert [(one["by"]["id"], one["reason"]) for one in found] == [(ann.id, "Rude."), (bob.id, "")]
    assert {(one["match"], one["number"], one["text"], one["author"]["id"]) for one in found} == {
        (match, number, "rude words", bob.id)
    }
    assert house.operator.get("/reports", cursor="x").json["code"] == "malformed-cursor"
    assert house.operator.delete(f"/matches/{match}/talk/{number}/report").status_code == 204
    assert house.operator.get("/reports").json["reports"] == []


def test_with_an_account_goes_all_that_was_said(house: House) -> None:
    tables = [house.table(talk="open") for _ in range(3)]
    ann, rest = tables[0][1][0], tables[0][1][1]
    for match, _ in tables:
        sql = "UPDATE seats SET player = :player WHERE partition = :partition AND match = :match AND seat = 0"
        house.service.recorder.write([Statement(sql, {"player": ann.id, "match": match}, match)])
        for number in range(3):
            say(ann, match, f"SECRET-{number}")
    say(rest, tables[0][0], "mine")
    rest.post(f"/matches/{tables[0][0]}/talk/1/report", {"reason": "Why?"})
    ann.post(f"/matches/{tables[0][0]}/talk/4/report")
    ann.post("/me/mutes", {"player": rest.id})
    rest.post("/me/mutes", {"player": ann.id})
    since = [heard(house.stranger, match)["since"] for match, _ in tables]
    house.service.recorder.write(people.erase(ann.id, house.service.recorder.partitions))
    for place, (match, _) in enumerate(tables):
        gone = heard(house.stranger, match, since=since[place])["messages"]
        assert [(one["number"], one["text"], one["player"]) for one in gone] == [(n, None, None) for n in (1, 2, 3)]
    for table in ("talk", "reports", "mutes"):
        found = str(house.service.recorder.find(Statement(f"SELECT * FROM {table}")))
        assert ann.id not in found
        assert "SECRET" not in found
    assert texts(rest, tables[0][0])[-1] == "mine"
    # each change has a number of its own, and they grow no faster than changes are made
    changes = rows(house.service, f"SELECT change FROM talk WHERE match = '{tables[0][0]}' ORDER BY number")
    assert sorted(change for (change,) in changes) == [4, 5, 6, 7]


def test_of_many_who_talk_at_once_in_two_processes_each_is_heard_once(house: House) -> None:
    match, players = house.table(seats=3)
    services: list[Service] = [house.service, beside(house.service)]
    askers = [Asker(player=one.id, scopes=frozenset({READ, PLAY})) for one in players]
    with ThreadPoolExecutor(6) as threads:
        said = list(threads.map(lambda n: services[n % 2].talk.say(askers[n % 3], match, f"{n}").number, range(12)))
    assert sorted(said) == list(range(1, 13))
    assert sorted(texts(players[0], match), key=lambda text: int(text or 0)) == [f"{n}" for n in range(12)]


def test_a_player_says_so_much_in_a_match(house: House) -> None:
    match, (ann, bob) = house.table()
    rows = [talk.say(match, n, n, 0, ann.id, "x", "2026-01-01T00:00:00.000Z") for n in range(1, MESSAGES + 1)]
    house.service.recorder.write(rows)
    assert refusal(ann.post(f"/matches/{match}/talk", {"text": "one more"})) == (409, "talk-full")
    assert say(bob, match)["number"] == MESSAGES + 1


def test_a_message_is_kept_as_it_is_written() -> None:
    for said, kept in (
        ("  Hello   there  ", "Hello there"),
        ("a\r\nb\rc\n\n", "a\nb\nc"),
        ("Zoe\u0308", "Zoë"),
        ("❤\ufe0f", "❤"),
    ):
        assert enforce(said) == kept
    for said in ("שלום Ann!", "👩\u200d🚀 🇫🇷", "x" * LENGTH, "<b>&amp;</b> \\"):
        assert enforce(said) == said


def test_what_is_no_message_is_refused(house: House) -> None:
    for said in (
        *("", "  \n ", "\u200b", "\u00ad", "a\x00b", "a\x1b[31m", "a\u202eb", "\u2066a\u2069", "a\u200fb", "\u2028"),
        *("a\u0300\u0301\u0302\u0303\u0304", "x" * (LENGTH + 1), "\n".join("abcdefghijklm"), "a\u200db", "a\ue000"),
    ):
        with pytest.raises(Unsuitable):
            enforce(said)
    match, (ann, _) = house.table()
    for body in ("\u200b", 5, None):
        answer = ann.post(f"/matches/{match}/talk", {"text": body})
        assert refusal(answer) == (422, "malformed"), body
        assert "text" in answer.json["errors"]
    assert texts(ann, match) == []
