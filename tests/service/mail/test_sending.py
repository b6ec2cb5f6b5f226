"""How mails go out: each once, tried again, given up, and ended where an address refuses them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import msgspec
import pytest

from events.store import Statement
from service import clock
from service.clocks import Firing
from service.mail.sending import Mail, MailChannel
from service.outbox import ChannelAway, DeliveryLoop
from service.store import Delivery, DeliveryTable, Letter, Notice, deliveries, mailing, notices
from service.wiring import Service
from tests.service.house import beside, play_out
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import Mailbox, hand_in, page_of, text_of


def another(service: Service, later: timedelta = timedelta(), link: Callable[[Letter], str] | None = None) -> Mail:
    """The mail of another process, whose clock may be ahead."""
    other = beside(service)

    def now() -> datetime:
        return datetime.now(UTC) + later

    found = Mail.of(
        service.config,
        store=other.recorder,
        catalogue=other.catalogue,
        lobby=other.lobby,
        playing=other.playing,
        views=other.views,
        seats=other.seats,
        invitations=other.invitations,
        wishing=other.wishing,
        signer=other.signer,
        limits=other.limits,
        link=link or service.mailed_links.of_letter,
        now=now,
    )
    assert found is not None
    return found


def turn_of(house: MailHouse, box: Mailbox) -> EmailMessage:
    house.send()
    return next(mail for mail in reversed(box.unread()) if "Your turn" in str(mail["Subject"]))


def subjects(box: Mailbox) -> list[str]:
    return sorted(str(mail["Subject"]).partition(":")[0] for mail in box.unread())


def test_what_has_happened_is_told_once_however_often_it_is_looked_at(house: MailHouse) -> None:
    match, players, boxes = house.laid(seats=3)
    for _ in range(3):
        house.send()
    assert [subjects(box) for box in boxes] == [["It begins", "Your turn"]] * 3
    assert players[1].move(match, players[1].moves(match)["moves"][0]["id"]).status_code == 200
    house.send()
    assert [subjects(box) for box in boxes] == [[], [], []], "the others were told of their decision before"


def test_two_that_send_at_once_send_each_mail_once(house: MailHouse) -> None:
    boxes = []
    for _ in range(4):
        boxes += house.laid(seats=3)[2]
    house.follow()
    loops = [another(house.service).loop for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda loop: [loop.look() for _ in range(3)], loops))
    assert [subjects(box) for box in boxes] == [["It begins", "Your turn"]] * 12


def test_a_mail_that_a_process_died_over_is_sent_by_another_under_the_same_name(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    store = house.service.recorder
    until = clock.stamp(clock.now() + MailChannel.claim)
    for one in due(house):
        taken = deliveries.change(one, msgspec.structs.replace(one, due=until, tries=1))
        assert store.write([taken]) == (1,)
        assert store.write([taken]) == (0,), "it is taken"
    house.mail.loop.look()
    assert boxes[0].unread() == [], "it is in another's hands"
    another(house.service, MailChannel.claim + timedelta(seconds=1)).loop.look()
    first = {str(mail["Message-ID"]) for mail in boxes[0].unread()}
    assert len(first) == 2


def test_a_turn_that_was_taken_meanwhile_is_not_told(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.follow()
    assert players[0].move(match, players[0].moves(match)["moves"][0]["id"]).status_code == 200
    house.mail.loop.look()
    assert subjects(boxes[0]) == ["It begins"]
    assert subjects(boxes[1]) == ["It begins", "Your turn"]


def test_a_server_that_is_away_costs_no_mail(house: MailHouse) -> None:
    _, players, boxes = house.laid()
    house.follow()
    relay = msgspec.structs.replace(house.mail.settings.relay, port=1)
    channel = house.mail.loop._channel
    assert isinstance(channel, MailChannel)
    settings = msgspec.structs.replace(house.mail.settings, relay=relay)
    now = clock.now() + timedelta(seconds=1)
    store = house.service.recorder
    away = DeliveryLoop(store, MailChannel(store, channel._desk, settings), lambda: now)
    with pytest.raises(ChannelAway, match="does not answer"):
        away.look()
    assert boxes[0].unread() == []
    (tried,) = [one.due for player in players for one in _of(house, player.id) if one.tries]
    soon, late = (clock.stamp(now + times * timedelta(seconds=MailChannel.waits[0])) for times in (1, 1.21))
    assert soon <= tried <= late, "the others wait for the server, too"
    another(house.service, timedelta(minutes=5)).loop.look()
    assert sum(len(box.unread()) for box in boxes) == 4


def test_a_mail_that_is_refused_for_now_is_tried_again_later_and_later(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    match = ann.open()
    ann.sit(match)
    other, _ = house.addressed("Bob")
    house.office.refuse("450 4.2.1 later")
    other.sit(match)
    house.send()
    assert box.unread() == []
    first = [one.due for one in _of(house, ann.id)]
    assert [(one.status, one.tries) for one in _of(house, ann.id)] == [("waiting", 1)] * 2
    another(house.service, timedelta(minutes=3)).loop.look()
    again = [one.due for one in _of(house, ann.id)]
    assert min(again) > max(first)
    assert ann.get("/me/mail").json["on"]
    house.office.refuse("")
    another(house.service, timedelta(hours=9)).loop.look()
    assert subjects(box) == ["It begins", "Your turn"]


def due(house: MailHouse, at: datetime | None = None) -> list[Delivery]:
    """What is due by mail."""
    found, now = DeliveryTable(house.service.recorder), clock.stamp(at or clock.now())
    return [one for player in found.who_is_due("mail", now, 50) for one in found.due("mail", player, now, 50)]


def _of(house: MailHouse, player: str) -> list[Delivery]:
    return [one for one in DeliveryTable(house.service.recorder).page(player, 50) if one.player == player]


def test_an_address_that_is_refused_for_good_three_times_is_left_alone(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    house.office.refuse("550 5.1.1 no such user")
    for times in range(2):
        assert ann.get("/me/mail").json["on"], times
        ann.sit(ann.open(seats=[None, {"bot": "greedy"}]))
        house.send()
    assert ann.get("/me/mail").json["stopped"] == "bounced"
    house.office.refuse("")
    ann.sit(ann.open(seats=[None, {"bot": "greedy"}]))
    house.send()
    assert box.unread() == []


def returned(action: str = "failed", status: str = "5.1.1") -> bytes:
    """What another server sends back (RFC 3464)."""
    return (
        "From: MAILER-DAEMON@people.test\r\nTo: x\r\nSubject: Undelivered\r\nAuto-Submitted: auto-replied\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nIt could not be delivered.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; people.test\r\n\r\n"
        f"Final-Recipient: rfc822; ann@people.test\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Your turn\r\n\r\n1\r\n--b--\r\n"
    ).encode()


def test_mails_that_come_back_end_them_and_an_answer_shows_that_the_address_is_there(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.send()
    mails = boxes[0].unread()
    back = str(mails[0]["X-Envelope-From"])
    for raw in (returned("delayed", "4.4.7"), returned("delivered", "2.0.0"), b"Subject: away\r\n\r\nI am away"):
        for _ in range(4):
            assert hand_in(house.port, "", back, raw) == (250, "2.0.0 ok")
    assert players[0].get("/me/mail").json["on"]
    for _ in range(2):
        assert hand_in(house.port, "", back, returned()) == (250, "2.0.0 ok")
    turn = next(mail for mail in mails if "Your turn" in str(mail["Subject"]))
    assert boxes[0].reply(turn, "1") == (250, "2.0.0 ok")
    for times in range(3):
        assert players[0].get("/me/mail").json["on"], times
        assert hand_in(house.port, "", back, returned()) == (250, "2.0.0 ok")
    assert players[0].get("/me/mail").json["stopped"] == "bounced"
    del match


def test_a_mail_that_comes_back_from_an_address_that_is_another_one_now_is_nobody_s(house: MailHouse) -> None:
    _, players, boxes = house.laid()
    house.send()
    back = str(boxes[0].unread()[0]["X-Envelope-From"])
    other = "another@people.test"
    house.service.recorder.write(
        [
            Statement("UPDATE players SET email = :to WHERE id = :id", {"to": other, "id": players[0].id}),
            mailing.confirm(players[0].id, other, "en"),
        ]
    )
    assert hand_in(house.port, "", back, returned())[0] == 550


@pytest.mark.parametrize("what", ["email", "confirmed"])
def test_an_address_that_is_the_account_s_no_more_gets_nothing(house: MailHouse, what: str) -> None:
    _, players, boxes = house.laid()
    house.follow()
    house.service.recorder.write([Statement(f"UPDATE players SET {what} = NULL WHERE id = :id", {"id": players[0].id})])
    house.send()
    assert set(subjects(boxes[0])) <= {"Confirm your address"}
    assert len(boxes[1].unread()) == 2


def test_nothing_is_sent_to_who_has_confirmed_no_address(house: MailHouse) -> None:
    answer = house.stranger.post("/players", {"name": "Eve", "email": "eve.unconfirmed@people.test"})
    eve = house.again(type(house.stranger)(house.app.test_client(), answer.json["token"], answer.json["id"]))
    eve.sit(eve.open(seats=[None, {"bot": "greedy"}]))
    house.send()
    mails = house.office.mails("eve.unconfirmed@people.test")
    assert [str(mail["Subject"]) for mail in mails] == ["Confirm your address"]
    assert _of(house, eve.id) == []


def test_the_mails_of_a_match_are_one_thread_and_no_machine_answers_them(house: MailHouse) -> None:
    match, players, boxes = house.laid(options={"rounds": 1})
    play_out(match, players)
    house.send()
    mails = boxes[0].unread()
    second = house.laid()[2][0]
    house.send()
    threads = {str(mail["References"]) for mail in mails}
    assert len(mails) >= 2
    assert len(threads) == 1
    assert threads.isdisjoint({str(mail["References"]) for mail in second.unread()})
    assert all(mail["Auto-Submitted"] == "auto-generated" for mail in mails)


def test_the_end_is_told_with_places_and_how_to_audit(house: MailHouse) -> None:
    match, players, boxes = house.laid(options={"rounds": 1})
    play_out(match, players)
    house.send()
    last = text_of(next(mail for mail in boxes[0].unread() if "It is over" in str(mail["Subject"])))
    assert "1. Player" in last
    assert f"curl -o {match}.jsonl https://play.test/api/matches/{match}/export" in last
    assert players[0].events(match)[-1]["hash"] in last


def test_an_invitation_is_told_once_also_when_it_is_given_later(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    bob, box = house.addressed("Bob")
    match = ann.open(seats=[None, {"player": bob.id}, None])
    house.send()
    mail = box.unread()[0]
    assert "You are invited: High Card" in str(mail["Subject"])
    assert f"https://play.test/matches/{match}" in text_of(mail)
    assert "POST" not in text_of(mail)
    house.send()
    assert box.unread() == []
    cid, other = house.addressed("Cid")
    for _ in range(2):
        assert ann.post(f"/matches/{match}/invitations", {"seat": 2, "player": cid.id}).status_code == 200
        assert ann.post(f"/matches/{match}/invitations", {"seat": 2, "player": None}).status_code == 200
    assert ann.post(f"/matches/{match}/invitations", {"seat": 2, "player": cid.id}).status_code == 200
    house.send()
    assert subjects(other) == ["You are invited"]


def test_one_digest_a_day_tells_of_all_matches_and_each_is_answered_for_itself(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    ann.client.put("/api/me/mail", json={"turns": "digest", "hour": 7}, headers=ann.headers)
    matches = []
    for number in range(2):
        other, _ = house.addressed(f"Other {number}")
        match = ann.open(seats=[None, None])
        ann.sit(match)
        other.sit(match)
        matches.append(match)
    house.send()
    assert box.unread() == [], "nothing before the hour"
    later = another(house.service, timedelta(days=1))
    later.loop.look()
    later.loop.look()
    mails = box.unread()
    assert [str(mail["Subject"]) for mail in mails] == ["Your tables: 2"]
    text = text_of(mails[0])
    assert all(match in text for match in matches)
    assert "It begins: High Card" in text
    addresses = [word.removeprefix("mailto:") for word in text.split() if word.startswith("mailto:play+")]
    assert len(addresses) == 2
    assert f'href="mailto:{addresses[0]}"' in page_of(mails[0])
    reply = EmailMessage()
    reply["From"] = box.address
    reply.set_content("1")
    for to in addresses:
        assert hand_in(house.port, box.address, to, reply.as_bytes()) == (250, "2.0.0 ok")
    assert all(ann.look(match)["decision"] is None for match in matches)
    another(house.service, timedelta(days=1, minutes=5)).loop.look()
    box.unread()
    another(house.service, timedelta(days=2)).loop.look()
    assert box.unread() == [], "nothing waits, and nothing else has happened"


def test_a_reminder_comes_once_a_decision_also_to_who_has_digests(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    house.send()
    boxes[0].unread()
    players[0].client.put("/api/me/mail", json={"turns": "digest"}, headers=players[0].headers)
    decision = players[0].look(match)["decision"]
    now = clock.now()
    reminder = Notice(notices.REMINDER, match, "high-card", players[0].id, 0, clock.stamp(now), decision)
    for _ in range(2):
        house.service.recorder.write(notices.note(reminder, now))
        house.send()
    mails = boxes[0].unread()
    assert [str(mail["Subject"]).partition(":")[0] for mail in mails] == ["Time is running out"]
    assert boxes[0].reply(mails[0], "1") == (250, "2.0.0 ok")
    assert players[0].look(match)["decision"] is None


def test_the_clock_reminds_by_mail_once_when_most_of_the_time_has_passed(house: MailHouse) -> None:
    match, _, boxes = house.laid(clock={"allowance": "PT10H"})
    assert boxes[1].reply(turn_of(house, boxes[1]), "1") == (250, "2.0.0 ok")
    boxes[1].unread()
    service = house.service

    def look(hours: float) -> None:
        def now() -> datetime:
            return datetime.now(UTC) + timedelta(hours=hours)

        service.recorder.write([Statement("DELETE FROM pulse")])
        firing = Firing(service.recorder, service.changes, service.states, now)
        firing.fire(service.accounts.asker(house.worker.token), [match])
        another(service, timedelta(hours=hours)).loop.look()

    look(7.9)
    assert not any("Time is" in str(mail["Subject"]) for mail in boxes[0].unread())
    look(8.1)
    look(8.2)
    mails = [str(mail["Subject"]) for mail in boxes[0].unread()]
    assert [said for said in mails if said.startswith("Time is running out")] == [
        "Time is running out: High Card (Player 1)"
    ]
    assert not any("Time is" in str(mail["Subject"]) for mail in boxes[1].unread())


def test_a_deadline_is_told_by_the_clocks_of_the_player(house: MailHouse) -> None:
    match, players, boxes = house.laid()
    players[0].client.put("/api/me/mail", json={"zone": "Asia/Tokyo"}, headers=players[0].headers)
    house.service.recorder.write(
        [
            Statement(
                "UPDATE decisions SET due = '2026-12-24T20:30:00.000Z' WHERE partition = :partition AND match = :match",
                {"match": match},
                match,
            )
        ]
    )
    house.send()
    mail = next(one for one in boxes[0].unread() if "Your turn" in str(one["Subject"]))
    assert "Answer by 2026-12-25 05:30 (Asia/Tokyo)." in text_of(mail)
