"""What receivers are sent is what the document says of it."""

from __future__ import annotations

import json

from service import clock
from service.store import Notice, notices
from tests.service.house import House, play_out
from tests.service.web.test_contract import body_of, wrong
from tests.service.webhooks.post import Hooked, follower
from tests.service.webhooks.receivers import Running


def test_every_kind_that_is_sent_is_as_the_document_says(house: House, ann: Hooked, receiving: Running) -> None:
    bob = house.player("Bob")
    ann.make("/told", *notices.KINDS)
    for terms in (None, {"preset": "day"}):
        match = bob.open(seats=[{"player": ann.id}, None], clock=terms)
        with follower(house.service) as note:
            note()
            ann.sit(match, seat=0)
            bob.sit(match, seat=1)
            note()
            ann.run()
            asked, now = ann.look(match)["decision"], clock.now()
            reminder = Notice(notices.REMINDER, match, "high-card", ann.id, 0, clock.stamp(now), asked)
            house.service.recorder.write(notices.note(reminder, now))
            ann.run()
            if terms is None:
                play_out(match, [ann, bob])
            else:
                house.operator.post(f"/matches/{match}/abort")
            note()
    ann.ping()
    ann.run()
    sent = [json.loads(one["body"]) for one in receiving.heard("/told")]
    assert {one["type"] for one in sent} == {*notices.KINDS, notices.PING}
    for one in sent:
        assert wrong(body_of(one["type"]), one) == [], one
