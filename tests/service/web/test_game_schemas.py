"""What games tell is in the document: every view, move, event and option, each property with a sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from domain.catalogue import Catalogue
from domain.game import ALL
from domain.games.three_magic.view import TableView
from events import chain
from events.chain import Stored
from service.web import create_app, document
from service.web.contract.games import prefix_of, with_games
from service.web.contract.schemas import said_of
from tests.laws.rooms import CATALOGUE, SLUGS, room_of
from tests.laws.table import Played, play_match
from tests.service.house import House, Visitor, play_out, step
from tests.service.web.strict import strict, validator

GAMES = tuple(room.game for room in CATALOGUE.rooms.values())
BASE = "#/components/schemas/"
every_game = pytest.mark.parametrize("slug", SLUGS)


@lru_cache
def told() -> dict[str, Any]:
    """The document of the house's games and the toy."""
    bare = create_app(None).extensions["interface"].plain()
    return strict(with_games(bare, GAMES))


@lru_cache
def valid(name: str) -> jsonschema_rs.Validator:
    """Of what the document calls so."""
    return validator(told(), name)


def plain(value: Any) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def shown_of(played: Played) -> Iterator[dict[str, Any]]:
    """Every event of a match's logs, as anybody may read it while it is played and after that."""
    logs = [(None, played.stored()), *played.private.items()]
    for owner, log in logs:
        for event in log:
            for viewer in (*played.viewers, ALL) if owner is None else (owner,):
                yield _shown(event, viewer, played.secret)


def _shown(event: Stored, viewer: int | None, secret: bytes) -> dict[str, Any]:
    shown: dict[str, Any] = plain(msgspec.structs.asdict(chain.show(event, viewer, secret, is_open=viewer == ALL)))
    return shown


@pytest.mark.parametrize("kind", ["random", "greedy"])
@every_game
def test_all_that_whole_matches_tell_is_as_the_document_says(slug: str, kind: str) -> None:
    played = play_match(slug, 0, kind)
    game = played.game
    prefix = "".join(word.capitalize() for word in slug.split("-"))
    view, move, event = valid("View"), valid(f"{prefix}Move"), valid("Event")
    for one in played.positions:
        for viewer in (*played.viewers, ALL):
            table = one.table if viewer == ALL else one.seen[viewer].table
            view.validate(plain(game.view(table, viewer)))
        for seat in game.to_act(one.table):
            for choice in game.legal(one.table, seat):
                move.validate(plain(choice))
    view.validate(plain(game.view(played.truth.table, ALL)))
    valid("Standing").validate(plain(game.standing(played.truth.table)))
    valid(f"{prefix}Options").validate(plain(played.opened.event.options))
    for shown in shown_of(played):
        event.validate(shown)


def every_answer(visitor: Visitor, match: str) -> Iterator[tuple[str, Any]]:
    """What a visitor is answered about a match, each with what the document calls it."""
    look = visitor.look(match)
    yield "Match", look
    yield "Moves", visitor.moves(match)
    yield "Events", visitor.get(f"/matches/{match}/events", limit=1000).json
    yield "Then", visitor.get(f"/matches/{match}/at/{look['version']}").json
    if look["seat"] is not None:
        yield "Events", visitor.get(f"/matches/{match}/events", private=True).json


@every_game
def test_all_that_is_answered_is_as_the_document_says(house: House, slug: str) -> None:
    match, players = house.table(slug, room_of(slug).game.seats[-1])
    draw = random.Random(1)
    for _ in range(3):
        for _ in range(5):
            step(match, players, draw)
        for visitor in (house.stranger, *players):
            for name, answer in every_answer(visitor, match):
                valid(name).validate(answer)
    for player in players:
        if (moves := player.moves(match))["moves"]:
            valid("Moved").validate(player.move(match, moves["moves"][-1]["id"]).json)
    wrong = players[0].move(match, "none", decision=1)
    valid("Problem").validate(wrong.json)
    assert wrong.json["open"]["game"] == slug
    for player in players:
        player.post(f"/matches/{match}/abort")
    for visitor in (house.stranger, *players):
        for name, answer in every_answer(visitor, match):
            valid(name).validate(answer)


def test_a_finished_match_is_answered_as_the_document_says(house: House) -> None:
    match, players = house.table("high-card", 3)
    play_out(match, players)
    for visitor in (house.stranger, *players):
        for name, answer in every_answer(visitor, match):
            valid(name).validate(answer)


@every_game
def test_what_is_sent_is_as_the_document_says(slug: str) -> None:
    seats = room_of(slug).game.seats[0]
    wanted = {"game": slug, "seats": [None] * seats, "options": {}}
    valid("MatchWanted").validate(wanted)
    for wrong in ({"game": "none"}, {"seats": [None] * 9}, {"options": {"none": 1}}):
        assert not valid("MatchWanted").is_valid(wanted | wrong)
    move = plain(play_match(slug, 0, "random").positions[0].move)
    valid("MoveWanted").validate({"decision": 1, "move": move})
    assert not valid("MoveWanted").is_valid({"decision": 1, "move": {**move, "none": 1}})


AROUND = ("Moves", "Moved", "Trial", "Asked", "Choice", "MatchWanted", "EventRecord")
"""What stands around what a game tells is the service's own to say."""
BROKEN: dict[str, Any] = {"turn": 0, "step": "resting", "places": None, "game": "none", "none": 1}


@pytest.mark.parametrize("name", BROKEN)
@every_game
def test_a_view_that_is_otherwise_than_the_document_says_is_noticed(slug: str, name: str) -> None:
    one = play_match(slug, 0, "random").positions[3]
    view = plain(room_of(slug).game.view(one.seen[0].table, 0))
    assert valid("View").is_valid(view)
    assert not valid("View").is_valid({**view, name: BROKEN[name]})
    assert not valid("View").is_valid({key: value for key, value in view.items() if key != "turn"})


@every_game
def test_an_event_or_a_move_of_another_shape_is_noticed(slug: str) -> None:
    played = play_match(slug, 0, "random")
    for shown in shown_of(played):
        for wrong in ({"public": {**shown["public"], "none": 1}}, {"type": f"{slug}/None"}, {"none": 1}):
            assert not valid("Event").is_valid({**shown, **wrong})
        if shown["public"]:
            assert not valid("Event").is_valid({**shown, "public": {}})
    move = plain(played.positions[0].move)
    assert valid("AnyMove").is_valid(move)
    assert not valid("AnyMove").is_valid({**move, "type": "None"})


def schemas() -> dict[str, Any]:
    """All that the document names."""
    found: dict[str, Any] = told()["components"]["schemas"]
    return found


def of_games() -> list[str]:
    """The names of those that games bring."""
    bare = create_app(None).extensions["interface"].plain()
    return [name for name in schemas() if name not in bare["components"]["schemas"]]


def test_every_property_of_what_games_tell_has_a_sentence() -> None:
    assert [name for name in of_games() if "description" not in schemas()[name]] == []
    missing = [
        f"{name}.{field}"
        for name in of_games()
        for part in _objects(schemas()[name])
        for field, one in part["properties"].items()
        if "description" not in one and "$ref" not in one
    ]
    assert [name for name in missing if not name.partition(".")[0].endswith(AROUND)] == []


def _objects(part: Any) -> Iterator[Any]:
    """Every schema of an object within one, itself too."""
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            yield part
        for one in part.values():
            yield from _objects(one)
    elif isinstance(part, list):
        for one in part:
            yield from _objects(one)


def test_every_value_that_a_field_may_have_is_said_to_mean_something() -> None:
    for name in of_games():
        for part in _parts(schemas()[name]):
            if all(isinstance(one, str) for one in part.get("enum", [0])):
                assert part["type"] == "string"
        said = schemas()[name].get("description", "")
        assert [one for one in schemas()[name].get("enum", ()) if f"`{one}`" not in said] == [], name


def test_every_reference_leads_to_something_that_the_document_names() -> None:
    for part in _parts(told()["components"]):
        for ref in (part.get("$ref", ""), *part.get("discriminator", {}).get("mapping", {}).values()):
            if ref.startswith(BASE):
                assert ref.removeprefix(BASE) in schemas(), ref


def _parts(part: Any) -> Iterator[Any]:
    if isinstance(part, dict):
        yield part
        for one in part.values():
            yield from _parts(one)
    elif isinstance(part, list):
        for one in part:
            yield from _parts(one)


def test_what_is_told_apart_is_told_apart_by_what_it_says() -> None:
    """Each schema of a discriminated choice allows the value that leads to it, and no other."""
    for part in _parts(told()["components"]):
        if "discriminator" not in part or "oneOf" not in part:
            continue
        tag, mapping = part["discriminator"]["propertyName"], part["discriminator"]["mapping"]
        assert [one["$ref"] for one in part["oneOf"]] == list(mapping.values())
        for value, ref in mapping.items():
            schema = schemas()[ref.removeprefix(BASE)]
            own = schema if "properties" in schema else schema["allOf"][1]
            assert own["properties"][tag]["const"] == value
            assert tag in own["required"]


def test_cards_are_told_by_how_they_are_numbered() -> None:
    for name in ("ThreeMagicCard", "MagicativeCard", "TtmpStone"):
        assert schemas()[name]["type"] == "integer"
        assert "by its" in schemas()[name]["description"]
    assert "attribute * 10 + number * 2 + star" in schemas()["ThreeMagicCard"]["description"]
    assert schemas()["ThreeMagicSeat"]["maximum"] == 2


def test_patterns_are_those_of_ecma_262() -> None:
    patterns = [part["pattern"] for part in _parts(told()) if isinstance(part.get("pattern"), str)]
    assert patterns
    assert not [pattern for pattern in patterns if "\\A" in pattern or "\\Z" in pattern or "(?P" in pattern]


def test_a_games_page_has_the_same_schemas(house: House) -> None:
    for game in house.stranger.get("/games").json["games"]:
        page = house.stranger.get(f"/games/{game['slug']}").json
        names = [page["options"], page["view"], *page["moves"], *page["events"].values()]
        for name in (one["$ref"].removeprefix("#/schemas/") for one in names):
            assert page["schemas"][name]["description"]
        played = play_match(game["slug"], 1, "random")
        whole = jsonschema_rs.Draft202012Validator({**page["view"], "schemas": page["schemas"]})
        for one in played.positions:
            whole.validate(plain(played.game.view(one.seen[None].table, None)))


def test_the_document_tells_of_the_games_at_hand(house: House) -> None:
    games = list(Catalogue().rooms)
    assert "HighCardView" in document(house.app, ["high-card"])["components"]["schemas"]
    views = document(create_app(None), games)["components"]["schemas"]["View"]["discriminator"]["mapping"]
    assert list(views) == games


def test_a_client_for_one_game_is_told_its_shapes_and_a_client_for_any_game_none(house: House) -> None:
    plain = house.stranger.get("/openapi.json").json["components"]["schemas"]
    own = house.stranger.get("/games/three-magic/openapi.json").json["components"]["schemas"]
    prefixes = tuple(prefix_of(game) for game in GAMES)
    assert not [name for name in plain if name.startswith(prefixes)]
    assert "ThreeMagicMoveDiscard" in own
    assert not [name for name in own if name.startswith(prefixes) and not name.startswith("ThreeMagic")]
    assert house.stranger.get("/games/none/openapi.json").json["code"] == "unknown-game"


def test_what_is_written_about_a_field_is_found_where_it_is_declared() -> None:
    assert said_of(TableView)["wall"] == "How many cards are left to draw."
    assert said_of(TableView)["turn"].startswith("The seats that are to act")
    assert said_of(int) == {}
