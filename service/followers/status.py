"""How far followers are behind, and what they have set aside."""

from __future__ import annotations

from service.store import Effects, SetAside, effects


def status(store: Effects, names: tuple[str, ...]) -> list[str]:
    """Return the status of these followers, and of all others with a position, as lines to read. Raises StoreError."""
    lags: list[tuple[str, int, int, int]] = []
    aside: list[SetAside] = []
    for partition in range(store.partitions):
        end, positions = store.end(partition), store.positions(partition)
        lags += [(name, partition, positions.get(name, 0), end) for name in {*names, *positions}]
        aside += store.aside(partition)
    text = [
        f"{name}, partition {partition}: at {position} of {end}, {max(0, end - position)} behind"
        for name, partition, position, end in sorted(lags)
    ]
    text.append("set aside:" if aside else "nothing is set aside")
    for log in sorted(aside, key=lambda log: (log.follower, log.partition, log.match)):
        again = "; to be tried again" if log.again else ""
        text.append(f"  {log.follower}: {log.match}, at version {log.version} of {log.stream}, {log.at}{again}")
        # in one line, without characters that control a terminal
        text.append("    " + "".join(char if char.isprintable() else "?" for char in log.error))
    return text


def try_again(store: Effects, match: str | None) -> int:
    """Mark a match's logs that are set aside (None: all) to be tried again. Returns their number. Raises StoreError."""
    marked = 0
    for partition in range(store.partitions):
        matches = [log.match for log in store.aside(partition) if match in {None, log.match}]
        if matches:
            store.commit([], [[effects.try_again(partition, aside) for aside in set(matches)]])
        marked += len(matches)
    return marked
