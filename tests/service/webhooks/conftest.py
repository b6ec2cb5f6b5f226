"""A receiver, and somebody whose webhook is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network

import pytest

from service.config import Config
from tests.service.house import House
from tests.service.webhooks.post import Hooked
from tests.service.webhooks.receivers import Running, receiver


@pytest.fixture(scope="session")
def receiving() -> Iterator[Running]:
    with receiver() as running:
        yield running


@pytest.fixture
def config(config: Config) -> Config:
    """An operator who lets webhooks be on this machine."""
    return replace(config, webhook_private=(ip_network("127.0.0.0/8"),))


@pytest.fixture
def ann(house: House, receiving: Running) -> Hooked:
    return Hooked(house, receiving)
