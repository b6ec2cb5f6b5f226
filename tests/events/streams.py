"""Small streams for the tests of the log: sealed events without a game."""

from __future__ import annotations

from typing import TypeVar

from events import chain
from events.chain import Draft, Head, Stored
from events.store import Recorder, Statement, Store, Write, partition_of

AnyStore = TypeVar("AnyStore", bound=Store)

SECRET = bytes(range(32))
AT = "2024-03-01T12:00:00.000Z"
MAIL = "INSERT INTO mail (address) VALUES (:address)"
HIDE = [Statement(MAIL, {"address": "a@example.org"})]


def draft(text: str = "", *, hidden: bool = False) -> Draft:
    """A little event that says something, or that hides it from all but seat 1."""
    if hidden:
        secret = b'{"text":{"readers":[1],"value":"%b"}}' % text.encode()
        return Draft(type="test/Hid", schema=1, public=b'{"text":null}', secret=secret, actor="seat:1", move=1)
    public = b'{"text":"%b"}' % text.encode()
    return Draft(type="test/Said", schema=1, public=public, secret=b"{}", actor="service", move=0)


def sealed(stream: str, count: int, after: Head | None = None, text: str = "") -> tuple[Stored, ...]:
    """So many events that follow the head; every third hides its text."""
    drafts = tuple(draft(f"{text}{i}", hidden=i % 3 == 2) for i in range(count))
    return chain.seal(after or Head(), stream, drafts, AT, SECRET)


def write(stream: str, count: int, after: Head | None = None, text: str = "") -> Write:
    """The same as a write."""
    return Write(stream, after.version if after else 0, sealed(stream, count, after, text))


def everything(recorder: Recorder) -> list[tuple[int, Stored]]:
    """The events of all the partitions with their positions, partition by partition."""
    return [found for partition in range(recorder.partitions) for found in recorder.read_all(partition, 0, 100_000)]


def neighbour(recorder: Recorder, match: str) -> str:
    """A match of the same partition as the match."""
    partition = partition_of(match, recorder.partitions)
    ids = (f"{match}{number}" for number in range(1000))
    return next(one for one in ids if partition_of(one, recorder.partitions) == partition)


def with_mail(store: AnyStore) -> AnyStore:
    """The store with a caller's table, in which an address stands once."""
    store.write([Statement("CREATE TABLE mail (address TEXT UNIQUE)")])
    return store


def addresses(store: Store) -> list[str]:
    return [address for (address,) in store.find(Statement("SELECT address FROM mail"))]
