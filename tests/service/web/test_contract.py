"""The document tells each operation whole: an operation that lacks something fails here, whoever adds it.

What no answer in JSON has is as the document says, too: the lines of an export, and what webhooks are sent.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from werkzeug.exceptions import NotFound

from domain import refusals
from domain.catalogue import Catalogue
from service import wording
from service.accounts import ACCOUNT, ADMIN, BOT, SCOPES
from service.store import notices
from service.web import document
from service.web.contract import example_of, examples
from service.web.contract import problems as told_problems
from service.web.contract.document import MADE_BY, URL
from service.web.contract.problems import EVERYWHERE
from service.web.contract.schemas import FIXED, components, parts
from service.web.pages import docs
from service.web.routes.exports import KIND
from service.webhooks.sending import ID, SIGNATURE, TIMESTAMP
from tests.service import documented
from tests.service.house import House, play_out, routes

APP = routes()
DOCUMENT = document(APP)
OPERATIONS = {
    told.get("operationId", f"{method} {path}"): (path, method, told)
    for path, methods in DOCUMENT["paths"].items()
    for method, told in methods.items()
    if method in {"get", "post", "put", "patch", "delete"}
}
WITHOUT_EXAMPLE = {"getDocument", "getGame", "getGameDocument"}
"""The document does not show itself; references in a game's schemas would be taken for the document's own."""

each = pytest.mark.parametrize("name", OPERATIONS)


def resolved(value: dict[str, Any]) -> dict[str, Any]:
    return docs.resolved(DOCUMENT, value)


def codes_of(answer: dict[str, Any]) -> list[str]:
    found: list[str] = resolved(answer)[told_problems.CODES]
    return found


@each
def test_an_operation_is_named_and_its_answers_and_codes_are_told(name: str) -> None:
    path, method, told = OPERATIONS[name]
    assert re.fullmatch(r"[a-z][A-Za-z]+", told["operationId"])
    assert len(told["tags"]) == 1
    assert told["summary"].endswith(".")
    assert len(told["summary"]) <= 120
    assert told["description"] != told["summary"], "say more than the first line of the docstring"
    assert "security" in told
    assert "default" not in told["responses"], "which ones?"
    for status, answer in told["responses"].items():
        assert resolved(answer)["description"]
        own = resolved(answer).get("headers", {})
        assert not own.keys() & DOCUMENT[EVERYWHERE].keys(), "told once, for all answers"
        assert int(status) < 400 or codes_of(answer), status
    assert {"400", "408", "414", "431", "500", "503"} <= told["responses"].keys()
    assert not path.startswith("/api/") or {"401", "429"} <= told["responses"].keys()
    has_unknown_path = "404" in told["responses"] and "unknown-path" in codes_of(told["responses"]["404"])
    assert has_unknown_path == ("{" in path)
    if has_unknown_path:
        with APP.test_request_context():
            adapter = APP.url_map.bind("")
            for wrong in ("a/b", ""):
                with pytest.raises(NotFound):
                    adapter.match(re.sub(r"{\w+}", wrong, path, count=1), method.upper())


def test_links_lead_to_operations() -> None:
    assert FIXED["links"].keys() <= OPERATIONS.keys()
    for links in FIXED["links"].values():
        for link in links.values():
            _, _, told = OPERATIONS[link["operationId"]]
            assert link["parameters"].keys() <= {one["name"] for one in map(resolved, told["parameters"])}, link


def test_every_code_that_is_told_is_one_that_is_said() -> None:
    rules = told_problems.rules_codes([room.game for room in Catalogue().rooms.values()])
    known = {*wording.TEXTS["en"], *refusals.TEXTS["en"], *rules, *told_problems.OPTIONS, "other-rules"}
    told = {
        code
        for _, _, one in OPERATIONS.values()
        for status, answer in one["responses"].items()
        if int(status) >= 400
        for code in codes_of(answer)
    }
    assert sorted(told - known) == [], "service/wording/problems.toml says each code"


def test_codes_by_which_games_refuse_options_stand_in_the_document() -> None:
    found = set()
    for room in Catalogue().rooms.values():
        words = {one for one in room.game.check_options.__code__.co_consts if isinstance(one, str)}
        found |= words & {*told_problems.rules_codes([room.game]), *told_problems.OPTIONS}
    assert found == {*told_problems.OPTIONS}, "refusals-of-options in service/web/contract/fixed.yaml"


def test_every_property_and_every_parameter_has_a_sentence_those_of_games_too() -> None:
    whole = documented.document()
    schemas = whole["components"]["schemas"]
    bare = [
        f"{name}.{key}"
        for name, schema in schemas.items()
        for part in parts(schema)
        for key, said in (part.get("properties") or {}).items()
        if isinstance(part["properties"], dict)
        and isinstance(said, dict)
        and "description" not in {**docs.resolved(whole, said), **said}
    ]
    bare += [
        f"{name}?{one['name']}"
        for name, (_, _, told) in OPERATIONS.items()
        for one in map(resolved, told["parameters"])
        if "description" not in one
    ]
    bare += [name for name, schema in schemas.items() if "description" not in schema]
    assert not bare


def test_nothing_that_stands_fixed_is_for_nothing() -> None:
    components = DOCUMENT["components"]
    named = {("property", key) for schema in components["schemas"].values() for key in schema.get("properties", {})}
    named |= {
        (parameter["in"], parameter["name"])
        for _, _, told in OPERATIONS.values()
        for parameter in map(resolved, told["parameters"])
    }
    assert {(place, name) for place, names in FIXED["sentences"].items() for name in names} <= named
    assert {kind: parts.keys() for kind, parts in FIXED["components"].items()} == {
        kind: components[kind].keys() for kind in FIXED["components"]
    }
    assert FIXED["responses"].keys() == components["responses"].keys()
    assert FIXED["schemas"].keys() <= components["schemas"].keys()


def test_patterns_are_those_of_ecma_262() -> None:
    patterns = [part["pattern"] for part in parts(DOCUMENT) if isinstance(part.get("pattern"), str)]
    assert patterns
    assert not [one for one in patterns if re.search(r"\\[AZz]|\(\?P|\(\?[aiLmsux]", one)]


def test_no_shape_and_no_list_of_words_is_told_twice() -> None:
    """Generators make a class of each."""

    schemas = DOCUMENT["components"]["schemas"]
    shapes = Counter(json.dumps(schema, sort_keys=True) for schema in schemas.values())
    assert [shape for shape, times in shapes.items() if times > 1] == []
    used = {"paths": DOCUMENT["paths"], "parameters": DOCUMENT["components"]["parameters"], "schemas": schemas}
    words = Counter(tuple(part["enum"]) for part in parts(used) if isinstance(part.get("enum"), list))
    assert [listed for listed, times in words.items() if times > 1] == []
    assert [part for part in parts(used) if isinstance(part.get("enum"), list) and None in part["enum"]] == []


def test_of_what_shuts_each_other_out_exactly_one_is_sent() -> None:
    move = examples()["listMoves"]["answers"]["200"]["moves"][0]["move"]
    for name, sent, *kinds in (
        ("MoveWanted", {"decision": 1}, {"id": "a"}, {"move": move}),
        ("PlaceWanted", {}, {"bot": "greedy"}, {"player": "p_1"}),
        ("OfferWanted", {}, {"bot": "greedy"}, {"player": "p_1"}),
    ):
        validator = checker(DOCUMENT["components"]["schemas"][name])
        assert [validator.is_valid({**sent, **kind}) for kind in kinds] == [True, True]
        assert not validator.is_valid(sent)
        assert not validator.is_valid({**sent, **kinds[0], **kinds[1]})


@each
def test_an_operation_has_examples_that_are_as_it_says(name: str) -> None:
    _, _, told = OPERATIONS[name]
    bodies = told.get("requestBody", {}).get("content", {})
    answers = [one for status, one in told["responses"].items() if int(status) < 300]
    shown = [
        content
        for one in answers
        for kind, content in resolved(one).get("content", {}).items()
        if kind.endswith("/json")
    ]
    for content in [*bodies.values(), *shown]:
        if name not in WITHOUT_EXAMPLE:
            example = example_of(DOCUMENT, content)
            assert example is not None, "docs/example_walk.py asks for none: make examples"
            checker(content["schema"]).validate(example)


def test_every_scope_is_explained_where_tokens_are() -> None:
    about = DOCUMENT["components"]["securitySchemes"]["bearer"]["description"]
    assert [scope for scope in (*SCOPES, ACCOUNT, BOT, ADMIN) if f"`{scope}`" not in about] == []
    clients = (Path(__file__).parents[3] / "docs" / "clients.md").read_text(encoding="utf-8")
    (told,) = [line for line in clients.split("\n- ") if "POST /api/me/tokens" in line]
    assert [scope for scope in (*SCOPES, ACCOUNT) if f"`{scope}`" not in told] == []
    assert all("webhooks" in text and "feed" in text for text in (about, told))


def test_two_classes_of_one_name_are_refused() -> None:
    kinds = [msgspec.defstruct("Inner", [("text", str)], module=module) for module in ("here", "there")]
    with pytest.raises(ValueError, match="Inner"):
        components(kinds)


CALLBACKS = OPERATIONS[MADE_BY][2]["callbacks"]


def checker(schema: dict[str, Any], told: dict[str, Any] = DOCUMENT) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator({**schema, "components": told["components"]}, validate_formats=True)


def wrong(schema: dict[str, Any], value: Any) -> list[str]:
    return [error.message for error in checker(schema).iter_errors(value)]


def lines_of(house: House, match: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.stranger.get(f"/matches/{match}/export").data.splitlines()]


def test_each_line_of_an_export_is_one_that_the_document_tells(house: House) -> None:
    match, players = house.table(clock={"preset": "day"})
    told = documented.document()
    schema = told["paths"]["/api/matches/{match_id}/export"]["get"]["responses"]["200"]["content"][KIND]["schema"][
        "contentSchema"
    ]
    found = lines_of(house, match)
    play_out(match, players)
    found += lines_of(house, match)
    line, header = checker(schema, told), checker({"$ref": "#/components/schemas/ExportHeader"}, told)
    for one in found:
        line.validate(one)
    assert {header.is_valid(one) for one in found} == {True, False}
    assert not line.is_valid({**found[0], "viewer": 1.5})
    assert not line.is_valid({"something": "else"})


def body_of(kind: str) -> dict[str, Any]:
    told = CALLBACKS[kind][URL]["post"]
    assert {one["name"] for one in told["parameters"]} == {ID, TIMESTAMP, SIGNATURE}
    return dict(told["requestBody"]["content"]["application/json"]["schema"])


def test_all_that_webhooks_are_told_of_is_in_the_document_and_told_apart_by_its_kind() -> None:
    assert {*CALLBACKS} == {*notices.KINDS, notices.PING}
    names = [told[URL]["post"]["operationId"] for told in CALLBACKS.values()]
    paths = [told["operationId"] for methods in DOCUMENT["paths"].values() for told in methods.values()]
    assert len({*names, *paths}) == len(names) + len(paths)
    for kind in CALLBACKS:
        sent = {"type": kind, "timestamp": "2026-03-01T12:00:00.000Z", "data": {"match": "m", "seat": "0"}}
        assert bool(wrong(body_of(kind), sent)) is (kind != notices.PING)
        assert wrong(body_of(kind), {**sent, "type": "news"})
