"""Each answer of the app in a test is held against the document: status, headers, code, and the body by its schema."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any

import jsonschema_rs

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from service.web import create_app
from service.web.contract.problems import CODES, EVERYWHERE
from service.web.contract.schemas import parts
from service.web.middleware import ASKED

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

OF_ALL = {"content-type", "content-length"}
"""Headers of every answer that the document may not tell (OpenAPI has other places for them)."""

FOR_PAGES = {"access-control-allow-origin", "access-control-expose-headers"}
"""What browsers ask for on behalf of pages of other origins."""

OURS = ("/api/", "/healthz", "/readyz")
"""Paths that the document tells of. A test may have others."""

JSON = {"application/json", "application/problem+json"}

TOY = "TOY-"
"""Of the clauses of the room that only tests have."""

PARTLY = frozenset({"EventRecord"})
"""Parts of others, which say all that there is together with them."""

WHOLE = "urn:document"
"""The name of the whole document for validators of its parts."""

faults: list[str] = []
"""What was answered and is not documented."""


@cache
def document() -> dict[str, Any]:
    """The document, with the toy room's, in which nothing may be added to a shape: what is not told is a fault."""
    app = create_app(None)
    catalogue = Catalogue((domain.games, tests.toy))
    told = deepcopy(app.extensions["document"](tuple(catalogue.rooms), catalogue))
    for name, schema in told["components"]["schemas"].items():
        if "allOf" in schema:
            schema["unevaluatedProperties"] = False
        for part in parts(schema) if name not in PARTLY else ():
            if part.get("additionalProperties") is True:
                part["additionalProperties"] = False
    return dict(told)


@cache
def answer_of(path: str, method: str, status: int) -> dict[str, Any] | None:
    told = document()["paths"].get(path, {}).get(method)
    said = None if told is None else told["responses"].get(str(status))
    if said is not None and "$ref" in said:
        said = document()["components"]["responses"][said["$ref"].rpartition("/")[2]]
    return said


@cache
def components() -> jsonschema_rs.Registry:
    """The document's components, read once for all validators."""
    return jsonschema_rs.Registry([(WHOLE, {"components": document()["components"]})])


@cache
def validator(path: str, method: str, status: int, kind: str) -> jsonschema_rs.Draft202012Validator | None:
    """By the schema of that answer's body, if it has one of that kind."""
    said = answer_of(path, method, status)
    content = (said or {}).get("content", {}).get(kind)
    if content is None:
        return None
    schema = json.loads(json.dumps(content["schema"]).replace('"#/components', f'"{WHOLE}#/components'))
    return jsonschema_rs.Draft202012Validator(schema, registry=components(), validate_formats=True)


def check(path: str, method: str, status: int, headers: dict[str, str], body: bytes) -> None:
    where = f"{method.upper()} {path} {status}"
    if (said := answer_of(path, method, status)) is None:
        faults.append(f"{where}: the document has no such answer: {body[:300]!r}")
        return
    named = {name.lower() for part in (said.get("headers", {}), document()[EVERYWHERE]) for name in part}
    unsaid = headers.keys() - OF_ALL - FOR_PAGES - named
    if unsaid:
        faults.append(f"{where}: the document tells of no {sorted(unsaid)}")
    kind = headers.get("content-type", "").partition(";")[0]
    told = validator(path, method, status, kind)
    if body and told is None:
        faults.append(f"{where}: the document tells of no {kind}")
    if not body or told is None or kind not in JSON:
        return
    value = json.loads(gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body)
    if CODES in said and value.get("code") not in said[CODES] and not _is_toy(value):
        faults.append(f"{where}: the document tells of no code {value.get('code')!r}")
    if told.is_valid(value) or _is_toy(value):
        return
    faults.extend(
        f"{where}: {'.'.join(map(str, error.instance_path))}: {error.message[:500]}"
        for error in told.iter_errors(value)
    )


def _is_toy(value: Any) -> bool:
    """Whether options are refused by the rules of a room that only tests have."""
    return isinstance(value, dict) and str(value.get("clause", "")).startswith(TOY)


def watched(app: WSGIApplication, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """The app's answer, once it was looked at."""
    told: list[Any] = []

    def started(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
        told[:] = [int(status[:3]), {name.lower(): value for name, value in headers}]
        return start_response(status, headers, *error)

    body = app(environ, started)
    method = environ["REQUEST_METHOD"].lower()
    if not told or method not in {"get", "post", "put", "patch", "delete"}:
        return body
    status, headers = told
    path = environ.get(ASKED, ("none",))[0]
    if not path.startswith(OURS) or (status == 405 and answer_of(path, method, 405) is None):
        return body
    if headers.get("content-type", "").partition(";")[0] not in JSON:
        check(path, method, status, headers, b"" if status in {204, 304} else b"-")
        return body
    try:
        whole = b"".join(body)
    finally:
        if (close := getattr(body, "close", None)) is not None:
            close()
    check(path, method, status, headers, whole)
    return [whole]
