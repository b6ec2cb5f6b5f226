"""A delivery that a process works on stays its own; one that a dead process had claimed is free soon."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Thread

from msgspec.structs import replace

from events.store import Store
from service import clock
from service.mail.sending import MailChannel
from service.outbox import DeliveryLoop
from service.outbox.loop import RENEWED
from service.store import deliveries
from tests.service.mail.conftest import MailHouse
from tests.service.mail.test_sending import due, subjects
from tests.service.run.uprun import until


class Clock:
    """Read by whoever is given it, and set by hand."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.at


def loop(house: MailHouse, now: Clock, renewed: float) -> DeliveryLoop:
    return DeliveryLoop(house.service.recorder, house.mail.loop._channel, now, renewed=renewed)


def in_hand(store: Store) -> list[str]:
    """Until when mails are held."""
    rows = store.find_everywhere(
        "SELECT due FROM deliveries WHERE partition = :partition AND tries > 0 AND status = 'waiting'"
    )
    return [str(row[0]) for row in rows]


def _are_held(store: Store, until_when: str) -> bool:
    return in_hand(store) == [until_when]


def test_whoever_works_on_a_mail_keeps_it_for_as_long_as_it_takes(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    now, store = Clock(), house.service.recorder
    house.office.hang(is_hanging=True)
    try:
        slow = Thread(target=loop(house, now, 0.01).look)
        slow.start()
        until(lambda: in_hand(store), "a mail is in hand")
        for _ in range(3):
            now.at += MailChannel.claim - timedelta(seconds=1)
            held = clock.stamp(now.at + MailChannel.claim)
            until(partial(_are_held, store, held), "it is held anew")
        rest = [one for one in due(house, now.at) if one.tries > 0]
        assert rest == [], "nobody else takes it"
    finally:
        house.office.hang(is_hanging=False)
        slow.join()
    loop(house, now, RENEWED).look()
    assert [subjects(box) for box in boxes] == [["It begins", "Your turn"]] * 2, "each came once"


def test_a_mail_that_nobody_works_on_any_more_is_free_within_two_minutes(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    now, store = Clock(), house.service.recorder
    taken = [one for one in due(house, now.at + timedelta(seconds=1)) if one.target]
    for one in taken:
        held = replace(one, due=clock.stamp(now.at + MailChannel.claim), tries=1)
        assert store.write([deliveries.change(one, held)]) == (1,)
    now.at += timedelta(minutes=2)
    loop(house, now, RENEWED).look()
    assert len(taken) == 4
    assert [subjects(box) for box in boxes] == [["It begins", "Your turn"]] * 2


def test_a_mail_is_said_to_be_in_hand_often_enough() -> None:
    assert timedelta(seconds=3 * RENEWED) < MailChannel.claim < timedelta(minutes=2)
