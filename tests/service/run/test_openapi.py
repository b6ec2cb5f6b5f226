"""The contract: it is what the code says, and it is valid; `documented` holds every answer of a test against it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from openapi_spec_validator import validate

from service.run import openapi
from service.web import document
from tests.service.house import House


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
