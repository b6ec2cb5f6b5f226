"""How long notices wait before they are mailed, and how long rows of mails are kept."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from service.mail.sending import MailChannel
from service.outbox import DeliveryLoop
from service.outbox.loop import KEPT
from service.store import DeliveryTable, deliveries, mailing
from service.store.notices import ASKED, STARTED, TURN
from tests.service.house import Visitor
from tests.service.mail.conftest import MailHouse
from tests.service.mail.test_claims import Clock
from tests.service.mail.test_desk import desk_of, noted, posted
from tests.service.mail.test_sending import subjects


def loop_of(house: MailHouse, now: Clock, after: float = 0.0) -> DeliveryLoop:
    """Return a loop with its own time; `after`: seconds for which a turn waits."""
    store, settings = house.service.recorder, replace(house.mail.settings, after=after)
    return DeliveryLoop(store, MailChannel(store, desk_of(house), settings, now), now)


def test_a_turn_waits_so_that_it_is_not_mailed_to_who_sees_it_meanwhile(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.follow()
    now = Clock()
    loop = loop_of(house, now, after=60.0)
    loop.look()
    assert [subjects(box) for box in boxes] == [["It begins"]] * 2
    assert players[0].move(match, players[0].moves(match)["moves"][0]["id"]).status_code == 200
    now.at += timedelta(seconds=50)
    loop.look()
    assert [subjects(box) for box in boxes] == [[]] * 2
    now.at += timedelta(seconds=11)
    loop.look()
    assert [subjects(box) for box in boxes] == [[], ["Your turn"]]


def kinds(house: MailHouse, player: Visitor) -> list[tuple[str, str]]:
    """Return kind and status of the player's rows."""
    return sorted((one.kind, one.status) for one in DeliveryTable(house.service.recorder).page(player.id, 9))


def test_what_is_over_is_deleted_after_a_week_and_what_would_be_noted_again_is_not(house: MailHouse) -> None:
    match, (ann, bob), _ = house.laid()
    house.send()
    decision = ann.look(match)["decision"]
    rows = [
        replace(noted(ASKED, match, ann, decision - 1), status=deliveries.NOTED),
        replace(noted(TURN, match, ann, decision - 1), status=deliveries.DROPPED),
        noted(STARTED, match, ann, seat=1),
    ]
    house.service.recorder.write([*map(deliveries.enter, rows), mailing.post(posted("confirm", ann))])
    before = kinds(house, ann)
    now = Clock()
    loop = loop_of(house, now)
    dues = [datetime.fromisoformat(one.due) for one in DeliveryTable(house.service.recorder).page(ann.id, 9)]
    now.at = min(dues) + KEPT - timedelta(minutes=1)
    loop.tidy()
    assert kinds(house, ann) == before
    now.at = max(dues) + KEPT + timedelta(minutes=1)
    loop.tidy()
    assert kinds(house, ann) == [(ASKED, "noted"), (TURN, "delivered")], "the turn is still open"
    assert DeliveryTable(house.service.recorder).find("m_x") is not None, "a letter is sent whenever that is possible"
    assert bob.moves(match)["moves"]
