"""Replies: the number is the move; whatever is no move gets a clear answer, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from freezegun import freeze_time
from structlog.testing import capture_logs

import domain.games
from domain.catalogue import Catalogue
from service import clock
from service.limits import Asking
from service.mail.answering import MOST, NobodysAddress, Replying
from service.mail.desk import About
from service.mail.incoming import IncomingMail, hear
from service.mail.situation import INVITED, MailTokens
from service.matches import States, Views
from service.store import DeliveryTable, deliveries, mailing
from tests.service.accounts.insiders import leave
from tests.service.house import Visitor, each
from tests.service.mail.conftest import MailHouse, against_bot
from tests.service.mail.mailbox import OK, UNKNOWN, Mailbox, address_of, hand_in, moves_of, reply_to, text_of
from tests.service.matches.test_offers import passed
from tests.service.stored import change


def answers(house: MailHouse, box: Mailbox) -> list[str]:
    """What came back, by its first line."""
    house.send()
    return [text_of(mail).splitlines()[0] for mail in box.unread() if str(mail["Subject"]).startswith("Re: ")]


class Asked:
    """A match whose first player is asked by mail."""

    def __init__(self, house: MailHouse, **more: object) -> None:
        self.house = house
        self.match, self.players, self.boxes = house.laid(**more)  # type: ignore[arg-type]
        self.player, self.box = self.players[0], self.boxes[0]
        self.mail = house.turn(self.box)
        self.before = self.version

    @property
    def version(self) -> int:
        return int(self.player.look(self.match)["version"])

    def reply(self, text: str, sender: str = "") -> list[str]:
        """Reply so to the first mail: what is answered."""
        assert self.box.reply(self.mail, text, sender=sender) == OK
        return answers(self.house, self.box)


@pytest.fixture
def asked(house: MailHouse) -> Asked:
    return Asked(house)


def test_the_number_is_the_move_and_a_decision_is_answered_once_whoever_repeats_it(asked: Asked) -> None:
    legal = [move["text"] for move in asked.player.moves(asked.match)["moves"]]
    assert moves_of(asked.mail) == legal
    assert asked.reply("2") == [f"Your move was made: {legal[1]}"]
    assert asked.player.look(asked.match)["decision"] is None
    after = asked.version
    assert asked.reply("2") == [], "the same mail again, as a server sends it that heard no answer"
    (answer,) = asked.reply("1")
    assert answer.startswith("That decision is no longer open")
    assert asked.version == after


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("99", 'There is no such move: "99".'),
        ("cheese" * 20, f'There is no such move: "{("cheese" * 20)[:80]}".'),
        ("", "Your mail says nothing that could be a move."),
        ("zone Mars/Olympus", "There is no time zone 'Mars/Olympus'."),
        ("1\nタイムゾーン Asia/Tokyo", "Your mail names a time zone below its first line."),
        ("1\n\ntime zone Europe/Berlin", "Your mail names a time zone below its first line."),
        ("1 or 2", 'Your reply "1 or 2" could be read in more than one way'),
    ],
)
def test_what_is_no_move_is_answered_and_changes_nothing(asked: Asked, said: str, answer: str) -> None:
    box = asked.box
    assert box.reply(asked.mail, said) == OK
    assert asked.version == asked.before
    asked.house.send()
    (mail,) = box.unread()
    assert text_of(mail).startswith(answer)
    assert "Nothing was changed" in text_of(mail)
    assert str(mail["In-Reply-To"]) == str(reply_to(asked.mail, box.address, said)["Message-ID"])
    assert mail["Auto-Submitted"] == "auto-replied"
    assert box.reply(mail, "1") == OK, "the answer can be answered"
    assert asked.version != asked.before


def test_an_address_is_good_in_any_case_of_its_letters_and_as_it_was_made(asked: Asked) -> None:
    address, box = address_of(asked.mail), asked.box
    local, _, domain = address.partition("@")
    for name in (local, str(asked.mail["X-Envelope-From"]).partition("@")[0]):
        assert len(name) <= 64
    raw = reply_to(asked.mail, box.address, "1").as_bytes()
    swapped = local[:-1] + ("a" if local[-1] != "a" else "b")
    wrong = [f"{swapped}@{domain}", f"{local}@elsewhere.test", f"play@{domain}", f"{local[:20]}@{domain}"]
    for to in [*wrong, f"bounce+{local[5:]}@{domain}", f"postmaster@{domain}", f"play+{'a' * 53}@{domain}"]:
        assert hand_in(box.port, box.address, to, raw) == UNKNOWN, to
    assert asked.version == asked.before
    assert hand_in(box.port, box.address, address.upper(), raw, lmtp=True) == OK
    assert asked.version != asked.before


def test_machines_get_no_answer_and_make_no_move(asked: Asked) -> None:
    box, to = asked.box, address_of(asked.mail)
    for said in ("1", "I am away until Monday"):
        reply = reply_to(asked.mail, box.address, said)
        reply["Auto-Submitted"] = "auto-replied"
        assert hand_in(box.port, box.address, to, reply.as_bytes()) == OK
    # nor does what can't be answered, or what could be from two
    assert hand_in(box.port, "", to, reply_to(asked.mail, box.address, "1").as_bytes()) == OK
    assert asked.version == asked.before
    assert answers(asked.house, box) == []


def test_a_match_that_is_over_is_said(asked: Asked) -> None:
    each(asked.players, asked.match, "abort")
    assert "That match is over. Nothing was changed." in asked.reply("1")


@pytest.mark.parametrize("sender", ["thief@elsewhere.test", "the other player"])
def test_a_decision_is_asked_back_once_and_the_player_is_told_once_of_a_stranger_s_mails(
    asked: Asked, sender: str
) -> None:
    sender = asked.boxes[1].address if " " in sender else sender
    asked.house.office.mails(sender)
    told = [line for number in range(3) for line in asked.reply(f"{number}", sender=sender)]
    assert len(told) == 1
    assert f"came from {sender}" in told[0]
    assert [len(asked.reply(f"no {number + 50}")) for number in range(3)] == [1, 0, 0]
    assert asked.version == asked.before
    assert not [mail for mail in asked.house.office.mails(sender) if str(mail["Subject"]).startswith("Re:")]
    assert len(asked.reply("1")) == 1, "what moves is always answered"
    assert asked.version != asked.before


def test_past_the_day_s_answers_only_what_moves_is_answered(asked: Asked) -> None:
    for _ in range(MOST):
        assert asked.house.mail.answering._may_answer(asked.player.id)
    assert asked.reply("no") == []
    assert len(asked.reply("1")) == 1


@pytest.mark.parametrize(
    "said",
    [
        *("*zone Asia/Tokyo*", "Time zone: Asia/Tokyo", '"zone Asia/Tokyo".', "Hi,\nzone Asia/Tokyo"),
        *(
            "タイムゾーン：Asia/Tokyo",
            "「タイムゾーン　Ａｓｉａ／Ｔｏｋｙｏ」",
            "タイムゾーンは Asia/Tokyo です。",
            "タイムゾーンをAsia/Tokyoにしてください",
        ),
    ],
)
def test_a_player_says_by_mail_by_which_clocks_they_live(asked: Asked, said: str) -> None:
    change(asked.house.service, "UPDATE decisions SET due = '2026-12-24T20:30:00.000Z'")
    assert asked.box.reply(asked.mail, said) == OK
    assert asked.player.get("/me/mail").json["zone"] == "Asia/Tokyo"
    asked.house.send()
    mail = asked.box.unread()[0]
    assert text_of(mail).startswith("From now on times are in the time zone Asia/Tokyo.")
    assert "Answer by 2026-12-25 05:30 (Asia/Tokyo)." in text_of(mail)
    assert "UTC" not in text_of(mail)
    assert asked.box.reply(mail, "1") == OK
    assert asked.version != asked.before


def test_a_seat_that_was_passed_on_is_moved_by_no_mail_to_who_had_it(asked: Asked) -> None:
    house, mail = asked.house, asked.mail
    eve, box = house.addressed("Eve")
    passed(house, asked.match, asked.players, 0, eve)
    before = eve.look(asked.match)["version"]
    assert asked.box.reply(mail, "1") == UNKNOWN
    raw = reply_to(mail, box.address, "1").as_bytes()
    assert hand_in(box.port, box.address, address_of(mail), raw) == UNKNOWN, "nor is it theirs who has it now"
    assert eve.look(asked.match)["version"] == before
    assert box.reply(house.turn(box), "1") == OK
    assert eve.look(asked.match)["version"] != before
    assert asked.box.unread() == [], "who had it is written to no more"


@pytest.mark.parametrize("is_erased", [True, False])
def test_a_reply_to_who_has_no_address_any_more_comes_back(asked: Asked, *, is_erased: bool) -> None:
    answer = leave(asked.player) if is_erased else asked.player.post("/me/email", {"email": None})
    assert answer.status_code in {200, 204}
    assert asked.box.reply(asked.mail, "1") == UNKNOWN
    assert answers(asked.house, asked.box) == []


@pytest.mark.parametrize(
    ("address", "writer"),
    [
        ("ann@bücher.test", "ann@bücher.test"),
        ("ann@bücher.test", "ann@xn--bcher-kva.test"),
        ("änn@bücher.test", "änn@xn--bcher-kva.test"),
    ],
)
def test_an_address_with_other_letters_is_written_to_as_it_is_and_answers(
    house: MailHouse, address: str, writer: str
) -> None:
    ann, sent = house.addressed()[0], address.replace("bücher", "xn--bcher-kva")
    change(house.service, "UPDATE players SET email = :email WHERE id = :id", email=address, id=ann.id)
    house.service.recorder.write([mailing.confirm(ann.id, address, "en", "")])
    match = against_bot(ann)
    mail, before = house.turn(Mailbox(house.office, sent, house.port)), ann.look(match)["version"]
    (to,) = [value for name, value in mail.raw_items() if name == "To"]
    assert to.encode("ascii", "surrogateescape").decode() == sent, "as no encoded word"
    raw = f"From: Ann <{writer}>\n\n1\n".encode()
    assert hand_in(house.port, "ann@people.test", address_of(mail), raw) == OK
    assert ann.look(match)["version"] != before


def test_a_number_of_another_list_does_not_count(asked: Asked) -> None:
    player, box, tokens = asked.player, asked.box, MailTokens(asked.house.service.signer)
    legal = player.moves(asked.match)
    ids = [move["id"] for move in legal["moves"]]
    same, other = (tokens.reply(player.id, asked.match, 0, legal["decision"], moves) for moves in (ids, ids[::-1]))
    assert address_of(asked.mail) == f"play+{same}@play.test"
    raw = reply_to(asked.mail, box.address, "1")
    del raw["To"]
    assert hand_in(box.port, box.address, f"play+{other}@play.test", raw.as_bytes()) == OK
    assert asked.version == asked.before
    assert answers(asked.house, box)[0].startswith("Your moves are no longer those")


def test_a_move_by_mail_is_limited_as_any_other(asked: Asked) -> None:
    with freeze_time(datetime.now(UTC)):
        asked.house.service.limits.count(("moves",), Asking(account=asked.player.id), 1e9)
        assert "moves-by-account" in asked.reply("1")[0]
    assert asked.version == asked.before


# By whom a mail may come, what happens meanwhile, and how often it is answered


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


def addressee_of(house: MailHouse, match: str, player: Visitor) -> Replying:
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
    house.mail.answering.take(addressee_of(house, match, ann), mail_of(house, ann, sender="a@b.test, c@d.test"))
    assert told(house, ann) == [("stranger", {"sender": "?"})]


def test_a_stranger_s_mail_shows_nothing_of_whether_the_player_s_address_is_there(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    to, address = addressee_of(house, match, ann), house.wishes(ann).address
    house.service.recorder.write([mailing.bounce(ann.id, address)])
    for sender, bounces in (("thief@elsewhere.test", 1), (address.upper(), 0)):
        house.mail.answering.take(to, mail_of(house, ann, sender=sender))
        assert house.wishes(ann).bounces == bounces


def test_a_mail_to_two_tables_answers_neither(house: MailHouse) -> None:
    ann, _ = house.addressed()
    both = [addressee_of(house, match, ann) for match in (against_bot(ann), against_bot(ann))]
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
    replace(house.mail.answering, playing=playing).take(addressee_of(house, match, ann), mail_of(house, ann, "2"))
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
    service, to = house.service, addressee_of(house, match, ann)
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
