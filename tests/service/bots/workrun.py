"""Matches for a player of bots, without a queue: what became of each is noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Work:
    """A share of matches that are handed out once."""

    def __init__(self, *ids: str) -> None:
        self._ids = list(ids)
        self.waits: dict[str, float] = {}
        self.left: list[str] = []
        self.failed: list[str] = []
        self.released: list[str] = []
        self.others = 1
        self.accounts: dict[str, str] = {}

    def take(self, most: int) -> dict[str, str]:
        """See `Share.take`."""
        taken, self._ids = self._ids[:most], self._ids[most:]
        return {match_id: self.accounts.get(match_id, "p_a") for match_id in taken}

    def renew(self) -> None:
        """See `Share.renew`."""

    def release(self, match_ids: Sequence[str]) -> None:
        """See `Share.release`."""
        self.released += match_ids

    def put_off(self, match_id: str, seconds: float) -> None:
        """See `Share.put_off`."""
        self.waits[match_id] = seconds

    def fail(self, match_id: str) -> None:
        """See `Share.fail`."""

    def close(self, left: list[str], failed: list[str], moves: Mapping[str, int]) -> None:
        """See `Share.close`."""
        self.left, self.failed = left, failed
