"""What an audit found."""

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
"""The checks of docs/log.md with their clauses."""

ORDER = {check: number for number, check in enumerate(CLAUSES)}

BY_RULES = frozenset({"rules", "move", "chance", "events", "result"})
"""Checks that need the rules."""

JUDGING = tuple(clause for check, clause in CLAUSES.items() if check in BY_RULES)
"""Their clauses."""

UNREAD = frozenset({"file", "rules"})
"""Checks whose failure says that something could not be read, rather than that it is wrong."""


class Nonce(msgspec.Struct, frozen=True):
    """A nonce that a player has brought, and holds."""

    nonce: str


class Failure(msgspec.Struct, frozen=True):
    """A check that failed."""

    stream: str
    version: int
    """0: of no event."""
    check: str
    clause: str
    """Of the game's rules if they refused a move, else of docs/log.md."""
    reason: str


class Fault(msgspec.Struct, frozen=True):
    """A failure with its place in the file: 0 is the header, events count from 1, what comes after them is further."""

    place: int
    check: str
    stream: str
    version: int
    reason: str
    clause: str = ""

    @property
    def failure(self) -> Failure:
        """What is reported of it."""
        return Failure(self.stream, self.version, self.check, self.clause or CLAUSES[self.check], self.reason)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found. `ok` is that every check that could be made here holds; see `not_checked`."""

    ok: bool
    match_id: str
    events: int
    failures: tuple[Failure, ...]
    viewer: int | str | None = None
    status: str = ""
    keys: tuple[str, ...] = ()
    """Names of the keys that signed the receipts here."""
    begun_anew: tuple[str, ...] = ()
    """Names of keys that begin the history of keys anew: the one before each was lost, and does not vouch for it."""
    receipts: int = 0
    """How many receipts held."""
    chance: str | None = None
    """`seats` when one brought a nonce, else `server alone`; None while the match is not over."""
    last_nonce: int | None = None
    """The seat whose nonce came last, of those that had a part in the seed."""
    taken_again: tuple[int, ...] = ()
    """The seats that were left, and taken again once a nonce was known: who knew the secret could try there."""
    extended_again: tuple[int, ...] = ()
    """The seats that were given more than one grace for a decision."""
    own_nonces: tuple[int, ...] = ()
    """The seats whose part in the seed is a nonce that the reader holds."""
    unbound_nonces: tuple[int, ...] = ()
    """Of these the seats before whose nonce the reader held no receipt: the secret could be chosen to suit it."""
    parents: tuple[str, ...] = ()
    """What a fork goes on from."""
    not_checked: tuple[str, ...] = ()
    """Clauses of the checks that were not made, because the match's version of the rules is not at hand."""
    why_not: str = ""
    """The sentence that says so; "" where every check was made."""

    @property
    def is_unread(self) -> bool:
        """Whether the first failure is that something could not be read."""
        return bool(self.failures) and self.failures[0].check in UNREAD


def sort(faults: list[Fault]) -> list[Fault]:
    """What was tampered with before what can't have come about, each in the order of the log, then of the checks.

    One check fails once at an event.
    """
    found: dict[tuple[str, int, str], Fault] = {}
    for fault in sorted(faults, key=lambda fault: (fault.check in BY_RULES, fault.place, ORDER[fault.check])):
        found.setdefault((fault.stream, fault.version, fault.check), fault)
    return list(found.values())
