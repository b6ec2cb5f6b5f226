"""What every answer says to browsers: pages, files, problems and faults too, whatever route they come by."""

from __future__ import annotations

import re

import pytest

from service.wiring import Service
from tests.service.house import Answer, House

pytestmark = pytest.mark.sqlite

FOR_ALL = {"assets.file", "pages_replay.png"}
"""Of which nothing is anybody's own."""

PAGES = ("pages_", "describing.read_document")
"""How the endpoints of pages begin."""

FRAMED = {"pages_replay.watch"}
"""What other sites may show in theirs."""


def is_guarded(answer: Answer, where: str = "") -> bool:
    """Whether browsers take it for nothing but what it is, and hand nothing on; pages send forms to ourselves, and with
    `no-referrer` a browser would not say from where.
    """
    said, policy = answer.headers, answer.headers.get("Content-Security-Policy", "")
    referrers = {"no-referrer", "same-origin", "strict-origin"} if where.startswith(PAGES) else {"no-referrer"}
    return (
        said.get("X-Content-Type-Options") == "nosniff"
        and said.get("Referrer-Policy") in referrers
        and "default-src 'none'" in policy
        and ("frame-ancestors 'none'" in policy or where in FRAMED)
        and "unsafe-" not in policy
        and len(said.getlist("Content-Security-Policy")) == len(said.getlist("Cache-Control")) == 1
        and "Server" not in said
    )


def test_every_route_is_guarded_also_those_that_the_document_does_not_tell_of(house: House) -> None:
    match, (ann, _) = house.table()
    assert ann.get(f"/matches/{match}/export").headers["Content-Disposition"].startswith("attachment")
    wrong = []
    for rule in house.app.url_map.iter_rules():
        path = re.sub(r"<(?:[^:>]*:)?match_id>", match, rule.rule)
        path = re.sub(r"<[^>]*>", "1", path)
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
            if method == "DELETE" and path == "/api/me":
                continue  # she is asked for below
            answer = house.send(method, path, headers=ann.headers)
            is_kept_by_all = "public" in answer.headers["Cache-Control"]
            if path.startswith("/api/"):
                assert answer.headers["Cache-Control"] in {"no-store", "private, no-cache"}, path
                assert not [name for name in dict(answer.headers) if name.startswith("Access-Control")]
            if not is_guarded(answer, rule.endpoint) or (is_kept_by_all and rule.endpoint not in FOR_ALL):
                wrong.append((method, path, answer.status_code, dict(answer.headers)))
    assert not wrong
    assert all(is_guarded(house.send("GET", path)) for path in ("/api/none", "/none", "/api/me"))
    assert is_guarded(house.send("BREW", "/api/games"))


def test_pages_run_no_script_and_hand_forms_to_nobody_else(house: House) -> None:
    link = house.service.wishing.tokens.unsubscribe(house.player().id)
    answer = house.send("GET", f"/api/mail/unsubscribe/{link}")
    assert answer.content_type.startswith("text/html")
    assert is_guarded(answer)
    assert "<script" not in answer.text.lower()
    assert not re.search(r"""\s(?:src|href|action)=["']?(?:https?:)?//""", answer.text.partition("<main")[0])
    assert "<form" in answer.text
    assert "form-action 'self'" in answer.headers["Content-Security-Policy"]
    # nor is what a link says part of a page
    for said in ('"><script>alert(1)</script>', "'-alert(1)-'", "</form><img src=x onerror=y>"):
        for path in ("/account/confirm", "/account/recover"):
            for answer in (
                house.send("GET", path, query_string={"token": said}),
                house.send("POST", path, data={"token": said, "password": said}),
            ):
                assert not [word for word in (said, "<script>", "<img") if word in answer.text], path


def test_faults_are_guarded_and_say_nothing_of_themselves(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ann = House(service).player()

    def fault(*_: object, **__: object) -> None:
        raise RuntimeError("the hand is fire 3")

    monkeypatch.setattr(type(service.accounts), "tokens", fault)
    answer = ann.get("/me/tokens")
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert is_guarded(answer)
    logged = "".join(capsys.readouterr())
    assert "RuntimeError" in logged
    for text in (answer.text, logged):
        assert "fire 3" not in text
    assert "Traceback" not in answer.text
