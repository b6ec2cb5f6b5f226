"""How mails go out: each once, tried again, given up, and ended where an address refuses them."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from smtplib import SMTP
from threading import Event, Thread

import msgspec
import pytest

from service import clock
from service.clocks import Firing
from service.config import Config
from service.mail import sending
from service.mail.desk import Ready
from service.mail.sending import MailChannel
from service.outbox import ChannelAway, ChannelOutcome, DeliveryLoop
from service.outbox.loop import RENEWED
from service.run import deliver
from service.store import DeliveryTable, deliveries, mailing
from tests.service.house import beside, each, play_out
from tests.service.mail.conftest import Clock, MailHouse, against_bot, put
from tests.service.mail.mailbox import OK, UNKNOWN, Mailbox, PostOffice, addresses_in, hand_in, page_of, text_of
from tests.service.mail.test_incoming import report
from tests.service.run.uprun import until
from tests.service.stored import change, rows


def test_each_mail_is_sent_once_whoever_looks_and_however_often(house: MailHouse) -> None:
    laid = [house.laid(seats=3) for _ in range(4)]
    house.follow()
    loops = [house.another() for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda loop: [loop.look() for _ in range(3)], loops))
    assert [box.subjects() for _, _, boxes in laid for box in boxes] == [["It begins", "Your turn"]] * 12
    match, players, boxes = laid[0]
    players[1].choose(match)
    house.send()
    assert [box.unread() for box in boxes] == [[]] * 3, "the others were told of their decision before"


def in_hand(house: MailHouse) -> list[str]:
    """Until when mails are held."""
    found = rows(house.service, "SELECT due FROM deliveries WHERE tries > 0 AND status = 'waiting'")
    return [str(due) for (due,) in found]


def test_whoever_works_on_a_mail_keeps_it_for_as_long_as_it_takes(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.outbox.loop.RENEWED", 0.01)
    _, _, boxes = house.laid()
    house.follow()
    now = Clock()
    with house.office.hanging():
        slow = Thread(target=house.loop(now).look)
        slow.start()
        until(lambda: in_hand(house), "a mail is in hand")
        for _ in range(3):
            now.at += MailChannel.claim - timedelta(seconds=1)
            held = clock.stamp(now.at + MailChannel.claim)
            until(partial(lambda held: in_hand(house) == [held], held), "it is held anew")
    slow.join()
    house.loop(now).look()
    assert [box.subjects() for box in boxes] == [["It begins", "Your turn"]] * 2, "each came once"


def test_a_mail_that_a_process_died_over_is_sent_by_another_within_two_minutes(house: MailHouse) -> None:
    _, players, boxes = house.laid()
    house.follow()
    now, store = Clock(), house.service.recorder
    rows = [row for player in players for row in DeliveryTable(store).page(player.id, 9) if row.target]
    for row in rows:
        held = msgspec.structs.replace(row, due=clock.stamp(now.at + MailChannel.claim), tries=1)
        taken = deliveries.change(row, held)
        assert [store.write([taken]) for _ in range(2)] == [(1,), (0,)], "it is taken once"
    house.loop(now).look()
    assert boxes[0].unread() == [], "it is in another's hands"
    now.at += timedelta(minutes=2)
    house.loop(now).look()
    assert len(rows) == 4
    assert [box.subjects() for box in boxes] == [["It begins", "Your turn"]] * 2
    assert timedelta(seconds=3 * RENEWED) < MailChannel.claim, "it is said often enough that a mail is in hand"


def test_where_there_is_no_store_none_is_made(tmp_path: Path, office: PostOffice) -> None:
    config = Config(data=tmp_path / "mistyped", smtp=office.url, mail_from="table@play.test")
    stop = Event()
    stop.set()
    deliver.mail(config, stop)
    assert not config.data.exists()


def test_a_server_that_is_away_costs_no_mail(house: MailHouse) -> None:
    _, players, boxes = house.laid()
    house.follow()
    relay, store = msgspec.structs.replace(house.channel._relay, port=1), house.service.recorder
    now = clock.now() + timedelta(seconds=1)
    with pytest.raises(ChannelAway, match="does not answer"):
        DeliveryLoop(store, MailChannel(store, house.desk, relay, timedelta()), lambda: now).look()
    assert boxes[0].unread() == []
    rows = [row for player in players for row in DeliveryTable(store).page(player.id, 9)]
    (tried,) = [row.due for row in rows if row.tries]
    soon, late = (clock.stamp(now + times * timedelta(seconds=MailChannel.waits[0])) for times in (1, 1.21))
    assert soon <= tried <= late, "the others wait for the server, too"
    house.after(minutes=5)
    assert sum(len(box.unread()) for box in boxes) == 4


def test_an_address_that_is_refused_for_good_three_times_is_left_alone(house: MailHouse) -> None:
    ann, box = house.addressed()
    house.office.refuse("550 5.1.1 no such user")
    for times in range(2):
        assert ann.get("/me/mail").json["on"], times
        against_bot(ann)
        house.send()
    assert ann.get("/me/mail").json["stopped"] == "bounced"
    house.office.refuse("")
    against_bot(ann)
    house.send()
    assert box.unread() == []


REFUSED = report("Action: failed\r\nStatus: 5.1.1")


def test_mails_that_come_back_end_them_and_an_answer_shows_that_the_address_is_there(house: MailHouse) -> None:
    _, (ann, _), (box, _) = house.laid()
    turn = house.turn(box)
    back = str(turn["X-Envelope-From"])
    delayed = report("Action: delayed\r\nStatus: 4.4.7")
    for raw in (delayed, b"Subject: away\r\n\r\nI am away"):
        for _ in range(4):
            assert hand_in(house.port, "", back, raw) == OK
    assert ann.get("/me/mail").json["on"]
    for _ in range(2):
        assert hand_in(house.port, "", back, REFUSED) == OK
    assert box.reply(turn, "1") == OK
    for times in range(3):
        assert ann.get("/me/mail").json["on"], times
        assert hand_in(house.port, "", back, REFUSED) == OK
    assert ann.get("/me/mail").json["stopped"] == "bounced"
    assert box.reply(turn, "2") == OK
    assert ann.get("/me/mail").json["on"], "she has written from there"
    assert put(ann, on=False).json["stopped"] == "unsubscribed"
    assert hand_in(house.port, "", back, REFUSED) == OK
    assert box.reply(turn, "3") == OK
    assert ann.get("/me/mail").json["stopped"] == "unsubscribed", "she wants none"
    other = "another@people.test"
    change(house.service, "UPDATE players SET email = :to WHERE id = :id", to=other, id=ann.id)
    house.service.recorder.write([mailing.confirm(ann.id, other, "en", "")])
    assert hand_in(house.port, "", back, REFUSED)[0] == 550, "her address is another one now"


@pytest.mark.parametrize("column", ["email", "confirmed"])
def test_an_address_that_is_the_account_s_no_more_gets_nothing_and_moves_nothing(house: MailHouse, column: str) -> None:
    match, (ann, bob), (box, other) = house.laid()
    turn, decision = house.turn(box), ann.look(match)["decision"]
    change(house.service, f"UPDATE players SET {column} = NULL WHERE id = :id", id=ann.id)
    assert box.reply(turn, "1") == UNKNOWN
    assert ann.look(match)["decision"] == decision
    each((ann, bob), match, "abort")
    house.send()
    assert "It is over" not in box.subjects()
    assert "Broken off" in other.subjects()


def test_the_mails_of_a_match_are_one_thread_and_the_last_tells_places_and_how_to_audit(house: MailHouse) -> None:
    match, players, boxes = house.laid(options={"rounds": 1})
    house.send()
    play_out(match, players)
    house.send()
    mails = boxes[0].unread()
    second = house.laid()[2][0]
    house.send()
    (thread,) = {str(mail["References"]) for mail in mails}
    assert thread not in {str(mail["References"]) for mail in second.unread()}
    assert {mail["Auto-Submitted"] for mail in mails} == {"auto-generated"}, "no machine answers them"
    last = text_of(next(mail for mail in mails if "It is over" in str(mail["Subject"])))
    for part in ("1. Player", f"curl -o {match}.jsonl https://play.test/api/matches/{match}/export"):
        assert part in last
    assert players[0].events(match)[-1]["hash"] in last
    for text in (read(mail) for mail in mails for read in (text_of, page_of)):
        links = [link for link in re.findall(r"https://play\.test(/[^\s\"<]*)", text) if "/export" not in link]
        assert f"/matches/{match}" in links
        for link in links:
            answer = players[0].client.get(link, headers=players[0].headers)
            assert (answer.status_code, answer.mimetype) == (200, "text/html"), link


@pytest.mark.parametrize("visibility", ["link", "private"])
def test_a_match_that_not_everybody_may_see_is_downloaded_where_one_is_signed_in(
    house: MailHouse, visibility: str
) -> None:
    (ann, box), (bob, _) = house.addressed("Ann"), house.addressed("Bob")
    seats = [None, {"player": bob.id}]
    match = ann.open(seats=seats, options={"rounds": 1}, visibility=visibility)
    ann.sit(match)
    bob.post(f"/matches/{match}/invitations/accept")
    play_out(match, [ann, bob])
    house.send()
    last = text_of(box.next("It is over"))
    assert "curl" not in last
    assert f"https://play.test/matches/{match}/replay\n./foldtable replays audit {match}.jsonl" in last
    assert [who.get(f"/matches/{match}/export").status_code for who in (ann, house.stranger)] == [200, 404]


def test_both_are_told_of_a_match_that_one_of_them_gave_up(house: MailHouse) -> None:
    match, (ann, _), boxes = house.laid()
    house.send()
    ann.post(f"/matches/{match}/resign")
    house.send()
    for box in boxes:
        last = text_of(box.next("It is over"))
        assert "High Card is over: Player 0 resigned." in last
        assert "1. Player 1" in last
        assert "2. Player 0" in last


def test_no_mail_says_that_a_match_begins_which_is_over(house: MailHouse) -> None:
    match, (_, bob), (box, _) = house.laid()
    bob.post(f"/matches/{match}/resign")
    house.send()
    assert box.subjects() == ["It is over"]


def test_one_digest_a_day_tells_of_all_matches_and_each_is_answered_for_itself(house: MailHouse) -> None:
    ann, box = house.addressed()
    put(ann, turns="digest", hour=7)
    matches = [against_bot(ann) for _ in range(2)]
    house.send()
    assert box.unread() == [], "nothing before the hour"
    house.after(days=1)
    (mail,) = box.unread()
    text = text_of(mail)
    assert mail["Subject"] == "Your tables: 2"
    assert all(match in text for match in matches)
    assert "It begins: High Card" in text
    addresses = addresses_in(text)
    assert len(addresses) == 2
    assert f'href="mailto:{addresses[0]}"' in page_of(mail)
    before = [ann.look(match)["decision"] for match in matches]
    for to in addresses:
        assert box.write(to, "1") == OK
    after = [ann.look(match)["decision"] for match in matches]
    assert all(old != new for old, new in zip(before, after, strict=True))


def test_of_digests_that_could_not_be_sent_for_days_one_comes(house: MailHouse) -> None:
    ann, box = house.addressed()
    put(ann, turns="digest", hour=7)
    against_bot(ann)
    for days in (1, 2):
        house.another(timedelta(days=days))._channel.open()
    house.after(days=3)
    assert [mail["Subject"] for mail in box.unread()] == ["Your tables: 1"]


def test_a_zone_that_this_machine_does_not_know_keeps_no_digest_back(house: MailHouse) -> None:
    (ann, box), (bob, other) = house.addressed(), house.addressed("Bob")
    for player in (ann, bob):
        put(player, turns="digest", hour=7)
        against_bot(player, clock={"allowance": "P9D"})
    change(house.service, "UPDATE mailing SET zone = 'right/UTC-9' WHERE player = :p", p=ann.id)
    house.after(days=1)
    assert [len(each.unread()) for each in (box, other)] == [1, 1]
    assert "(UTC)" in text_of(box.mails[0])
    assert house.wishes(ann).digest.endswith("T07:00:00.000Z")


def test_who_wants_no_digest_any_longer_is_sent_the_news_that_one_would_have_told(house: MailHouse) -> None:
    ann, box = house.addressed()
    put(ann, turns="digest", hour=7)
    house.player("Bob").open(seats=[None, {"player": ann.id}])
    house.send()
    assert box.unread() == []
    put(ann, lang="en")
    house.send()
    assert box.unread() == []
    put(ann, turns="each")
    house.send()
    (mail,) = box.unread()
    assert "Bob keeps a seat for you" in text_of(mail)


def test_a_digest_tells_news_once_though_its_player_turns_digests_off_while_it_is_sent(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, box = house.addressed()
    put(ann, turns="digest", hour=7)
    match = house.player("Bob").open(seats=[None, {"player": ann.id}])
    house.send()
    deliver = sending.deliver

    def meanwhile(server: SMTP, ready: Ready) -> ChannelOutcome:
        put(ann, turns="each")
        return deliver(server, ready)

    monkeypatch.setattr(sending, "deliver", meanwhile)
    house.after(days=1)
    (mail,) = box.unread()
    assert match in text_of(mail)


def test_an_address_that_replaces_one_that_was_stopped_gets_the_digests(house: MailHouse) -> None:
    ann, _ = house.addressed()
    put(ann, turns="digest", hour=7)
    match = against_bot(ann)
    house.service.recorder.write([mailing.stop(ann.id, house.wishes(ann).address, mailing.UNSUBSCRIBED)])
    other = "next.ann@people.test"
    assert ann.post("/me/email", {"email": other}).status_code == 200
    house.send()
    box = Mailbox(house.office, other, house.port)
    (letter,) = box.unread()
    token = text_of(letter).partition("?token=")[2].split()[0]
    assert house.stranger.post("/email/confirmation", {"token": token}).status_code == 200
    house.send()
    (mail,) = box.unread()
    assert match in text_of(mail)
    assert house.wishes(ann).digest > house.service.accounts.front.at()


def test_the_clock_reminds_once_when_most_of_the_time_has_passed_also_who_has_digests(house: MailHouse) -> None:
    match, (ann, _), boxes = house.laid(clock={"allowance": "PT10H"})
    put(ann, turns="digest")
    assert boxes[1].reply(house.turn(boxes[1]), "1") == OK
    service, counts = house.service, []
    for hours in (7.9, 8.1, 8.2):
        later = timedelta(hours=hours)
        change(service, "DELETE FROM pulse")
        now = partial(lambda by: datetime.now(UTC) + by, later)
        firing = Firing(service.recorder, service.changes, service.states, now, service.ending.settle)
        firing.fire(service.accounts.asker(house.worker.token), [match])
        house.another(later).look()
        reminders = [mail for mail in boxes[0].mails if str(mail["Subject"]).startswith("Time is running out")]
        counts.append(len(reminders))
    assert counts == [0, 1, 1]
    assert reminders[0]["Subject"] == "Time is running out: High Card (Player 1)"
    assert not any("Time is" in str(mail["Subject"]) for mail in boxes[1].mails)
    assert boxes[0].reply(reminders[0], "1") == OK
    assert ann.look(match)["version"] > 4


def test_without_a_domain_no_reply_is_offered(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    mail = beside(house.service, config=replace(house.service.config, mail_domain="")).mail
    assert mail is not None
    mail.loop.look()
    turn = boxes[0].next("Your turn")
    assert turn["Reply-To"] is None
    assert "Mails can't be answered here" in text_of(turn)
    assert str(turn["X-Envelope-From"]) == "table@play.test"
