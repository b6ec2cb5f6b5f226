"""What waited in a store of the first version of the tables is sent after its migration, once."""

from __future__ import annotations

from contextlib import closing

from service import clock
from service.store.notices import TURN
from tests.service.house import build
from tests.service.mail.conftest import MailHouse
from tests.service.mail.test_sending import subjects
from tests.service.store.first_version import carried_back, enter


def test_a_turn_and_a_letter_that_waited_are_mailed_once(house: MailHouse) -> None:
    match, (ann, bob), boxes = house.laid()
    house.follow()
    store, at = house.service.recorder, clock.stamp(clock.now())
    carried_back(store)
    told = {"match": match, "kind": TURN, "since": ann.look(match)["decision"], "at": at, "tries": 0}
    enter(store, "tidings", match, **told, player=ann.id, seat=0, due=at)
    enter(store, "tidings", match, **told | {"since": bob.look(match)["decision"]}, player=bob.id, seat=1, due="")
    letter = {"id": "m_a", "kind": "password-changed", "player": bob.id, "address": boxes[1].address, "lang": "en"}
    enter(store, "outbox", "", **letter, about="{}", at=at, due=at, tries=0)
    house.service.close()
    with closing(build(house.service.config)) as service:
        found = MailHouse(service, house.app, house.office, house.port)
        for _ in range(2):
            found.send()
        assert [subjects(box) for box in boxes] == [["Your turn"], ["Your password was changed"]]
