"""How far followers are behind, and what they have set aside."""

from __future__ import annotations

import msgspec

from service.store import Effects, SetAside, following


class Lag(msgspec.Struct, frozen=True):
    """Where a follower stands in a partition, as far as it has noted."""

    follower: str
    partition: int
    position: int
    end: int
    """The position of the partition's last event."""

    @property
    def behind(self) -> int:
        """How many positions lie before it."""
        return max(0, self.end - self.position)


class Status(msgspec.Struct, frozen=True):
    """All followers of a store."""

    lags: tuple[Lag, ...]
    """By follower and partition."""
    aside: tuple[SetAside, ...]


def status(store: Effects, names: tuple[str, ...]) -> Status:
    """Where the followers of these names stand, and any others that have noted a position. Raises StoreError."""
    lags: list[Lag] = []
    aside: list[SetAside] = []
    for partition in range(store.partitions):
        end, positions = store.end(partition), store.positions(partition)
        lags += [Lag(name, partition, positions.get(name, 0), end) for name in {*names, *positions}]
        aside += store.aside(partition)
    return Status(
        tuple(sorted(lags, key=lambda lag: (lag.follower, lag.partition))),
        tuple(sorted(aside, key=lambda one: (one.follower, one.partition, one.match))),
    )


def lines(found: Status) -> list[str]:
    """The same for people to read."""
    told = [
        f"{lag.follower}, partition {lag.partition}: at {lag.position} of {lag.end}, {lag.behind} behind"
        for lag in found.lags
    ]
    told.append("nothing is set aside" if not found.aside else "set aside:")
    for one in found.aside:
        again = "; to be tried again" if one.again else ""
        told.append(f"  {one.follower}: {one.match}, at version {one.version} of {one.stream}, {one.at}{again}")
        told.append(f"    {_plain(one.error)}")
    return told


def _plain(text: str) -> str:
    """The text in one line that does nothing to a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def try_again(store: Effects, match: str | None) -> int:
    """Have logs that are set aside tried again, one match's or (None) all: how many. Raises StoreError."""
    found = 0
    for partition in range(store.partitions):
        here = [one for one in store.aside(partition) if match in {None, one.match}]
        if here:
            store.commit([], [[following.try_again(partition, match)]])
        found += len(here)
    return found
