"""Types of fields in answers, where the OpenAPI document says more of them than Python does."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, UnsetType

Moment: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Day: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date"})]
Duration: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "duration"})]
Url: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "uri"})]

Object: TypeAlias = Annotated[Any, Meta(extra_json_schema={"type": "object"})]
"""An object whose shape is told elsewhere."""

Unset: TypeAlias = UnsetType
"""Of a field that an answer may leave out."""
