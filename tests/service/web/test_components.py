"""The schemas of answers are made from the structs that are encoded."""

from __future__ import annotations

from typing import Annotated

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from service.shapes import Moment, Object, one_of
from service.web.contract.schemas import components


class Inner(msgspec.Struct, frozen=True):
    """What stands in another one."""

    number: int = 0


class Outer(msgspec.Struct, frozen=True):
    """All sorts of fields."""

    at: Moment | None
    """When it was."""
    word: Annotated[str, one_of("b", "a")] | None
    either: int | str | None
    inner: Inner | None
    many: tuple[Object, ...]
    left_out: str | UnsetType = UNSET


MADE = components([Outer])
FIELDS = MADE["Outer"]["properties"]


def test_all_that_a_struct_is_made_of_is_made_too() -> None:
    assert MADE.keys() == {"Outer", "Inner"}
    assert MADE["Outer"]["description"] == "All sorts of fields."
    assert FIELDS["inner"] == {"anyOf": [{"$ref": "#/components/schemas/Inner"}, {"type": "null"}]}


def test_a_field_is_always_there_unless_it_may_be_unset() -> None:
    assert MADE["Outer"]["required"] == ["at", "word", "either", "inner", "many"]
    assert MADE["Inner"]["required"] == ["number"], "it is encoded, whatever its default is"
    assert "default" not in MADE["Inner"]["properties"]["number"]


def test_null_is_one_of_the_types_of_what_may_be_null() -> None:
    assert FIELDS["at"] == {"type": ["string", "null"], "format": "date-time", "description": "When it was."}
    assert FIELDS["word"] == {"type": ["string", "null"], "enum": ["b", "a", None]}
    assert FIELDS["either"] == {"type": ["integer", "string", "null"]}


def test_an_object_that_is_told_elsewhere_may_hold_anything() -> None:
    assert FIELDS["many"]["items"] == {"type": "object", "additionalProperties": {}}


def test_two_classes_of_one_name_are_refused() -> None:
    other = msgspec.defstruct("Inner", [("text", str)], module="elsewhere")
    with pytest.raises(ValueError, match="Inner"):
        components([Outer, other])
