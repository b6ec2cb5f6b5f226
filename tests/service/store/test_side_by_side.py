"""Deeds at the same moment on PostgreSQL, whose transactions run side by side where SQLite's wait for each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest

from events.postgres.asking import as_psycopg
from events.store import Statement, partition_of
from service.accounts import OwnedBots, Passes
from service.accounts.passes import BY_PASS
from service.config import Config
from service.store import Chair, Entry, deliveries, lobby, mailing, people, reviews, talk
from tests.postgres import Server
from tests.service.accounts.insiders import leave
from tests.service.house import HIGH_CARD, House, Visitor, refusal
from tests.service.stored import rows

MOMENT, LATER = "2026-03-01T12:00:00.000Z", "9999-12-31T00:00:00.000Z"


@pytest.fixture
def config(tmp_path: Path, postgres_server: Server, postgres_tables: str) -> Iterator[Config]:
    url = postgres_server.database(postgres_tables)
    yield Config(data=tmp_path / "data", bot_pause=0.0, store=url)
    postgres_server.drop(url)


def meanwhile(
    house: House, under_way: Sequence[Statement], act: Callable[[], Any], then: Sequence[Statement] = ()
) -> Any:
    """What `act` returns, which begins while a transaction with these statements is open, and waits for its end.

    `then`: what that transaction goes on with while `act` waits.
    """
    partitions = house.service.recorder.partitions
    with psycopg.connect(house.service.config.store_url) as other, ThreadPoolExecutor(1) as threads:
        for one in under_way:
            other.execute(as_psycopg(one.sql).encode(), one.bound(partitions))
        acting = threads.submit(act)
        Event().wait(0.3)
        assert not acting.done(), "it waits"
        for one in then:
            other.execute(as_psycopg(one.sql).encode(), one.bound(partitions))
        other.commit()
        return acting.result(30)


def erasure(house: House, who: Visitor) -> list[Statement]:
    return people.erase(who.id, house.service.recorder.partitions)


@pytest.mark.parametrize("is_reported_first", [True, False])
def test_of_a_message_reported_as_its_author_is_erased_no_text_stays(house: House, *, is_reported_first: bool) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(bob)
    assert ann.post(f"/matches/{match}/talk", {"text": "secret-word"}).status_code == 201
    if is_reported_first:
        reported = [*people.demand_accounts([ann.id, bob.id]), talk.report(match, 1, bob.id, "", MOMENT)]
        assert meanwhile(house, reported, lambda: leave(ann)).status_code == 204
    else:
        answer = meanwhile(house, erasure(house, ann), lambda: bob.post(f"/matches/{match}/talk/1/report", {}))
        assert refusal(answer) == (404, "unknown-message")
    kept = rows(house.service, "SELECT author, text FROM reports")
    assert kept == ([(None, None)] if is_reported_first else [])


def test_two_who_reported_each_other_are_erased_at_once_and_neither_waits_for_ever(house: House) -> None:
    match, (ann, bob) = house.table()
    for number, (author, reporter) in enumerate(((ann, bob), (bob, ann)), 1):
        assert author.post(f"/matches/{match}/talk", {"text": "secret-word"}).status_code == 201
        assert reporter.post(f"/matches/{match}/talk/{number}/report", {}).status_code == 204
    store = house.service.recorder
    anns, home = erasure(house, ann), partition_of(match, store.partitions)
    half = 1 + next(at for at, one in enumerate(anns) if "reports" in one.sql and one.named["partition"] == home)

    def erase() -> None:
        # not by the store, which would try again
        with psycopg.connect(house.service.config.store_url) as third:
            for one in erasure(house, bob):
                third.execute(as_psycopg(one.sql).encode(), one.bound(store.partitions))

    meanwhile(house, anns[:half], erase, anns[half:])
    assert rows(house.service, "SELECT 1 FROM reports") == []


def test_an_account_is_erased_while_somebody_says_something_at_its_table(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(bob)
    assert ann.post(f"/matches/{match}/talk", {"text": "secret-word"}).status_code == 201
    said = talk.say(match, 2, 2, 1, bob.id, "Hello", MOMENT)
    answer = meanwhile(house, [*people.demand_account(bob.id), said], lambda: leave(ann))
    assert answer.status_code == 204, answer.json
    kept = rows(house.service, "SELECT number, change, text FROM talk ORDER BY number")
    assert kept == [(1, 3, None), (2, 2, "Hello")]


def test_no_seat_is_passed_on_to_who_is_erased_at_that_moment(house: House) -> None:
    match, (ann, bob) = house.table()
    eve = house.player("Eve")
    assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
    assert eve.post(f"/matches/{match}/offers/0/acceptance").status_code == 204
    # all agree now, and the seat is about to be passed on
    house.service.recorder.write([lobby.consent(match, 0, lobby.Heir(player=eve.id), 1)])
    meanwhile(house, erasure(house, eve), lambda: house.service.offers.settle(match))
    assert [seat["player"]["id"] for seat in ann.look(match)["seats"]] == [ann.id, bob.id]
    assert house.service.lobby.offers_of(match) == ()


def test_who_agrees_to_an_offer_to_somebody_who_is_erased_at_that_moment_is_told_that_it_is_gone(house: House) -> None:
    match, (ann, bob) = house.table()
    eve = house.player("Eve")
    assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
    path, to = f"/matches/{match}/offers/0/agreement", {"player": eve.id}
    assert refusal(meanwhile(house, erasure(house, eve), lambda: bob.post(path, to))) == (404, "unknown-offer")
    assert rows(house.service, "SELECT * FROM consents") == []


@pytest.mark.parametrize(
    "ask",
    [
        lambda ann, running, _, eve: ann.post(f"/matches/{running}/offers", eve),
        lambda ann, _, waiting, eve: ann.post(f"/matches/{waiting}/invitations", {"seat": 1, **eve}),
        lambda ann, _, __, eve: ann.post("/matches", {"game": HIGH_CARD, "seats": [None, eve]}),
    ],
    ids=["offered", "kept", "opened"],
)
def test_no_seat_is_offered_or_kept_for_who_is_erased_at_that_moment(house: House, ask: Callable[..., Any]) -> None:
    match, (ann, _) = house.table()
    waiting, eve = ann.open(), house.player("Eve")
    answer = meanwhile(house, erasure(house, eve), lambda: ask(ann, match, waiting, {"player": eve.id}))
    assert refusal(answer) == (404, "unknown-player")
    assert rows(house.service, "SELECT * FROM offers") == []
    assert rows(house.service, "SELECT * FROM seats WHERE reserved IS NOT NULL") == []


def test_who_is_erased_is_not_invited_again_to_the_seat_that_is_kept_for_them(house: House) -> None:
    ann, eve = house.player("Ann"), house.player("Eve")
    house.service.feeds.make(house.service.accounts.asker(eve.token), ["invitation"], "")
    path, kept = f"/matches/{ann.open()}/invitations", {"seat": 1, "player": eve.id}
    assert ann.post(path, kept).status_code == 200
    assert refusal(meanwhile(house, erasure(house, eve), lambda: ann.post(path, kept))) == (404, "unknown-player")
    assert rows(house.service, "SELECT * FROM deliveries") == []


def test_of_a_rematch_that_is_opened_while_somebody_is_erased_their_seat_is_free(house: House) -> None:
    match, (ann, bob) = house.played()
    answer = meanwhile(house, erasure(house, bob), lambda: ann.post(f"/matches/{match}/rematch"))
    assert answer.status_code == 201, answer.json
    assert [seat["reserved"] and seat["reserved"]["id"] for seat in answer.json["seats"]] == [None, ann.id]


@pytest.mark.parametrize("state", ["wanted", "stopped"])
def test_a_review_is_stopped_by_the_last_who_wants_it_and_not_while_another_begins_to(house: House, state: str) -> None:
    match, (ann, bob) = house.played()
    path, is_kept = f"/matches/{match}/reviews", state == "wanted"
    for who in (ann,) if is_kept else (ann, bob):
        assert who.post(path, {"seat": 0}).status_code == 202
    bobs = reviews.want(match, 0, bob.id, MOMENT) if is_kept else reviews.stop(match, 0, bob.id)
    answer = meanwhile(house, bobs, lambda: ann.delete(f"{path}/0"))
    assert answer.status_code == 204, answer.json
    assert ann.shown(f"{path}/0")["state"] == state


COUNTED = ("too-many-mutes", "too-many-open", "too-many-invitations", "kept", "too-many-passes", "too-many-bots")


@pytest.mark.parametrize("code", COUNTED)
def test_of_two_at_a_bound_the_second_is_refused(house: House, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    ann, bob, cid = (house.player(name) for name in ("Ann", "Bob", "Cid"))
    match, opener = ann.open(), house.service.opener
    monkeypatch.setattr("service.talk.MUTES", 1)
    monkeypatch.setattr("service.matches.seats.MOST_INVITED", 1)
    monkeypatch.setattr(opener, "most_open", 2 if code == "too-many-open" else 9)
    monkeypatch.setattr(OwnedBots, "MOST", 1)
    monkeypatch.setattr(house.service, "passes", Passes(house.service.accounts, BY_PASS, 1))
    opened = lobby.enter(
        Entry("m_2", HIGH_CARD, "open", "public", ann.id, MOMENT, (Chair(0), Chair(1, reserved=bob.id)))
    )
    robot = people.Player("p_robot", "Robot", people.BOT, None, MOMENT, owner=ann.id)
    done = {
        "too-many-mutes": talk.mute(ann.id, bob.id, MOMENT, 1),
        "too-many-passes": people.make_pass(people.Pass("i_1", "9000", LATER, used=False), ann.id, "hash", MOMENT, 1),
        "too-many-bots": [*people.demand_room(ann.id, 1), people.enter(robot)],
    }
    under_way = [*people.demand_accounts([ann.id, bob.id]), *done.get(code, opened)]
    seat: dict[str, Any] = {"player": cid.id}
    path, content = {
        "too-many-mutes": ("/me/mutes", seat),
        "too-many-open": ("/matches", {"game": HIGH_CARD, "seats": [None, None]}),
        "too-many-invitations": ("/matches", {"game": HIGH_CARD, "seats": [None, seat]}),
        "kept": (f"/matches/{match}/invitations", {"seat": 1, **seat}),
        "too-many-passes": ("/passes", None),
        "too-many-bots": ("/me/bots", {"name": "Another"}),
    }[code]
    answer = meanwhile(house, under_way, lambda: ann.post(path, content))
    assert refusal(answer) == (409, "too-many-invitations" if code == "kept" else code)


@pytest.mark.parametrize("is_muted", [True, False])
def test_two_who_mute_or_report_each_other_at_once_do_not_wait_for_ever(house: House, *, is_muted: bool) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    match = ann.open_with(bob)
    for who in (ann, bob):
        assert who.post(f"/matches/{match}/talk", {"text": "Hello"}).status_code == 201
    asked = {
        who.id: ("/me/mutes", {"player": other.id}) if is_muted else (f"/matches/{match}/talk/{number}/report", {})
        for who, other, number in ((ann, bob, 2), (bob, ann, 1))
    }
    first, second = sorted((ann, bob), key=attrgetter("id"))
    # whoever holds the first of the two accounts is not waited for by somebody who holds the second one
    free = Statement("SELECT 1 FROM players WHERE id = :id FOR UPDATE NOWAIT", {"id": second.id})
    answer = meanwhile(house, people.demand_account(first.id), lambda: second.post(*asked[second.id]), then=[free])
    assert answer.status_code == 204
    assert first.post(*asked[first.id]).status_code == 204


def test_a_digest_that_another_process_posts_and_sends_at_that_moment_is_not_posted_again(house: House) -> None:
    ann, later = house.player("Ann"), "2026-03-02T07:00:00.000Z"
    recorder = house.service.recorder
    due = Statement("UPDATE mailing SET turns = 'digest', digest = :at", {"at": MOMENT})
    confirmed = Statement("UPDATE players SET email = 'a@people.test', confirmed = created")
    recorder.write([confirmed, mailing.confirm(ann.id, "a@people.test", "en", ""), due])
    (wishes,) = mailing.digests(recorder, MOMENT, 1)
    posted = mailing.post_digest(wishes, MOMENT, later)
    sent = deliveries.forget_one(ann.id, f"digest:{ann.id}:{MOMENT}", deliveries.WAITING, MOMENT)
    assert meanwhile(house, [*posted, sent], lambda: recorder.write(posted)) == (1, 0, 0)
    assert rows(house.service, "SELECT id FROM deliveries") == []


CUT = """
CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON mutes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut();
"""
"""Cuts the store off when it commits that somebody is muted."""


def test_who_was_cut_off_during_the_commit_is_not_told_that_nothing_was_stored(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    with psycopg.connect(house.service.config.store_url) as other:
        other.execute(CUT.encode())
    answer = ann.post("/me/mutes", {"player": bob.id})
    assert refusal(answer) == (503, "store-unsure")
    assert answer.headers["Retry-After"]
