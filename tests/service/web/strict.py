"""The OpenAPI document, read more strictly than clients read it: nothing may be told that it does not name."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import jsonschema_rs

LEFT_OPEN = frozenset({"EventRecord"})
"""Parts of others, which say all that there is together with them."""


def strict(document: dict[str, Any]) -> dict[str, Any]:
    """The document, whose objects have no names but those that it says."""
    told = deepcopy(document)
    for name, schema in told["components"]["schemas"].items():
        if "allOf" in schema:
            schema["unevaluatedProperties"] = False
        if name not in LEFT_OPEN:
            _close(schema)
    return told


def _close(part: Any) -> None:
    if isinstance(part, dict):
        if part.get("additionalProperties") is True:
            part["additionalProperties"] = False
        for one in part.values():
            _close(one)
    elif isinstance(part, list):
        for one in part:
            _close(one)


def validator(told: dict[str, Any], name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": told["components"]}
    )
