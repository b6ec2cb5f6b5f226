"""The Python client against the service's app, with what goes wrong between them; the one for asyncio is the same."""

from __future__ import annotations

import inspect
import json
import re
import runpy
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any, get_type_hints

import httpx2
import pytest

import foldtable_client as told
from foldtable_client import AsyncClient, Bot, Client, For, Patience, Problem, Unreachable, calls
from foldtable_client.evidence import MOST, Evidence
from foldtable_client.trying import Attempts
from service.config import Config
from tests.service.house import HIGH_CARD, House, build, play_out
from tests.service.jobs.workrun import Work, bot_player, reviewer

EXAMPLES = Path(__file__).parents[2] / "clients" / "python" / "examples"


class Between(httpx2.BaseTransport):
    """A network to the app, which loses or changes answers: after each request the next of `faults` is applied."""

    def __init__(self, house: House) -> None:
        self._app = httpx2.WSGITransport(app=house.app)
        self.faults: list[str | httpx2.Response] = []
        self.asked: list[httpx2.Request] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        self.asked.append(request)
        fault = self.faults.pop(0) if self.faults else ""
        if isinstance(fault, httpx2.Response):
            return fault
        if fault == "before":
            raise httpx2.ConnectError("nobody listens")
        answer = self._app.handle_request(request)
        if fault == "after":
            answer.read()
            raise httpx2.ReadError("cut off")
        return answer


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(build(Config(data=tmp_path / "data", bot_pause=0.0))) as found:
        yield found


@pytest.fixture
def between(house: House) -> Between:
    return Between(house)


@pytest.fixture
def client(between: Between) -> Iterator[Client]:
    with Client("http://house", transport=between, patience=Patience(seconds=5)) as found:
        yield found


def test_two_people_play_by_their_clients_until_all_is_open(house: House, client: Client) -> None:
    with Client("http://house", transport=httpx2.WSGITransport(app=house.app), lang="ja") as other:
        ann, bob = client.sign_up("Ann"), other.sign_up("Bob")
        assert client.me().id == ann.id
        hidden = client.open_match(HIGH_CARD, [None, None], visibility="private")
        assert [seat.player for seat in client.sit(hidden.id, 0).seats] != [None, None]
        assert [one.id for one in client.lobby(mine=True).matches] == [hidden.id]
        with pytest.raises(Problem) as caught:
            other.match(hidden.id)
        assert (caught.value.status, caught.value.code) == (404, "unknown-match")
        assert [seat.player for seat in client.leave(hidden.id).seats] == [None, None]
        match = client.open_match(HIGH_CARD, [None, For(bob.id)])
        client.sit(match.id)
        other.sit(match.id)
        while not client.match(match.id).is_over:
            for one in (client, other):
                for turn in one.turns():
                    moves = one.moves(turn.match)
                    assert moves.decision == turn.decision
                    one.move(turn.match, turn.decision, moves.moves[-1])
        assert client.match(match.id).result
        events = list(client.events(match.id))
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert client.export(match.id).count(b"\n") > len(events)


def test_a_hint_and_a_review_are_wanted_and_read(house: House, client: Client) -> None:
    client.sign_up("Ann")
    match = client.open_match("terraformers", [None, Bot("random")])
    client.sit(match.id)
    bot_player(house).play(Work(match.id), 60.0)
    decision = client.moves(match.id, wait=20).decision
    assert decision is not None
    assert [(one.decision, one.state) for one in client.want_hint(match.id, decision)] == [(decision, "wanted")]
    reviewer(house).review([match.id], lambda: False)
    (hint,) = client.hints(match.id)
    legal = {move.id: move.text for move in client.moves(match.id).moves}
    assert [legal[one.move] for one in hint.moves] == [one.text for one in hint.moves]
    with pytest.raises(Problem) as caught:
        client.want_review(match.id, 0)
    assert caught.value.code == "not-over"
    over, players = house.table(seats=3)
    play_out(over, players)
    assert client.want_review(over, 0).state == "wanted"
    reviewer(house).review([over], lambda: False)
    done = client.review(over, 0)
    assert (done.state, len(done.decisions)) == ("done", done.total)
    assert done.account is not None
    assert all(done.decisions[at].moves[0].behind == 0 for at in done.moments)


def test_a_move_whose_answer_was_lost_is_sent_again_with_its_key_and_counts_once(
    client: Client, between: Between
) -> None:
    client.sign_up("Ann")
    match = client.open_match(HIGH_CARD, [None, Bot("random")])
    client.sit(match.id)
    moves = client.moves(match.id)
    assert moves.decision is not None
    before = len(list(client.events(match.id)))
    between.asked.clear()
    busy = httpx2.Response(409, json={"code": "busy"})
    between.faults = ["before", "after", httpx2.Response(503, headers={"Retry-After": "0"}), busy]
    made = client.move(match.id, moves.decision, moves.moves[0])
    keys = {request.headers["Idempotency-Key"] for request in between.asked}
    assert len(between.asked) == 5
    assert len(keys) == 1
    assert made.version > before
    with pytest.raises(Problem) as caught:
        client.move(match.id, moves.decision, moves.moves[0])
    assert caught.value.code == "decision-closed"


def test_what_is_refused_is_told_with_its_code_and_heeded(client: Client, between: Between) -> None:
    client.sign_up("Ann")
    assert client.open_match(HIGH_CARD, [None, None]).id != client.open_match(HIGH_CARD, [None, None]).id
    keys = [request.headers["Idempotency-Key"] for request in between.asked]
    assert len(set(keys)) == len(keys) == 3, "each deed has a key of its own"
    between.asked.clear()
    with pytest.raises(Problem) as caught:
        client.open_match("chess", [None])
    assert (caught.value.status, caught.value.code, len(between.asked)) == (404, "unknown-game", 1)
    between.faults = [httpx2.Response(404, text="<html>nothing here</html>")]
    with pytest.raises(Problem, match="404"):
        client.games()
    between.faults = [httpx2.Response(429, headers={"Retry-After": "1"})]
    begun = monotonic()
    assert client.games()
    assert monotonic() - begun >= 1
    between.faults = [httpx2.Response(429, headers={"Retry-After": "3600"}, json={"code": "too-fast", "detail": "no"})]
    with pytest.raises(Problem) as caught:
        client.games()
    assert (caught.value.status, caught.value.code, str(caught.value)) == (429, "too-fast", "no")
    with pytest.raises(Unreachable):
        Attempts(Patience(seconds=0)).after_error(httpx2.ConnectError("nobody listens"))


def test_a_cursor_that_is_refused_is_not_asked_with_for_ever_but_all_begins_anew(
    client: Client, between: Between
) -> None:
    with pytest.raises(Problem) as caught:
        next(client.follow_me())
    assert (caught.value.code, len(between.asked)) == ("token-missing", 1), "what else is refused is told"
    client.sign_up("Ann")
    for cursor in ("of another service", "YWJj.ZGVm"):
        between.asked.clear()
        first = next(client.follow_me(cursor))
        assert first.kind == first.data["kind"] == "now"
        assert [request.headers.get("Last-Event-ID") for request in between.asked] == [cursor, None]


def lines_of(held: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in held.splitlines()]


def test_who_sits_down_brings_a_nonce_after_a_receipt_and_holds_what_an_audit_needs(client: Client) -> None:
    client.sign_up("Ann")
    match = client.open_match(HIGH_CARD, [Bot("random"), None])
    client.sit(match.id)
    moves = client.moves(match.id)
    if moves.decision is not None:
        client.move(match.id, moves.decision, moves.moves[0])
    opened, there, own, *after = lines_of(client.evidence(match.id))
    taken = next(event for event in client.events(match.id) if event.public.get("nonce"))
    assert own == {"nonce": taken.public["nonce"]}
    assert len(own["nonce"]) == 64
    assert opened["version"] < taken.version > there["version"]
    assert all(one["version"] >= taken.version and one["domain"] == opened["domain"] for one in after)
    assert after
    brought = [own["nonce"]]
    for nonce in (None, "ab" * 32, ""):
        seat = client.open_match(HIGH_CARD, [None, None]).id
        client.sit(seat, nonce=nonce)
        brought.append(next(one.public["nonce"] for one in client.events(seat) if "nonce" in one.public))
        held = [one["nonce"] for one in lines_of(client.evidence(seat)) if "nonce" in one]
        assert held == ([brought[-1]] if brought[-1] else [])
    assert len({*brought}) == 4
    assert brought[2:] == ["ab" * 32, ""]


def test_a_nonce_with_which_a_seat_was_refused_is_noted_as_in_vain_and_kept_for_the_next_try(
    between: Between, client: Client, house: House
) -> None:
    client.sign_up("Ann")
    with Client("http://house", transport=httpx2.WSGITransport(app=house.app)) as bob:
        bob.sign_up("Bob")
        match = bob.open_match(HIGH_CARD, [None, None, None]).id
        bob.sit(match, 0)
    for code in ("seat-taken", "seat-taken"):
        with pytest.raises(Problem) as refused:
            client.sit(match, 0)
        assert refused.value.code == code
    client.sit(match, 1)
    held = lines_of(client.evidence(match))
    (nonce,) = {one["nonce"] for one in held if "nonce" in one}
    said = [next(iter(one)) if len(one) == 1 else "receipt" for one in held]
    assert said == ["receipt", "nonce", "in_vain"] * 2 + ["receipt", "nonce", "receipt"]
    assert {one["in_vain"] for one in held if "in_vain" in one} == {nonce}
    # what nobody has answered for may have been done
    other = client.open_match(HIGH_CARD, [None, None]).id
    between.faults = ["", httpx2.Response(500)]
    with pytest.raises(Problem):
        client.sit(other)
    assert not any("in_vain" in one for one in lines_of(client.evidence(other)))


def test_evidence_in_a_folder_is_there_for_the_next_process(between: Between, tmp_path: Path) -> None:
    with Client("http://house", transport=between, keep=tmp_path / "held") as ann:
        token = ann.sign_up("Ann").token
        match = ann.open_match(HIGH_CARD, [None, None]).id
        ann.sit(match)
        ann.leave(match)
        held = ann.evidence(match)
    with (tmp_path / "held" / f"{match}.evidence.jsonl").open("ab") as file:
        file.write(b'{"half": ')  # of a process that was killed
    with Client("http://house", token, transport=between, keep=tmp_path / "held") as again:
        assert again.evidence(match).startswith(held)
        again.sit(match)
        nonces = {one.public["nonce"] for one in again.events(match) if "nonce" in one.public}
        assert nonces == {one["nonce"] for one in lines_of(held) if "nonce" in one}
        mended = again.evidence(match)
        assert mended.startswith(held)
        assert len(lines_of(mended)) == len(lines_of(held)) + 1
        assert again.evidence("../none") == b""
    memory = Evidence(None)
    for number in range(MOST + 5):
        memory.bring(f"m_{number}", None, None)
    assert (memory.of("m_4"), memory.of("m_5") != b"") == (b"", True), "it does not grow for ever"


def test_the_example_goes_on_where_it_was_killed_between_its_deed_and_the_answer(house: House, client: Client) -> None:
    """It asks again for what it has done already, or for what is no longer to be had."""
    example = runpy.run_path(str(EXAMPLES / "any_game.py"))
    me = client.sign_up("Bot", kind="bot")
    with Client("http://house", transport=httpx2.WSGITransport(app=house.app)) as ann:
        ann.sign_up("Ann")
        match = ann.open_match(HIGH_CARD, [For(me.id), None]).id
        for _ in range(2):
            example["accept"](client, match)
        ann.sit(match)
        other = ann.open_match(HIGH_CARD, [For(me.id), None]).id
        ann.send(calls.post(f"/matches/{other}/abort", Any, {}))
        for gone in (other, "m_none"):
            example["accept"](client, gone)
            example["play"](client, gone)
        example["play"](client, match)
        assert client.moves(match).decision is None
    nobody = Client("http://house", "no token", transport=httpx2.WSGITransport(app=house.app))
    with nobody, pytest.raises(Problem, match="token"):
        example["accept"](nobody, match)


def methods(kind: type) -> dict[str, tuple[list[str], str | None]]:
    """Names and parameters of what a user may call, and what is said of it."""
    found = inspect.getmembers(kind, inspect.isfunction)
    return {
        name: ([str(one) for one in inspect.signature(method).parameters.values()], method.__doc__)
        for name, method in found
        if not name.startswith("_")
    }


def test_both_clients_have_the_same_methods_which_one_of_them_awaits() -> None:
    assert methods(Client) == methods(AsyncClient)
    assert len(methods(Client)) > 15
    for name in methods(Client):
        here, there = getattr(Client, name), getattr(AsyncClient, name)
        is_stream = inspect.isgeneratorfunction(here) or name in {"follow", "follow_me"}
        assert is_stream or inspect.iscoroutinefunction(there), name
        assert not inspect.iscoroutinefunction(here)


@pytest.mark.parametrize("method", [Client.match, Client.moves, AsyncClient.match, AsyncClient.moves])
def test_whole_seconds_are_waited_as_the_contract_says(method: Callable[..., Any]) -> None:
    assert get_type_hints(method)["wait"] is int


def test_the_package_says_where_its_licence_its_address_and_its_changes_stand() -> None:
    assert all(hasattr(told, name) for name in told.__all__)
    folder = Path(told.__file__).parents[1]
    package = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"license", "license-files", "urls", "readme"} <= package.keys()
    assert {"Homepage", "Changelog"} <= package["urls"].keys()
    assert all((folder / name).is_file() for name in (*package["license-files"], package["readme"]))
    newest = re.search(r"^## (\S+)$", (folder / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest
    assert newest[1] == package["version"]
