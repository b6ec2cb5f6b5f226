"""What is written of what was noted: what its reader still wants, what is still so, and nothing twice."""

from __future__ import annotations

import email
from dataclasses import replace
from email import policy
from email.message import EmailMessage
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.catalogue import Catalogue
from service import clock
from service.mail import desk, letters
from service.mail.desk import About, Ready
from service.store import Delivery, DeliveryTable, Letter, Notice, deliveries, mailing, notices, proposals
from service.store.notices import FINISHED, INVITATION, REMINDER, STAND_IN, STARTED, TURN
from tests.service.house import Visitor, beside, each
from tests.service.mail.conftest import MailHouse, against_bot, put
from tests.service.mail.mailbox import address_of, page_of, text_of
from tests.service.matches.test_offers import passed
from tests.service.stored import NO_SEAT, UNREADABLE, spoil

NOW = clock.stamp(clock.now())


def noted(kind: str, match: str, player: Visitor, decision: int | None = None, seat: int = 0) -> Delivery:
    notice = Notice(kind, match, "high-card", player.id, seat, NOW, decision)
    return notices.mailed(notice, deliveries.WAITING)


def posted(kind: str, player: Visitor, about: object = None, **more: Any) -> Letter:
    said = msgspec.json.encode(about or {}).decode()
    return Letter(id="m_x", kind=kind, player=player.id, about=said, at=NOW, **more)


def read(ready: Ready | None) -> EmailMessage:
    """The mail that was written."""
    assert ready is not None
    found = email.message_from_bytes(ready.mail, policy=policy.default)
    assert isinstance(found, EmailMessage)
    return found


def invite(house: MailHouse, by: str = "Ann", seats: int = 3) -> tuple[str, Visitor, Visitor]:
    """A match in which the last seat is kept for Bob, who was not told yet."""
    ann, (bob, _) = house.player(by), house.addressed("Bob")
    return ann.open(seats=[None] * (seats - 1) + [{"player": bob.id}]), ann, bob


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({}, {STARTED, TURN, REMINDER, INVITATION}),
        ({"news": False}, {TURN, REMINDER}),
        ({"turns": "none"}, {STARTED, INVITATION}),
        ({"turns": "digest"}, {STARTED, REMINDER, INVITATION}),
        ({"on": False}, set()),
    ],
)
def test_a_player_is_told_what_they_want_at_the_moment_at_which_it_is_written(
    house: MailHouse, wanted: dict[str, object], told: set[str]
) -> None:
    match, (ann, bob), _ = house.laid()
    other = bob.open(seats=[{"player": ann.id}, None])
    decision = ann.look(match)["decision"]
    put(ann, **wanted)
    rows = [noted(STARTED, match, ann), noted(INVITATION, other, ann)]
    rows += [noted(kind, match, ann, decision) for kind in (TURN, REMINDER)]
    assert {row.kind for row in rows if house.desk.notice(row, "") is not None} == told


def test_of_decisions_only_the_open_one_is_told_and_only_to_whose_it_is(house: MailHouse) -> None:
    match, (ann, bob), boxes = house.laid()
    decision = ann.look(match)["decision"]
    assert house.desk.notice(noted(TURN, match, ann, decision), "") is not None
    wrong = (
        noted(TURN, match, ann, decision - 1),
        noted(TURN, match, ann, decision + 1),
        noted(TURN, match, ann, decision, seat=1),
        noted(TURN, match, bob, decision),
        noted(STARTED, match, bob),
        noted(TURN, "m_aaaaaaaaaaaaaaaa", ann, decision),
        noted(STARTED, "m_aaaaaaaaaaaaaaaa", ann),
        noted(INVITATION, "m_aaaaaaaaaaaaaaaa", ann),
    )
    house.service.recorder.write([deliveries.enter(one) for one in wrong])
    while house.mail.loop.look():
        pass
    assert [box.unread() for box in boxes] == [[], []]


def test_an_invitation_says_who_invites_and_is_answered_for_the_seat_that_is_kept(house: MailHouse) -> None:
    match, ann, bob = invite(house)
    notice = noted(INVITATION, match, bob, seat=2)
    mail = read(house.desk.notice(notice, ""))
    assert "Ann keeps a seat for you in High Card (seat 2)" in text_of(mail), "also while Ann sits nowhere yet"
    whom = house.mail.answering.addressee(address_of(mail))
    assert (whom.player, whom.reply.seat) == (bob.id, 2)  # type: ignore[union-attr]
    assert ann.post(f"/matches/{match}/abort").status_code == 200
    taken = ann.open(seats=[{"player": bob.id}, None])
    bob.sit(taken)
    for over in (notice, noted(INVITATION, taken, bob)):
        assert proposals.match_if_true(house.service.recorder, over) is None
    left = ann.open(seats=[None, {"player": bob.id}])
    house.player().sit(left)
    ann.delete("/me", {"confirm": ann.id})
    mail = read(house.desk.notice(noted(INVITATION, left, bob, seat=1), ""))
    assert "A seat is kept for you in High Card (seat 1)" in text_of(mail), "whoever opened it is gone"


def test_what_players_ask_of_each_other_is_mailed_until_it_is_answered_and_no_oftener_than_invitations(
    house: MailHouse,
) -> None:
    (ann, _), (bob, box), (eve, hers) = map(house.addressed, ("Ann", "Bob", "Eve"))
    seats = [None, {"player": bob.id}]
    match = ann.open_with(bob, seats=seats, visibility="private", clock={"preset": "day"})
    assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
    each((ann,), match, "abort")
    each((ann,), match, "pause")
    house.send()
    (mail,) = hers.unread()
    assert mail["Subject"] == "A seat is offered to you: High Card"
    assert "Ann wants to pass on a seat in High Card, and offers it to you." in text_of(mail)
    assert "https://play.test/turns" in text_of(mail), "she may not see the match"
    told = [text_of(one) for one in box.unread() if "Do you agree" in one["Subject"]]
    assert len(told) == 3
    for said in ("pass on a seat in High Card to Eve.", "wants to break off High Card", "All clocks stop if"):
        assert sum(f"https://play.test/matches/{match}" in text and said in text for text in told) == 1, said
    # what was withdrawn meanwhile is not mailed, and as few of them a day as of invitations
    ann.delete(f"/matches/{match}/pause")
    put(eve, turns="digest")
    each((bob, ann), match, "pause")
    assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
    digest = text_of(read(house.desk.letter(posted("digest", eve))))
    assert "A seat is offered to you: High Card https://play.test/turns" in digest
    put(eve, turns="each")
    each((bob, ann), match, "resume")
    for _ in range(5):
        for deed in ("pause", "resume"):
            each((bob, ann), match, deed)
        for _ in range(2):
            ann.delete(f"/matches/{match}/offers")
            house.send()
            assert ann.post(f"/matches/{match}/offers", {"player": eve.id}).status_code == 200
        house.send()
    assert len(hers.unread()) == 4


def test_whoever_was_absent_is_told_that_a_bot_plays_for_them(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    notice = noted(STAND_IN, match, ann)
    assert proposals.match_if_true(house.service.recorder, notice) is None, "she plays for herself again"
    assert ann.post(f"/matches/{match}/stand-in").status_code == 200
    assert "a bot plays your seat now" in text_of(read(house.desk.notice(notice, "")))
    house.operator.post(f"/matches/{match}/abort")
    assert house.desk.notice(notice, "") is None, "another mail says how it ended"


def test_who_ended_all_mails_is_still_answered_and_gets_no_digest_and_who_has_no_address_neither(
    house: MailHouse,
) -> None:
    match, (ann, _), _ = house.laid()
    put(ann, on=False)
    about = About(match=match, code="over", fields={})
    assert "That match is over" in text_of(read(house.desk.letter(posted("answer", ann, about))))
    assert house.desk.letter(posted("digest", ann)) is None
    for kind in ("digest", "answer"):
        assert house.desk.letter(posted(kind, house.player())) is None


def test_of_a_match_that_the_reader_does_not_see_an_answer_says_which_game_it_was(house: MailHouse) -> None:
    ann, (bob, _) = house.player(), house.addressed("Bob")
    match = ann.open(visibility="private")
    about = About(match=match, code="declined", fields={}, answers="<a@people.test>")
    mail = read(house.desk.letter(posted("answer", bob, about)))
    assert (mail["Subject"], mail["In-Reply-To"]) == ("Re: High Card", "<a@people.test>")
    assert match not in mail.as_string()


def turns_told(house: MailHouse, player: Visitor) -> list[int | None]:
    """Decisions about which the player was told by mail."""
    found = DeliveryTable(house.service.recorder).page(player.id, 9)
    return [one.decision for one in found if one.kind == TURN and one.status == deliveries.DELIVERED]


def test_a_turn_that_an_answer_tells_is_not_told_again_unless_a_stranger_wrote(house: MailHouse) -> None:
    match, (ann, bob), _ = house.laid()
    decision = ann.look(match)["decision"]
    for code, told in (("stranger", []), ("over", [decision])):
        about = About(match=match, code=code, fields={"sender": "?"})
        ready = house.desk.letter(posted("answer", ann, about))
        assert ready is not None
        house.service.recorder.write(ready.beside)
        assert turns_told(house, ann) == told
        assert ("Your moves" in text_of(read(ready))) == bool(told)
    ann.choose(match)
    ready = house.desk.letter(posted("answer", ann, About(match=match, code="over", fields={})))
    assert ready is not None
    assert ready.beside == (), "nothing is asked"
    assert bob.look(match)["decision"] is not None


def digest_of(house: MailHouse, player: Visitor) -> str:
    return text_of(read(house.desk.letter(posted("digest", player))))


def test_a_digest_tells_first_what_is_due_first_and_nothing_of_a_match_that_is_hushed(house: MailHouse) -> None:
    ann, _ = house.addressed()
    assert house.desk.letter(posted("digest", ann)) is None, "there is nothing to tell"
    clocked: tuple[dict[str, Any], ...] = ({}, {"clock": {"allowance": "P2D"}}, {"clock": {"allowance": "P1D"}}, {})
    *matches, hushed = [against_bot(ann, **more) for more in clocked]
    ann.put(f"/me/mail/quiet/{hushed}")
    assert ann.get("/me/mail").json["quiet"] == [hushed]
    text = digest_of(house, ann)
    assert sorted(matches, key=lambda match: text.index(f"/matches/{match}")) == matches[::-1]
    assert hushed not in text


@pytest.mark.parametrize(("lang", "more"), [("en", "And 2 more: "), ("ja", "ほかに2卓：")])
def test_a_digest_tells_of_so_many_tables_and_says_where_the_others_are(
    house: MailHouse, monkeypatch: pytest.MonkeyPatch, lang: str, more: str
) -> None:
    ann, _ = house.addressed(lang=lang)
    matches = [against_bot(ann) for _ in range(4)]
    ann.put(f"/me/mail/quiet/{matches.pop()}")
    matches.append(against_bot(ann, clock={"allowance": "P1D"}))
    wait(house, *(noted(STARTED, match, ann) for match in matches[:3]))
    whole = digest_of(house, ann)
    assert "/turns" not in whole
    monkeypatch.setattr(desk, "TABLES", 2)
    monkeypatch.setattr(letters, "NEWS", 1)
    mail = read(house.desk.letter(posted("digest", ann)))
    text = text_of(mail)
    assert str(mail["Subject"]).endswith("4")
    assert f"/matches/{matches[3]}" in text, "what is due first"
    assert f"{more}https://play.test/turns" in text
    assert text.count("/turns") == 2
    assert text.count("/matches/") == 3
    assert 'href="https://play.test/turns"' in page_of(mail)


@pytest.mark.sqlite
@pytest.mark.parametrize("said", [UNREADABLE, NO_SEAT])
@pytest.mark.parametrize(
    ("lang", "game", "unread"),
    [("en", "High Card", "this release can't read the log"), ("ja", "ハイカード", "読めません")],
)
def test_a_match_that_can_not_be_read_keeps_no_other_from_the_digest_and_is_answered_about(
    house: MailHouse, said: bytes, lang: str, game: str, unread: str
) -> None:
    ann, _ = house.addressed(lang=lang)
    match, spoilt = against_bot(ann), against_bot(ann, clock={"allowance": "P1D"})
    assert unread not in digest_of(house, ann)
    spoil(house.service, spoilt, said)
    there = MailHouse(beside(house.service), house.office, house.port)
    with capture_logs() as lines:
        mail = read(there.desk.letter(posted("digest", ann)))
    text = text_of(mail)
    assert str(mail["Subject"]).endswith("1")
    assert text.count("mailto:play+") == 1
    assert f"/matches/{match}" in text
    (line,) = [line for line in text.splitlines() if unread in line]
    assert line.endswith(f"https://play.test/matches/{spoilt}")
    assert [one["event"] for one in lines] == ["a match is left out"]
    assert spoilt not in repr(lines)
    ann.choose(match)
    assert there.desk.letter(posted("digest", ann)) is None, "nothing can be told"
    wait(house, noted(STARTED, match, ann))
    assert unread in digest_of(there, ann)
    assert "No table waits for you" not in digest_of(there, ann)
    answer = read(there.desk.letter(posted("answer", ann, About(match=spoilt, code="later", fields={}))))
    assert str(answer["Subject"]) == f"Re: {game}"


def test_news_of_a_game_that_this_release_does_not_have_are_told_by_its_name(house: MailHouse) -> None:
    match, (ann, _), _ = house.laid()
    wait(house, noted(STARTED, match, ann))
    ready = replace(house.desk, catalogue=Catalogue()).letter(posted("digest", ann))
    assert "It begins: high-card (Player 1)" in text_of(read(ready))


def wait(house: MailHouse, *found: Delivery) -> None:
    """Have it wait for its player's digest."""
    held = [msgspec.structs.replace(one, status=deliveries.HELD) for one in found]
    house.service.recorder.write([deliveries.enter(one) for one in held])


def test_a_digest_names_the_others_and_tells_what_was_broken_off_from_what_is_over(house: MailHouse) -> None:
    match, (ann, bob), _ = house.laid()
    alone = against_bot(ann)
    each((ann, bob), match, "abort")
    wait(house, *(noted(kind, one, ann) for one in (match, alone) for kind in (STARTED, FINISHED)))
    said = digest_of(house, ann)
    for begin in (
        f"It begins: High Card (Player 1) https://play.test/matches/{match}",
        f"Broken off: High Card (Player 1) https://play.test/matches/{match}",
        f"It begins: High Card (greedy bot) https://play.test/matches/{alone}",
        f"It is over: High Card (greedy bot) https://play.test/matches/{alone}",
    ):
        assert begin in said


def test_a_digest_tells_nothing_of_a_seat_that_was_passed_on_nor_who_came_later(house: MailHouse) -> None:
    ann, (bob, _), eve, zed = house.player("Ann"), house.addressed("Bob"), house.player("Eve"), house.player("Zed")
    match = ann.open_with(bob, seats=[None, {"player": bob.id}], visibility="private")
    wait(house, noted(STARTED, match, bob, seat=1))
    assert "It begins" in digest_of(house, bob)
    passed(house, match, [ann, bob], 1, eve)
    passed(house, match, [ann, eve], 0, zed)
    assert bob.get(f"/matches/{match}").status_code == 404
    assert house.desk.letter(posted("digest", bob)) is None, "nothing of it is theirs any more"


@pytest.mark.parametrize("is_quiet", [False, True])
def test_a_digest_tells_no_news_that_are_not_wanted_any_more(house: MailHouse, is_quiet: bool) -> None:
    match, (ann, _), _ = house.laid()
    wait(house, noted(STARTED, match, ann))
    assert "What else has happened" in digest_of(house, ann)
    if is_quiet:
        house.service.recorder.write([mailing.hush(match, ann.id)])
        assert house.desk.letter(posted("digest", ann)) is None
    else:
        put(ann, news=False)
        assert "What else has happened" not in digest_of(house, ann)
