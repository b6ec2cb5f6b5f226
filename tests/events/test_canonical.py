"""Canonical bytes: one form for each value, and everything else refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events import chain
from events.chain import DEEPEST, SAFE, NotCanonical

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.characters(max_codepoint=127))
INTEGERS = st.integers(1 - SAFE, SAFE - 1)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


def nested(depth: int) -> Any:
    """Lists and objects by turns."""
    value: Any = 1
    for level in range(depth):
        value = [value] if level % 2 else {"a": value}
    return value


@given(VALUES)
@settings(max_examples=150)
def test_a_value_comes_back_from_its_canonical_bytes(value: Any) -> None:
    chain.check_canonical(value)
    data = chain.encode_canonical(value)
    assert chain.decode_canonical(data) == value
    assert chain.encode_canonical(chain.decode_canonical(data)) == data
    for spaced in (b" " + data, data + b"\n", *([data[:1] + b"\t" + data[1:]] if data[:1] in b"[{" else [])):
        with pytest.raises(NotCanonical):
            chain.decode_canonical(spaced)


def test_keys_are_sorted_and_control_characters_escaped_shortly() -> None:
    value = {"b": 1, "a": '\b\t\n\f\r"\\/\x00\x1f\x7f\u2028é😀', "A": [True, None, -0]}
    expected = '{"A":[true,null,0],"a":"\\b\\t\\n\\f\\r\\"\\\\/\\u0000\\u001f\x7f\u2028é😀","b":1}'
    assert chain.encode_canonical(value) == expected.encode()
    assert chain.decode_canonical(expected.encode()) == value


@pytest.mark.parametrize(
    "value",
    [
        nested(DEEPEST),
        # no version of Unicode decides which texts have a canonical form
        *("e\u0301", "\u30ab\u3099\u30a4\u30c8\u3099", "\u2126", "\U000105d2\u0307", "\ufdd0", "\U000e0fff"),
    ],
)
def test_what_is_unusual_has_a_canonical_form(value: object) -> None:
    chain.check_canonical(value)
    assert chain.decode_canonical(chain.encode_canonical(value)) == value


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (1.0, "float has no canonical form"),
        (nested(DEEPEST + 1), f"deeper than {DEEPEST}"),
        (SAFE, "too large"),
        (-SAFE, "too large"),
        ({"a": {"b": [SAFE]}}, r"^a\.b\[0\]: the integer"),
        ({"ä": 1}, "is not ASCII"),
        ({1: 1}, "is not ASCII"),
        ({"a": {"ä": 1}}, "^a: the key"),
        ("\ud800", "lone surrogate"),
        (["a\udfff"], r"^\[0\]: a lone surrogate"),
        (b"bytes", "bytes has no canonical form"),
    ],
)
def test_what_has_no_canonical_form_is_refused(value: object, why: str) -> None:
    with pytest.raises(NotCanonical, match=why):
        chain.check_canonical(value)


@pytest.mark.parametrize(
    "data",
    [
        *(b"1.0", b"1e3", b"-0", b"NaN", b"9007199254740992", b"1" * 5000, b"[1", b"", b"[" * 100_000),
        *(b'{"a":1,"a":1}', b'{"b":1,"a":1}', b'{"a":1, "b":1}', '{"ä":1}'.encode()),
        *(b'"\\u00e9"', b'"\\/"', b'"\\ud800"', b'"\xed\xa0\x80"', b'"\xff"', b'"\t"', b'"\\u001F"'),
        *(b"\xef\xbb\xbf1", '"a"'.encode("utf-16")),
        *(b"[" * (DEEPEST + 2) + b"]" * (DEEPEST + 2), b'{"a":[1.5]}', b'{"a":[9007199254740992]}'),
    ],
)
def test_bytes_that_are_not_canonical_are_refused(data: bytes) -> None:
    with pytest.raises(NotCanonical):
        chain.decode_canonical(data)
