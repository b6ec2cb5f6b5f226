"""A service on a real SQLite file, with the games of the house and the toy room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from service.config import Config
from service.web import create_app
from service.wiring import Service
from tests.service.house import House, build


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A store of its own for each test."""
    # bots take no time to think: bots/test_hesitation.py says when they do
    return Config(data=tmp_path / "data", bot_pause=0.0)


@pytest.fixture
def service(config: Config) -> Iterator[Service]:
    """The service without its web."""
    found = build(config)
    yield found
    found.close()


@pytest.fixture(scope="session")
def app() -> Flask:
    """One app for all tests, one after the other."""
    return create_app(None)


@pytest.fixture
def house(service: Service, app: Flask) -> House:
    """The service with its web, and people who come in."""
    return House(service, app)
