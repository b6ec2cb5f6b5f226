"""How far followers are behind, and what they have set aside."""

from __future__ import annotations

import msgspec

from service.store import Effects, SetAside, effects


class Lag(msgspec.Struct, frozen=True):
    """The stored position of a follower in a partition."""

    follower: str
    partition: int
    position: int
    end: int
    """The position of the partition's last event."""

    @property
    def behind(self) -> int:
        """How many positions the follower is behind the end."""
        return max(0, self.end - self.position)


class Status(msgspec.Struct, frozen=True):
    """The status of all followers of a store."""

    lags: tuple[Lag, ...]
    """The lags, sorted by follower and partition."""
    aside: tuple[SetAside, ...]


def status(store: Effects, names: tuple[str, ...]) -> Status:
    """Return the status of the followers of these names, and of all others with a stored position.

    Raises:  StoreError.
    """
    lags: list[Lag] = []
    aside: list[SetAside] = []
    for partition in range(store.partitions):
        end, positions = store.end(partition), store.positions(partition)
        lags += [Lag(name, partition, positions.get(name, 0), end) for name in {*names, *positions}]
        aside += store.aside(partition)
    return Status(
        tuple(sorted(lags, key=lambda lag: (lag.follower, lag.partition))),
        tuple(sorted(aside, key=lambda log: (log.follower, log.partition, log.match))),
    )


def lines(found: Status) -> list[str]:
    """Return the status as lines for people to read."""
    text = [
        f"{lag.follower}, partition {lag.partition}: at {lag.position} of {lag.end}, {lag.behind} behind"
        for lag in found.lags
    ]
    text.append("nothing is set aside" if not found.aside else "set aside:")
    for log in found.aside:
        again = "; to be tried again" if log.again else ""
        text.append(f"  {log.follower}: {log.match}, at version {log.version} of {log.stream}, {log.at}{again}")
        text.append(f"    {_plain(log.error)}")
    return text


def _plain(text: str) -> str:
    """Return the text in one line, without characters that control a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def try_again(store: Effects, match: str | None) -> int:
    """Mark logs that are set aside to be tried again: those of a match, or all if it is None.

    Returns how many they are. Raises StoreError.
    """
    marked = 0
    for partition in range(store.partitions):
        matches = [log.match for log in store.aside(partition) if match in {None, log.match}]
        if matches:
            store.commit([], [[effects.try_again(partition, aside) for aside in set(matches)]])
        marked += len(matches)
    return marked
