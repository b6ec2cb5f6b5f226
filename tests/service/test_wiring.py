"""The parts of the service, without its web."""

from __future__ import annotations

import pytest

from service.accounts import GRANTED, Asker
from service.matches import MatchWanted, Place
from service.store import Player
from service.wiring import Service
from tests.service.house import HIGH_CARD

pytestmark = pytest.mark.sqlite


def test_deeds_are_done_without_http_by_parts_that_are_made_once(service: Service) -> None:
    player, _ = service.accounts.sign_up(Player("p_ann", "Ann", "human", None, service.accounts.front.at()), None)
    ann = Asker(player.id, frozenset(GRANTED))
    match = service.opener.open(ann, MatchWanted(game=HIGH_CARD, seats=(Place(), Place(bot="greedy"))))
    service.seats.take(ann, match, 0)
    assert service.views.look(match, ann).seat == 0
    assert [name for name, part in vars(Service).items() if isinstance(part, property)] == []
