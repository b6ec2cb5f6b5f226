"""Reads requests by marshmallow's schemas, which report errors by field."""

from __future__ import annotations

from typing import Any, Literal

import marshmallow
import msgspec
from flask import Request

from service.problems import BadRequest, Malformed
from service.web.reply import asked, lang, once, service


def load(schema: marshmallow.Schema, location: str) -> dict[str, Any]:
    """Return that part of the request as the schema reads it. Raises BadRequest; Malformed, with errors by field."""
    of = asked()
    try:
        # for a body, the schema itself says what happens to unknown names
        unknown: Literal["exclude"] | None = None if location == "json" else "exclude"
        values: dict[str, Any] = schema.load(_said(of, schema, location), unknown=unknown)
    except marshmallow.ValidationError as error:
        raise _malformed(error, of, location) from error
    return values


def _said(of: Request, schema: marshmallow.Schema, location: str) -> Any:
    if location == "json":
        body = of.get_data(cache=True)
        return parse(body) if body.strip() else {}
    if location == "query":
        return of.args.to_dict()
    names = [field.data_key or name for name, field in schema.fields.items()]
    return {name: of.headers[name] for name in names if name in of.headers}


def _malformed(error: marshmallow.ValidationError, of: Request, location: str) -> Malformed:
    if (before := once()) is not None:
        # a key that came before with another body is the first error, whatever else is wrong with this body
        service().front.check_repeat(before, (of.view_args or {}).get("match_id"))
    fields = by_field(error.normalized_messages())
    if not isinstance(fields, dict):
        fields = {"query" if location == "query" else "body": fields}
    if location == "query" and "lang" in fields:
        lang()  # raises the error that an unknown language has everywhere
    return Malformed("malformed", more={"errors": fields}, names=tuple(map(str, fields)) or ("body",))


def by_field(errors: Any) -> Any:
    """Return the errors by the names of fields; an error of an object as a whole stands in its place."""
    if not isinstance(errors, dict):
        return errors
    if errors.keys() == {marshmallow.exceptions.SCHEMA}:
        return errors[marshmallow.exceptions.SCHEMA]
    return {name: by_field(inner) for name, inner in errors.items()}


def parse(body: bytes) -> Any:
    """Return the JSON value. Raises BadRequest."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise BadRequest("too-deep") from None
    except ValueError as error:
        raise BadRequest("not-json", reason=str(error)) from error
