"""What webhooks and feeds tell comes from what their owner may know: two logs that differ in the rest tell the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

from service import clock
from service.config import Config
from service.store.notices import KINDS
from tests.service.feeds.test_feeds import feed, titles
from tests.service.house import House, Visitor, build, set_aside
from tests.service.matches.test_secrecy import copied, dealt_otherwise, rewritten, watched
from tests.service.webhooks.post import HERE, deliveries, hook, loop, note
from tests.service.webhooks.receivers import Running

pytestmark = pytest.mark.sqlite


def told(house: House, owner: Visitor, receiving: Running, webhook: str) -> list[dict[str, Any]]:
    """Note and deliver: what the owner is shown of it, and what the receiver was sent."""
    service = house.service
    note(service)
    before = len(receiving.heard())
    loop(service, clock.now).look()
    sent = [one for one in receiving.heard()[before:] if one["headers"]["webhook-id"].startswith(webhook)]
    return [*deliveries(owner, webhook, limit=100), *sent]


def beside(data: Path) -> House:
    """The house on a copy of its store."""
    return House(build(Config(data=data, webhook_private=HERE)))


def laid(house: House, receiving: Running, **more: Any) -> tuple[str, list[Visitor], list[str]]:
    """A match of three, and their webhooks."""
    players = [house.player(f"Player {number}") for number in range(3)]
    hooks = [hook(player, receiving.url("/ok"), *KINDS)["id"] for player in players]
    match = players[0].open_with(*players[1:], **more)
    return match, players, hooks


@pytest.mark.parametrize("seat", [0, 2])
def test_two_logs_that_differ_in_hidden_cards_tell_the_same(
    house: House, tmp_path: Path, receiving: Running, seat: int
) -> None:
    with freeze_time("2026-03-01T12:00:00Z"):
        match, players, hooks = laid(house, receiving)
        path, feeds = feed(players[seat]), list[tuple[list[str], str]]()
        rewritten(house, tmp_path / "other", dealt_otherwise(house.service.states.log(match), seat))

        def do(there: House) -> list[Any]:
            found = told(there, there.again(players[seat]), receiving, hooks[seat])
            for mover in ((seat + 1) % 3, seat):
                visitor = there.again(players[mover])
                assert visitor.choose(match).status_code == 200
                found += told(there, there.again(players[seat]), receiving, hooks[seat])
                feeds.append((titles(there, path), there.stranger.get(path).text))
            return found

        with beside(tmp_path / "other") as other:
            (one, logged, counted), (two, *others) = watched(house, do), watched(other, do)
    assert len(one) > 4
    assert one == two
    assert feeds[:2] == feeds[2:]
    assert all(told for told, _ in feeds)
    assert counted == others[1]
    assert len(logged) == len(others[0])


def test_two_logs_that_differ_in_anothers_sealed_answer_tell_the_same(
    house: House, tmp_path: Path, receiving: Running
) -> None:
    """Nor does one in which another has not answered yet."""
    with freeze_time("2026-03-01T12:00:00Z"):
        match, players, hooks = laid(house, receiving, pack="flat")
        set_aside(match, players)
        assert house.stranger.look(match)["sealed"]
        found = []
        for answer in ("raise", "pass", None):
            data = tmp_path / f"other-{answer}"
            copied(house.service.config.data, data).close()
            with beside(data) as there:
                if answer is not None:
                    assert there.again(players[1]).move(match, answer).status_code == 200
                found.append(told(there, there.again(players[0]), receiving, hooks[0]))
    assert found[0]
    assert found[0] == found[1] == found[2]
