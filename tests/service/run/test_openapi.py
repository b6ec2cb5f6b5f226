"""The contract: it is what the code says, and it is valid; `documented` holds every answer of a test against it."""

from __future__ import annotations

import json
from pathlib import Path

import yaml
from openapi_spec_validator import validate

from service.run import openapi
from service.web import document
from tests.service.house import House


def test_the_document_is_fresh() -> None:
    assert openapi.is_fresh(), "make openapi"


def test_the_document_is_the_same_every_time() -> None:
    assert openapi.render() == openapi.render()


def test_a_stale_document_is_said(tmp_path: Path) -> None:
    import pytest

    stale = tmp_path / "openapi.yaml"
    assert not openapi.is_fresh(stale)
    stale.write_text("openapi: 3.1.0\n")
    with pytest.raises(SystemExit, match=r"openapi\.yaml is out of date"):
        openapi.check(stale)


def test_the_document_is_valid() -> None:
    validate(yaml.safe_load(openapi.render()))


def test_the_document_is_served(house: House) -> None:
    served = house.stranger.get("/openapi.json").json
    assert served == json.loads(json.dumps(document(house.app)))
    told = yaml.safe_load(openapi.render())
    assert told["paths"].keys() == served["paths"].keys()
    assert told["components"]["schemas"] == served["components"]["schemas"]
