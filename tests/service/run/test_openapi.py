"""The contract: what the code says, and valid; and the answer to whatever is asked by it is in it, and is no fault."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, given, settings
from openapi_spec_validator import validate
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.result import Ok

from service.run import openapi
from service.web import document
from service.web.contract import operations
from service.web.contract.schemas import FIXED
from tests.service.house import House, routes


@pytest.mark.sqlite
def test_the_document_is_fresh_valid_and_served(house: House, tmp_path: Path) -> None:
    openapi.check()
    written = yaml.load(openapi.FILE.read_text(encoding="utf-8"), yaml.CSafeLoader)
    validate(written)
    served = house.stranger.get("/openapi.json").json
    assert served == json.loads(json.dumps(document(house.app)))
    assert written["paths"].keys() == served["paths"].keys()
    assert written["components"]["schemas"] == served["components"]["schemas"]
    with pytest.raises(SystemExit, match=r"openapi\.yaml is out of date"):
        openapi.check(tmp_path / "openapi.yaml")


BRIEF = settings(
    max_examples=2, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
WALKS = settings(BRIEF, max_examples=8, stateful_step_count=15)

SAID: dict[str, Any] = {"openMatch": {"game": "magicative", "seats": [None, {"bot": "random"}]}, "takeSeat": {}}
"""Bodies that can be had: names of games and bots, and which seats there are, are not guessed in a lifetime."""

FOLLOWED = {"openMatch", "getMatch", "takeSeat", "listMoves"}
"""What links lead to, and must have led to with success."""

load_all_checks()
CHECKED = [
    CHECKS.get_one(name)
    for name in (
        *("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance"),
        *("response_schema_conformance", "unsupported_method", "allow_header_conformance"),
    )
]


def linked() -> list[str]:
    """The operations of matches that have links, and those that links lead to."""
    found = {one.id for one in operations(routes()) if one.path.startswith("/api/matches")}
    told = found & FIXED["links"].keys()
    names = told | {link["operationId"] for one in told for link in FIXED["links"][one].values()}
    # a match that is given up at once is never played
    return sorted(names - {"forkMatch", "agreeToAbort", "leaveSeat"})


def test_whatever_is_sent_the_answer_is_documented(house: House) -> None:
    match, (ann, _) = house.table()
    for found in schemathesis.openapi.from_wsgi("/api/openapi.json", house.app).get_all_operations():
        assert isinstance(found, Ok)

        @settings(BRIEF)
        @given(case=found.ok().as_strategy())
        def run(case: Any) -> None:
            if "match_id" in (case.path_parameters or {}):
                case.path_parameters["match_id"] = match
            if isinstance(case.query, dict):
                case.query.pop("wait", None)
            case.call_and_validate(headers=ann.headers, checks=CHECKED)

        run()


@pytest.mark.sqlite
def test_whoever_follows_the_links_is_answered_as_documented(house: House) -> None:
    """Matches are opened, sat down at, looked at, played and broken off, each by what the answer before linked to."""
    ann, asked = house.player(), Counter[tuple[str, int]]()
    whole = schemathesis.openapi.from_wsgi("/api/openapi.json", house.app)
    whole.config.generation.update(modes=[schemathesis.GenerationMode.POSITIVE])
    schema = whole.include(operation_id=linked())

    class Walk(schema.as_state_machine()):  # type: ignore[misc]  # the class is made of the document
        """Somebody who goes where the links lead."""

        def before_call(self, case: Any) -> None:
            case.headers = {**(case.headers or {}), **ann.headers}
            if isinstance(case.query, dict):
                # to wait for nothing, or to look from a seat that is another's
                case.query = {name: value for name, value in case.query.items() if name not in {"wait", "seat"}}
            case.body = SAID.get(case.operation.definition.raw["operationId"], case.body)

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {}

        def validate_response(self, response: Any, case: Any, **_: Any) -> None:
            asked[case.operation.definition.raw["operationId"], response.status_code] += 1
            case.validate_response(response, checks=CHECKED)

    Walk.run(settings=WALKS)
    assert {name for name, status in asked if status < 300} >= FOLLOWED, asked
    assert "makeMove" in {name for name, _ in asked}
