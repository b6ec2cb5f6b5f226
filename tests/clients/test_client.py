"""The Python client against the service: through its app, with what goes wrong between them put there by the test."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

import httpx
import pytest

from foldtable_client import Bot, Client, For, Patience, Problem, Unreachable
from foldtable_client.trying import Attempts
from tests.service.house import HIGH_CARD, House


class Between(httpx.BaseTransport):
    """A network to the app, which loses or changes answers: after each request the next of `faults` is applied."""

    def __init__(self, house: House) -> None:
        self._app = httpx.WSGITransport(app=house.app)
        self.faults: list[str | httpx.Response] = []
        self.asked: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """See httpx."""
        request.read()
        self.asked.append(request)
        fault = self.faults.pop(0) if self.faults else ""
        if isinstance(fault, httpx.Response):
            return fault
        if fault == "before":
            raise httpx.ConnectError("nobody listens")
        answer = self._app.handle_request(request)
        if fault == "after":
            answer.read()
            raise httpx.ReadError("cut off")
        return answer


@pytest.fixture
def between(house: House) -> Between:
    return Between(house)


@pytest.fixture
def client(between: Between) -> Iterator[Client]:
    with Client("http://house", transport=between, patience=Patience(seconds=5)) as found:
        yield found


def test_a_private_match_is_opened_found_sat_down_in_and_left(house: House, client: Client) -> None:
    ann = client.sign_up("Ann")
    assert client.me().id == ann.id
    match = client.open_match(HIGH_CARD, [None, None], visibility="private")
    assert [seat.player for seat in client.sit(match.id, 0).seats] != [None, None]
    assert [one.id for one in client.lobby(mine=True).matches] == [match.id]
    with Client("http://house", transport=Between(house)) as stranger, pytest.raises(Problem) as caught:
        stranger.match(match.id)
    assert (caught.value.status, caught.value.code) == (404, "unknown-match")
    assert [seat.player for seat in client.leave(match.id).seats] == [None, None]


def test_two_people_play_by_their_clients_until_all_is_open(house: House, client: Client) -> None:
    with Client("http://house", transport=httpx.WSGITransport(app=house.app), lang="ja") as other:
        client.sign_up("Ann")
        bob = other.sign_up("Bob")
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
        told = list(client.events(match.id))
        assert [event.version for event in told] == list(range(1, len(told) + 1))
        assert client.export(match.id).count(b"\n") > len(told)


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
    between.faults = ["before", "after", httpx.Response(503, headers={"Retry-After": "0"})]
    made = client.move(match.id, moves.decision, moves.moves[0])
    keys = {request.headers["Idempotency-Key"] for request in between.asked}
    assert len(between.asked) == 4
    assert len(keys) == 1
    assert made.version > before
    with pytest.raises(Problem) as caught:
        client.move(match.id, moves.decision, moves.moves[0])
    assert caught.value.code == "decision-closed"


def test_two_deeds_have_two_keys(client: Client, between: Between) -> None:
    client.sign_up("Ann")
    assert client.open_match(HIGH_CARD, [None, None]).id != client.open_match(HIGH_CARD, [None, None]).id
    keys = [request.headers["Idempotency-Key"] for request in between.asked]
    assert len(set(keys)) == len(keys) == 3


def test_429_is_heeded_for_as_long_as_it_says(client: Client, between: Between) -> None:
    between.faults = [httpx.Response(429, headers={"Retry-After": "1"})]
    begun = monotonic()
    assert client.games()
    assert monotonic() - begun >= 1


def test_what_takes_longer_than_there_is_patience_is_told(client: Client, between: Between) -> None:
    between.faults = [httpx.Response(429, headers={"Retry-After": "3600"}, json={"code": "too-fast", "detail": "no"})]
    with pytest.raises(Problem) as caught:
        client.games()
    assert (caught.value.status, caught.value.code, str(caught.value)) == (429, "too-fast", "no")
    hasty = Attempts(Patience(seconds=0))
    with pytest.raises(Unreachable):
        hasty.after_error(httpx.ConnectError("nobody listens"))


def test_what_is_wrong_is_told_with_its_code_and_not_sent_again(client: Client, between: Between) -> None:
    client.sign_up("Ann")
    between.asked.clear()
    with pytest.raises(Problem) as caught:
        client.open_match("chess", [None])
    assert (caught.value.status, caught.value.code) == (404, "unknown-game")
    assert len(between.asked) == 1


def test_an_answer_of_something_between_is_a_problem_too(client: Client, between: Between) -> None:
    between.faults = [httpx.Response(404, text="<html>nothing here</html>")]
    with pytest.raises(Problem, match="404"):
        client.games()
