"""Who is spoken of: a seated reader is "you", others have their names, guests' in the reader's language; all once."""

from __future__ import annotations

import json
import random
import re

import pytest

from service.accounts import called, guest_name
from tests.laws.rooms import SLUGS, room_of
from tests.service.house import House, Visitor, play_out, step
from tests.service.streams.reading import reading

YOU = re.compile(r"\b[Yy]ou(rs?)?\b|あなた")


def told(visitor: Visitor, match: str, lang: str) -> str:
    """Every text of the match that the service says to somebody, but for those of their moves."""
    table = visitor.look(match, scene="true", lang=lang)
    events = visitor.events(match, lang=lang, scenes="true")
    scenes = [json.dumps(event["scene"], ensure_ascii=False) for event in events]
    now = json.dumps(table["scene"], ensure_ascii=False)
    return "\n".join([table["text"], now, *(event["text"] for event in events), *scenes])


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_seat_is_told_of_itself_as_you_and_of_others_by_name(house: House, slug: str, lang: str) -> None:
    match, players = house.table(slug, min(room_of(slug).game.seats))
    rng = random.Random(2)
    for _ in range(8):
        step(match, players, rng)
    for seat, player in enumerate(players):
        said = told(player, match, lang)
        assert YOU.search(said)
        assert f"Player {seat}" not in said
        assert f"Player {1 - min(seat, 1)}" in said
        labels = [move["text"] for move in player.moves(match, lang=lang)["moves"]]
        assert not [label for label in labels if f"Player {seat}" in label]
    assert all(f"Player {seat}" in told(house.stranger, match, lang) for seat in range(len(players)))
    for event in house.stranger.events(match, lang=lang, scenes="true"):
        said = f"{event['text']} {(event['scene'] or {'line': ''})['line']}"
        assert not YOU.search(said), "whoever watches is told names"


def test_what_is_kept_for_one_reader_is_not_told_to_another(house: House) -> None:
    match, players = house.table()
    path = f"/matches/{match}/events"
    everybody = [*players, house.stranger]
    whose = [house.again(player) for player in everybody]
    for player in (*whose, *reversed(whose)):
        stream = reading(player, path)
        events = player.events(match)
        assert stream.told(len(events)) == events
    dealt = [" ".join(event["text"] for event in player.events(match)) for player in everybody]
    assert ["You are dealt" in text for text in dealt] == [True, True, False]


def test_replays_and_watchers_have_names(house: House) -> None:
    match, (ann, _) = house.table()
    ann.choose(match)
    film = [frame["text"] for frame in ann.shown(f"/matches/{match}/film")["reel"]["frames"]]
    version = len(film)
    then = ann.shown(f"/matches/{match}/at/{version}", seat=0)["text"]
    for said in (" ".join(film), then, house.app.test_client().get(f"/watch/{match}").text):
        assert not YOU.search(said)
        assert "Player 0" in said


def test_names_stay_as_they_are_whatever_they_contain(house: House) -> None:
    names = ("seat 1", "You", "席0 discards")
    players = [house.player(name) for name in names]
    match = players[0].open_with(*players[1:])
    for lang in ("en", "ja"):
        for reader in (*players, house.stranger):
            others = [name for name, player in zip(names, players, strict=True) if player is not reader]
            assert all(name in told(reader, match, lang) for name in others)


def test_guests_are_called_in_the_reader_s_language_and_others_as_they_wish(house: House) -> None:
    name = guest_name("ja")
    number = name.removeprefix("ゲスト")
    assert (called(name, "en"), called(f"Guest {number}", "ja"), called(name, "ja")) == (f"Guest {number}", name, name)
    for own in ("Guest", "Guest 12", "Guest 12345", "Guest 0123", "A Guest 1234", "ゲスト", "Guest １２３４"):
        assert (called(own, "ja"), called(own, "en")) == (own, own)
    players = [house.player(name), house.player("Guest 12")]
    match = players[0].open_with(players[1])
    assert f"Guest {number} is dealt" in told(house.stranger, match, "en")
    assert f"{name}に" in told(house.stranger, match, "ja")
    assert "Guest 12に" in told(house.stranger, match, "ja")


@pytest.mark.parametrize("slug", SLUGS)
def test_a_list_can_leave_out_what_the_next_event_tells(house: House, slug: str) -> None:
    match, players = house.table(slug, min(room_of(slug).game.seats))
    play_out(match, players, most=12)
    events = house.stranger.events(match)
    assert all(event["type"] == "match/MoveMade" for event in events if "aside" in event)
    left_out = [event for event in events if "aside" in event]
    assert left_out
    for event in left_out:
        following = events[event["version"]]
        assert following["text"].startswith(f"Player {event['public']['seat']}")
        assert (following["move"], "aside" in following) == (event["move"], False)
    # the last of a page is known by what follows it
    version = left_out[0]["version"]
    (alone,) = house.stranger.shown(f"/matches/{match}/events", after=version - 1, limit=1)["events"]
    assert alone == left_out[0]
    frames = house.stranger.shown(f"/matches/{match}/film")["reel"]["frames"]
    assert [frame.get("aside") for frame in frames] == [event.get("aside") for event in events]


def test_a_refused_move_names_others_by_their_names(house: House) -> None:
    match, players = house.table("magicative", 2)
    (asked,) = house.stranger.look(match)["to_act"]
    mover, other = players[asked], 1 - asked
    assert mover.move(match, {"type": "Draw"}).status_code == 200
    refused = mover.move(match, {"type": "Swap", "other": other})
    assert (refused.status_code, refused.json["detail"]) == (409, f"Player {other} has no discard to swap with.")
