"""What games tell is in the document: every view, move, event and option, each property with a sentence."""

from __future__ import annotations

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
from service.web import document
from service.web.contract.games import prefix_of
from service.web.contract.schemas import parts, said_of
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.laws.table import Played, play_match
from tests.service import documented
from tests.service.house import House, routes

GAMES = tuple(room.game for room in CATALOGUE.rooms.values())
BASE = "#/components/schemas/"
every_game = pytest.mark.parametrize("slug", SLUGS)


@lru_cache
def valid(name: str) -> jsonschema_rs.Validator:
    ref = {"$ref": f"{documented.WHOLE}#/components/schemas/{name}"}
    return jsonschema_rs.Draft202012Validator(ref, registry=documented.components())


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def shown_of(played: Played) -> Iterator[dict[str, Any]]:
    """Every event of a match's logs, as anybody may read it while it is played and after that."""
    for owner, log in [(None, played.stored()), *played.private.items()]:
        for event in log:
            for viewer in (*played.viewers, ALL) if owner is None else (owner,):
                yield plain(msgspec.structs.asdict(chain.show(event, viewer, played.secret, is_open=viewer == ALL)))


@pytest.mark.parametrize("kind", ["random", "greedy"])
@every_game
def test_all_that_whole_matches_tell_is_as_the_document_says(slug: str, kind: str) -> None:
    played = play_match(slug, 0, kind)
    game = played.game
    prefix = prefix_of(game)
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


BROKEN: dict[str, Any] = {"turn": 0, "step": "resting", "places": None, "game": "none", "none": 1}


@every_game
def test_what_is_otherwise_than_the_document_says_is_noticed(slug: str) -> None:
    played = play_match(slug, 0, "random")
    wanted = {"game": slug, "seats": [None] * played.game.seats[0], "options": {}}
    valid("MatchWanted").validate(wanted)
    for wrong in ({"game": "none"}, {"seats": [None] * 9}, {"options": {"none": 1}}):
        assert not valid("MatchWanted").is_valid(wanted | wrong)
    move = plain(played.positions[0].move)
    valid("MoveWanted").validate({"decision": 1, "move": move})
    assert not valid("MoveWanted").is_valid({"decision": 1, "move": {**move, "none": 1}})
    assert valid("AnyMove").is_valid(move)
    assert not valid("AnyMove").is_valid({**move, "type": "None"})
    view = plain(played.game.view(played.positions[-1].seen[0].table, 0))
    assert valid("View").is_valid(view)
    assert not any(valid("View").is_valid({**view, name: value}) for name, value in BROKEN.items())
    assert not valid("View").is_valid({key: value for key, value in view.items() if key != "turn"})
    for shown in shown_of(played):
        for other in ({"public": {**shown["public"], "none": 1}}, {"type": f"{slug}/None"}, {"none": 1}):
            assert not valid("Event").is_valid({**shown, **other})
        if shown["public"]:
            assert not valid("Event").is_valid({**shown, "public": {}})


def test_every_word_of_games_is_explained_and_every_number_of_a_piece() -> None:
    schemas, bare = (told["components"]["schemas"] for told in (documented.document(), document(routes())))
    of_games = {name: schema for name, schema in schemas.items() if name not in bare}
    for name, schema in of_games.items():
        for part in parts(schema):
            if all(isinstance(word, str) for word in part.get("enum", [0])):
                assert part["type"] == "string"
        sentences = schema.get("description", "")
        assert [word for word in schema.get("enum", ()) if f"`{word}`" not in sentences] == [], name
    for name in ("ThreeMagicCard", "MagicativeCard", "TtmpStone"):
        assert schemas[name]["type"] == "integer"
        assert "by its" in schemas[name]["description"]
    assert "attribute * 10 + number * 2 + star" in schemas["ThreeMagicCard"]["description"]
    assert schemas["ThreeMagicSeat"]["maximum"] == 2


def test_references_lead_somewhere_and_each_choice_is_told_apart_by_its_tag() -> None:
    components = documented.document()["components"]
    schemas = components["schemas"]
    for part in parts(components):
        mapping = part.get("discriminator", {}).get("mapping", {})
        for ref in (part.get("$ref", ""), *mapping.values()):
            if ref.startswith(BASE):
                assert ref.removeprefix(BASE) in schemas, ref
        if mapping and "oneOf" in part:
            tag = part["discriminator"]["propertyName"]
            assert [one["$ref"] for one in part["oneOf"]] == list(mapping.values())
            for value, ref in mapping.items():
                schema = schemas[ref.removeprefix(BASE)]
                own = schema if "properties" in schema else schema["allOf"][1]
                assert own["properties"][tag]["const"] == value
                assert tag in own["required"]


def test_a_games_page_has_the_same_schemas(house: House) -> None:
    for game in house.stranger.get("/games").json["games"]:
        page = house.stranger.get(f"/games/{game['slug']}").json
        assert {key: page[key] for key in game} == game
        assert "house" in [pack["name"] for pack in page["packs"]]
        assert set(page["events"]) >= {"match/Opened", "match/Finished"}
        names = [page["options"], page["view"], *page["moves"], *page["events"].values()]
        for name in (one["$ref"].removeprefix("#/schemas/") for one in names):
            assert page["schemas"][name]["description"]
        played = play_match(game["slug"], 1, "random")
        whole = jsonschema_rs.Draft202012Validator({**page["view"], "schemas": page["schemas"]})
        for one in played.positions:
            whole.validate(plain(played.game.view(one.seen[None].table, None)))


def test_a_client_for_one_game_is_told_its_shapes_and_a_client_for_any_game_none(house: House) -> None:
    schemas = house.stranger.get("/openapi.json").json["components"]["schemas"]
    own = house.stranger.get("/games/three-magic/openapi.json").json["components"]["schemas"]
    prefixes = tuple(prefix_of(game) for game in GAMES)
    assert not [name for name in schemas if name.startswith(prefixes)]
    assert "ThreeMagicMoveDiscard" in own
    assert not [name for name in own if name.startswith(prefixes) and not name.startswith("ThreeMagic")]
    assert house.stranger.get("/games/none/openapi.json").json["code"] == "unknown-game"
    assert "HighCardView" in document(house.app, ["high-card"])["components"]["schemas"]
    games = list(Catalogue().rooms)
    assert list(document(routes(), games)["components"]["schemas"]["View"]["discriminator"]["mapping"]) == games


def test_what_is_written_about_a_field_is_found_where_it_is_declared() -> None:
    assert said_of(TableView)["wall"] == "How many cards are left to draw."
    assert said_of(TableView)["turn"].startswith("The seats that are to act")
    assert said_of(int) == {}
