"""Names: visible, on one line, in one direction of writing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from service.accounts.names import MARKS, Unsuitable, enforce, is_text
from tests.service.house import House

NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
KEPT: dict[str, str] = {name: name for name in NAMES["same"]} | NAMES["otherwise"]
"""What is kept of what was sent."""
REFUSED = [*NAMES["refused"], "Z" + "\u0301" * 30, "x" * 65, "山" * 65, "x" * 64 + "\ufe0f"]


@pytest.mark.parametrize(("name", "kept"), KEPT.items(), ids=ascii)
def test_a_name_is_kept_in_one_form(name: str, kept: str) -> None:
    assert enforce(name) == kept
    assert enforce(kept) == kept


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(Unsuitable):
        enforce(name)


def test_of_what_chooses_a_glyph_all_is_dropped_and_nothing_beside_it() -> None:
    for sign in "\ufe00\ufe0f\U000e0100\U000e01ef":
        assert enforce(f"葛{sign}") == "葛"
    for sign in "\ufdff\ufe10\U000e00ff\U000e01f0":
        try:
            assert enforce(f"葛{sign}") != "葛"
        except Unsuitable:
            continue


@pytest.mark.parametrize(
    ("said", "is_written"), [("Ann, 山田!", True), ("", True), ("a\u202eb", False), ("a\nb", False), ("a\u2800", False)]
)
def test_a_text_is_of_signs_that_are_written(said: str, is_written: bool) -> None:
    assert is_text(said) is is_written


def test_marks_pile_up_only_so_high() -> None:
    name = "q" + "\u0323\u0324\u0325\u0326"[:MARKS]
    assert enforce(name * 3) == enforce(name) * 3
    with pytest.raises(Unsuitable):
        enforce(name + "\u0327")


def test_whatever_is_named_by_people_the_rule_is_one_and_a_name_is_told_as_it_is_kept(house: House) -> None:
    ann = house.player("Ａｎｎ\u3000 Lee")
    for name in ("", "a\u202eb"):
        for answer in (
            *(house.stranger.post("/players", {"name": name, "kind": kind}) for kind in ("human", "bot")),
            ann.post("/me/tokens", {"name": name}),
        ):
            assert (answer.status_code, list(answer.json["errors"])) == (422, ["name"])
    assert ann.get("/me").json["name"] == "Ann Lee"
    assert ann.post("/me/tokens", {"name": "ﾃｽﾄ"}).json["name"] == "テスト"
    match = ann.open(seats=[{"player": ann.id}, None])
    assert house.stranger.look(match)["seats"][0]["reserved"]["name"] == "Ann Lee"


def test_an_address_is_one_line_too(house: House) -> None:
    for email in (
        *("a\nb@example.org", "a\u202eb@example.org", "a@exa\u200bmple.org", "a@example.org\n", "@", "a" * 300),
        *('"\x01a"@example.org', '"\x1b[31m"@example.org', "a@b\u202e.org", "a@b\u2028.org"),
    ):
        answer = house.stranger.post("/players", {"name": "Ann", "email": email})
        assert (answer.status_code, list(answer.json["errors"])) == (422, ["email"]), ascii(email)
