"""What receivers are sent: by one POST, signed, and as the document says of it."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from ipaddress import ip_network
from pathlib import Path

import pytest

from service import clock
from service.outbox import ChannelOutcome
from service.store import Notice, notices
from service.webhooks.sending import Sender, fresh_secret, sign
from tests.service.house import House, play_out
from tests.service.run.uprun import until
from tests.service.web.test_contract import body_of, wrong
from tests.service.webhooks.post import HERE, Hooked, follower
from tests.service.webhooks.receivers import Running, receiver

PATIENCE = 20.0
"""Seconds: enough on a machine that has much else to do."""

LITTLE = 1.0
"""Seconds, for who would never answer."""

BOTH = (*HERE, ip_network("::1/128"))


def sent(receiving: Running, path: str, patience: float = PATIENCE) -> ChannelOutcome:
    """Return what came of it."""
    return Sender(HERE, patience).send(receiving.url(path), {"X-Mark": "m"}, b'{"a": 1}')


@pytest.mark.parametrize(
    ("path", "answer", "problem"),
    [
        ("/ok", 200, None),
        ("/none?a=b", 204, None),
        ("/soon", 202, None),
        ("/fails", 500, "status"),
        ("/gone", 410, "status"),
        ("/moved", 301, "redirected"),
        ("/see", 307, "redirected"),
        ("/huge", 200, None),
        ("/no-http", None, "no-http"),
        ("/nothing", None, "no-http"),
        ("/silent", None, "timeout"),
        ("/drips", None, "timeout"),
    ],
)
def test_a_receiver_is_told_and_what_it_answers_is_its_status(
    receiving: Running, path: str, answer: int | None, problem: str | None
) -> None:
    before = len(receiving.heard("/ok"))
    outcome = sent(receiving, path, LITTLE if problem == "timeout" else PATIENCE)
    assert (outcome.answer, outcome.problem) == (answer, problem)
    # who was given up may hear it later
    heard = until(lambda: receiving.heard(path), "it is heard")[-1]
    assert (heard["body"], heard["headers"]["x-mark"]) == ('{"a": 1}', "m")
    assert len(receiving.heard("/ok")) == before + (path == "/ok"), "nowhere else is anything sent"


def test_a_head_without_end_is_read_no_further(receiving: Running) -> None:
    assert sent(receiving, "/long-head").answer == 200


def test_a_receiver_says_when_to_come_back(receiving: Running) -> None:
    assert sent(receiving, "/busy") == ChannelOutcome("waiting", 503, "status", 4000)


def test_where_nobody_listens_it_is_said(receiving: Running) -> None:
    outcome = Sender(HERE, PATIENCE).send("http://127.0.0.1:1/", {}, b"{}")
    assert outcome == ChannelOutcome("waiting", None, "no-connection")


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[str, str]:
    """For localhost, signed by itself."""
    cert, key = str(tmp_path / "cert"), str(tmp_path / "key")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


def test_who_can_prove_their_name_is_told_and_nobody_else(
    certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch, receiving: Running
) -> None:
    with receiver(*certificate) as secure:
        url = f"https://localhost:{secure.port}/ok"
        assert Sender(BOTH, PATIENCE).send(url, {}, b"{}") == ChannelOutcome("waiting", None, "tls")
        monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
        knowing = Sender(BOTH, PATIENCE)
        assert knowing.send(url, {}, b"{}") == ChannelOutcome(answer=200)
        assert knowing.send(f"https://127.0.0.1:{secure.port}/ok", {}, b"{}").problem == "tls", "it has another name"
    assert Sender(BOTH, LITTLE).send(f"https://127.0.0.1:{receiving.port}/", {}, b"{}").problem in {"tls", "timeout"}


SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, MOMENT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
"""The vector that the libraries of Standard Webhooks are tested by."""


def test_id_moment_and_body_are_signed_as_the_vector_says() -> None:
    assert sign(SECRET, ID, MOMENT, BODY) == SIGNATURE
    for other in (("msg_other", MOMENT, BODY), (ID, MOMENT + 1, BODY), (ID, MOMENT, BODY + b" ")):
        assert sign(SECRET, *other) != SIGNATURE


def test_a_secret_is_known_for_one_and_has_256_bits() -> None:
    one, other = fresh_secret(), fresh_secret()
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", one)
    assert one != other
    assert len(base64.b64decode(one.removeprefix("whsec_"))) == 32


def test_every_kind_that_is_sent_is_as_the_document_says(house: House, ann: Hooked, receiving: Running) -> None:
    bob = house.player("Bob")
    ann.make("/told", *notices.KINDS)
    for terms in (None, {"preset": "day"}):
        match = bob.open(seats=[{"player": ann.id}, None], clock=terms)
        with follower(house.service) as note:
            note()
            ann.sit(match, seat=0)
            bob.sit(match, seat=1)
            note()
            ann.run()
            asked, now = ann.look(match)["decision"], clock.now()
            reminder = Notice(notices.REMINDER, match, "high-card", ann.id, 0, clock.stamp(now), asked)
            house.service.recorder.write(notices.note(reminder, now))
            ann.run()
            if terms is None:
                play_out(match, [ann, bob])
            else:
                house.operator.post(f"/matches/{match}/abort")
            note()
    ann.ping()
    ann.run()
    sent = [json.loads(one["body"]) for one in receiving.heard("/told")]
    assert {one["type"] for one in sent} == {*notices.KINDS, notices.PING}
    for one in sent:
        assert wrong(body_of(one["type"]), one) == [], one
