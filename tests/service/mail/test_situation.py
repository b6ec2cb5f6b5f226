"""What a mail tells of a match: as much of the log as is read, and the table as its reader sees it."""

from __future__ import annotations

import random

import pytest

from service.mail.situation import Situation, see
from tests.service.house import Visitor, play_out, set_aside, step
from tests.service.mail.conftest import MailHouse


def seen_by(house: MailHouse, player: Visitor, match: str) -> Situation:
    return see(house.service.recorder, house.service.views, match, house.wishes(player))


@pytest.mark.parametrize("least", [60, 402], ids=["a short log", "a long log"])
def test_of_a_log_the_last_400_events_are_read_and_the_last_40_told(house: MailHouse, least: int) -> None:
    match, players, _ = house.laid("troll-master", 3)
    eve, _ = house.addressed("Eve")
    draw = random.Random(1)
    while eve.look(match)["version"] < least:
        assert step(match, players, draw)
    seen, events = seen_by(house, eve, match), eve.events(match)
    assert (seen.seat, seen.me, seen.decision) == (None, "", None)
    assert (seen.version, seen.hash) == (events[-1]["version"], events[-1]["hash"])
    assert seen.earlier == min(seen.version, 400) - 40
    assert 20 <= len(seen.since) <= 40
    assert seen.since[-1] == events[-1]["text"]


def test_a_reader_is_told_which_seat_of_the_standing_is_theirs(house: MailHouse) -> None:
    match, players, _ = house.laid("terraformers")
    for seat, player in enumerate(players):
        seen = seen_by(house, player, match)
        assert [one.is_reader for one in seen.standing] == [seat == 0, seat == 1]
        assert (seen.me, seen.others("en")) == (f"Player {seat}", f"Player {1 - seat}")


def test_a_mail_says_that_an_answer_is_sealed_only_where_it_is(house: MailHouse) -> None:
    match, players, _ = house.laid("high-card", 3, pack="flat")
    assert [seen_by(house, player, match).is_sealed for player in players] == [False] * 3
    set_aside(match, players)
    assert [seen_by(house, player, match).is_sealed for player in players] == [True] * 3
    play_out(match, players)
    over = seen_by(house, players[0], match)
    assert (over.status, over.is_sealed, over.decision, over.moves) == ("finished", False, None, ())


def test_since_one_s_own_move_is_told_and_not_since_another_s(house: MailHouse) -> None:
    match, players, _ = house.laid(seats=3)
    first = [seen_by(house, player, match).since for player in players]
    assert players[1].choose(match).status_code == 200
    after = [seen_by(house, player, match).since for player in players]
    assert after[0][: len(first[0])] == first[0]
    assert len(after[1]) < len(first[1])
