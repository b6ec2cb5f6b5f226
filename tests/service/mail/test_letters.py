"""What mails say: about accounts, in every game and language, and with names as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Any

import msgspec
import pytest

from domain.game import Lang
from events.store import Statement
from service import clock
from service.mail.situation import MOVED, asker_of, happened
from service.mail.words import word
from service.matches.shown import text_of as text_of_event
from service.store import DeliveryTable, Letter, mailing
from tests.service.house import Visitor, beside, play_out
from tests.service.mail.conftest import MailHouse
from tests.service.mail.mailbox import address_of, moves_of, page_of, text_of
from tests.service.mail.test_sending import another


@pytest.mark.parametrize("kind", ["confirm", "recover", "password-changed", "address-changed"])
def test_letters_about_an_account_go_to_the_address_that_they_name(house: MailHouse, kind: str) -> None:
    address = f"{kind}@people.test"
    at = clock.stamp(clock.now())
    before = len(house.office.mails(address))
    letter = Letter(id=f"m_{kind}", kind=kind, player="p_somebody", address=address, lang="ja", at=at)
    house.service.recorder.write([mailing.post(letter)])
    another(house.service, link=lambda letter: f"https://play.test/account/{letter.kind}").loop.look()
    mails = house.office.mails(address)[before:]
    assert len(mails) == 1
    has_link = f"https://play.test/account/{kind}" in text_of(mails[0])
    assert has_link == (kind in {"confirm", "recover"})
    assert mails[0]["List-Unsubscribe"] is None


def test_an_address_is_confirmed_by_mail_and_a_deleted_account_leaves_none(house: MailHouse) -> None:
    address = "newcomer@people.test"
    answer = house.stranger.post("/players", {"name": "Newcomer", "email": address})
    player = Visitor(house.app.test_client(), answer.json["token"], answer.json["id"])
    player.sit(player.open(seats=[None, {"bot": "greedy"}]))
    house.send()
    mails = house.office.mails(address)
    assert [str(mail["Subject"]) for mail in mails] == ["Confirm your address"]
    assert player.get("/me/mail").status_code == 409
    token = re.search(r"https://play\.test/account/confirm\?token=(\S+)", text_of(mails[0]))
    assert token is not None
    done = house.app.test_client().post("/api/email/confirmation?lang=ja", json={"token": token[1]})
    assert done.status_code == 200
    assert player.get("/me/mail").json["lang"] == "ja"
    player.sit(player.open(seats=[None, {"bot": "greedy"}]))
    house.send()
    assert len(house.office.mails(address)) >= 3
    erased = house.app.test_client().delete("/api/me", json={"confirm": player.id}, headers=player.headers)
    assert erased.status_code in {200, 204}, erased.json
    for sql in ("SELECT 1 FROM mailing WHERE player = :player", "SELECT 1 FROM deliveries WHERE player = :player"):
        assert house.service.recorder.find(Statement(sql, {"player": player.id})) == []


def test_a_link_that_is_good_for_nothing_any_more_is_not_sent(house: MailHouse) -> None:
    at = clock.stamp(clock.now())
    letter = Letter(id="m_x", kind="confirm", player="p_somebody", address="late@people.test", lang="en", at=at)
    house.service.recorder.write([mailing.post(letter)])
    house.mail.loop.look()
    assert house.office.mails("late@people.test") == []
    assert DeliveryTable(house.service.recorder).find("m_x") is None


def test_the_page_loads_nothing_and_shows_names_as_they_are(house: MailHouse) -> None:
    ann, box = house.addressed("Ann")
    eve, _ = house.addressed("<b>Eve</b> & co")
    match = ann.open("terraformers", [None, None])
    ann.sit(match)
    eve.sit(match)
    house.send()
    page = next(page_of(mail) for mail in box.unread() if "It begins" in str(mail["Subject"]))
    assert "&lt;b&gt;Eve&lt;/b&gt; &amp; co" in page
    assert "<b>Eve" not in page
    for loaded in ("<img", "<script", "<link", "src=", "url(", "@import", "<iframe"):
        assert loaded not in page


PIECE = re.compile(r'<span style="display:inline-block[^>]*title="([^"]*)"')


def drawn_in(page: str) -> list[str]:
    """The pieces that a page draws, by their names, in their order."""
    return [unescape(title) for title in PIECE.findall(page)]


def pieces_of(scene: dict[str, Any]) -> list[str]:
    """The pieces of a scene, as the seat itself is answered it, but for those that are words alone."""

    def within(pieces: list[dict[str, Any]]) -> Iterator[str]:
        for piece in pieces:
            if piece["kind"] != "marker":
                yield piece["title"]
            yield from within(piece.get("on", []))

    found = [title for zone in scene["zones"] for title in within(zone["pieces"])]
    assert found, "there is something to draw"
    return found


def test_a_card_that_is_explained_is_drawn_with_its_name(house: MailHouse) -> None:
    _, _, boxes = house.laid("terraformers")
    house.send()
    mails = [mail for box in boxes for mail in box.unread()]  # the marker says who begins
    page = next(page_of(mail) for mail in mails if "Your turn" in str(mail["Subject"]))
    names = [line.partition(": ")[0] for line in re.findall(r"<div>([^<]*: [^<]*)</div>", page)]
    assert len(names) > 5
    assert [name for name in names if page.count(f">{name}") < 2] == []


def test_a_move_is_told_once_and_the_clock_s_as_the_clock_s(house: MailHouse) -> None:
    match, players, boxes = house.laid("terraformers")
    play_out(match, players, most=12)
    house.send()
    seat = next(seat for seat, player in enumerate(players) if player.moves(match)["moves"])
    said = text_of(next(mail for mail in reversed(boxes[seat].unread()) if "Your turn" in str(mail["Subject"])))
    told = said.partition("Since your last move:")[2].partition("The table:")[0]
    passes = [line for line in told.splitlines() if "asses" in line]
    events = players[seat].events(match)
    # a pass that the rules force is no move of the seat's own
    own = [one for one in events if one["type"] == MOVED and one["public"]["seat"] == seat]
    made = max(one["version"] for one in own if one["public"]["cause"] == "seat")
    since = [one for one in events if one["version"] >= made]
    assert len(passes) == sum(one["type"].endswith("/Passed") for one in since)
    for one in since:
        before = next((two for two in since if two["version"] == one["version"] - 1), None)
        if one["type"] == MOVED:
            assert f"- {one['text']}\n" not in told, one["text"]
        else:
            assert told.count(f"- {one['text']}\n") >= 1, (before, one)


@pytest.mark.parametrize(("lang", "mark"), [("en", " (by the clock)"), ("ja", "（時間切れ）")])
def test_a_move_that_the_clock_made_is_told_as_that(house: MailHouse, lang: Lang, mark: str) -> None:
    match, players, _ = house.laid("terraformers")
    play_out(match, players, most=6)
    store, views = house.service.recorder, house.service.views
    look = views.look(match, asker_of(players[0].id))
    events = store.read(match, 0, 1000)
    at = next(number for number, one in enumerate(events) if one.type == MOVED)
    clocked = events[at].public.replace(b'"cause":"seat"', b'"cause":"clock"')
    assert clocked != events[at].public
    pair = (msgspec.structs.replace(events[at], public=clocked), events[at + 1])
    assert list(happened(look, pair, lang)) == [text_of_event(look, events[at + 1], lang, is_open=False) + mark]
    plain = list(happened(look, events[at : at + 2], lang))
    assert plain == [text_of_event(look, events[at + 1], lang, is_open=False)]
    alone = list(happened(look, events[at : at + 1], lang))
    assert alone == [text_of_event(look, events[at], lang, is_open=False)], "what nothing else tells is told"


def test_every_link_of_a_mail_leads_a_person_to_a_page(house: MailHouse) -> None:
    match, players, boxes = house.laid(options={"rounds": 1})
    house.send()
    play_out(match, players)
    house.send()
    for mail in boxes[0].unread():
        for said in (text_of(mail), page_of(mail)):
            links = [link for link in re.findall(r"https://play\.test(/[^\s\"<]*)", said) if "/export" not in link]
            assert f"/matches/{match}" in links
            for link in links:
                answer = players[0].client.get(link, headers=players[0].headers)
                assert (answer.status_code, answer.mimetype) == (200, "text/html"), link


@pytest.mark.parametrize("game", ["three-magic", "terraformers", "troll-master", "ttmp", "magicative"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_game_is_told_in_every_language(house: MailHouse, game: str, lang: str) -> None:
    seats = 3 if game in {"three-magic", "troll-master"} else 2
    both = [house.addressed(f"Player {seat}", lang) for seat in range(seats)]
    players = [player for player, _ in both]
    match = players[0].open(game, [None] * seats)
    for player in players:
        player.sit(match)
    play_out(match, players, most=12)
    house.send()
    asked = [(player, box) for player, box in both if player.moves(match)["moves"]]
    assert asked
    for player, box in asked:
        begin = word("subject-turn", lang, game="", others="")[:4]
        mail = next(one for one in box.unread() if str(one["Subject"]).startswith(begin))
        said, legal = text_of(mail), player.moves(match, lang=lang)["moves"]
        assert all(f"{number}. {one['text']}" in said for number, one in enumerate(legal, 1))
        assert all(line.strip() in said for line in player.look(match, lang=lang)["text"].splitlines())
        assert drawn_in(page_of(mail)) == pieces_of(player.look(match, lang=lang, scene="true")["scene"])
        assert player.events(match)[-1]["hash"] in said
        assert mail["Content-Language"] == lang
        if lang == "en":
            assert moves_of(mail) == [one["text"] for one in legal]
        assert address_of(mail).startswith("play+")


def test_without_a_domain_no_reply_is_offered(house: MailHouse) -> None:
    _, _, boxes = house.laid()
    house.follow()
    config = replace(house.service.config, mail_domain="")
    found = beside(house.service, config=config).mail
    assert found is not None
    found.loop.look()
    mail = next(one for one in boxes[0].unread() if "Your turn" in str(one["Subject"]))
    assert mail["Reply-To"] is None
    assert "Mails can't be answered here" in text_of(mail)
    assert str(mail["X-Envelope-From"]) == "table@play.test"
