"""The headers of a request: what could be read in two ways is refused."""

from __future__ import annotations

from io import BytesIO

import pytest

from service.web.headers import Headers


def read(*lines: str) -> Headers:
    return Headers.read(BytesIO("".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1")))


def test_they_are_found_by_any_spelling_and_trimmed() -> None:
    found = read("Host: here", "content-TYPE:  application/json \t", "X-Empty:", "Authorization: Bearer é")
    assert found.get("host") == found.getheader("HOST") == "here"
    assert found.typeheader == "application/json"
    assert found.get("x-empty") == ""
    assert found.get("nothing") is None
    assert found.get("nothing", "else") == "else"
    assert dict(found.for_environ()) == {"HTTP_HOST": "here", "HTTP_X_EMPTY": "", "HTTP_AUTHORIZATION": "Bearer é"}


def test_those_that_come_twice_are_joined() -> None:
    found = read("Accept: a", "Accept: b", "Cookie: a=1", "Cookie: b=2")
    assert dict(found.for_environ()) == {"HTTP_ACCEPT": "a,b", "HTTP_COOKIE": "a=1; b=2"}


def test_one_with_an_underscore_does_not_pass_for_another() -> None:
    assert dict(read("X_Real: forged", "Content-Length: 3").for_environ()) == {}


@pytest.mark.parametrize(
    "line",
    [
        "no colon",
        ": no name",
        "Name : a blank before the colon",
        " folded",
        "\tfolded",
        "Name: a\0b",
        "Name: a\rb",
        "Näme: a",
        "Content-Length: x",
        "Content-Length: -1",
        "Content-Length: +1",
        "Content-Length: 1, 1",
        "Content-Length: 1_0",
        "Content-Length:",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked, identity",
    ],
)
def test_what_is_no_header_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"a line|a length|an encoding"):
        read("Host: here", line)


def test_two_lengths_are_refused_and_the_same_twice_is_one() -> None:
    assert read("Content-Length: 3", "content-length: 3").get("content-length") == "3"
    with pytest.raises(ValueError, match="two lengths"):
        read("Content-Length: 3", "Content-Length: 4")
