"""What is done about a mail: by whom it may come, what happens meanwhile, and how often it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from freezegun import freeze_time
from structlog.testing import capture_logs

import domain.games
from domain.catalogue import Catalogue
from service import clock
from service.mail.answering import MOST, NobodysAddress, Replying
from service.mail.desk import About
from service.mail.incoming import IncomingMail, hear
from service.mail.situation import INVITED, MailTokens
from service.matches import States, Views
from service.store import DeliveryTable, deliveries, mailing
from tests.service.house import Visitor, each
from tests.service.mail.conftest import MailHouse, against_bot

LATER = clock.stamp(clock.now() + timedelta(days=9))


class Meanwhile:
    """A use case before whose deeds something else happens: after the match was looked at, and before it is changed."""

    def __init__(self, case: object, deed: Callable[[], object]) -> None:
        self._case = case
        self._deed = deed

    def __getattr__(self, name: str) -> object:
        self._deed()
        return getattr(self._case, name)


def mail_of(house: MailHouse, player: Visitor, text: str = "1", sender: str = "", head: str = "A: b") -> IncomingMail:
    """`head`: one more line of the mail's head."""
    names = f"From: {sender or house.wishes(player).address}\r\nMessage-ID: <a@b>\r\n{head}\r\n\r\n"
    return hear(f"{names}{text}\r\n".encode(), "somebody@people.test")


def whom(house: MailHouse, player: Visitor, match: str, seat: int, decision: int, moves: list[str]) -> Replying:
    """Whoever answers at the address of that decision."""
    token = MailTokens(house.service.signer).reply(player.id, match, seat, decision, moves)
    addressee = house.mail.answering.addressee(f"play+{token}@play.test")
    assert isinstance(addressee, Replying)
    return addressee


def asked(house: MailHouse, match: str, player: Visitor) -> Replying:
    """Whoever answers the open decision of the first seat."""
    legal = player.moves(match)
    return whom(house, player, match, 0, legal["decision"], [move["id"] for move in legal["moves"]])


def told(house: MailHouse, player: Visitor) -> list[tuple[str, dict[str, Any]]]:
    """What the player is to be answered: codes and fields."""
    waiting = DeliveryTable(house.service.recorder).due(deliveries.MAIL, player.id, LATER, 200)
    letters = [mailing.read_letter(row) for row in waiting if row.kind == mailing.ANSWER]
    house.service.recorder.write([mailing.drop_letters(player.id, mailing.ANSWER)])
    return [(about.code, about.fields) for about in (msgspec.json.decode(one.about, type=About) for one in letters)]


def test_nobody_answers_for_a_seat_that_a_match_has_not(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    for seat in (2, 3, 255):
        with pytest.raises(NobodysAddress):
            whom(house, ann, match, seat, 8, [])


def test_what_names_nobody_as_its_writer_is_a_stranger_s(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    house.mail.answering.take(asked(house, match, ann), mail_of(house, ann, sender="a@b.test, c@d.test"))
    assert told(house, ann) == [("stranger", {"sender": "?"})]


def test_a_stranger_s_mail_shows_nothing_of_whether_the_player_s_address_is_there(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    to, address = asked(house, match, ann), house.wishes(ann).address
    house.service.recorder.write([mailing.bounce(ann.id, address)])
    for sender, bounces in (("thief@elsewhere.test", 1), (address.upper(), 0)):
        house.mail.answering.take(to, mail_of(house, ann, sender=sender))
        assert house.wishes(ann).bounces == bounces


def test_a_mail_to_two_tables_answers_neither(house: MailHouse) -> None:
    ann, _ = house.addressed()
    both = [asked(house, match, ann) for match in (against_bot(ann), against_bot(ann))]
    addresses = ", ".join(f"Table <PLAY+{to.token.upper()}@play.test>" for to in both)
    for field in ("To", "Cc"):
        for to in both:
            house.mail.answering.take(to, mail_of(house, ann, head=f"{field}: {addresses}"))
    assert told(house, ann) == [("several", {})] * 2
    assert [ann.look(to.reply.match)["decision"] for to in both] == [to.reply.decision for to in both]


@pytest.mark.parametrize("code", ["closed", "failed"])
def test_a_move_by_mail_that_comes_too_late_is_told_so(house: MailHouse, code: str) -> None:
    match, (ann, bob), _ = house.laid()

    def deed() -> None:
        if code == "closed":
            ann.choose(match)
        else:
            each((ann, bob), match, "abort")

    playing: Any = Meanwhile(house.mail.answering.playing, deed)
    replace(house.mail.answering, playing=playing).take(asked(house, match, ann), mail_of(house, ann, "2"))
    why = {"why": "This match was broken off: nothing more happens in it."}
    assert told(house, ann) == [(code, {} if code == "closed" else why)]


def test_an_invitation_that_is_over_meanwhile_seats_nobody(house: MailHouse) -> None:
    ann, (bob, _) = house.player("Ann"), house.addressed("Bob")
    match = ann.open(seats=[None, {"player": bob.id}])
    to = whom(house, bob, match, 1, INVITED, ["accept", "decline"])
    seats: Any = Meanwhile(house.mail.answering.seats, lambda: ann.post(f"/matches/{match}/abort"))
    replace(house.mail.answering, seats=seats).take(to, mail_of(house, bob, "yes"))
    ((code, fields),) = told(house, bob)
    assert (code, list(fields)) == ("failed", ["why"])
    assert bob.look(match)["seat"] is None


def test_a_mail_to_a_match_of_rules_that_are_not_at_hand_is_to_be_sent_again(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    service, to = house.service, asked(house, match, ann)
    states = States(service.recorder, Catalogue((domain.games,)))
    without = replace(house.mail.answering, views=Views(service.recorder, service.lobby, states, service.keyring))
    without.take(to, mail_of(house, ann))
    assert told(house, ann) == [("later", {})]


def test_mails_that_change_nothing_are_answered_so_often_within_a_day_of_the_first(house: MailHouse) -> None:
    ann, _ = house.addressed()
    with freeze_time("2026-05-01T12:00:00Z") as frozen:
        may_answer = house.mail.answering._may_answer
        for _ in range(2):
            assert [may_answer(ann.id) for _ in range(MOST)] == [True] * MOST
            frozen.tick(timedelta(hours=24) - timedelta(milliseconds=1))
            with capture_logs() as logs:
                assert not may_answer(ann.id)
            assert [line["event"] for line in logs] == ["a player's mails are not answered for a while"]
            frozen.tick(timedelta(milliseconds=1))
