"""Reads what a request says: by schemas of marshmallow, whose errors are told by field."""

from __future__ import annotations

from typing import Any, Literal

import marshmallow
import msgspec
from flask import Request

from service.problems import BadRequest, Malformed
from service.web.reply import asked, lang, once, service


def load(schema: marshmallow.Schema, location: str) -> dict[str, Any]:
    """Return what the request says there, as the schema reads it. Raises BadRequest; Malformed, by field."""
    of = asked()
    try:
        # of a body the schema says itself what is done about names that it does not know
        unknown: Literal["exclude"] | None = None if location == "json" else "exclude"
        found: dict[str, Any] = schema.load(_said(of, schema, location), unknown=unknown)
    except marshmallow.ValidationError as error:
        raise _malformed(error, of, location) from error
    return found


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
        # whoever sends a key again with another body is told so, whatever is wrong with that one
        service().front.check_repeat(before, (of.view_args or {}).get("match_id"))
    fields = by_field(error.normalized_messages())
    if not isinstance(fields, dict):
        fields = {"query" if location == "query" else "body": fields}
    if location == "query" and "lang" in fields:
        lang()  # the same code wherever it is said
    return Malformed("malformed", more={"errors": fields}, names=tuple(map(str, fields)) or ("body",))


def by_field(errors: Any) -> Any:
    """Return what is wrong, by the names that were said: what is wrong with all of an object stands in its place."""
    if not isinstance(errors, dict):
        return errors
    if errors.keys() == {marshmallow.exceptions.SCHEMA}:
        return errors[marshmallow.exceptions.SCHEMA]
    return {name: by_field(said) for name, said in errors.items()}


def parse(body: bytes) -> Any:
    """Return the JSON value. Raises BadRequest."""
    try:
        return msgspec.json.decode(body)
    except RecursionError:
        raise BadRequest("too-deep") from None
    except ValueError as error:
        raise BadRequest("not-json", reason=str(error)) from error
