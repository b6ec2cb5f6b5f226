"""What players propose to each other is answered by mail as by the page's button, and never anything else."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage
from typing import Any

import pytest

from service.store import DeliveryTable, mailing
from service.store.notices import PROPOSAL
from tests.service.house import each
from tests.service.mail.conftest import Killed, MailHouse, put
from tests.service.mail.mailbox import OK, Mailbox, address_of, addresses_in, hand_in, reply_to, text_of
from tests.service.matches.test_offers import agree
from tests.service.stored import change

OFFER = {"passing", "seat"}


class Proposed:
    """A private match of Ann and Bob, in which Ann proposes something; whoever is asked for it has the mail."""

    def __init__(self, house: MailHouse, what: str, lang: str = "en") -> None:
        self.house = house
        self.ann, (self.bob, box), (self.eve, hers) = (
            house.player("Ann"),
            house.addressed("Bob", lang),
            house.addressed("Eve", lang),
        )
        seats = [None, {"player": self.bob.id}]
        self.match = self.ann.open_with(self.bob, seats=seats, visibility="private", clock={"preset": "day"})
        if what == "resume":
            each((self.ann, self.bob), self.match, "pause")
        house.send()
        self.box: Mailbox = hers if what == "seat" else box
        self.box.unread()
        self.mail = self.propose(what)

    def offer(self, **heir: str) -> None:
        assert self.ann.post(f"/matches/{self.match}/offers", heir).status_code == 200

    def propose(self, what: str) -> EmailMessage:
        if what in OFFER:
            self.offer(player=self.eve.id)
        else:
            each((self.ann,), self.match, what)
        self.house.send()
        return self.box.unread()[-1]

    def reply(self, said: str, mail: EmailMessage | None = None) -> str:
        """The first line of the answer, which comes before all news; "" if there is none."""
        assert self.box.reply(mail or self.mail, said) == OK
        self.house.send()
        found = [text_of(mail) for mail in self.box.unread()]
        assert self.match not in "".join(found) or self.box.address.startswith("bob"), "Eve may not see the match"
        return "".join(found).splitlines()[0] if found else ""

    @property
    def stands(self) -> dict[str, Any]:
        """What of the match a proposal can change."""
        seen = self.ann.look(self.match)
        offers = self.ann.get(f"/matches/{self.match}/offers").json["offers"]
        return {"offers": offers, **{name: seen[name] for name in ("status", "abort", "pause", "seats")}}


@pytest.mark.parametrize(
    ("what", "said", "answer"),
    [
        ("abort", "I agree", "You have agreed, and so have all others: it is done."),
        ("pause", "yes, please", "You have agreed, and so have all others"),
        ("resume", "Agreed!", "You have agreed, and so have all others"),
        ("passing", "yes", "You have agreed. It is done once all players agree."),
        ("seat", "accept", "You have accepted the seat. It is yours once"),
        ("abort", "はい、同意します。", "同意しました。これで全員が同意し"),
        ("passing", "同意", "同意しました。全員が同意すると"),
        ("seat", "はい", "席を引き受けました。ほかの"),
    ],
)
def test_yes_does_what_the_button_does_once(house: MailHouse, what: str, said: str, answer: str) -> None:
    there = Proposed(house, what, "en" if said.isascii() else "ja")
    assert there.reply(said).startswith(answer)
    now = there.stands
    if what == "abort":
        assert now["status"] == "aborted"
    elif what in {"pause", "resume"}:
        assert now["pause"]["paused"] == (what == "pause")
    else:
        (offer,) = now["offers"]
        assert (offer["agreed"], offer["accepted"]) == (([1], False) if what == "passing" else ([], True))
    assert there.reply(said) == "", "the same mail"
    assert there.reply(f"{said}\nonce more").startswith(("That proposal does not wait", "その提案は、もう"))
    assert there.stands == now


def test_where_no_mail_comes_in_the_page_is_named(house: MailHouse) -> None:
    there = Proposed(house, "abort")
    (one,) = [one for one in DeliveryTable(house.service.recorder).page(there.bob.id, 9) if one.kind == PROPOSAL]
    desk = replace(house.desk, config=replace(house.desk.config, mail_domain=""))
    ready = desk.notice(one, "")
    assert ready is not None
    assert b"this mail can't be answered" in ready.mail
    assert b"play+" not in ready.mail
    assert 'Reply with "yes" to agree' in text_of(there.mail)


def test_who_is_offered_a_seat_has_it_once_all_agree_and_is_asked_there(house: MailHouse) -> None:
    there = Proposed(house, "seat")
    assert agree(there.bob, there.match, 0, there.eve).status_code == 204
    assert there.box.reply(there.mail, "yes") == OK
    house.send()
    assert any(text_of(mail).startswith("You have accepted the seat. It is yours now.") for mail in there.box.unread())
    assert there.eve.look(there.match)["seat"] == 0


@pytest.mark.parametrize(
    ("what", "said"), [("abort", "no"), ("pause", "いいえ"), ("passing", "No."), ("seat", "お断りします")]
)
def test_no_declines_a_seat_and_says_that_there_is_nothing_else_to_decline(
    house: MailHouse, what: str, said: str
) -> None:
    there = Proposed(house, what)
    before = there.stands
    answer = there.reply(said)
    if what == "seat":
        assert answer == "You have declined the offered seat."
        assert there.stands["offers"] == []
        assert there.reply("yes").startswith("That proposal does not wait for your answer any more")
        return
    assert answer.startswith("You do not agree, so it is not done. Nothing was changed")
    assert there.stands == before
    assert there.reply("yes").startswith("You have agreed"), "it still stands"


@pytest.mark.parametrize("what", ["abort", "seat"])
@pytest.mark.parametrize("said", ["1", "No. 1", "yes or no?", "yes 1", "I do not agree", ""])
def test_what_is_no_clear_answer_is_asked_back_with_the_proposal_also_a_number(
    house: MailHouse, what: str, said: str
) -> None:
    there = Proposed(house, what)
    before = there.stands
    assert there.box.reply(there.mail, said) == OK
    assert there.stands == before
    house.send()
    (asked,) = there.box.unread()
    assert text_of(asked).startswith('Your reply is neither a clear "yes" nor a clear "no"')
    assert "Ann wants to" in text_of(asked)
    assert address_of(asked) == address_of(there.mail)
    if what == "abort":
        assert there.reply("no", asked).startswith("You do not agree"), "it is answered though they were asked back"
    assert there.reply("yes", asked).startswith("You have")


def test_yes_agrees_to_who_was_named_and_to_nobody_who_is_offered_the_seat_instead(house: MailHouse) -> None:
    there = Proposed(house, "passing")
    assert "Ann wants to pass on a seat in High Card to Eve." in text_of(there.mail)
    there.offer(bot="greedy")
    house.send()
    (other,) = there.box.unread()
    assert "to greedy bot." in text_of(other)
    assert there.reply("yes").startswith("That proposal does not wait for your answer any more")
    assert there.stands["offers"][0]["agreed"] == []
    assert there.reply("yes", other) == "You have agreed, and so have all others: it is done."
    assert there.ann.look(there.match)["seats"][0]["stand_in"] == "greedy"


@pytest.mark.parametrize("what", ["abort", "pause", "passing", "seat"])
def test_what_was_withdrawn_is_told_so_and_not_proposed_by_the_reply(house: MailHouse, what: str) -> None:
    there = Proposed(house, what)
    path = f"/matches/{there.match}/{'offers' if what in OFFER else what}"
    assert there.ann.delete(path).status_code in {200, 204}
    before = there.stands
    for said in ("yes", "no", "3"):
        assert there.reply(said).startswith("That proposal does not wait") or said != "yes"
    assert there.stands == before


def test_no_stranger_answers_and_nobody_answers_a_notice_that_is_forgotten(house: MailHouse) -> None:
    there = Proposed(house, "abort")
    assert there.box.reply(there.mail, "yes", sender="thief@elsewhere.test") == OK
    assert there.stands["status"] == "playing"
    several = reply_to(there.mail, there.box.address, "yes")
    several.replace_header("To", f"{address_of(there.mail)}, play+{'a' * 58}@play.test")
    assert hand_in(house.port, there.box.address, address_of(there.mail), several.as_bytes()) == OK
    assert there.stands["status"] == "playing"
    change(house.service, "DELETE FROM deliveries WHERE kind = 'proposal'")
    assert there.box.reply(there.mail, "yes")[0] == 550


@pytest.mark.parametrize(("what", "said"), [("abort", "yes"), ("seat", "yes"), ("seat", "no")])
def test_what_was_done_is_told_though_the_process_ended_before_it_answered(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch, what: str, said: str
) -> None:
    there = Proposed(house, what)
    monkeypatch.setattr(mailing, "post", Killed())
    assert there.box.reply(there.mail, said)[0] == 451
    assert there.reply(said).startswith("You have")


def test_a_proposal_in_a_digest_has_an_address_of_its_own(house: MailHouse) -> None:
    there = Proposed(house, "abort")
    each((there.ann,), there.match, "pause")
    put(there.bob, turns="digest")
    there.ann.delete(f"/matches/{there.match}/abort")
    each((there.ann,), there.match, "abort")
    house.send()
    there.box.unread()
    there.offer(bot="greedy")
    house.send()
    house.after(days=1)
    (mail,) = there.box.unread()
    (line,) = [line for line in text_of(mail).splitlines() if "a seat is passed on?" in line]
    (to,) = addresses_in(line)
    assert there.box.write(to, "yes") == OK
    assert there.ann.look(there.match)["seats"][0]["stand_in"] == "greedy"
