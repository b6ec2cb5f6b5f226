"""One POST, to receivers that are slow, large, silent, elsewhere, or no receivers at all."""

from __future__ import annotations

import subprocess
from ipaddress import ip_network
from pathlib import Path

import pytest

from service.outbox import ChannelOutcome
from service.webhooks.sending import Sender
from tests.service.run.uprun import until
from tests.service.webhooks.post import HERE
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
