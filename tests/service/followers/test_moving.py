"""Followers whose store moves from SQLite to PostgreSQL go on where they were."""

from __future__ import annotations

from pathlib import Path

from events.postgres.opening import PARTITIONS
from events.store import partition_of
from service.config import Config
from service.followers.status import try_again
from service.run.copy import copy
from tests.postgres import Server
from tests.service.followers.stands import Stand, look_until_done


def test_who_moves_with_the_store_sees_nothing_twice_and_tries_again(tmp_path: Path, postgres_server: Server) -> None:
    url = postgres_server.database()
    before = Stand(f"sqlite:{tmp_path / 'foldtable.db'}")
    # many matches between, so that positions differ
    matches = [f"o{number}" for number in range(40)]
    before.say("m", "one", "poison")
    for match in matches:
        before.say(match, "one")
    before.say("m", "three")
    first, _ = before.follower()
    look_until_done(first)
    before.close()
    copy(Config(data=tmp_path, store=url), lambda said: None)
    after = Stand(url)
    partition = partition_of("m", PARTITIONS)
    (aside,) = after.store.aside(partition)
    assert (aside.match, aside.version) == ("m", 2)
    second, handler = after.follower()
    look_until_done(second)
    second.leave()
    assert [after.seen(one) for one in range(PARTITIONS)] == [[]] * PARTITIONS
    try_again(after.store, "m")
    handler.is_cured = True
    after.say("m", "four")
    look_until_done(second)
    assert after.seen(partition) == [("m", 2), ("m", 3), ("m", 4)]
    assert after.store.aside(partition) == ()
    after.close()
    postgres_server.drop(url)
