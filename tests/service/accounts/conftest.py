"""Passwords that are hashed quickly: what argon2 takes in earnest is seen by `test_many_at_once`."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher

from service.accounts import passwords


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", quick)
    monkeypatch.setattr(passwords, "NOBODYS", quick.hash("nobody's"))
