"""Matches that came into the store while the service was down."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain import play
from domain.play import Told
from events.store import Recorder, Statement, Write
from events.stores import open_to_write
from replays.files import exports
from replays.log import TRUTH, Log, codec_of, private_stream, seal
from service import wiring
from service.config import Config
from service.matches import startup
from service.matches.states import States
from service.wiring import Service
from tests.replays.staged import AT, SECRET, Stage
from tests.service.house import HIGH_CARD, House, build, games, play_out
from tests.service.matches.test_receipts import assert_holds
from tests.service.together import at_once, meanwhile

OTHER = "a1" * 32


def staged(recorder: Recorder, match: str) -> Stage:
    """A match that was begun somewhere else."""
    stage = Stage(recorder, games().rooms[HIGH_CARD], match, ["random", "greedy"])
    stage.seat_all()
    return stage


def forked(recorder: Recorder, parent: str, match: str, seats: int = 2) -> Stage:
    """A fork of a match, as a command makes one."""
    log = Log(recorder, parent, games())
    told, _ = exports.fork(log, exports.fork_points(log)[0], OTHER)
    return Stage(recorder, games().rooms[HIGH_CARD], match, ["random"] * seats, told)


@pytest.fixture
def came(config: Config) -> Config:
    """A store into which three matches came: one that is over, a fork of it, and one that was broken off."""
    config.data.mkdir()
    recorder = open_to_write(config.store_url)
    staged(recorder, "m_over").finish()
    forked(recorder, "m_over", "m_fork")
    stage = staged(recorder, "m_left")
    stage.tell(play.abort(stage.state, "agreement"))
    recorder.close()
    return config


@pytest.fixture
def house(came: Config) -> Iterator[House]:
    with House(build(came)) as found:
        yield found


def test_they_are_entered_at_the_start_are_nobodys_and_are_used_like_any_other(house: House) -> None:
    listed = house.stranger.get("/matches").json["matches"]
    assert {one["id"]: one["status"] for one in listed} == {"m_over": "finished", "m_fork": "open", "m_left": "aborted"}
    for one in listed:
        assert (one["game"], one["visibility"], one["created"]) == (HIGH_CARD, "public", AT)
        assert [(seat["player"], seat["bot"], seat["reserved"]) for seat in one["seats"]] == [(None, None, None)] * 2
    ann, bob = house.player("Ann"), house.player("Bob")
    for match in ("m_over", "m_left"):
        assert ann.look(match)["text"]
        assert ann.events(match)[-1]["public"]["secret"] == SECRET
        assert ann.get(f"/matches/{match}/at/9").json["view"]["places"]
        found = ann.export(match)
        assert found.header.viewer == "all"
    for seat in (0, 1):
        if house.service.recorder.head(private_stream("m_over", seat)).version:
            assert ann.events("m_over", private="true", seat=seat)
    assert ann.post("/matches/m_fork/abort").json["code"] == "not-creator"
    assert ann.look("m_fork")["forked"]["match"] == "m_over"
    assert [one["id"] for one in ann.get("/matches", seat="free").json["matches"]] == ["m_fork"]
    seated = ann.post("/matches/m_fork/seats").json
    assert_holds(house, seated["receipt"], ann.events("m_fork")[-1])
    bob.sit("m_fork")
    play_out("m_fork", [ann, bob])
    assert house.stranger.look("m_fork")["status"] == "finished"
    version = exports.fork_points(house.service.states.log("m_over"))[0]
    assert ann.post("/matches/m_over/fork", {"version": version, "seats": [None, None]}).status_code == 201


def test_one_that_nobody_can_go_on_with_is_looked_at_and_a_taken_seat_is_not_free(config: Config) -> None:
    config.data.mkdir()
    recorder = open_to_write(config.store_url)
    staged(recorder, "m_stuck")
    half = Stage(recorder, games().rooms[HIGH_CARD], "m_half", ["random", "greedy", "greedy"])
    half.tell(play.take_seat(half.game, half.state, 0))
    recorder.close()
    for seats in ({"seat": 0}, {}):
        with House(build(config)) as house:
            look, asked = house.stranger.look("m_stuck"), house.service.recorder.decisions()
            assert (look["status"], look["seats"][0]["player"], asked) == ("playing", None, ())
            taken = house.player().post("/matches/m_half/seats", seats).json
            assert (taken.get("code"), taken.get("seat")) == (("seat-taken", None) if seats else (None, 1))
            listed = house.stranger.get("/matches").json
    with House(build(config)) as again:
        assert again.stranger.get("/matches").json == listed, "what is known is not entered again"


def test_what_can_not_be_read_or_names_itself_as_its_parent_keeps_nothing_from_starting(
    came: Config, capsys: pytest.CaptureFixture[str]
) -> None:
    recorder = open_to_write(came.store_url)
    log = Log(recorder, "m_over", games())
    change = "UPDATE events SET public = :public WHERE stream = :match AND version = :version"
    for match, public in (("m_strange", b'{"game":5}'), ("m_wide", b'{"game":"high-card","seats":1000000000}')):
        told = Told(log.events(TRUTH, 0, 1)[0], "service", 0)
        stored = seal(codec_of(log.game), recorder.head(match), match, (told,), AT, bytes(32))
        recorder.append(match, [Write(match, 0, stored)])
        recorder.write([Statement(change, {"public": public, "match": match, "version": 1})])
    (second,) = recorder.read("m_fork", 1, 1)
    public = second.public.replace(b"m_over", b"m_fork")
    recorder.write([Statement(change, {"public": public, "match": "m_fork", "version": 2})])
    recorder.close()
    with House(build(came)) as house:
        assert "m_strange" in capsys.readouterr().out
        listed = house.stranger.get("/matches").json["matches"]
        assert [one["visibility"] for one in listed] == ["public"] * 3
        assert house.stranger.get("/matches/m_wide").json["code"] == "unknown-match"


def test_forks_of_a_private_match_are_kept_for_those_who_played_it(config: Config) -> None:
    """Forks that were made beside the service, of a match that was broken off."""
    with House(build(config)) as house:
        ann, bob = house.player("Ann"), house.player("Bob")
        match = ann.open_with(bob, seats=[{"bot": "random"}, {"player": bob.id}, None], visibility="private")
        house.operator.post(f"/matches/{match}/abort")
    recorder = open_to_write(config.store_url)
    forked(recorder, match, "m_fork", 3)
    stage = forked(recorder, match, "m_again", 3)
    stage.seat_all()
    stage.tell(play.abort(stage.state, "agreement"))
    forked(recorder, "m_again", "a_child", 3)
    recorder.close()
    with House(build(config)) as house:
        for made in ("m_fork", "m_again", "a_child"):
            for stranger in (house.player("Eve"), house.stranger):
                assert stranger.get(f"/matches/{made}").json["code"] == "unknown-match"
                assert stranger.get(f"/matches/{made}/export").json["code"] == "unknown-match"
            seats = house.again(ann).look(made)["seats"]
            assert [seat["reserved"] and seat["reserved"]["name"] for seat in seats] == [None, "Bob", "Ann"]
            assert [(seat["player"], seat["bot"]) for seat in seats] == [(None, None)] * 3
            assert house.again(bob).look(made)["id"] == made
        assert house.stranger.get("/matches").json["matches"] == []


def test_the_keys_that_another_process_makes_meanwhile_are_taken(config: Config) -> None:
    with meanwhile(lambda: build(config).close(), wiring, "published"):
        build(config).close()


def test_services_that_start_at_once_enter_a_match_once_and_say_of_each_that_they_are_there(came: Config) -> None:
    """Whoever watches over the process would end one that says nothing for a minute."""
    signs: list[int] = []
    services = at_once(*[lambda: wiring.build(came, catalogue=games(), progress=lambda: signs.append(1))] * 4)
    assert len(signs) >= 3, "one a match"
    found = [House(service).stranger.get("/matches").json["matches"] for service in services]
    assert len(found[0]) == 3
    assert found == [found[0]] * 4
    for service in services:
        service.close()


def test_who_starts_asks_nobody_in_a_match_that_another_process_broke_off_meanwhile(service: Service) -> None:
    house = House(service)
    match, _ = house.table()
    service.recorder.append(match, [], decisions=())
    states = States(service.recorder, service.catalogue)
    with meanwhile(lambda: house.operator.post(f"/matches/{match}/abort"), states, "folded", after=True):
        startup.open_decisions(service.recorder, service.catalogue, service.lobby, states, lambda: None)
    assert house.stranger.look(match)["status"] == "aborted"
    assert service.recorder.decisions() == ()
