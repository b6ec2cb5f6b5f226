"""The table's page without a script: what can be done with a match, and how it is said what can't."""

from __future__ import annotations

import re
from typing import Any

import pytest

from events.store import Statement
from tests.service.house import House, drawing
from tests.service.web.pages.browsing import Browser, scripted

pytestmark = pytest.mark.sqlite


def test_the_script_is_told_the_scene_and_nothing_that_ends_its_element(house: House) -> None:
    match, players = house.table()
    players[0].post(f"/matches/{match}/talk", {"text": "</script><b>hello"})
    page = Browser(house, who=players[0]).look(f"/matches/{match}")
    told = scripted(page)
    assert told["scene"] == players[0].look(match, scene=True)["scene"]
    assert told["moves"] == players[0].moves(match)["moves"]
    assert "</script><b>" not in page


def test_a_browser_keeps_no_page_with_cards_that_only_its_reader_may_see(house: House) -> None:
    """The way back would show them to whoever uses the browser when the reader has signed out."""
    match, players = house.table()
    for who in (players[0], house.player("Eve"), None):
        kept = "no-store" if who is players[0] else "private, no-cache"
        for path in ("", "/replay"):
            answer = Browser(house, who=who).client.get(f"/matches/{match}{path}")
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, kept), (who, path)


def test_only_moves_that_the_match_s_options_allow_can_be_left_to_an_order(house: House) -> None:
    ann = house.player("Ann")
    known = {"KeepDice", "DrawStone", "LeaveDice", "StockNothing", "MixWithDeck"}
    for modes, never in (
        ([], {"MixWithDeck"}),
        (["kind"], {"StockNothing", "MixWithDeck"}),
        (["knockout"], set[str]()),
    ):
        match = ann.open("ttmp", [None, {"bot": "random"}], options={"modes": modes})
        page = scripted(Browser(house, who=ann).look(f"/matches/{match}"))
        assert {kind for kind, _ in page["kinds"]} == known - never, modes


def test_the_log_tells_each_move_once_and_the_reader_s_own_as_theirs(house: House) -> None:
    match, players = house.table()
    for player in players:
        player.choose(match)
    mine, theirs = (Browser(house, who=who).look(f"/matches/{match}") for who in players)
    for page, own, other in ((mine, 0, 1), (theirs, 1, 0)):
        log = re.findall(r'<li value="\d+">(.*?)</li>', page.partition('id="log"')[2].partition("</ol>")[0])
        moved = sorted(line for line in log if re.search(r"sets? [?\d] aside|Set ", line))
        assert len(moved) == 2
        assert re.fullmatch(r"You set \d aside\.", moved[1])
        assert moved[0] == f"Player {other} sets ? aside."
        assert f"Player {own}" not in " ".join(log)
    asked = Browser(house, who=players[0])
    asked.look(f"/matches/{match}")
    assert "Agree to break it off: you." in asked.follow(f"/matches/{match}/do/abort")
    assert "Agree to break it off: Player 0." in Browser(house, who=players[1]).look(f"/matches/{match}")


def test_a_guest_is_called_in_the_reader_s_language(house: House) -> None:
    guest = Browser(house)
    guest.follow("/guest")
    number = re.findall(r"Guest (\d{4})<", guest.look("/lobby"))[0]
    bob = house.player("Bob")
    match = bob.open_with(seats=[None, {"player": guest.id}], talk="open")
    guest.follow(f"/matches/{match}/do/accept")
    guest.follow(f"/matches/{match}/do/say", text="hello")
    for path in (f"/matches/{match}", f"/matches/{match}/replay", f"/watch/{match}", "/lobby", f"/players/{guest.id}"):
        page = Browser(house, "ja").look(path)
        assert f"ゲスト{number}" in page, path
        assert f"Guest {number}" not in page, path


def test_a_move_that_is_refused_is_said_at_the_table(house: House) -> None:
    match, players = house.table()
    browser = Browser(house, who=players[0])
    said = browser.send(f"/matches/{match}/do/move", status=409, decision="1", id="none").text
    assert 'role="alert">That decision is not open now. The match' in said, "no page shows the number of a decision"
    assert 'name="decision"' in said
    assert 'role="alert">' in browser.send(f"/matches/{match}/do/move", status=422, decision="x", id="none").text
    again = browser.client.get(f"/matches/{match}/do/move", headers={"Accept": "text/html"})
    assert again.headers["Location"] == f"/matches/{match}"


def test_who_is_invited_sees_game_host_seats_and_terms_before_signing_in_and_sits_down_as_a_guest(house: House) -> None:
    ann = house.player("Ann")
    match = ann.open_with(game="ttmp", visibility="link", clock={"preset": "day"}, options={"modes": ["hard"]})
    own = Browser(house, who=ann).look(f"/matches/{match}")
    # the address by which Ann came, since the operator names none
    link = re.search(r'id="share"[^>]* value="http://localhost(/matches/[^"]*)"', own)
    assert link
    assert 'data-copy="share"' in own
    assert "invites you" not in own
    stranger = Browser(house)
    page = stranger.look(link[1])
    for said in ("TTMP", 'href="/games/ttmp"', "Ann invites you.", "1 of 2 seats is free.", "You need no account."):
        assert said in page
    terms = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page))
    assert terms["Who may look on?"] == "Whoever has the link"
    assert terms["Modes"] == "hard: 100 passes"
    assert terms["Clock"].startswith("a day a move")
    assert 'id="share"' not in page
    assert page.count(">Sit down</button>") == 1
    stranger.send(link[1].replace("?", "/seat?"))
    assert house.again(ann).look(match)["status"] == "playing"


def test_a_player_leaves_to_a_bot_comes_back_agrees_to_end_it_thinks_again_and_resigns(house: House) -> None:
    match, players = house.table(clock={"preset": "day", "resignation": "bot"})
    browser, other = (Browser(house, who=player) for player in players)
    for deed, back, said in (
        ("to-bot", "back", "Play for myself again"),
        ("abort", "go-on", "Rather play on"),
        ("pause", "no-pause", "Agree to pause: you"),
    ):
        assert said in browser.follow(f"/matches/{match}/do/{deed}")
        assert said not in browser.follow(f"/matches/{match}/do/{back}")
    for deed, is_paused in (("pause", True), ("resume", False)):
        # who proposes it is told so below the table
        assert browser.send(f"/matches/{match}/do/{deed}").headers["Location"] == f"/matches/{match}#deeds"
        assert other.send(f"/matches/{match}/do/{deed}").headers["Location"] == f"/matches/{match}"
        assert ("Paused: the clock is stopped." in other.look(f"/matches/{match}")) is is_paused
    assert "has given up" in browser.follow(f"/matches/{match}/do/resign")
    assert 'role="alert"' in browser.send(f"/matches/{match}/do/resign", status=409).text


@pytest.mark.parametrize(("terms", "help", "agreed"), [
    ({}, "and the other player wins", "who resigns loses the match at once"),
    ({"seats": 3}, "a bot plays for you", "a bot plays on for them"),
    ({"clock": {"preset": "day", "resignation": "rules"}}, "moves are made for you", "moves are made for them"),
])  # fmt: skip
def test_the_table_says_what_resigning_will_do(house: House, terms: dict[str, Any], help: str, agreed: str) -> None:
    match, players = house.table(**terms)
    shown = Browser(house, who=players[0]).look(f"/matches/{match}")
    assert (help in shown, agreed in shown) == (True, True)


def test_a_match_of_two_is_over_when_one_resigns_and_everybody_is_told_who_did(house: House) -> None:
    match, players = house.table()
    loser, winner, stranger = (Browser(house, who=who) for who in (*players, None))
    assert "You resigned, so Player 1 won." in loser.follow(f"/matches/{match}/do/resign")
    over = winner.look(f"/matches/{match}")
    assert "Player 0 resigned, so you won." in over
    # a bot may have won with the seat
    assert over.count("resigned</span></th>") == 1
    told = stranger.look(f"/matches/{match}")
    assert "Player 0 resigned, so Player 1 won." in told
    assert "a bot plays on" not in told, "neither as a term nor of the seat"
    assert "in front" not in told, "no points have decided it"


def test_what_is_due_is_told_beside_the_page_as_far_as_who_looks_may_know(house: House) -> None:
    match, players = house.table(clock={"preset": "day"})
    for who in (*players, None):
        browser = Browser(house, who=who)
        answer = browser.client.get(f"/matches/{match}/due")
        look = (who or house.stranger).look(match)
        assert answer.json == {"due": look["deadlines"], "said": "until"}, "under seal each knows of their own"
        tag = answer.headers["ETag"]
        assert browser.client.get(f"/matches/{match}/due", headers={"If-None-Match": tag}).status_code == 304
    private = players[0].open(visibility="private")
    Browser(house).look(f"/matches/{private}/due", 404)


def test_a_match_that_is_over_shows_its_result_and_is_played_again(house: House) -> None:
    match, players = house.played()
    assert Browser(house, who=players[0]).look(f"/matches/{match}").count("data-evidence") == 1
    first, second = (Browser(house, who=player) for player in players)
    page = first.look(f"/matches/{match}")
    assert "<caption>Result</caption>" in page
    assert f"/matches/{match}/replay" in page
    table = first.send(f"/matches/{match}/do/rematch").headers["Location"]
    asked = "There is a rematch: your seat is kept."
    assert f'data-asks="{asked}" href="{table}"' in second.look(f"/matches/{match}")
    secret, (third, fourth) = house.played()
    house.service.recorder.write(
        [Statement("UPDATE matches SET visibility = 'private' WHERE id = :id", {"id": secret}, secret)]
    )
    closed = Browser(house, who=third).send(f"/matches/{secret}/do/rematch").headers["Location"]
    fourth.delete(f"/matches/{closed.rpartition('/')[2]}/invitations")
    over = Browser(house, who=fourth).look(f"/matches/{secret}")
    assert ("<caption>Result</caption>" in over, "ematch" in over) == (True, False), "its page is a 404"
    assert all(said in second.look(table) for said in ("It waits for you.", "kept for you", "Take the seat kept for"))
    mine = first.look(table)
    for said in (
        "No seat is free; it waits for Player 1.",
        "Who has this link can watch",
        "The seat stays kept for you",
    ):
        assert said in mine
    second.send(f"{table}/do/accept")
    own = f"/matches/{players[0].open(seats=[{'player': players[0].id}, None])}"
    for one, says in ((first, True), (second, False)):
        assert ("Take the seat kept for you" in one.look(own)) == says
    first.send(f"{own}/do/accept")
    assert "Take the seat kept for you" not in first.look(own)
    assert players[0].look(table.rpartition("/")[2])["status"] == "playing"
    for one in (first, second):
        page = one.look(f"/matches/{match}")
        assert (f'href="{table}"' in page, asked in page) == (True, False), "they sit there"


def test_who_is_awaited_at_a_table_that_is_called_off_may_play_again(house: House) -> None:
    match, (ann, bob) = house.played()
    off = ann.post(f"/matches/{match}/rematch").json["id"]
    assert ann.post(f"/matches/{off}/abort").status_code == 200
    browser = Browser(house, who=bob)
    assert "your seat is kept" not in browser.look(f"/matches/{match}")
    assert "Play again" in browser.look(f"/matches/{off}")
    assert "Play again" not in Browser(house).look(f"/matches/{off}")
    zoe = house.player("Zoe")
    hers = zoe.open(seats=[{"player": ann.id}, {"player": bob.id}])
    zoe.post(f"/matches/{hers}/abort")
    assert "Play again" in Browser(house, who=zoe).look(f"/matches/{hers}"), "who opened it need not sit there"
    assert bob.look(browser.send(f"/matches/{off}/do/rematch").headers["Location"].rpartition("/")[2])["seat"] == 1


@pytest.mark.parametrize(("seed", "ranking", "won"), [(3, [1, 1], 0), (8, [1, 2], 1)])
def test_where_all_share_the_first_place_nobody_has_won(house: House, seed: int, ranking: list[int], won: int) -> None:
    with drawing(seed):
        match, players = house.played(seed)
    assert players[0].look(match)["result"]["ranking"] == ranking
    page = Browser(house, who=players[0]).look(f"/matches/{match}")
    assert page.count('<tr class="won">') == page.count("From here on the winner was") == won
    assert "Where the points came from" in page


def test_what_was_said_is_told_as_it_was_typed_and_kept_where_it_was_too_long(house: House) -> None:
    match, players = house.table()
    ann, bob = (Browser(house, who=player) for player in players)
    assert "Good luck &lt;all&gt;" in ann.follow(f"/matches/{match}/do/say", text="Good luck <all>\r\n!")
    assert "x" * 501 in ann.send(f"/matches/{match}/do/say", status=422, text="x" * 501).text
    assert "Good luck" not in bob.follow(f"/matches/{match}/do/mute", player=players[0].id)
    assert "(erased)" in ann.follow(f"/matches/{match}/do/erase", number="1")


def test_who_watches_is_offered_no_deed(house: House) -> None:
    match, _ = house.table()
    page = Browser(house).look(f"/matches/{match}")
    assert "You are watching." in page
    assert not re.search(rf"/matches/{match}/do/(?!move\b)", page)
