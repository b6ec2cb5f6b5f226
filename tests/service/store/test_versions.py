"""Versions of the service's tables: a store of the first one is carried to the next once and whole, so that what was
sent stays sent and what waits still waits; one of before, or of a later release, is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlite_utils import Database

from events import stores
from events.queries import StoreOlder
from events.sqlite import SqliteReader, SqliteRecorder
from events.store import Reader, Row, Statement, Store, StoreError, StoreMissing, StoreNewer
from service import wiring
from service.config import Config
from service.run.doctor import report, store
from service.store import DeliveryTable, Notice, Reviewed, Subscriptions, mailing, notices, open_effects, schema
from service.store.schema import tables
from service.store.schema.tables import POSTGRES, SQLITE, Kind, StoreTable
from tests.postgres import Server
from tests.service.house import House, build
from tests.service.together import at_once
from tests.service.webhooks.post import note

TABLES = (
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
INDEXES = (
    "CREATE INDEX outbox_by_due ON outbox (due)",
    "CREATE INDEX tidings_by_due ON tidings (partition, due)",
    "CREATE UNIQUE INDEX webhooks_by_player ON webhooks (player, number)",
    "CREATE INDEX deliveries_by_due ON deliveries (partition, status, due)",
    "CREATE INDEX deliveries_by_webhook ON deliveries (partition, webhook, at, id)",
)
"""What the first version had in place of today's tables."""


LATER = ("deliveries", "subscriptions", "learnt", "review_wishes", "judged", "reviews", "hints")
"""The tables that it did not have."""
UNINDEXED = "DROP INDEX quiet_by_player"
"""Takes away the index that it did not have."""


def carried_back(store: Store) -> None:
    """Give the store the tables of the first version, empty, and its followers the names that they had."""

    def carry(connection: Any) -> None:
        kind = SQLITE if isinstance(store, SqliteRecorder) else POSTGRES
        made = [kind.sql_of(connection, one) for one in TABLES]
        for sql in (UNINDEXED, *(f"DROP TABLE {name}" for name in LATER), *made, *INDEXES):
            connection.execute(sql)
        connection.execute(f"UPDATE service SET version = version - {len(schema.STEPS)}")
        connection.execute("UPDATE positions SET follower = 'webhooks' WHERE follower = 'notices'")

    store.transact(carry)  # type: ignore[attr-defined]


def opened(url: str) -> Store:
    """The store, brought up to date; a new one where there is none."""
    return wiring.open_store(Config(data=Path(), store=url))


COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, coalesce(column_default, ''), coalesce(collation_name, '')
FROM information_schema.columns WHERE table_schema = 'public'
"""
KEYS = "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype IN ('p', 'f')"
ON_POSTGRES = (COLUMNS, KEYS, "SELECT indexdef, '' FROM pg_indexes WHERE schemaname = 'public'")


def tables_of(store: Reader) -> set[Row]:
    """All columns, keys, references and indexes of a store, in whatever order they came to be there."""
    if not isinstance(store, SqliteReader):
        return {row for sql in ON_POSTGRES for row in store.find(Statement(sql))}
    found: set[Row] = set()
    for table in Database(store.reader()).tables:
        found |= {(table.name, *column[1:]) for column in table.columns}
        found |= {(table.name, *key.columns, key.other_table, *key.other_columns) for key in table.foreign_keys}
        found |= {(table.name, one.name, one.unique, one.partial, tuple(one.columns)) for one in table.indexes}
        found |= {(table.name, table.strict, "WITHOUT ROWID" in table.schema)}
    return found


def enter(store: Store, table: str, within: str, **row: Any) -> None:
    """Insert a row into a table; `within`: the text that decides its partition, "" if the table has none."""
    names = (*(("partition",) if within else ()), *row)
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"
    store.write([Statement(sql, row, within)])


AT = "2026-01-01T00:00:00.000Z"
VERSION = Statement("SELECT version FROM service")


@pytest.fixture
def carried(house: House) -> tuple[Config, str]:
    """A match whose first player was told by mail of their turn, and whose second waits for that, by mail and by
    a webhook, before the store was carried.
    """
    match, (ann, bob) = house.table()
    config, recorder = house.service.config, house.service.recorder
    note(house.service)
    decision = ann.look(match)["decision"]
    carried_back(recorder)
    tidings = (("turn", ann.id, ""), ("asked", ann.id, ""), ("started", bob.id, "digest"), ("turn", bob.id, AT))
    for kind, player, due in tidings:
        told = {"match": match, "kind": kind, "player": player, "since": decision, "at": AT, "due": due, "tries": 1}
        enter(recorder, "tidings", match, **told, seat=0 if player == ann.id else 1)
    letter = {"id": "m_a", "kind": "confirm", "player": bob.id, "address": "b@x.test", "lang": "ja", "about": "{}"}
    enter(recorder, "outbox", "", **letter, at=AT, due=AT, tries=0)
    hook = {"id": "w_a", "player": bob.id, "number": 1, "name": "", "url": "https://x.test/", "kinds": " turn "}
    enter(recorder, "webhooks", "", **hook, secret="sealed", created=AT)
    sent = {"home": match, "id": "w_a_key", "webhook": "w_a", "player": bob.id, "kind": "turn", "body": "{}", "at": AT}
    for more in ({"status": "delivered"}, {"status": "waiting", "id": "w_a_other"}):
        enter(recorder, "deliveries", match, **sent | more, asked=0, due=AT, tries=1)
    house.service.close()
    return config, match


@pytest.fixture
def empty_url(house: House, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    if not house.service.config.store:
        yield f"sqlite:{tmp_path / 'new.db'}"
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.database()
    yield url
    server.drop(url)


def test_tables_are_not_declared_otherwise_without_another_version() -> None:
    """Stores that are there have these. Who changes the declaration adds a step, and notes here what it is then."""
    declared = [msgspec.structs.astuple(table) for table in tables.TABLES]
    said = f"{declared}\n{tables.INDEXES}{tables.ON_SQLITE}{tables.ON_POSTGRES}"
    assert (len(schema.STEPS), hashlib.sha256(said.encode()).hexdigest()[:16]) == (6, "e80a017c92ead5a0")


def players(store: Store) -> list[str]:
    sql = "SELECT DISTINCT player FROM seats WHERE partition = :partition AND player IS NOT NULL"
    return [str(player) for (player,) in store.find_everywhere(sql)]


def test_a_store_that_is_carried_keeps_all_and_tells_nothing_again(carried: tuple[Config, str], empty_url: str) -> None:
    config, match = carried
    # it is carried once, whoever else opens it at the same time
    for each in at_once(*[partial(opened, config.store_url)] * 4):
        each.close()
    with closing(opened(config.store_url)) as store, closing(opened(empty_url)) as new:
        assert tables_of(store) == tables_of(new)
        assert store.find(VERSION) == new.find(VERSION)
        found = DeliveryTable(store)
        entries = [entry for player in players(store) for entry in found.page(player, 9)]
        assert {(entry.kind, entry.status) for entry in entries} == {
            *(("turn", "delivered"), ("turn", "waiting"), ("asked", "noted"), ("match.started", "held"))
        }
        (waiting,) = [entry for entry in entries if entry.status == "waiting"]
        as_noted = Notice("turn", match, "high-card", waiting.player, 1, AT, waiting.decision)
        assert waiting == msgspec.structs.replace(notices.mailed(as_noted, "waiting"), tries=1), "it is not noted again"
        letter = found.find("m_a")
        assert letter is not None
        assert letter.due == AT
        read = mailing.read_letter(letter)
        assert (read.address, read.lang) == ("b@x.test", "ja")
        hook = Subscriptions(store).find("w_a")
        assert hook is not None
        assert (hook.channel, hook.address, hook.kinds) == ("webhook", "https://x.test/", ("turn",))
        assert [(entry.id, entry.status) for entry in found.page("w_a", 9)] == [
            *(("w_a_other", "waiting"), ("w_a_key", "delivered"))
        ]
        assert {follower for (follower,) in store.find_everywhere(FOLLOWERS)} >= {"notices"}


FOLLOWERS = "SELECT DISTINCT follower FROM positions WHERE partition = :partition"
POSITIONS = "SELECT follower, position FROM positions WHERE partition = :partition AND follower <> 'statistics'"


@pytest.mark.parametrize("is_old", [False, True])
def test_the_follower_goes_on_from_the_earlier_place_if_recent(carried: tuple[Config, str], is_old: bool) -> None:
    config, match = carried
    with closing(stores.open_to_write(config.store_url)) as store:
        ((_, last),) = store.find(Statement(POSITIONS, {}, match))
        found = store.find(Statement("SELECT position FROM events WHERE partition = :partition", {}, match))
        places = sorted(int(place) for (place,) in found)
        enter(store, "positions", match, follower="mail", position=places[1])
        if is_old:
            store.write([Statement("UPDATE events SET at = :at WHERE partition = :partition", {"at": AT}, match)])
    with closing(opened(config.store_url)) as store:
        assert store.find(Statement(POSITIONS, {}, match)) == [("notices", last if is_old else places[2] - 1)]


@pytest.mark.parametrize("first", ["mail", "webhooks"])
def test_a_log_that_was_set_aside_is_tried_from_the_earlier_place(carried: tuple[Config, str], first: str) -> None:
    config, match = carried
    with closing(stores.open_to_write(config.store_url)) as store:
        for follower in ("mail", "webhooks", "statistics"):
            aside = {"follower": follower, "match": match, "position": 2 if follower == first else 3, "stream": match}
            enter(store, "set_aside", match, **aside, version=1, error="", at=AT, again=0)
    with closing(opened(config.store_url)) as store:
        rows = store.find_everywhere("SELECT follower, position, again FROM set_aside WHERE partition = :partition")
        assert sorted(rows) == [("notices", 2, 1), ("statistics", 3, 0)]


def test_a_step_that_fails_changes_nothing(carried: tuple[Config, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(step: Any) -> Any:
        def fail(connection: Any, kind: Kind) -> None:
            step(connection, kind)
            connection.execute("INSERT INTO nowhere VALUES (1)")

        return fail

    url = carried[0].store_url
    with closing(stores.open_to_read(url)) as before:
        had, version = tables_of(before), before.find(VERSION)
    monkeypatch.setattr(schema, "STEPS", (failing(schema.STEPS[0]),))
    with pytest.raises(StoreError, match="nowhere"):
        opened(url)
    with closing(stores.open_to_read(url)) as after:
        assert (tables_of(after), after.find(VERSION)) == (had, version)


def warned(config: Config) -> list[str]:
    found = store.examine(config, is_all=False)
    return [finding.do for finding in found if finding.level is not report.Severity.GOOD]


def test_followers_wait_until_a_web_process_has_carried_the_store(carried: tuple[Config, str]) -> None:
    config, _ = carried
    with pytest.raises(StoreMissing, match="holds no tables of this service yet"):
        open_effects(config.store_url)
    assert store.UP_TO_DATE in warned(config)
    build(config).close()
    open_effects(config.store_url).close()
    assert store.UP_TO_DATE not in warned(config)


def test_a_store_of_a_later_release_or_of_before_the_first_one_is_refused(house: House) -> None:
    house.table("magicative")
    config = house.service.config
    house.service.recorder.write([Statement("UPDATE service SET version = version + 1")])
    house.service.close()
    with pytest.raises(StoreNewer, match=r"was written by a later release: service schema \d+, known is \d+$"):
        build(config)
    with closing(stores.open_to_write(config.store_url)) as older:
        older.write([Statement(f"UPDATE service SET version = version - {2 + len(schema.STEPS)}")])
        had, version = tables_of(older), older.find(VERSION)
    for opening in (build, lambda config: open_effects(config.store_url)):
        with pytest.raises(StoreOlder) as refused:
            opening(config)
        said = str(refused.value)
        assert "was written before the first release (service schema 1" in said
        assert "1 running match can't go on here; bring it up to date" in said
        assert "\n" not in said
    assert warned(config) == [StoreOlder.INSTEAD]
    with pytest.raises(StoreOlder):
        opened(config.store_url)
    with closing(stores.open_to_read(config.store_url)) as left:
        assert (tables_of(left), left.find(VERSION)) == (had, version)


def test_a_review_stays_with_who_had_asked_for_it(house: House) -> None:
    match, (ann, _) = house.table()
    recorder, before = house.service.recorder, tables_of(house.service.recorder)
    older = (
        UNINDEXED,
        "DROP TABLE review_wishes",
        schema.PLAYER,
        "CREATE INDEX reviews_by_player ON reviews (partition, player)",
    )

    def carry(connection: Any) -> None:
        for sql in (*older, f"UPDATE service SET version = version - {len(schema.STEPS) - 3}"):
            connection.execute(sql)

    recorder.transact(carry)  # type: ignore[attr-defined]
    enter(recorder, "reviews", match, match=match, seat=1, player=ann.id, at=AT, state="done")
    with closing(opened(house.service.config.store_url)) as store:
        assert Reviewed(store).of_player(ann.id, 5) == ((match, 1),)
        assert tables_of(store) == before
