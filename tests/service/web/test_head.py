"""The head of a request as it is read; what is refused of it stands in `oddities.toml`."""

from __future__ import annotations

import pytest

from service.web.head import FIELDS, Head, Unframed, parse_fields, parse_head


def head(*lines: str, first: str = "GET / HTTP/1.1") -> Head:
    return parse_head("\r\n".join((first, "Host: here", *lines)).encode("latin-1"))


def test_fields_are_found_by_any_spelling_trimmed_and_joined() -> None:
    found = head(
        "content-TYPE:  application/json \t", "X-Empty:", "Authorization: Bearer é", "Cookie: a=1", "cookie: b=2"
    )
    assert found.fields["content-type"] == "application/json"
    assert found.for_environ() == {
        "HTTP_HOST": "here",
        "CONTENT_TYPE": "application/json",
        "HTTP_X_EMPTY": "",
        "HTTP_AUTHORIZATION": "Bearer é",
        "HTTP_COOKIE": "a=1; b=2",
    }
    assert head("Accept: a", "Accept: b").for_environ()["HTTP_ACCEPT"] == "a,b"
    # a field with an underscore does not pass for another
    assert dict(head("X_Real: forged", "Content-Length: 3").for_environ()) == {"HTTP_HOST": "here"}
    assert head(first="OPTIONS * HTTP/1.1").target == "*"
    lines = [f"X-{number}: 1" for number in range(FIELDS)]
    assert len(parse_fields(lines)) == FIELDS
    with pytest.raises(Unframed, match="too many fields"):
        parse_fields([*lines, "Y: 1"])


def test_who_waits_to_be_told_to_go_on_is_known() -> None:
    go, sized = "Expect: 100-continue", "Content-Length: 5"
    assert head(sized, "Expect: 100-Continue", first="POST / HTTP/1.1").is_awaiting_go
    assert head("Transfer-Encoding: chunked", go, first="POST / HTTP/1.1").is_awaiting_go
    assert not head(sized, go, first="POST / HTTP/1.0").is_awaiting_go
    assert not head(sized, "Expect: something", first="POST / HTTP/1.1").is_awaiting_go
    assert not head(go, first="POST / HTTP/1.1").is_awaiting_go
