"""The lobby and the form that opens a match: all of it without a script, and nonsense is told beside its field."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import msgspec
import pytest

from service.store import Chair, Entry
from service.web.pages import lobby
from tests.service.house import House
from tests.service.web.pages.browsing import Browser, signed_up

pytestmark = pytest.mark.sqlite

NEW = {"game": "high-card", "seat1": "anybody", "clock": "none", "visibility": "public", "talk": "seats"}


def opened(browser: Browser, **more: str) -> str:
    return browser.send("/new", status=303, **{**NEW, **more}).headers["Location"].rpartition("/")[2]


def test_what_can_be_joined_comes_before_what_is_played_and_what_is_over(house: House) -> None:
    over, _ = house.played()
    playing, _ = house.table()
    free = house.player("Zoe").open()
    page = Browser(house).look("/lobby")
    places = [page.index(one) for one in ('id="open"', free, 'id="playing"', playing, 'id="finished"', over)]
    assert places == sorted(places)
    assert f'action="/matches/{free}/seat"' in page
    assert f'href="/matches/{over}/replay"' in page
    # the cards are drawn: two may have the same
    winners = house.stranger.look(over)["result"]["winners"]
    assert page.count('<li class="won">') == len(winners) % 2
    assert ("<b>all share the first place (" in page) == (len(winners) == 2)


@pytest.mark.parametrize(
    ("places", "said", "in_japanese"),
    [
        ((1, 2, 3), "Ann won (7 : 5 : 5)", "Annの勝ち（7対5対5）"),
        ((1, 1, 3), "Ann and Bob won (7 : 5 : 5)", "Ann・Bobの勝ち（7対5対5）"),
        ((1, 1, 1), "all share the first place (7 : 5 : 5)", "全員で1位を分けた（7対5対5）"),
        ((1, 2, None), "over", "終了"),
    ],
)
def test_how_a_match_ended_is_said_in_a_line(places: tuple[int | None, ...], said: str, in_japanese: str) -> None:
    chairs = [
        Chair(seat, points=points, place=place)
        for seat, (points, place) in enumerate(zip((7, 5, 5), places, strict=True))
    ]
    entry = Entry("m_x", "high-card", "finished", "public", None, "2026-01-01T00:00:00.000Z", tuple(chairs))
    assert lobby.ended(entry, ("Ann", "Bob", ""), "en") == said
    assert lobby.ended(entry, ("Ann", "Bob", ""), "ja") == in_japanese
    assert lobby.ended(msgspec.structs.replace(entry, status="playing"), ("Ann", "Bob", ""), "en") == ""


def test_of_a_match_that_was_given_up_the_line_says_by_whom_and_no_points() -> None:
    chairs = (Chair(0, points=7, place=1), Chair(1, points=9, place=2, resigned=True))
    entry = Entry("m_x", "high-card", "finished", "public", None, "2026-01-01T00:00:00.000Z", chairs, resignation="end")
    assert lobby.ended(entry, ("Ann", "Bob"), "en") == "Ann won: Bob resigned"
    assert lobby.ended(entry, ("Ann", "Bob"), "ja") == "Bobが投了し、Annの勝ち"


def test_filters_narrow_and_nonsense_in_them_counts_as_none(house: House) -> None:
    assert Browser(house).client.get("/lobby?mine=yes").headers["Location"] == "/sign-in?next=/lobby%3Fmine%3Dyes"
    ann = signed_up(house, "Ann")
    mine, theirs = opened(ann), house.player("Zoe").open()
    playing, _ = house.table()
    assert mine in ann.look("/lobby?mine=yes")
    assert theirs not in ann.look("/lobby?mine=yes")
    only = ann.look("/lobby?seat=free&game=high-card")
    assert mine in only
    assert theirs in only
    assert playing not in only
    assert playing in ann.look("/lobby?status=playing")
    assert mine not in ann.look("/lobby?status=playing")
    assert mine not in ann.look("/lobby?speed=days")
    private = opened(ann, visibility="private")
    assert private in ann.look("/lobby")
    assert private not in Browser(house).look("/lobby")
    Browser(house).look(f"/matches/{private}", 404)
    for nonsense in ("\0", "💥", "' OR 1=1", "x" * 3000):
        for name in ("game", "status", "speed", "seat", "mine", "cursor"):
            assert theirs in ann.look(f"/lobby?{urlencode({name: nonsense})}")


def test_a_long_list_goes_on_by_pages(house: House) -> None:
    zoe = house.player("Zoe")
    for _ in range(33):
        zoe.open()
    browser = Browser(house)
    first = browser.look("/lobby?status=open")
    ids = set(re.findall(r'/matches/(m_\w+)"', first))
    link = re.search(r'rel="next" href="([^"]+)"', first)
    assert link
    second = browser.look(link[1].replace("&amp;", "&"))
    more = set(re.findall(r'/matches/(m_\w+)"', second))
    assert (len(ids), len(more)) == (30, 3)
    assert not ids & more
    assert 'rel="next"' not in second


def test_a_seat_is_kept_for_a_player_by_their_profiles_address(house: House) -> None:
    bob = house.player("Bob")
    ann = signed_up(house, "Ann")
    assert f'value="{bob.id}"' in ann.look(f"/new?game=high-card&player={bob.id}")
    match = opened(ann, seat1="somebody", player1=f"http://localhost/players/{bob.id}")
    assert house.stranger.look(match)["seats"][1]["reserved"]["id"] == bob.id


def test_seats_are_called_as_at_the_table_where_they_are_chosen(house: House) -> None:
    page = Browser(house).look("/new?game=high-card")
    assert "You sit on seat 0." in page
    assert '<label for="seat1">Seat 1</label>' in page


def test_nonsense_is_told_and_the_form_is_kept(house: House) -> None:
    ann = signed_up(house, "Ann")
    for field, wrong, said in (
        *(("seat1", "bot:nobody", "There is no bot"), ("seat1", "player:\0", "There is no player")),
        ("pack", "none", "There is no pack"),
    ):
        page = ann.send("/new", status=422, **{**NEW, "clock": "week", field: wrong}).text
        assert said in page
        assert 'role="alert"' in page
        assert '<option value="week" selected>' in page
    assert not house.stranger.get("/matches").json["matches"]
    seats = {"seat1": "somebody", "player1": ann.id, "seat2": "somebody", "player2": ann.id}
    page = ann.send("/new", status=422, **{**NEW, **seats, "game": "three-magic"}).text
    assert "A player can have only one seat in a match." in page


@pytest.mark.parametrize(
    ("wrong", "field", "said"),
    [
        ({"seat1": ""}, "seat1", "This game is for"),
        ({"seat1": "nonsense"}, "seat1", "Choose one of these."),
        ({"seat1": "somebody", "player1": " "}, "player1", "Enter the address of their profile"),
        ({"seat1": "somebody", "player1": "p_none"}, "player1", "There is no player"),
        ({"clock": "never"}, "clock", "Choose one of these."),
        ({"talk": "never"}, "talk", "Choose one of these."),
        ({"game": "three-magic", "seat2": "anybody", "option-laps": "9"}, "option-laps", "A match has 1 or 2 laps."),
        ({"game": "terraformers", "option-planet": "Pluto"}, "option-planet", "Pluto"),
    ],
)
def test_a_field_says_that_it_is_wrong_and_why(house: House, wrong: dict[str, str], field: str, said: str) -> None:
    page = signed_up(house, "Ann").send("/new", status=422, **{**NEW, **wrong}).text
    tag = re.findall(rf'<(?:input|select) id="{field}"[^>]*>', page)[0]
    assert 'aria-invalid="true" autofocus' in tag
    assert page.count("autofocus") == 1
    told = dict(re.findall(r'id="([^"]*)"[^>]*>([^<]*)<', page))
    texts = [told[one] for one in re.findall(r'aria-describedby="([^"]*)"', tag)[0].split()]
    assert said in texts[0]
    assert all(texts)
    # a paragraph in a paragraph would end it, and leave nothing that describes the field
    assert not re.search(r"<p\b[^>]*>(?:(?!</p>).)*<p\b", page, re.DOTALL)


@pytest.mark.parametrize(
    ("wrong", "begins", "said"),
    [
        ({"visibility": "never"}, 'type="radio" name="visibility"', "Choose one of these."),
        (
            {"game": "ttmp", "option-modes-kind": "yes", "option-modes-knockout": "yes"},
            'type="checkbox" name="option-modes-',
            "The mode knockout is played alone",
        ),
    ],
)
def test_a_group_says_that_it_is_wrong_and_why(house: House, wrong: dict[str, str], begins: str, said: str) -> None:
    page = signed_up(house, "Ann").send("/new", status=422, **{**NEW, **wrong}).text
    assert re.findall("<[^>]* autofocus", page) == re.findall(rf"<input {begins}[^>]* autofocus", page) != []
    ((group, which),) = re.findall(r'<(\w+) aria-describedby="(\w+-wrong)">', page)
    assert group == "fieldset"
    assert said in re.findall(f'id="{which}"[^>]*>([^<]*)<', page)[0]
    assert "<details open>" in page or "visibility" in wrong


def test_the_options_of_a_game_are_asked_for_as_its_own_schema_tells_them(house: House) -> None:
    ann = signed_up(house, "Ann")
    assert "two laps: sun and moon" in ann.look("/new?game=three-magic")
    sent = {**NEW, "game": "three-magic", "seat1": "bot:random", "seat2": "bot:random", "option-laps": "1"}
    sent |= {"clock": "day", "talk": "none"}
    told = house.stranger.look(ann.send("/new", status=303, **sent).headers["Location"].rpartition("/")[2])
    assert (told["options"], told["status"], told["talk"]) == ({"laps": 1}, "playing", "none")
    assert told["clock"]["preset"] == "day"
    assert "勝ち抜けモード" in Browser(house, "ja").look("/new?game=ttmp")
    sent = {**NEW, "game": "ttmp", "seat1": "bot:random", "option-modes-knockout": "yes", "option-modes-kind": "yes"}
    refused = ann.send("/new", status=422, **sent).text
    assert re.search(r'name="option-modes-kind" value="yes" checked', refused)


def test_a_stranger_becomes_a_guest_by_opening_a_match_and_stays_one_when_it_is_refused(house: House) -> None:
    browser = Browser(house)
    page = browser.send("/new", status=422, **{**NEW, "seat1": "player:p_none"}).text
    assert "Guest " in page
    browser.csrf = re.findall(r'name="csrf" value="([^"]*)"', page)[0]
    match = browser.send("/new", status=303, **NEW).headers["Location"]
    assert "Guest " in browser.look(match)
