"""The head of a request as it is read; what is refused of it stands in `oddities.py`."""

from __future__ import annotations

import pytest

from service.web.head import FIELDS, Head, Unframed, parse_fields, parse_head


def head(*lines: str, first: str = "GET / HTTP/1.1") -> Head:
    return parse_head("\r\n".join((first, "Host: here", *lines)).encode("latin-1"))


def test_fields_are_found_by_any_spelling_and_trimmed() -> None:
    found = head("content-TYPE:  application/json \t", "X-Empty:", "Authorization: Bearer é")
    assert found.fields == {
        "host": "here",
        "content-type": "application/json",
        "x-empty": "",
        "authorization": "Bearer é",
    }
    assert found.for_environ() == {
        "HTTP_HOST": "here",
        "CONTENT_TYPE": "application/json",
        "HTTP_X_EMPTY": "",
        "HTTP_AUTHORIZATION": "Bearer é",
    }


def test_fields_that_come_twice_are_joined() -> None:
    found = head("Accept: a", "Accept: b", "Cookie: a=1", "Cookie: b=2").for_environ()
    assert (found["HTTP_ACCEPT"], found["HTTP_COOKIE"]) == ("a,b", "a=1; b=2")


def test_a_field_with_an_underscore_does_not_pass_for_another() -> None:
    assert dict(head("X_Real: forged", "Content-Length: 3").for_environ()) == {"HTTP_HOST": "here"}


def test_so_many_fields_are_read_and_no_more() -> None:
    lines = [f"X-{number}: 1" for number in range(FIELDS)]
    assert len(parse_fields(lines)) == FIELDS
    with pytest.raises(Unframed, match="too many fields"):
        parse_fields([*lines, "Y: 1"])


@pytest.mark.parametrize(
    ("lines", "first", "is_awaiting"),
    [
        (("Content-Length: 5", "Expect: 100-Continue"), "POST / HTTP/1.1", True),
        (("Transfer-Encoding: chunked", "Expect: 100-continue"), "POST / HTTP/1.1", True),
        (("Content-Length: 5", "Expect: 100-continue"), "POST / HTTP/1.0", False),
        (("Content-Length: 5", "Expect: something"), "POST / HTTP/1.1", False),
        (("Expect: 100-continue",), "POST / HTTP/1.1", False),
    ],
)
def test_who_waits_to_be_told_to_go_on_is_known(lines: tuple[str, ...], first: str, is_awaiting: bool) -> None:
    assert head(*lines, first=first).is_awaiting_go is is_awaiting


def test_all_there_is_may_be_asked_for_options() -> None:
    assert head(first="OPTIONS * HTTP/1.1").target == "*"
