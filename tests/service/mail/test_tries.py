"""When a mail waits, is tried, tried again and given up, what is logged about it, and how long its row is kept."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from events.store import StoreError
from service import clock
from service.mail.sending import MailChannel
from service.outbox.loop import KEPT
from service.store import DeliveryTable, Letter, deliveries, mailing
from service.store.notices import ASKED, STARTED, TURN
from tests.service.house import Visitor
from tests.service.mail.conftest import Clock, MailHouse
from tests.service.mail.test_desk import noted, posted


def test_a_mail_is_tried_again_after_longer_and_longer_pauses_and_is_given_up_after_four_days(house: MailHouse) -> None:
    now, begun = Clock(), datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1)
    house.post("password-changed", at=clock.stamp(begun))
    house.office.refuse("450 4.2.1 later")
    now.at = begun
    loop = house.loop(now)
    for wait in MailChannel.waits:
        loop.look()
        letter = house.waiting()
        assert letter is not None
        due = datetime.fromisoformat(letter.due)
        assert wait <= (due - now.at).total_seconds() <= 1.21 * wait
        now.at = due
    assert [wait // 60 for wait in MailChannel.waits[:10]] == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    assert now.at - begun > timedelta(days=4)
    with capture_logs() as logs:
        loop.look()
    assert [line["event"] for line in logs] == ["a mail was refused", "a delivery is given up"]
    assert house.waiting() is None, "nobody is to know that it was there"


@pytest.mark.parametrize(("answer", "stays"), [("550 5.1.1 no such user", False), ("450 4.2.1 later", True)])
def test_only_what_is_refused_for_now_is_tried_again(house: MailHouse, answer: str, stays: bool) -> None:
    address = f"{stays}.tried@people.test"
    house.post("password-changed", address=address)
    house.office.refuse(answer)
    house.mail.loop.look()
    assert (house.waiting() is not None) == stays
    house.office.refuse("")
    house.after(minutes=2)
    assert len(house.office.mails(address)) == stays


@pytest.mark.parametrize(
    ("error", "seconds", "told"),
    [
        (RuntimeError("what it was about"), MailChannel.waits[0], "a mail can't be written"),
        (StoreError("away"), 90, "the result of a delivery can't be stored"),
    ],
)
def test_a_mail_that_can_t_be_written_now_is_written_later(
    house: MailHouse, error: Exception, seconds: int, told: str
) -> None:
    def link(_: Letter) -> str:
        raise error

    house.post("confirm")
    now = Clock()
    with capture_logs() as logs:
        house.loop(now, link=link).look()
    assert [line["event"] for line in logs] == [told]
    assert "what it was about" not in str(logs)
    letter = house.waiting()
    assert letter is not None
    soon, late = (clock.stamp(now.at + timedelta(seconds=times * seconds)) for times in (1, 1.21))
    assert soon <= letter.due <= late


def test_who_is_to_stop_sends_nothing_more(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    stop = Event()
    stop.set()
    house.mail.loop.look(stop)
    assert boxes[0].unread() == []
    stop.clear()
    house.mail.loop.look(stop)
    assert len(boxes[0].unread()) == 2


def test_a_turn_waits_so_that_it_is_not_mailed_to_who_sees_it_meanwhile(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.follow()
    now = Clock()
    loop = house.loop(now, after=60.0)
    loop.look()
    assert [box.subjects() for box in boxes] == [["It begins"]] * 2
    players[0].choose(match)
    for seconds, subjects in ((50, [[], []]), (11, [[], ["Your turn"]])):
        now.at += timedelta(seconds=seconds)
        loop.look()
        assert [box.subjects() for box in boxes] == subjects


def kinds(house: MailHouse, player: Visitor) -> list[tuple[str, str]]:
    """Return kind and status of the player's rows."""
    return sorted((row.kind, row.status) for row in DeliveryTable(house.service.recorder).page(player.id, 9))


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
    loop = house.loop(now)
    dues = [datetime.fromisoformat(row.due) for row in DeliveryTable(house.service.recorder).page(ann.id, 9)]
    now.at = min(dues) + KEPT - timedelta(minutes=1)
    loop.tidy()
    assert kinds(house, ann) == before
    now.at = max(dues) + KEPT + timedelta(minutes=1)
    loop.tidy()
    assert kinds(house, ann) == [(ASKED, "noted"), (TURN, "delivered")], "the turn is still open"
    assert house.waiting() is not None, "a letter is sent whenever that is possible"
    assert bob.moves(match)["moves"]
