"""A way from one version of the tables to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlite_utils import Database

from events.postgres.guard import Connection


class Step(NamedTuple):
    """Brings the tables of a store from one version to the next, in the transaction that is open."""

    on_sqlite: Callable[[Database], object]
    on_postgres: Callable[[Connection], object]
