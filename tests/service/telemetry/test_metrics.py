"""What is counted is what happened, asked for at an address of its own, and no seat learns from it what it may not."""

from __future__ import annotations

import re
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from domain import matches
from domain.chance import Simulation
from service.config import Config
from service.jobs.player import chosen
from service.telemetry import addresses, exposed, metrics
from service.telemetry.exposing import ASKERS
from service.telemetry.metrics import LOOKS, Refusals
from tests.ports import free_port
from tests.service.house import THREE_MAGIC, House, beside, build, play_out
from tests.service.matches.test_receipts import sealing

pytestmark = pytest.mark.faults

TRAFFIC = re.compile(
    r"process_|foldtable_requests_total|foldtable_request_seconds_|foldtable_(follower_lag|queue_age)_"
)
"""What anybody sees who sees that a request comes, and what it costs; and ages, which grow by themselves."""

SECONDS = re.compile(r"_seconds_(sum|bucket)$")


def samples() -> dict[str, float]:
    families = text_string_to_metric_families(generate_latest(metrics.REGISTRY).decode())
    return {f"{one.name}{sorted(one.labels.items())}": one.value for family in families for one in family.samples}


def more(before: dict[str, float]) -> dict[str, float]:
    """What has grown since, without traffic and without times, which differ each time."""
    return {
        name: value - before.get(name, 0)
        for name, value in samples().items()
        if value != before.get(name, 0) and not TRAFFIC.match(name) and not SECONDS.search(name.partition("[")[0])
    }


def test_moves_are_counted_with_their_appends_and_a_refusal_once_its_match_is_over(house: House) -> None:
    match, players = house.table()
    before = samples()
    decision = players[0].moves(match)["decision"] or 1
    assert players[0].move(match, "no-such-move", decision=decision).status_code == 409
    assert more(before) == {}, "with one match on the server it is a seat's own"
    made = play_out(match, players)
    grown = more(before)
    version_moves = grown["foldtable_moves_total[('game', 'high-card')]"]
    assert 1 <= version_moves <= made
    assert grown["foldtable_append_seconds_count[]"] == version_moves
    (refused,) = [name for name in grown if "refusals" in name]
    assert "('game', 'high-card')" in refused
    assert grown[refused] == 1


def test_an_answer_under_seal_changes_nothing_but_that_a_request_came(house: House) -> None:
    match, asked = sealing(house, 3)
    before = samples()
    *first, last = asked
    for player in first:
        player.move(match, {"type": "SetAside", "card": 70})
        assert player.move(match, "no-such-move").status_code == 409
        assert player.choose(match).status_code == 200
        assert player.move(match, "no-such-move", decision=1).status_code == 409
        assert more(before) == {}
    last.choose(match)
    grown = more(before)
    refused = {name: grown.pop(name) for name in [*grown] if name.startswith("foldtable_refusals_total")}
    assert grown == {"foldtable_moves_total[('game', 'high-card')]": 1, "foldtable_append_seconds_count[]": 1}, (
        "one closing, however many answered"
    )
    # what was refused is told once the match is over, which a ron may have ended
    assert bool(refused) == (house.stranger.look(match)["status"] == "finished")


def test_two_who_answer_under_seal_at_the_same_moment_are_not_counted(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, asked = sealing(house, 3)
    ann, bob = asked[-2:]
    for player in asked[:-2]:
        player.choose(match)
    now, other = ann.moves(match), House(beside(house.service)).again(bob)
    append, appends = house.service.recorder.append_all, 0

    def late(wanted: Any) -> Any:
        nonlocal appends
        appends += 1
        if appends == 1:
            monkeypatch.setattr(house.service.recorder, "append_all", append)
            other.choose(match)
            monkeypatch.setattr(house.service.recorder, "append_all", late)
        return append(wanted)

    monkeypatch.setattr(house.service.recorder, "append_all", late)
    before = samples()
    assert ann.move(match, now["moves"][0]["id"], now["decision"]).status_code == 200
    assert appends == 2, "it was stale"
    assert "foldtable_stale_versions_total[]" not in more(before)


def test_refusals_are_told_by_clause_and_held_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.telemetry.metrics.HELD", 2 * LOOKS)
    told: list[tuple[str, str, int]] = []
    held = Refusals(lambda game, clause, times: told.append((game, clause, times)))
    for clause in ("HC-3", "HC-3", "decision-closed"):
        held.note("m_1", "high-card", clause)
    held.note("m_2", "ttmp", "TT-1")
    held.release(lambda match: match == "m_1")
    assert sorted(told) == [("high-card", "HC-3", 2), ("high-card", "decision-closed", 1)]
    for _ in range(2):
        held.release(lambda match: True)
    assert told[2:] == [("ttmp", "TT-1", 1)], "once"
    for number in range(2 * LOOKS + 1):
        held.note(f"m_{number}", "ttmp", "TT-1")
    assert told[3:] == [("ttmp", "other", 1)], "which clause it was is forgotten with the oldest"
    asked: list[str] = []
    for _ in range(2):
        held.release(lambda match: bool(asked.append(match)))  # type: ignore[func-returns-value]
    assert len(asked) == len(set(asked)) == 2 * LOOKS, "in turn"


def test_from_many_threads_none_is_lost() -> None:
    told: list[int] = []
    held = Refusals(lambda game, clause, times: told.append(times))
    before = samples()

    def work(number: int) -> None:
        held.note(f"m_{number % 7}", "ttmp", "TT-1")
        held.release(lambda match: number % 3 == 0)
        metrics.moved("counted-by-threads")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(500)))
    held.release(lambda match: True)
    assert sum(told) == 500
    assert more(before)["foldtable_moves_total[('game', 'counted-by-threads')]"] == 500


def test_no_metric_names_a_match_a_player_or_a_seat(house: House) -> None:
    match, players = house.table(THREE_MAGIC, 3, options={"laps": 1})
    play_out(match, players, most=30)
    text = generate_latest(metrics.REGISTRY).decode()
    for name in (match, *(player.id for player in players), *(str(player.token) for player in players), "Player 1"):
        assert name not in text
    labels = set(re.findall(r'[{,](\w+)="', text))
    assert labels <= {"game", "clause", "route", "method", "status", "follower", "queue", "bot", "process", "le"}
    assert "_created" not in text


def test_a_bots_time_is_told_but_under_seal(house: House) -> None:
    def choose() -> dict[str, float]:
        position = house.service.changes.look(match)
        game, seat = position.log.game, matches.to_act(position.log.game, position.truth)[0]
        before = samples()
        chosen("random", game, house.service.states.seen(position, seat), seat, Simulation("x"))
        return more(before)

    match, _ = sealing(house, 3)
    assert choose() == {}
    match, _ = house.table(THREE_MAGIC, 3)
    assert choose() == {"foldtable_bot_seconds_count[('bot', 'random')]": 1}


def test_a_turn_that_waits_is_told_when_it_waits_too_long() -> None:
    ages = iter([0.5, metrics.SHORTEST, 90.0])
    metrics.queue("tested", lambda: next(ages))
    assert [samples()["foldtable_queue_age_seconds[('queue', 'tested')]"] for _ in range(3)] == [0, 5, 90]
    metrics.queue("tested", lambda: 0.0)


def ask(found: Any, path: str, method: str = "GET") -> httpx2.Response:
    return httpx2.request(method, f"http://127.0.0.1:{found.server_port}{path}", trust_env=False)


def test_they_are_asked_for_at_an_address_of_their_own_which_nobody_blocks(house: House) -> None:
    with exposed("web", "127.0.0.1:0") as found, ExitStack() as stack:
        assert found
        answer = ask(found, "/metrics")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/plain")
        assert 'foldtable_process{process="web"} 1.0' in answer.text
        assert ask(found, "/metrics?name[]=foldtable_process").text.count("# TYPE") == 1
        assert ask(found, "/healthz").json() == {"status": "ok"}
        assert ask(found, "/").status_code == 404
        assert ask(found, "/metrics", "HEAD").text == ""
        assert ask(found, "/metrics", "POST").status_code == 405
        for said in (b"GET /metr", b"GET", b"x", *[b""] * ASKERS):
            slow = stack.enter_context(socket.create_connection((found.server_name, found.server_port), timeout=30))
            slow.sendall(said)
        with socket.create_connection((found.server_name, found.server_port)) as nonsense:
            nonsense.sendall(b"\xff" * 9000 + b"\r\n\r\n")
            assert b"Error code: 400" in nonsense.recv(1000)
        assert ask(found, "/healthz").status_code == 200
        slow.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
        assert slow.recv(12) == b"HTTP/1.0 200", "the last of them is still heard"
        assert len(found._askers) <= ASKERS
    with pytest.raises(httpx2.ConnectError):
        ask(found, "/metrics")
    for path in ("/metrics", "/api/metrics"):
        assert house.send("GET", path).status_code == 404


def test_of_many_who_come_at_once_no_more_than_so_many_stay() -> None:
    pairs = [socket.socketpair() for _ in range(2 * ASKERS)]
    with exposed("web", "127.0.0.1:0") as found:
        assert found
        for ours, _ in pairs:
            found.process_request(ours, ("127.0.0.1", 0))
            assert len(found._askers) <= ASKERS
        for _, theirs in pairs:
            theirs.close()


def test_several_processes_take_the_first_address_that_is_free(capsys: pytest.CaptureFixture[str]) -> None:
    first = free_port(2)
    said = f"127.0.0.1:{first}-{first + 1}"
    with exposed("web", said) as one, exposed("worker", said) as two:
        assert one
        assert two
        assert (one.server_port, two.server_port) == (first, first + 1)
        with exposed("follow", said) as three:
            assert three is None, "it does its work without"
        assert "metrics can't be served at this address" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (Config().metrics, ()),
        ("127.0.0.1:9100", (("127.0.0.1", 9100),)),
        ("0.0.0.0:9100-9102", (("0.0.0.0", 9100), ("0.0.0.0", 9101), ("0.0.0.0", 9102))),
        ("[::1]:0", (("::1", 0),)),
        *(
            (said, None)
            for said in ("9100", ":9100", "host", "host:", "host:99999", "host:3-2", "host:0-3", "::1:9100")
        ),
    ],
)
def test_addresses_are_read_or_refused(said: str, found: tuple[tuple[str, int], ...] | None) -> None:
    if found is None:
        with pytest.raises(ValueError, match=r"write HOST:PORT|names no ports"):
            addresses(said)
    else:
        assert addresses(said) == found


def test_while_the_store_is_closed_metrics_are_told_all_the_same(config: Config) -> None:
    service = build(config)
    metrics.refusals.note("m_held", "ttmp", "TT-1")
    service.recorder.close()
    assert b"foldtable_moves_total" in generate_latest(metrics.REGISTRY)
    service.close()
    metrics.refusals.release(lambda match: True)
