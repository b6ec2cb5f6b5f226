"""Files of pages on the wire: packed for who unpacks them, as they are for everybody else."""

from __future__ import annotations

import gzip

import pytest

from service.web.pages import assets
from tests.service.house import House
from tests.service.web.pages.browsing import Browser

pytestmark = pytest.mark.sqlite

UNPACKS = ("gzip", "br, gzip;q=0.5", "gzip, deflate, br, zstd", "*", "GZIP", "identity;q=0.5, gzip;q=0.8", "*;q=0.1")
RATHER_NOT = (None, "", "br", "gzip;q=0", "gzip;q=0, *", "deflate, *;q=0", "identity;q=1, gzip;q=0.5", "x; y")


def asked(house: House, name: str, accepts: str | None) -> tuple[bytes, dict[str, str]]:
    """What comes over the wire, and its headers."""
    headers = {} if accepts is None else {"Accept-Encoding": accepts}
    answer = Browser(house).client.get(assets.addresses()[name], headers=headers)
    assert answer.status_code == 200
    return answer.data, dict(answer.headers)


def test_who_unpacks_is_sent_every_file_packed_where_that_is_smaller(house: House) -> None:
    for at, (name, data) in enumerate(assets.files().items()):
        sent, headers = asked(house, name, UNPACKS[at % len(UNPACKS)])
        is_packed = assets.packed(name) is not None
        assert (gzip.decompress(sent) if is_packed else sent) == data
        assert headers.get("Content-Encoding") == ("gzip" if is_packed else None)
        assert (headers["Vary"], headers["Content-Length"]) == ("Accept-Encoding", str(len(sent)))
        assert headers["Cache-Control"] == assets.FOR_GOOD
        assert len(sent) <= len(data)


def test_everybody_else_is_sent_files_as_they_are(house: House) -> None:
    for accepts in RATHER_NOT:
        name = "pages.css"
        sent, headers = asked(house, name, accepts)
        assert sent == assets.files()[name]
        assert "Content-Encoding" not in headers
        assert (headers["Vary"], headers["Content-Length"]) == ("Accept-Encoding", str(len(sent)))


def test_a_page_is_never_packed_with_what_its_address_said(house: House) -> None:
    answer = Browser(house).client.get("/lobby?game=ttmp", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
