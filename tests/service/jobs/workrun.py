"""Matches for a player of bots, without a queue: what became of each is noted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from service.jobs.queue import WorkerShare


class Work(WorkerShare):
    """A share of matches that are handed out once."""

    def __init__(self, *ids: str) -> None:
        self._ids = list(ids)
        self.waits: dict[str, float] = {}
        self.left: list[str] = []
        self.failed: list[str] = []
        self.released: list[str] = []
        self.waiting = 1
        self.accounts: dict[str, str] = {}

    @property
    def others(self) -> int:
        """See `WorkerShare.others`."""
        return self.waiting

    def take(self, most: int) -> dict[str, str]:
        """See `WorkerShare.take`."""
        taken, self._ids = self._ids[:most], self._ids[most:]
        return {match_id: self.accounts.get(match_id, "p_a") for match_id in taken}

    def renew(self) -> None:
        """See `WorkerShare.renew`."""

    def release(self, match_ids: Sequence[str]) -> None:
        """See `WorkerShare.release`."""
        self.released += match_ids

    def put_off(self, match_id: str, seconds: float) -> None:
        """See `WorkerShare.put_off`."""
        self.waits[match_id] = seconds

    def fail(self, match_id: str) -> None:
        """See `WorkerShare.fail`."""

    def close(self, left: Iterable[str], failed: Iterable[str], moves: Mapping[str, int]) -> None:
        """See `WorkerShare.close`."""
        self.left, self.failed = list(left), list(failed)
