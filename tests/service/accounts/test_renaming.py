"""Players may be called something else: in all matches, on both stores."""

from __future__ import annotations

import pytest

from service.accounts import STRANGER
from service.problems import Forbidden, Unauthorized
from tests.service.house import House, beside


def test_a_player_is_called_so_in_every_match_from_then_on(house: House) -> None:
    match, players = house.table()
    accounts = house.service.accounts
    accounts.rename(accounts.asker(players[0].token), "Somebody")
    assert [seat["player"]["name"] for seat in house.stranger.look(match)["seats"]] == ["Somebody", "Player 1"]
    # another process knows it too
    assert beside(house.service).accounts.find(players[0].id).name == "Somebody"


def test_only_who_manages_the_account_renames_it(house: House) -> None:
    ann = house.player()
    narrow = ann.post("/me/tokens", {"name": "x", "scopes": ["match:play"]}).json["token"]
    accounts = house.service.accounts
    for asker, refused in (
        (STRANGER, Unauthorized),
        (accounts.asker(narrow), Forbidden),
        (accounts.asker(house.operator.token), Forbidden),
    ):
        with pytest.raises(refused):
            accounts.rename(asker, "Eve")
    assert accounts.find(ann.id).name == "Ann"
