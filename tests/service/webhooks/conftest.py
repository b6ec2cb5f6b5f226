"""A receiver, and who delivers to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network

import pytest

from service.config import Config
from service.webhooks.delivering import Courier
from service.webhooks.sending import Sender
from service.wiring import Service
from tests.service.webhooks.post import HERE, Moment, at_once
from tests.service.webhooks.receivers import Running, receiver


@pytest.fixture(scope="session")
def receiving() -> Iterator[Running]:
    """A receiver for all tests."""
    with receiver() as running:
        yield running


@pytest.fixture
def config(config: Config) -> Config:
    """An operator who lets webhooks be on this machine."""
    return replace(config, webhook_private=(ip_network("127.0.0.0/8"),))


@pytest.fixture
def moment() -> Moment:
    return Moment()


@pytest.fixture
def courier(service: Service, moment: Moment) -> Courier:
    """Delivers before it is asked for more. It has patience with a machine that has much else to do."""
    return Courier(service.recorder, service.signer, Sender(HERE, 20.0), "https://play.example", at_once, moment)
