"""What an operator may say of limits."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from environs import EnvError

from service import config
from service.limits.settings import RATES, ROOMS, Rate

SIGN_UPS = "LIMIT_SIGN_UPS_BY_ADDRESS"


def test_every_limit_can_be_said_and_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (*RATES, *ROOMS):
        monkeypatch.setenv(f"FOLDTABLE_LIMIT_{limit.id.upper().replace('-', '_')}", "off")
    monkeypatch.setenv("FOLDTABLE_LIMIT_SIGN_UPS_BY_ADDRESS", "10 per 5 minutes")
    monkeypatch.setenv("FOLDTABLE_LIMIT_WAITS_BY_ACCOUNT", "7")
    monkeypatch.setenv("FOLDTABLE_LIMIT_OPEN_MATCHES", "3")
    found = config.read().limits
    assert found.rates == (Rate("sign-ups", "address", 10, 300),)
    assert [(room.id, room.most) for room in found.rooms] == [("waits-by-account", 7)]
    assert found.open_matches == 3


def test_whom_to_trust_and_whom_not_to_count_can_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_PROXIES", "10.0.0.1, fd00::/8")
    monkeypatch.setenv("FOLDTABLE_LIMIT_EXEMPT", "")
    found = config.read().limits
    assert (found.proxies, found.exempt) == ((ip_network("10.0.0.1/32"), ip_network("fd00::/8")), ())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((SIGN_UPS, said) for said in ("many", "0/hour", "60 per 0 hours", "60", "60/hour; 1/second")),
        *(("LIMIT_WAITS_BY_ADDRESS", said) for said in ("0", "-1", "some", "9" * 5000)),
        *(("LIMIT_OPEN_MATCHES", "0"), ("LIMIT_EXEMPT", "here"), ("PROXIES", "10.0.0.1/8"), ("PROXIES", "nginx")),
        # Redis and SQLite could not count so far: each pass that was asked for was a fault
        *((name, "1000000001") for name in ("PASSES", "BOT_MOVES", "LIMIT_OPEN_MATCHES", "LIMIT_WAITS_BY_ADDRESS")),
        *((SIGN_UPS, said) for said in ("1000000001/hour", "60 per 1000000 hours")),
    ],
)
def test_what_can_not_be_is_said_by_its_name(monkeypatch: pytest.MonkeyPatch, name: str, said: str) -> None:
    monkeypatch.setenv(f"FOLDTABLE_{name}", said)
    with pytest.raises(EnvError, match=name):
        config.read()
