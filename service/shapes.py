"""Types of fields of answers for which the OpenAPI document says more than Python does.

An answer is one frozen struct: it is encoded as it is, and the document's schema is made from it
(`service/web/contract/schemas.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from service.clock import DURATION


def formatted(name: str) -> Meta:
    """Return the annotation of a text with this format of JSON schema."""
    return Meta(extra_json_schema={"format": name})


def one_of(*words: str) -> Meta:
    """Return the annotation of a text that is one of these words."""
    return Meta(extra_json_schema={"enum": list(words)})


Moment: TypeAlias = Annotated[str, formatted("date-time")]
Duration: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": DURATION})]

Object: TypeAlias = Annotated[Any, Meta(extra_json_schema={"type": "object"})]
"""An object that is described elsewhere."""
