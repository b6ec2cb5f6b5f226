"""How replies are read: as people write them, and never by a guess."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from service.mail import reading
from service.mail.reading import Meant, meant

MOVES = (("a-1", "Alpha"), ("b-2", "Beta: x"), ("c", "Draw a card"), ("d", "Pass"))
THIRD, LAST = "c", "d"

TABLE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("replies.toml").read_text(encoding="utf-8"))


def said_in(section: str, meant: str) -> list[str]:
    """The replies of the table that mean this, each with what programs put below it."""
    return [said.format_map(TABLE["below"]) for said in TABLE[section][meant]]


@pytest.mark.parametrize("said", [said for how in ("third", "greeted", "below") for said in said_in("moves", how)])
def test_a_move_is_read_as_people_write_it(said: str) -> None:
    assert meant(said, MOVES).id == THIRD


@pytest.mark.parametrize("number", range(1, len(MOVES) + 1))
def test_each_number_of_the_list_is_its_move_with_and_without_its_words(number: int) -> None:
    id, text = MOVES[number - 1]
    assert meant(str(number), MOVES).id == meant(f"{number}. {text}", MOVES).id == id


@pytest.mark.parametrize("said", said_in("moves", "two"))
def test_what_could_mean_two_things_means_none_and_is_asked_back(said: str) -> None:
    found = meant(said, MOVES)
    assert (found.id, found.is_unclear) == (None, True)


@pytest.mark.parametrize("said", said_in("moves", "none"))
def test_what_names_no_move_means_none(said: str) -> None:
    assert meant(said, MOVES) == Meant(said, None)


@pytest.mark.parametrize("said", said_in("moves", "empty"))
def test_a_reply_that_says_nothing_says_nothing(said: str) -> None:
    assert meant(said, MOVES) == Meant("", None)


def test_a_number_that_another_move_is_called_by_is_asked_back_unless_it_is_marked() -> None:
    moves = (("bid-2", "2"), ("bid-3", "3"), ("take-1", "Take 1"))
    for said in ("2", "Take 1", "２", "*2*"):
        assert meant(said, moves) == Meant(meant(said, moves).line, None, is_unclear=True), said
    assert meant("#2", moves).id == meant("No. 2", moves).id == meant("2番", moves).id == "bid-3"
    called = (("a", "2番"), ("b", "Beta"), ("c", "#2"), ("d", "No. 2"))
    assert meant("#2", called).id == meant("No. 2", called).id == meant("2番", called).id == "b"
    assert meant("bid-2", moves).id == "bid-2"
    assert meant("3", (("bid-2", "2"), ("bid-4", "4"), ("bid-3", "3"))).id == "bid-3", "both mean the same"


SEAT = (("accept", "Take the seat"), ("decline", "Decline"))
ALSO = {**dict.fromkeys(reading.YES, "accept"), **dict.fromkeys(reading.NO, "decline")}


@pytest.mark.parametrize(
    ("said", "id"), [(said, id) for id in TABLE["invitation"] for said in said_in("invitation", id)]
)
def test_an_invitation_is_answered_in_words_or_by_number(said: str, id: str) -> None:
    assert (meant(said, SEAT, ALSO).id or "none") == id


@pytest.mark.parametrize("said", TABLE["away"].values(), ids=TABLE["away"].keys())
def test_an_automatic_reply_that_only_its_text_shows_names_no_move_and_no_answer(said: str) -> None:
    moves = [(f"m-{number}", f"Move {number}") for number in range(1, 20)]
    assert (meant(said, moves).id, meant(said, SEAT, ALSO).id) == (None, None)


@pytest.mark.parametrize("greeting", ["Hi?", "Hello to all of you at the big table,", "こんにちは、パス"])
def test_what_asks_or_is_long_or_names_a_move_is_no_greeting(greeting: str) -> None:
    moves = (("draw", "引く"), ("pass", "パス"))
    assert meant("こんにちは、\n1", moves).id == "draw"
    assert meant(f"{greeting}\n1", moves).id is None


def test_what_says_yes_or_no_beside_other_words_is_asked_back() -> None:
    assert meant("yes, but not now", SEAT, ALSO) == Meant("yes, but not now", None, is_unclear=True)
    assert meant("but not now", SEAT, ALSO) == Meant("but not now", None)


OTHERS = "as I said\n"


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ((f"{' ' * 299}3", THIRD), (f"{' ' * 300}3", None)),
        (("\n" * 1999 + "3", THIRD), ("\n" * 2000 + "3", None)),
        ((f"3\n{OTHERS * 198}4", None), (f"3\n{OTHERS * 199}4", THIRD)),
        (("On Monday\nat noon Foldtable\nwrote:\n> 4\n\n3", THIRD), ("On Monday\nat noon\nI\nwrote:\n> 4\n\n3", None)),
    ],
    ids=["signs of a line", "lines", "lines of one's own", "lines before a quotation"],
)
def test_so_much_of_a_reply_is_looked_at_and_no_more(
    within: tuple[str, str | None], beyond: tuple[str, str | None]
) -> None:
    for said, id in (within, beyond):
        assert meant(said, MOVES).id == id
