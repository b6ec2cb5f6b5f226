"""A store of the first version is carried to the second: what was told stays told, and what waits is told."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from sqlite_utils import Database

from events.sqlite import SqliteRecorder
from events.store import Statement, Store
from service.config import Config
from service.followers import Follower, claims_of
from service.outbox import Noting
from service.store import DeliveryTable, Subscriptions, letters, open_effects
from service.store.schema.making import on_postgres, on_sqlite
from service.store.schema.tables import StoreTable
from tests.service.followers.stands import look_until_done
from tests.service.house import House
from tests.service.store import later

BEFORE = (
    StoreTable("outbox", "id, kind, player null, address, lang, about, at, due, tries int", key=("id",)),
    StoreTable(
        "tidings",
        "match, kind, seat int, player, since int, at, due, tries int",
        key=("match", "kind", "seat"),
        home="match",
    ),
    StoreTable(
        "webhooks",
        "id, player, number int, name, url, kinds, secret, former null, former_until null, created, failing null,"
        " disabled null, reason null",
        key=("id",),
    ),
    StoreTable(
        "deliveries",
        "home, id, webhook, player, kind, seat int null, decision big null, body, at, status, asked int, due,"
        " tries int, tried null, answer int null, problem null",
        key=("id",),
        home="home",
    ),
)
AT = "2026-01-01T00:00:00.000Z"


def carried_back(store: Store) -> None:
    """Give the store the tables of the first version, empty."""

    def carry(connection: Any) -> None:
        is_sqlite = isinstance(store, SqliteRecorder)
        made = [on_sqlite(Database(connection), one) if is_sqlite else on_postgres(one) for one in BEFORE]
        for sql in ("DROP TABLE deliveries", "DROP TABLE subscriptions", *made):
            connection.execute(sql if is_sqlite else sql.encode())
        connection.execute("UPDATE service SET version = version - 1")
        connection.execute("UPDATE positions SET follower = 'webhooks' WHERE follower = 'notices'")

    store.transact(carry)  # type: ignore[attr-defined]


def enter(store: Store, table: str, within: str, **row: Any) -> None:
    names = (*(("partition",) if within else ()), *row)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
    store.write([Statement(sql, row, within)])


def note(config: Config) -> None:
    effects = open_effects(config.store_url)
    follower = Follower(Noting(effects.log), effects, claims_of(config.store_url, Noting.name))
    look_until_done(follower)
    follower.leave()
    effects.close()


@pytest.fixture
def carried(house: House) -> tuple[House, Config, str]:
    """A match whose first player was told by mail that it is their turn, before the store was carried."""
    match, (ann, bob) = house.table()
    config, service = house.service.config, house.service
    note(config)
    decision = ann.look(match)["decision"]
    store = service.recorder
    carried_back(store)
    for kind, player, due in (("turn", ann.id, ""), ("asked", ann.id, ""), ("started", bob.id, "digest")):
        told = {"match": match, "kind": kind, "player": player, "since": decision, "at": AT, "due": due, "tries": 1}
        enter(store, "tidings", match, **told, seat=0 if player == ann.id else 1)
    letter = {"id": "m_a", "kind": "confirm", "player": bob.id, "address": "b@x.test", "lang": "ja", "about": "{}"}
    enter(store, "outbox", "", **letter, at=AT, due=AT, tries=0)
    hook = {"id": "w_a", "player": bob.id, "number": 1, "name": "", "url": "https://x.test/", "kinds": " turn "}
    enter(store, "webhooks", "", **hook, secret="sealed", created=AT)
    sent = {"home": match, "id": "w_a_key", "webhook": "w_a", "player": bob.id, "kind": "turn", "body": "{}", "at": AT}
    enter(store, "deliveries", match, **sent, status="delivered", asked=0, due=AT, tries=1)
    service.close()
    return house, config, match


def test_what_was_there_is_there_and_what_was_told_is_not_told_again(carried: tuple[House, Config, str]) -> None:
    _, config, match = carried
    with closing(later.opened(config.store_url)) as store:
        found = DeliveryTable(store)
        by_kind = {(one.kind, one.status) for player in _players(store) for one in found.page(player, 9)}
        assert by_kind == {("turn", "delivered"), ("asked", "noted"), ("match.started", "held")}
        letter = found.find("m_a")
        assert letter is not None
        assert (letters.read(letter).address, letters.read(letter).lang, letter.due) == ("b@x.test", "ja", AT)
        hook = Subscriptions(store).find("w_a")
        assert hook is not None
        assert (hook.channel, hook.address, hook.kinds) == ("webhook", "https://x.test/", ("turn",))
        assert [one.status for one in found.page("w_a", 9)] == ["delivered"]
        followers = store.find_everywhere("SELECT DISTINCT follower FROM positions WHERE partition = :partition")
        assert ("notices",) in followers
        assert ("webhooks",) not in followers
        (turn,) = [one for player in _players(store) for one in found.page(player, 9) if one.kind == "turn"]
        assert turn.home == match


def _players(store: Store) -> list[str]:
    rows = store.find_everywhere(
        "SELECT DISTINCT player FROM seats WHERE partition = :partition AND player IS NOT NULL"
    )
    return [str(row[0]) for row in rows]


def test_its_tables_are_those_of_a_new_store(carried: tuple[House, Config, str], tmp_path: Any) -> None:
    _, config, _ = carried
    if config.store:
        pytest.skip("the tables of two databases are compared in test_versions")
    with (
        closing(later.opened(config.store_url)) as store,
        closing(later.opened(f"sqlite:{tmp_path / 'new.db'}")) as new,
    ):
        assert later.tables_of(store) == later.tables_of(new)
