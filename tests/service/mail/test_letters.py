"""What mails say: of matches in every game and language, as their reader sees them and no more, and of accounts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.catalogue import Catalogue
from domain.game import Lang
from events import chain
from events.chain import Stored
from service.mail.letters import bare, digest, said
from service.mail.paper import Block, Sheet, page
from service.mail.situation import MOVED, Situation, asker_of, happened, see
from service.mail.words import word
from service.matches import shown
from tests.service.accounts.insiders import entered
from tests.service.house import Visitor, build, play_out, set_aside, step
from tests.service.mail.conftest import Clock, MailHouse, against_bot
from tests.service.mail.mailbox import Mailbox, address_of, moves_of, page_of, text_of
from tests.service.matches.test_secrecy import dealt_otherwise, rewritten
from tests.service.stored import change

GAMES = Catalogue().rooms


def test_the_page_loads_nothing_and_shows_names_as_they_are_and_explained_cards_by_name(house: MailHouse) -> None:
    both = [house.addressed(name) for name in ("Ann", "<b>Eve</b> & co")]
    (ann, box), (eve, _) = both
    ann.open_with(eve, game="terraformers")
    house.send()
    page = page_of(box.next("It begins"))
    assert "&lt;b&gt;Eve&lt;/b&gt; &amp; co" in page
    assert "<b>Eve" not in page
    for loaded in ("<img", "<script", "<link", "src=", "url(", "@import", "<iframe"):
        assert loaded not in page
    mails = [mail for _, box in both for mail in box.mails]  # the marker says who begins
    page = next(page_of(mail) for mail in mails if "Your turn" in str(mail["Subject"]))
    names = [line.partition(": ")[0] for line in re.findall(r"<div>([^<]*: [^<]*)</div>", page)]
    assert len(names) > 5
    assert [name for name in names if page.count(f">{name}") < 2] == []


def test_a_word_longer_than_a_phone_is_wide_is_broken_and_widens_no_page() -> None:
    assert re.search('<body><div style="[^"]*overflow-wrap:break-word', page(Sheet("", ()), "en"))


def test_letters_stand_on_a_paper_of_their_own_since_that_of_a_mail_program_may_be_dark() -> None:
    assert re.search('<body><div style="[^"]*;color:#222;background:#fff;', page(Sheet("", ()), "en"))


def test_news_in_a_digest_end_in_links_and_what_has_happened_does_not() -> None:
    news = [
        "It is over: High Card https://play.test/matches/m",
        "You are invited https://x.test mailto:play+a@play.test",
    ]
    told = page(digest([], 0, news, [], "https://play.test/turns", "en"), "en")
    assert re.findall('href="([^"]*)"', told) == ["https://play.test/matches/m", "mailto:play+a@play.test"]
    assert "href" not in page(Sheet("", (Block(listed=("The turn passes to https://evil.test",)),)), "en")


def test_a_name_that_looks_like_a_link_is_none_in_any_sentence(house: MailHouse) -> None:
    eve, (bob, box) = house.addressed("https://evil.test/x")[0], house.addressed("Bob", "ja")
    match = eve.open(game="magicative", seats=[None, {"player": bob.id}])
    for player in (eve, bob):
        player.sit(match)
        house.send()
    for player in (eve, bob):
        player.post(f"/matches/{match}/abort")
    house.send()
    told = [page_of(mail) for mail in box.unread()]
    assert len(told) > 2
    assert [text for text in told if "evil.test" not in text] == []
    assert [link for text in told for link in re.findall('href="([^"]*)"', text) if "evil.test" in link] == []
    move = said("moved", {"move": "Uses the saw on https://evil.test/x"}, "en")
    assert "href" not in page(bare("Terraformers", move, "en"), "en")


def drawn_in(page: str) -> list[str]:
    """The pieces that a page draws, by their names, in their order."""
    titles = re.findall(r'<span style="display:inline-block[^>]*title="([^"]*)"', page)
    return [unescape(title) for title in titles]


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


def test_a_move_is_told_once(house: MailHouse) -> None:
    match, players, boxes = house.laid("terraformers")
    seat = next(seat for seat, player in enumerate(players) if player.moves(match)["moves"])
    first = text_of(house.turn(boxes[seat]))
    assert ("What has happened:\n" in first, "Since your last move" in first) == (True, False), "there is none yet"
    play_out(match, players, most=12)
    seat = next(seat for seat, player in enumerate(players) if player.moves(match)["moves"])
    text = text_of(house.turn(boxes[seat]))
    told = text.partition("Since your last move:")[2].partition("The table:")[0]
    passes = [line for line in told.splitlines() if re.search(r"\bpass(es)?\b", line)]
    events = players[seat].events(match)
    # a pass that the rules force is no move of the seat's own
    own = [event for event in events if event["type"] == MOVED and event["public"]["seat"] == seat]
    made = max(event["version"] for event in own if event["public"]["cause"] == "seat")
    since = [event for event in events if event["version"] >= made]
    assert len(passes) == sum(event["type"].endswith("/Passed") for event in since)
    for event in since:
        count = told.count(f"- {event['text']}\n")
        assert (count == 0) if event["type"] == MOVED else (count >= 1), event


@pytest.mark.parametrize(("lang", "mark"), [("en", " (by the clock)"), ("ja", "（時間切れ）")])
def test_a_move_that_the_clock_made_is_told_as_that(house: MailHouse, lang: Lang, mark: str) -> None:
    match, players, _ = house.laid("terraformers")
    play_out(match, players, most=6)
    store, views = house.service.recorder, house.service.views
    look = views.look(match, asker_of(players[0].id))
    events = store.read(match, 0, 1000)
    at = next(number for number, event in enumerate(events) if event.type == MOVED)
    moved, following = events[at : at + 2]
    clocked = msgspec.structs.replace(moved, public=moved.public.replace(b'"cause":"seat"', b'"cause":"clock"'))
    assert clocked.public != moved.public
    both = [chain.show(event, look.reader, look.log.secret, is_open=False) for event in (moved, following)]
    (move_text, _), (text, _) = shown.told(look, both, lang)
    assert list(happened(look, (clocked, following), lang)) == [text + mark]
    assert list(happened(look, (moved, following), lang)) == [text]
    assert list(happened(look, (moved,), lang)) == [move_text], "what nothing else tells is told"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_game_is_told_in_every_language(house: MailHouse, game: str, lang: Lang) -> None:
    record = GAMES[game].game
    match, players, boxes = house.laid(game, record.seats[0], lang)
    play_out(match, players, most=min(12, record.bound // 2))
    house.send()
    asked = [(player, box) for player, box in zip(players, boxes, strict=True) if player.moves(match)["moves"]]
    assert asked
    for player, box in asked:
        mail = box.next(word("subject-turn", lang, game="", others="")[:4])
        text, legal = text_of(mail), player.moves(match, lang=lang)["moves"]
        assert all(f"{number}. {move['text']}" in text for number, move in enumerate(legal, 1))
        assert all(line.strip() in text for line in player.look(match, lang=lang)["text"].splitlines())
        assert drawn_in(page_of(mail)) == pieces_of(player.look(match, lang=lang, scene="true")["scene"])
        assert player.events(match)[-1]["hash"] in text
        assert mail["Content-Language"] == lang
        if lang == "en":
            assert moves_of(mail) == [move["text"] for move in legal]
        assert address_of(mail).startswith("play+")


LINK = re.compile(r"https://play\.test(/account/\w+\?token=([\w.-]+))")


def test_an_address_is_confirmed_by_the_link_that_came_there_and_told_of_matches_from_then_on(house: MailHouse) -> None:
    address = "newcomer@people.test"
    ann = entered(house, house.stranger.post("/players", {"name": "Ann", "email": address}))
    box = Mailbox(house.office, address, house.port)
    against_bot(ann)
    house.send()
    (mail,) = box.unread()
    link = LINK.search(text_of(mail))
    assert link is not None
    assert house.app.test_client().get(link[1]).status_code == 200
    assert ann.get("/me/mail").json["code"] == "no-confirmed-address"
    assert house.stranger.post("/email/confirmation", {"token": link[2]}, lang="ja").status_code == 200
    wanted = ann.get("/me/mail").json
    assert (wanted["address"], wanted["lang"]) == (address, "ja")
    against_bot(ann)
    house.send()
    assert len(box.unread()) == 2, "a beginning and a turn"


LETTERS = [("confirm", "ja"), ("recover", "en"), ("password-changed", "ja"), ("address-changed", "xx")]


@pytest.mark.parametrize(("kind", "lang"), LETTERS)
def test_letters_about_an_account_go_to_the_address_that_they_name(house: MailHouse, kind: str, lang: str) -> None:
    address = f"{kind}@people.test"
    before = len(house.office.mails(address))
    house.post(kind, address=address, lang=lang)
    house.loop(Clock(), link=lambda letter: f"https://play.test/account/{letter.kind}").look()
    (mail,) = house.office.mails(address)[before:]
    has_link = f"https://play.test/account/{kind}" in text_of(mail)
    assert has_link == (kind in {"confirm", "recover"})
    assert mail["List-Unsubscribe"] is None
    assert mail["Content-Language"] == ("ja" if lang == "ja" else "en")


def test_a_link_that_is_good_for_nothing_any_more_is_not_sent(house: MailHouse) -> None:
    house.post("confirm", address="late@people.test")
    house.mail.loop.look()
    assert house.office.mails("late@people.test") == []
    assert house.waiting() is None


# How much of a match is told


def seen_by(house: MailHouse, player: Visitor, match: str) -> Situation:
    return see(house.service.recorder, house.service.views, match, house.wishes(player))


@pytest.mark.parametrize("least", [60, 402], ids=["a short log", "a long log"])
def test_of_a_log_the_last_400_events_are_read_and_the_last_40_told(house: MailHouse, least: int) -> None:
    match, players, _ = house.laid("troll-master", 3)
    eve, _ = house.addressed("Eve")
    draw = random.Random(1)
    while eve.look(match)["version"] < least:
        assert step(match, players, draw)
    seen, events = seen_by(house, eve, match), eve.events(match)
    assert (seen.seat, seen.me, seen.decision) == (None, "", None)
    assert (seen.version, seen.hash) == (events[-1]["version"], events[-1]["hash"])
    assert seen.earlier == min(seen.version, 400) - 40
    assert 20 <= len(seen.since) <= 40
    assert seen.since[-1] == events[-1]["text"]


def test_a_reader_is_told_which_seat_of_the_standing_is_theirs(house: MailHouse) -> None:
    match, players, _ = house.laid("terraformers")
    for seat, player in enumerate(players):
        seen = seen_by(house, player, match)
        assert [one.is_reader for one in seen.standing] == [seat == 0, seat == 1]
        assert (seen.me, seen.others("en")) == (f"Player {seat}", f"Player {1 - seat}")


def test_a_mail_says_that_an_answer_is_sealed_only_where_it_is(house: MailHouse) -> None:
    match, players, _ = house.laid("high-card", 3, pack="flat")
    assert [seen_by(house, player, match).is_sealed for player in players] == [False] * 3
    set_aside(match, players)
    assert [seen_by(house, player, match).is_sealed for player in players] == [True] * 3
    play_out(match, players)
    over = seen_by(house, players[0], match)
    assert (over.status, over.is_sealed, over.decision, over.moves) == ("finished", False, None, ())


def test_since_one_s_own_move_is_told_and_not_since_another_s(house: MailHouse) -> None:
    match, players, _ = house.laid(seats=3)
    first = [seen_by(house, player, match).since for player in players]
    assert players[1].choose(match).status_code == 200
    after = [seen_by(house, player, match).since for player in players]
    assert after[0][: len(first[0])] == first[0]
    assert len(after[1]) < len(first[1])


# Nothing that their reader could not ask for, and to nobody that somebody else was asked


MASKED = re.compile(r"[0-9a-f]{64}|(play|bounce)\+[a-z2-7]+")
"""Hashes commit to what is hidden, and addresses are signed."""


def mails_of(box: Mailbox) -> list[list[str]]:
    """All that has come there, but for when, and for what stands for hidden cards in no readable way."""
    found = []
    for mail in box.unread():
        heads = [f"{name}: {value}" for name, value in mail.items() if name != "Date"]
        found.append([MASKED.sub("*", said) for said in (*heads, text_of(mail), page_of(mail))])
    return sorted(found)


def beside(house: MailHouse, target: Path, log: list[Stored]) -> MailHouse:
    """The same house on a copy of its store, with these events in place of its own."""
    rewritten(house, target, log)
    return MailHouse(build(replace(house.service.config, data=target)), house.office, house.port)


@pytest.mark.sqlite
@pytest.mark.parametrize("seat", [0, 2])
def test_two_logs_that_differ_in_hidden_cards_send_the_same_mails(house: MailHouse, tmp_path: Path, seat: int) -> None:
    match, players, boxes = house.laid(seats=3)
    log = dealt_otherwise(house.service.states.log(match), seat)
    other = beside(house, tmp_path / "other", log)
    try:
        told = []
        for there in (house, other):
            there.send()
            mails = mails_of(boxes[seat])
            movers = [players[seat], next(player for player in players if player is not players[seat])]
            for mover in movers:
                visitor = there.again(mover)
                assert visitor.choose(match).status_code == 200
            there.send()
            told.append(mails + mails_of(boxes[seat]))
        assert told[0] == told[1]
        assert len(told[0]) >= 2
        for number in {0, 1, 2} - {seat}:
            assert len(mails_of(boxes[number])) >= 2, "the others were told something too"
    finally:
        other.service.close()


def opened(house: MailHouse, match: str, players: list[Visitor], draw: random.Random) -> list[bool]:
    """Play until a window opens in which some are asked and others are not: who is."""
    for _ in range(2000):
        if house.stranger.look(match)["sealed"]:
            asked = [player.look(match)["decision"] is not None for player in players]
            if any(asked) and not all(asked):
                return asked
        assert step(match, draw.sample(players, len(players)), draw)
    raise AssertionError("no window")


def asked_for(visitor: Visitor, match: str) -> list[bytes]:
    of_match = [f"/matches/{match}{path}" for path in ("", "/moves", "/events", "/bots", "/export", "/film")]
    return [visitor.get(path).data for path in (*of_match, "/matches", "/me/turns")]


@pytest.mark.sqlite
def test_under_seal_who_is_asked_is_written_to_and_nobody_can_tell(house: MailHouse) -> None:
    match, players, boxes = house.laid("three-magic", 3)
    asked = opened(house, match, players, random.Random(7))
    house.send()
    for box in boxes:
        box.unread()
    # from here on: the same window, noted and sent anew
    for table in ("deliveries", "positions"):
        change(house.service, f"DELETE FROM {table}")
    others = [player for player, is_asked in zip(players, asked, strict=True) if not is_asked]
    before = [asked_for(other, match) for other in (*others, house.stranger)]
    with capture_logs() as logs:
        house.send()
    assert [asked_for(other, match) for other in (*others, house.stranger)] == before
    assert [line for line in logs if line["log_level"] != "debug"] == []
    turns = [[mail for mail in box.unread() if "Your turn" in str(mail["Subject"])] for box in boxes]
    assert [bool(one) for one in turns] == asked
    for mails in turns:
        for mail in mails:
            assert "goes under seal" in text_of(mail)
