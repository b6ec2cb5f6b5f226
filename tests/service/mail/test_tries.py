"""When a mail is tried, tried again and given up, and what is logged about it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from events.store import StoreError
from service import clock
from service.mail.sending import MailChannel
from service.outbox import DeliveryLoop
from service.store import Delivery, DeliveryTable, Letter, mailing
from tests.service.mail.conftest import MailHouse
from tests.service.mail.test_claims import Clock
from tests.service.mail.test_desk import desk_of


def post(house: MailHouse, kind: str, **more: Any) -> None:
    """Put a letter into the outbox."""
    at = clock.stamp(clock.now())
    letter = Letter(id="m_x", kind=kind, player="p_x", address="somebody@people.test", lang="en", at=at)
    house.service.recorder.write([mailing.post(msgspec.structs.replace(letter, **more))])


def waiting(house: MailHouse) -> Delivery | None:
    """Return the letter that waits."""
    return DeliveryTable(house.service.recorder).find("m_x")


def loop_of(house: MailHouse, now: Clock, **more: Any) -> DeliveryLoop:
    """Return a loop on the house's store, with its own desk and its own time."""
    store = house.service.recorder
    return DeliveryLoop(store, MailChannel(store, replace(desk_of(house), **more), house.mail.settings, now), now)


def test_a_mail_is_tried_again_after_longer_and_longer_pauses_and_is_given_up_after_four_days(
    house: MailHouse,
) -> None:
    now, begun = Clock(), datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1)
    post(house, "password-changed", at=clock.stamp(begun))
    house.office.refuse("450 4.2.1 later")
    now.at = begun
    office = loop_of(house, now)
    for wait in MailChannel.waits:
        office.look()
        one = waiting(house)
        assert one is not None
        due = datetime.fromisoformat(one.due)
        assert wait <= (due - now.at).total_seconds() <= 1.21 * wait
        now.at = due
    assert [wait // 60 for wait in MailChannel.waits[:10]] == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    assert now.at - begun > timedelta(days=4)
    with capture_logs() as logs:
        office.look()
    assert [line["event"] for line in logs] == ["a mail was refused", "a delivery is given up"]
    assert waiting(house) is None, "nobody is to know that it was there"


@pytest.mark.parametrize(("said", "stays"), [("550 5.1.1 no such user", False), ("450 4.2.1 later", True)])
def test_what_is_refused_for_good_is_not_tried_again(house: MailHouse, said: str, stays: bool) -> None:
    post(house, "password-changed")
    house.office.refuse(said)
    house.mail.loop.look()
    assert (waiting(house) is not None) == stays


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

    post(house, "confirm")
    now = Clock()
    with capture_logs() as logs:
        loop_of(house, now, link=link).look()
    assert [line["event"] for line in logs] == [told]
    assert "what it was about" not in str(logs)
    one = waiting(house)
    assert one is not None
    soon, late = (clock.stamp(now.at + timedelta(seconds=times * seconds)) for times in (1, 1.21))
    assert soon <= one.due <= late


def test_of_one_player_so_many_mails_are_sent_at_a_time(house: MailHouse) -> None:
    for number in range(5):
        post(house, "digest", id=f"m_{number}")
    assert [house.mail.loop.look() for _ in range(3)] == [4, 1, 0]


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
