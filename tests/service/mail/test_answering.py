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
from events.store import Statement
from service import clock
from service.mail.answering import MOST, NobodysAddress, Replying
from service.mail.desk import About
from service.mail.incoming import IncomingMail, hear
from service.mail.situation import INVITED, MailTokens
from service.matches import States, Views
from service.store import DeliveryTable, deliveries, mailing
from tests.service.house import Visitor
from tests.service.mail.conftest import MailHouse

LATER = clock.stamp(clock.now() + timedelta(days=9))


class Meanwhile:
    """A use case before whose deeds something else happens: after the match was looked at, and before it is changed."""

    def __init__(self, case: object, deed: Callable[[], object]) -> None:
        self._case = case
        self._deed = deed

    def __getattr__(self, name: str) -> object:
        self._deed()
        return getattr(self._case, name)


def mail_of(house: MailHouse, player: Visitor, said: str = "1", sender: str = "", name: str = "<a@b>") -> IncomingMail:
    wishes = mailing.wishes_of(house.service.recorder, player.id)
    assert wishes is not None
    head = f"From: {sender or wishes.address}\r\nMessage-ID: {name}\r\n\r\n"
    return hear(f"{head}{said}\r\n".encode(), "somebody@people.test")


def address(house: MailHouse, player: Visitor, match: str, seat: int, decision: int, moves: list[str]) -> str:
    return f"play+{MailTokens(house.service.signer).reply(player.id, match, seat, decision, moves)}@play.test"


def asked(house: MailHouse, match: str, player: Visitor, seat: int = 0) -> Replying:
    """Whoever answers the open decision of a seat."""
    seen = player.moves(match)
    to = address(house, player, match, seat, seen["decision"], [one["id"] for one in seen["moves"]])
    found = house.mail.answering.addressee(to)
    assert isinstance(found, Replying)
    return found


def invited(house: MailHouse) -> tuple[str, Visitor, Visitor, Replying]:
    """A match, who opened it, whom it waits for, and their answer to the invitation."""
    ann, (bob, _) = house.player("Ann"), house.addressed("Bob")
    match = ann.open(seats=[None, {"player": bob.id}])
    found = house.mail.answering.addressee(address(house, bob, match, 1, INVITED, ["accept", "decline"]))
    assert isinstance(found, Replying)
    return match, ann, bob, found


def told(house: MailHouse, player: Visitor) -> list[tuple[str, dict[str, Any]]]:
    """What the player is to be answered: codes and fields."""
    waiting = DeliveryTable(house.service.recorder).due(deliveries.MAIL, player.id, LATER, 200)
    found = [mailing.read_letter(one) for one in waiting if one.kind == mailing.ANSWER]
    house.service.recorder.write([mailing.drop_letters(player.id, mailing.ANSWER)])
    read = [msgspec.json.decode(one.about, type=About) for one in found]
    return [(one.code, one.fields) for one in read]


def test_nobody_answers_for_a_seat_that_a_match_has_not(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    for seat in (2, 3, 255):
        with pytest.raises(NobodysAddress):
            house.mail.answering.addressee(address(house, ann, match, seat, 8, []))


def test_what_names_nobody_as_its_writer_is_a_stranger_s(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    house.mail.answering.take(asked(house, match, ann), mail_of(house, ann, sender="a@b.test, c@d.test"))
    assert told(house, ann) == [("stranger", {"sender": "?"})]


def test_a_stranger_s_mail_shows_nothing_of_whether_the_player_s_address_is_there(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    whom, store = asked(house, match, ann), house.service.recorder
    wishes = mailing.wishes_of(store, ann.id)
    assert wishes is not None
    store.write([mailing.bounce(ann.id, wishes.address)])
    for sender, bounces in (("thief@elsewhere.test", 1), (wishes.address.upper(), 0)):
        house.mail.answering.take(whom, mail_of(house, ann, sender=sender))
        found = mailing.wishes_of(store, ann.id)
        assert found is not None
        assert found.bounces == bounces


def test_who_has_no_address_any_more_moves_nothing(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    whom, heard = asked(house, match, ann), mail_of(house, ann)
    house.service.recorder.write([Statement("UPDATE players SET confirmed = NULL WHERE id = :id", {"id": ann.id})])
    house.mail.answering.take(whom, heard)
    assert ann.look(match)["decision"] == whom.reply.decision
    assert told(house, ann) == []


@pytest.mark.parametrize(
    ("deed", "code"),
    [
        (lambda match, ann, _: ann.move(match, ann.moves(match)["moves"][0]["id"]), "closed"),
        (lambda match, ann, bob: [one.post(f"/matches/{match}/abort", {}) for one in (ann, bob)], "refused"),
    ],
    ids=["a move at the table", "the end"],
)
def test_a_move_by_mail_that_comes_too_late_is_told_so(
    house: MailHouse, deed: Callable[[str, Visitor, Visitor], object], code: str
) -> None:
    match, (ann, bob), _ = house.laid()
    playing: Any = Meanwhile(house.mail.answering.playing, lambda: deed(match, ann, bob))
    replace(house.mail.answering, playing=playing).take(asked(house, match, ann), mail_of(house, ann, "2"))
    ((said, fields),) = told(house, ann)
    assert said == code
    assert fields == ({} if code == "closed" else {"why": "This match was broken off: nothing more happens in it."})


def test_an_invitation_that_is_over_meanwhile_seats_nobody(house: MailHouse) -> None:
    match, ann, bob, whom = invited(house)
    seats: Any = Meanwhile(house.mail.answering.seats, lambda: ann.post(f"/matches/{match}/abort"))
    replace(house.mail.answering, seats=seats).take(whom, mail_of(house, bob, "yes"))
    ((code, fields),) = told(house, bob)
    assert code == "refused"
    assert "why" in fields
    assert bob.look(match)["seat"] is None


def test_a_mail_to_a_match_of_rules_that_are_not_at_hand_is_to_be_sent_again(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    service, whom = house.service, asked(house, match, ann)
    states = States(service.recorder, Catalogue((domain.games,)))
    without = replace(house.mail.answering, views=Views(service.recorder, service.lobby, states, service.keyring))
    without.take(whom, mail_of(house, ann))
    assert told(house, ann) == [("later", {})]


def test_mails_that_change_nothing_are_answered_so_often_within_a_day_of_the_first(house: MailHouse) -> None:
    ann, _ = house.addressed("Ann")
    with freeze_time("2026-05-01T12:00:00Z") as frozen:
        may_answer = house.mail.answering._may_answer
        for _ in range(2):
            assert [may_answer(ann.id) for _ in range(MOST)] == [True] * MOST
            frozen.tick(timedelta(hours=24) - timedelta(milliseconds=1))
            with capture_logs() as logs:
                assert not may_answer(ann.id)
            assert [line["event"] for line in logs] == ["a player's mails are not answered for a while"]
            frozen.tick(timedelta(milliseconds=1))
