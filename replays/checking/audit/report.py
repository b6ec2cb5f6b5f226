"""The report of an audit."""

from __future__ import annotations

import msgspec

CLAUSES = {
    "file": "LOG-1",
    "header": "LOG-2",
    "order": "LOG-3",
    "chain": "LOG-4",
    "commit": "LOG-5",
    "secret": "LOG-6",
    "sealed": "LOG-7",
    "key": "LOG-8",
    "receipt": "LOG-9",
    "fork": "LOG-10",
    "rules": "LOG-11",
    "move": "LOG-12",
    "chance": "LOG-13",
    "events": "LOG-14",
    "result": "LOG-15",
}
"""The checks of docs/log.md, with their clauses."""

ORDER = {check: number for number, check in enumerate(CLAUSES)}

BY_RULES = frozenset({"rules", "move", "chance", "events", "result"})
"""The checks that need the rules."""

JUDGING = tuple(clause for check, clause in CLAUSES.items() if check in BY_RULES)
"""The clauses of these checks."""

UNREAD = frozenset({"file", "rules"})
"""The checks that fail when something can't be read, rather than when it is wrong."""


class Nonce(msgspec.Struct, frozen=True):
    """A nonce that a player has brought and kept."""

    nonce: str


class Failure(msgspec.Struct, frozen=True):
    """A check that failed."""

    stream: str
    version: int
    """0 if the failure is not about an event."""
    check: str
    clause: str
    """Of the game's rules if they refuse a move, else of docs/log.md."""
    reason: str


class Fault(msgspec.Struct, frozen=True):
    """A failure with its place in the file: 0 is the header, events count from 1, and receipts from the last one on."""

    place: int
    check: str
    stream: str
    version: int
    reason: str
    clause: str = ""

    @property
    def failure(self) -> Failure:
        """The failure without its place, as it is reported."""
        return Failure(self.stream, self.version, self.check, self.clause or CLAUSES[self.check], self.reason)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an audit. `ok`: every check that could be made holds; see `not_checked`."""

    ok: bool
    match_id: str
    events: int
    failures: tuple[Failure, ...]
    viewer: int | str | None = None
    status: str = ""
    keys: tuple[str, ...] = ()
    """The names of the keys that signed the receipts."""
    begun_anew: tuple[str, ...] = ()
    """The names of keys that were made after a loss: the key before does not vouch for them."""
    receipts: int = 0
    """The number of receipts that hold."""
    chance: str | None = None
    """`seats` if any seat brought a nonce, else `server alone`; None until the match is over."""
    last_nonce: int | None = None
    """The seat whose nonce came last, among those in the seed."""
    taken_again: tuple[int, ...] = ()
    """The seats that were left and taken again when a nonce was known: who knew the secret could try nonces there."""
    extended_again: tuple[int, ...] = ()
    """The seats that got more than one grace for a decision."""
    own_nonces: tuple[int, ...] = ()
    """The seats whose nonce in the seed is one that the reader holds."""
    unbound_nonces: tuple[int, ...] = ()
    """Those of them before whose nonce the reader held no receipt, so that the secret could be chosen to suit it."""
    parents: tuple[str, ...] = ()
    """The matches that a fork continues."""
    not_checked: tuple[str, ...] = ()
    """The clauses of checks that were left out, since the match's version of the rules is not available."""
    why_not: str = ""
    """The sentence that says why; "" if every check was made."""

    @property
    def is_unread(self) -> bool:
        """Whether the first failure is that something could not be read."""
        return bool(self.failures) and self.failures[0].check in UNREAD


def sort(faults: list[Fault]) -> list[Fault]:
    """Return the faults with those of the log before those of the rules, each by place and then by check.

    Of several faults of one event and one check, only the first is kept.
    """
    first: dict[tuple[str, int, str], Fault] = {}
    for fault in sorted(faults, key=lambda fault: (fault.check in BY_RULES, fault.place, ORDER[fault.check])):
        first.setdefault((fault.stream, fault.version, fault.check), fault)
    return list(first.values())
