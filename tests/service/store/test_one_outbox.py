"""A store of the first version is migrated to the second: what was sent stays sent, and what waits still waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events import stores
from events.store import Statement, Store
from service.config import Config
from service.followers import Follower, claims_of
from service.outbox import Noting
from service.store import DeliveryTable, Subscriptions, mailing, open_effects
from tests.postgres import Server
from tests.service.followers.stands import look_until_done
from tests.service.house import House
from tests.service.store import later
from tests.service.store.first_version import carried_back, enter

AT = "2026-01-01T00:00:00.000Z"


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
        assert (mailing.read_letter(letter).address, mailing.read_letter(letter).lang, letter.due) == (
            "b@x.test",
            "ja",
            AT,
        )
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


@pytest.fixture
def empty_url(house: House, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty store of the same kind."""
    if not house.service.config.store:
        yield f"sqlite:{tmp_path / 'new.db'}"
        return
    server: Server = request.getfixturevalue("postgres_server")
    url = server.database()
    yield url
    server.drop(url)


def test_its_tables_are_those_of_a_new_store(carried: tuple[House, Config, str], empty_url: str) -> None:
    _, config, _ = carried
    with closing(later.opened(config.store_url)) as store, closing(later.opened(empty_url)) as new:
        assert later.tables_of(store) == later.tables_of(new)


POSITIONS = "SELECT follower, position FROM positions WHERE partition = :partition AND follower <> 'statistics'"


def positions(store: Store, match: str) -> list[tuple[str, int]]:
    """Return the followers of the match's partition, and where they are."""
    return [(str(name), int(at)) for name, at in store.find(Statement(POSITIONS, {}, match))]


@pytest.mark.parametrize("is_old", [False, True])
def test_the_follower_goes_on_where_the_one_that_was_behind_was_unless_that_is_long_ago(
    carried: tuple[House, Config, str], is_old: bool
) -> None:
    _, config, match = carried
    with closing(stores.open_to_write(config.store_url)) as store:
        ((_, last),) = positions(store, match)
        found = store.find(Statement("SELECT position FROM events WHERE partition = :partition", {}, match))
        places = sorted(int(place) for (place,) in found)
        enter(store, "positions", match, follower="mail", position=places[1])
        if is_old:
            store.write([Statement("UPDATE events SET at = :at WHERE partition = :partition", {"at": AT}, match)])
    with closing(later.opened(config.store_url)) as store:
        assert positions(store, match) == [("notices", last if is_old else places[2] - 1)]


@pytest.mark.parametrize("first", ["mail", "webhooks"])
def test_a_log_that_either_follower_had_set_aside_is_tried_again_from_the_earlier_place(
    carried: tuple[House, Config, str], first: str
) -> None:
    _, config, match = carried
    with closing(stores.open_to_write(config.store_url)) as store:
        for follower in ("mail", "webhooks", "statistics"):
            aside = {"follower": follower, "match": match, "position": 2 if follower == first else 3, "stream": match}
            enter(store, "set_aside", match, **aside, version=1, error="", at=AT, again=0)
    with closing(later.opened(config.store_url)) as store:
        rows = store.find_everywhere("SELECT follower, position, again FROM set_aside WHERE partition = :partition")
        assert sorted(rows) == [("notices", 2, 1), ("statistics", 3, 0)]
