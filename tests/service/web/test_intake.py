"""A request is whole when all of it is there, however it is cut into pieces on its way; and its head as it is read.

What is refused of it stands in `oddities.toml`.
"""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.web.head import END, FIELDS, HEAD, LINE, Head, Heard, Intake, Unframed, parse_fields, parse_head

MOST = 1000

CHUNKS = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

BARE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
SIZED = b"POST / HTTP/1.1\r\nHost: a\r\ncontent-length:  12 \r\n\r\n{\r\n\r\n'a': 1}"
CHUNKED = CHUNKS + b"5;a=b\r\n0\r\n\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n"
TRAILED = CHUNKS + b"1\r\na\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n"
WHOLE = {BARE: b"", SIZED: b"{\r\n\r\n'a': 1}", CHUNKED: b"0\r\n\r\n0123456789", TRAILED: b"a"}
"""Requests, and their bodies."""


@given(data=st.data())
def test_requests_are_whole_with_their_last_byte_however_they_are_cut(data: st.DataObject) -> None:
    requests = data.draw(st.lists(st.sampled_from([*WHOLE]), min_size=1, max_size=3))
    sent, ends = b"".join(requests), [*accumulate(map(len, requests))]
    cuts = sorted(data.draw(st.sets(st.integers(1, len(sent) - 1))))
    intake, taken = Intake(MOST), 0
    for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True):
        heard = intake.add(sent[start:end])
        while heard is Heard.WHOLE:
            assert ends[taken] <= end
            assert intake.take().body == WHOLE[requests[taken]]
            taken += 1
            assert len(intake) <= end - ends[taken - 1], "what is of the next one stays"
            heard = intake.add(b"")
        assert heard is Heard.PART
        assert taken == len(requests) or ends[taken] > end
    assert (taken, len(intake)) == (len(requests), 0)


def sized(length: object) -> bytes:
    return f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n".encode()


def test_what_is_too_long_is_not_waited_for() -> None:
    assert Intake(MOST).add(sized(MOST)) is Heard.PART
    assert Intake(MOST).add(sized(MOST + 1)) is Heard.LONG_BODY
    assert Intake(MOST).add(b"GET / HTTP/1.1\r\nX: " + b"a" * HEAD) is Heard.LONG_HEAD
    assert Intake(MOST).add(b"GET / HTTP/1.1\r\nX: " + b"a" * HEAD + b"\r\n\r\n") is Heard.LONG_HEAD
    chunks = Intake(MOST)
    assert chunks.add(CHUNKS) is Heard.PART
    heard = [chunks.add(b"1\r\na\r\n") for _ in range(MOST)]
    assert heard[0] is Heard.PART
    assert heard[-1] is Heard.LONG_BODY


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
def test_a_first_line_that_is_too_long_is_refused_as_soon_as_it_is(size: int) -> None:
    def heard(length: int) -> set[Heard]:
        intake, line = Intake(MOST), b"GET /" + b"a" * (length - 14) + b" HTTP/1.1"
        sent = line + b"\r\nHost: a\r\nX: " + b"a" * LINE + END
        assert len(line) == length
        found = [intake.add(sent[start : start + size]) for start in range(0, len(sent), size)]
        return set(found) - {Heard.PART}

    assert heard(LINE) == {Heard.WHOLE}
    assert Heard.LONG_LINE in heard(LINE + 1)
    assert Intake(MOST).add(b"a" * (LINE + 1)) is Heard.PART
    assert Intake(MOST).add(b"a" * (LINE + 2)) is Heard.LONG_LINE


def test_chunks_are_as_long_as_a_body_may_be_and_no_longer() -> None:
    def chunked(*sizes: int) -> bytes:
        return CHUNKS + b"".join(b"%x\r\n%s\r\n" % (size, b"a" * size) for size in sizes)

    assert Intake(MOST).add(chunked(MOST - 1, 1, 0)) is Heard.WHOLE
    assert Intake(MOST).add(chunked(MOST - 1, 2, 0)) is Heard.LONG_BODY
    assert Intake(MOST).add(CHUNKS + b"%x\r\n" % (MOST + 1)) is Heard.LONG_BODY
    one_after_the_other = Intake(MOST)
    for _ in range(3):
        assert one_after_the_other.add(chunked(MOST, 0)) is Heard.WHOLE
        one_after_the_other.take()


def test_all_that_is_kept_of_a_request_is_counted() -> None:
    intake, head = Intake(MOST), CHUNKS.removesuffix(END)
    kept = [(head, len(head)), (END, len(head)), (b"5\r\nhel", len(head) + 6), (b"lo\r\n9", len(head) + 6)]
    for sent, size in kept:
        assert (intake.add(sent), len(intake)) == (Heard.PART, size)


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
    named = head(first="GET http://there:80?a=/b HTTP/1.1")
    assert (named.target, named.for_environ()["HTTP_HOST"]) == ("/?a=/b", "there:80"), "its host counts"
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
