"""Problems are told in the language of whoever asks: a code and fields, and a sentence of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from marshmallow import Schema, fields, validate

import service
from service import problems, wording
from service.accounts.names import Unsuitable, enforce
from service.web import account_inputs, door, errors, inputs, match_inputs
from service.wording import in_our_words
from tests.service.accounts.test_accounts import REFUSED
from tests.service.house import Answer, House, refusal

JAPANESE = {"Accept-Language": "ja"}
KINDS = {name for name, kind in vars(problems).items() if isinstance(kind, type) and issubclass(kind, problems.Problem)}


def is_japanese(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in text)


def told() -> Iterator[tuple[str, str, set[str]]]:
    """Every place in the code where a problem is made: where, its code, and the fields that it is given."""
    root = Path(service.__file__).parent
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            names = {word.arg or "**" for word in node.keywords} - {"more", "say"}
            where = f"{path.relative_to(root)}:{node.lineno}"
            if node.func.id in KINDS:
                assert len(node.args) == 1, f"{where}: a code and fields by name"
                assert isinstance(node.args[0], ast.Constant), f"{where}: the code as it is"
                yield where, str(node.args[0].value), names
            if node.func.id == "_failed" and len(node.args) == 4:
                yield where, str(ast.literal_eval(node.args[3])), set()
            if node.func.id == "problem" and isinstance(node.args[1], ast.Constant) and "detail" not in names:
                yield where, str(node.args[1].value), names


def test_every_code_has_its_sentence_and_a_problem_is_given_what_its_sentence_names() -> None:
    places = list(told())
    codes = {code for _, code, _ in places} | {*errors.CODES.values(), "other", "request-timeout"}
    codes |= {code for _, code, _ in door.REFUSALS.values()}
    assert len(places) > 50
    assert codes == set(wording.TEXTS["en"])
    assert all(map(is_japanese, wording.TEXTS["ja"].values()))
    for where, code, given in places:
        assert {name for _, name, _, _ in Formatter().parse(wording.TEXTS["en"][code]) if name is not None} == given, (
            where,
            code,
        )
    assert set(wording.TITLES["en"]) == {
        *errors.STATUS.values(),
        *errors.CODES,
        *(status for status, *_ in door.REFUSALS.values()),
        408,
    }


def of_schemas() -> set[str]:
    """All that our schemas may say, with their parameters put in."""
    named = [kind for module in (account_inputs, inputs, match_inputs) for kind in vars(module).values()]
    kinds = [kind for kind in named if isinstance(kind, type) and issubclass(kind, Schema)]
    found: set[str] = set(Schema._default_error_messages.values())
    for kind in kinds:
        waiting = list(kind().fields.values())
        while waiting:
            field = waiting.pop()
            found.update(str(said) for said in field.error_messages.values())
            for validator in field.validators:
                if isinstance(validator, validate.Range):
                    found.add(validator._format_error(7, validator.message_all))
                elif isinstance(validator, validate.Length):
                    found.add(
                        (validator.message_max if validator.min is None else validator.message_all).format(
                            min=validator.min, max=validator.max
                        )
                    )
                elif isinstance(validator, validate.OneOf):
                    found.add(validator._format_error("x"))
                elif isinstance(validator, validate.Regexp | validate.Email):
                    found.add(validator.default_message)
            waiting += [field.inner] if isinstance(field, fields.List) else []
    return found


def test_whatever_is_said_of_a_field_or_a_name_is_said_in_our_words_in_both_languages() -> None:
    found = {
        said.format(awareness="aware", obj_type="datetime", input="x")
        for said in of_schemas()
        # of what is written out, never of what is read
        if "cannot be formatted" not in said
    }
    assert len(found) > 15
    assert [said for said in found if in_our_words(said, "en") == said] == []
    for name in REFUSED:
        with pytest.raises(Unsuitable) as refused:
            enforce(name)
        found.add(str(refused.value))
    assert [said for said in found if not is_japanese(in_our_words(said, "ja"))] == []
    wrong = "Expected `int | null`, got `str` - at `$.card`"
    assert in_our_words(wrong, "ja") == "`int | null`のはずが`str`でした（`$.card`）"
    assert {in_our_words(said, "en") for said in (wrong, "Nobody knows this.")} == {wrong, "Nobody knows this."}


def leaves(errors: Any) -> Iterator[str]:
    match errors:
        case str():
            yield errors
        case dict() | list():
            for inner in errors.values() if isinstance(errors, dict) else errors:
                yield from leaves(inner)


def assert_japanese(answer: Answer) -> dict[str, Any]:
    said = dict(answer.json)
    assert answer.mimetype == "application/problem+json"
    assert is_japanese(said["detail"]), said
    assert is_japanese(said["title"]), said
    assert "Accept-Language" in answer.headers["Vary"]
    for leaf in (*leaves(said.get("errors", {})), *leaves(said.get("fields", {}).get("reason", []))):
        assert is_japanese(leaf), said
    return said


ASKED: list[tuple[str, str, Any, str]] = [
    ("GET", "/api/games/chess", None, "unknown-game"),
    ("GET", "/api/nothing", None, "unknown-path"),
    ("DELETE", "/api/games", None, "method-not-allowed"),
    ("GET", "/api/me", None, "token-missing"),
    ("GET", "/api/matches?limit=x&mine=perhaps&status=lost", None, "malformed"),
    ("GET", "/api/matches?cursor=zzz", None, "malformed-cursor"),
    ("POST", "/api/players", [], "malformed"),
    ("POST", "/api/players", {"name": "a\u202eb", "kind": "cat", "email": "nowhere", "more": 1}, "malformed"),
    ("POST", "/api/players", "{", "not-json"),
    ("POST", "/api/players", "[" * 10_000, "too-deep"),
    ("POST", "/api/players", " " * ((1 << 16) + 1), "too-large"),
]


def test_a_problem_is_told_in_the_language_that_was_asked_for(house: House) -> None:
    for method, path, body, code in ASKED:
        more = {"json": body} if not isinstance(body, str) else {"data": body, "content_type": "application/json"}
        more = {} if body is None else more
        said = assert_japanese(house.send(method, path, headers=JAPANESE, **more))
        english = house.send(method, path, **more).json
        assert said["code"] == english["code"] == code
        assert english["detail"].isascii()
        fields, others = ({**one.get("fields", {}), "reason": ""} for one in (said, english))
        assert fields == others, "what programs read"
        asked = house.send(method, f"{path}{'&' if '?' in path else '?'}lang=ja", **more)
        assert asked.json["detail"] == said["detail"]


REFUSED_OF_PLAYERS: list[tuple[str, str, Any]] = [
    ("malformed-options", "/matches", {"seats": [None, None], "options": {"rounds": "two"}}),
    ("seats", "/matches", {"seats": [None] * 5}),
    ("malformed", "/matches", {"seats": [{}, "x"]}),
    ("malformed", "/matches/{match}/orders", {"play": [{"type": "Pass"}], "like": {"decision": 8, "id": "x"}}),
    ("malformed-move", "/matches/{match}/moves", {"decision": 8, "move": {"type": "X"}}),
    ("not-legal", "/matches/{match}/moves", {"decision": 8, "id": "x"}),
    ("decision-closed", "/matches/{match}/moves", {"decision": 1, "id": "x"}),
]


def test_what_players_are_refused_is_told_in_their_language(house: House) -> None:
    match, (ann, _) = house.table()
    for code, path, body in REFUSED_OF_PLAYERS:
        sent = {"game": "high-card", **body} if path == "/matches" else body
        assert assert_japanese(ann.post(path.format(match=match), sent, lang="ja"))["code"] == code


def test_a_language_that_is_not_spoken_is_refused_in_one_that_is(house: House) -> None:
    ann = house.player()
    match = ann.open()
    for path in (f"/matches/{match}", f"/matches/{match}/moves", "/matches/m_none", "/games/chess", "/me/tokens/t_x"):
        answer = ann.get(path, JAPANESE, lang="la")
        assert_japanese(answer)
        assert answer.status_code in {404, 405, 422}
    assert refusal(ann.post(f"/matches/{match}/abort", lang="la")) == (422, "unknown-lang")
    assert ann.look(match)["status"] == "open", "what is refused is not done"
