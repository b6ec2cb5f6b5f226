"""When a mail is tried, tried again and given up, and what is noted of it."""

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
from service.mail.hands import HELD
from service.mail.office import Office
from service.store import Letter, Waiting, outbox
from tests.service.mail.conftest import MailHouse
from tests.service.mail.test_hands import Clock


def post(house: MailHouse, kind: str, **more: Any) -> None:
    """Have a letter in the outbox."""
    at = clock.stamp(clock.now())
    letter = Letter(id="m_x", kind=kind, player=None, address="somebody@people.test", lang="en", at=at)
    house.service.recorder.write([outbox.post(msgspec.structs.replace(letter, **more))])


def waiting(house: MailHouse) -> Waiting:
    """The one letter that waits."""
    (found,) = outbox.due_letters(house.service.recorder, clock.stamp(clock.now() + timedelta(days=9)), 50)
    return found


def test_a_mail_is_tried_again_after_pauses_that_double_and_is_given_up_after_four_days(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    begun = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1)
    letter = Letter(
        id="m_late", kind="password-changed", player=ann.id, address="x@y", lang="en", at=clock.stamp(begun)
    )
    house.service.recorder.write([outbox.post(letter)])
    house.office.refuse("450 4.2.1 later")
    now, pauses = Clock(), []
    now.at = begun
    office = Office(house.service.recorder, house.mail.office._desk, house.mail.office._settings, now)
    for _ in range(10):
        office.look()
        due = datetime.fromisoformat(waiting(house).due)
        pauses.append((due - now.at) / timedelta(minutes=1))
        now.at = due
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    now.at = begun + timedelta(days=4)
    office.look()
    assert datetime.fromisoformat(waiting(house).due) == now.at + timedelta(hours=4)
    now.at += timedelta(hours=4)
    with capture_logs() as logs:
        office.look()
    assert [line["event"] for line in logs] == ["a mail was refused", "a mail is given up"]
    assert outbox.due_letters(house.service.recorder, clock.stamp(now.at + timedelta(days=9)), 50) == ()


@pytest.mark.parametrize(("said", "stays"), [("550 5.1.1 no such user", False), ("450 4.2.1 later", True)])
def test_what_is_refused_for_good_is_not_tried_again(house: MailHouse, said: str, stays: bool) -> None:
    post(house, "password-changed")
    house.office.refuse(said)
    house.mail.office.look()
    assert bool(outbox.due_letters(house.service.recorder, clock.stamp(clock.now() + HELD), 50)) == stays


@pytest.mark.parametrize(("error", "seconds"), [(RuntimeError("what it was about"), 60), (StoreError("away"), 90)])
def test_a_mail_that_can_t_be_written_now_is_written_later(house: MailHouse, error: Exception, seconds: int) -> None:
    def link(_: Letter) -> str:
        raise error

    post(house, "confirm")
    now = Clock()
    office = Office(house.service.recorder, replace(house.mail.office._desk, link=link), house.mail.settings, now)
    with capture_logs() as logs:
        if isinstance(error, StoreError):
            with pytest.raises(StoreError):
                office.look()
        else:
            office.look()
    told = [] if isinstance(error, StoreError) else ["a mail can't be written"]
    assert [line["event"] for line in logs] == told
    assert "what it was about" not in str(logs)
    assert waiting(house).due == clock.stamp(now.at + timedelta(seconds=seconds))


def test_so_many_mails_are_looked_for_at_a_time(house: MailHouse) -> None:
    for number in range(51):
        post(house, "digest", id=f"m_{number}")
    assert [house.mail.office.look() for _ in range(3)] == [50, 1, 0]


def test_who_is_to_stop_sends_nothing_more(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    stop = Event()
    stop.set()
    house.mail.office.look(stop)
    assert boxes[0].unread() == []
    stop.clear()
    house.mail.office.look(stop)
    assert len(boxes[0].unread()) == 2
