"""Deeds: who asks, what is checked before every deed, and how a use case declares one.

A deed is a method of a use case that changes something: `method(asker, what is asked for, once=the request's key)`. The
API, pages and mails call it in the same way. It checks who may ask, counts the asker in its limits, and does a repeated
request once. The caller parses the request and shows the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import msgspec

from events.store import Appended, MissingValue, NulInText, Statement, Store
from service import clock
from service.limits import GUESSES, Asking, Caller, Limits
from service.problems import Conflict, Forbidden, Malformed, TooMany, Unauthorized
from service.signing import digest
from service.store import KEPT, Once, idempotency, people

READ, PLAY, CREATE = "match:read", "match:play", "match:create"
ACCOUNT = "account"
"""The scope to manage the account. Only sessions and the token of sign-up have it."""

WEBHOOK = "webhook:write"
"""The scope to manage webhooks."""

BOT, ADMIN = "bot:play", "admin"
SCOPES = (READ, PLAY, CREATE, WEBHOOK)
"""The scopes that a player's further tokens may have."""

OF_PLAYERS = frozenset({ACCOUNT, WEBHOOK})
"""The scopes of what only players have, whatever the tokens of the service allow."""

WORKER, OPERATOR = "worker", "operator"
"""Stand for the workers and the operator in the place of a player's id."""


class Asker(msgspec.Struct, frozen=True):
    """Who makes a request: a player, a worker, the operator, or a stranger."""

    player: str = ""
    scopes: frozenset[str] = frozenset()
    link: tuple[str, int] | None = None
    """The match whose link they came by, and the link's number."""
    site: str | None = None
    """The address by which limits count them; "" counts the account alone, and None counts nothing."""

    def may(self, scope: str) -> bool:
        """Return whether the token has this scope."""
        return scope in self.scopes

    def counted(self, caller: Caller) -> Asker:
        """Return the asker with the address by which limits count them.

        If the address is exempt, and for workers and the operator, it is the asker itself, who is not counted.
        """
        if caller.is_exempt or BOT in self.scopes or ADMIN in self.scopes:
            return self
        return msgspec.structs.replace(self, site=caller.site)

    def need(self, *scopes: str) -> None:
        """Raise Unauthorized for strangers, Forbidden if the token has none of these scopes."""
        if not self.player:
            raise Unauthorized("token-missing")
        if not self.scopes.intersection(scopes):
            raise Forbidden("scope-missing", more={"scope": scopes[0]}, scope=scopes[0])


STRANGER = Asker()


def judge(asker: Asker, scopes: tuple[str, ...], *, is_players: bool) -> None:
    """Check that the asker may ask. `is_players`: whether only players can, whatever the tokens of the service allow.

    Raises:  Unauthorized for strangers; Forbidden if the token has none of the scopes.
    """
    if is_players and asker.player in {WORKER, OPERATOR}:
        if not asker.scopes.intersection(scopes):
            raise Forbidden("no-player")
    elif scopes:
        asker.need(*scopes)


NOBODY = Asking()
"""An asker who is not counted."""


class Front:
    """Counts askers, and remembers the answers to requests with a key."""

    def __init__(self, recorder: Store, now: clock.Now, limits: Limits) -> None:
        self._store = recorder
        self.now = now
        self.limits = limits

    def at(self, later: timedelta = timedelta()) -> str:
        """Return the time now as it is stored, or the moment that is this much later; earlier, if it is negative."""
        return clock.stamp(self.now() + later)

    def count(
        self,
        asker: Asker,
        names: tuple[str, ...],
        once: Once | None = None,
        *,
        cost: float = 1.0,
        match_id: str | None = None,
        asking: Asking | None = None,
    ) -> None:
        """Count the asker in the limits of these names.

        Shape:   `match_id`: for a move, the match whose log remembers its key. `asking`: who is counted instead.
        Raises:  TooMany, but not for a repeated request, which gets its first answer again.
        """
        asking = asking or whom(asker)
        if not names or asking == NOBODY:
            return
        try:
            self.limits.count(names, asking, cost)
        except TooMany:
            if not self.is_repeat(once, match_id):
                raise

    def count_named(self, asker: Asker, name: str, named: str, once: Once | None = None) -> None:
        """Count the asker's address, and the account that they name, in the form in which it is looked up.

        Raises:  TooMany, whether there is such an account or not, since nothing is looked up before.
        """
        if asker.site:
            asking = Asking(site=asker.site, account=f"{name}:{digest(named)[:32]}")
            self.count(asker, (name,), once, asking=asking)

    def count_guess(self, asker: Asker) -> None:
        """Count a token or a pass that does not exist. Raises TooMany."""
        if asker.site is not None:
            self.limits.count((GUESSES,), Asking(site=asker.site))

    def check(self, asker: Asker, names: tuple[str, ...], once: Once | None) -> None:
        """Raise TooMany if `count` would, without counting."""
        if not self.is_repeat(once, None):
            self.limits.check(names, whom(asker))

    def is_repeat(self, once: Once | None, match_id: str | None) -> bool:
        """Return whether the same request was done before. Raises Malformed if its key came with another body.

        Shape:   `match_id` is the match that the request names, None if it names none.
        """
        if once is None:
            return False
        if self.answer(once) is not None:
            return True
        try:
            return match_id is not None and self.command(once, match_id) is not None
        except NulInText:
            return False

    def command(self, once: Once | None, match_id: str) -> Appended | None:
        """Return what the request stored in the match, if it did; None if not. Raises Malformed."""
        if once is None or (before := self._store.command(match_id, once.command.id)) is None:
            return None
        if before[0].digest != once.digest:
            raise Malformed("idempotency-key-reused")
        return before[1]

    def answer(self, once: Once | None) -> str | None:
        """Return what `remember` was given at the first success; None if there was none in the last 24 hours.

        Raises:  Malformed (idempotency-key-reused).
        """
        if once is None:
            return None
        rows = self._store.find(Statement(idempotency.FIND, {"id": once.id, "horizon": self.at(-KEPT)}, once.id))
        if not rows:
            return None
        if rows[0][0] != once.digest:
            raise Malformed("idempotency-key-reused")
        return str(rows[0][1])

    def do(self, once: Once | None, deed: Callable[[], str]) -> str:
        """Return the answer of the first success; if there was none, call `deed`, which must remember its answer.

        Of two requests at once the store lets one pass. The other fails, in whatever way, and gets the answer of a
        repeat.
        Raises:  Malformed (idempotency-key-reused); what `deed` raises, if there is still no success.
        """
        if (before := self.answer(once)) is not None:
            return before
        try:
            return deed()
        except Exception:
            if (before := self.answer(once)) is None:
                raise
            return before

    def remember(self, once: Once | None, answer: str) -> list[Statement]:
        """Return statements that remember the answer and delete old ones, for the transaction of what was asked.

        They fail, and the transaction with them, if the key is remembered already.
        """
        if once is None:
            return []
        return idempotency.remember(once, answer, self.at(), self.at(-KEPT))

    def remember_instead(self, once: Once | None, answer: str) -> list[Statement]:
        """Return the statements that replace a remembered answer."""
        return [] if once is None else [idempotency.remember_instead(once.id, answer)]

    def write(self, once: Once | None, statements: Sequence[Statement], answer: str = "") -> tuple[int, ...]:
        """Write the statements and remember the request, in one transaction. Returns the statements' counts of rows."""
        return self._store.write([*statements, *self.remember(once, answer)])

    def write_for(
        self, players: Iterable[str], once: Once | None, statements: Sequence[Statement], answer: str = ""
    ) -> None:
        """Write what names these accounts. Raises Unauthorized if one was erased meanwhile, or a statement fails."""
        try:
            self.write(once, [*people.demand_accounts(players), *statements], answer)
        except MissingValue:
            raise Unauthorized("unknown-token") from None

    def done(self, once: Once | None, act: Callable[[], object]) -> None:
        """Call `act`, which must remember the request, unless the request was done before."""

        def deed() -> str:
            act()
            return ""

        self.do(once, deed)

    def write_once(self, once: Once | None, statements: Sequence[Statement]) -> None:
        """Write the statements and remember the request, unless the request was done before."""
        self.done(once, lambda: self.write(once, statements))

    def tell_once(self, once: Once | None, mark: str, act: Callable[[], object], repeated: Conflict) -> None:
        """Call `act`, which must remember the request with this mark, which no other request has.

        Raises:  `repeated` for a repeated request: its answer was a secret, which is never shown again.
        """

        def deed() -> str:
            act()
            return mark

        if self.do(once, deed) != mark:
            raise repeated


def whom(asker: Asker) -> Asking:
    """Return by whom the asker is counted."""
    return NOBODY if asker.site is None else Asking(site=asker.site, account=asker.player)


C = TypeVar("C")
P = ParamSpec("P")
R = TypeVar("R")

OF_WORKERS = "only the service's workers ask for it"
OF_OPERATOR = "only the operator asks for it"
"""The reasons why such deeds are not counted."""


class Deed(msgspec.Struct, frozen=True):
    """Who may do a deed, and how often. It decorates a method of a use case; the use case must have a `front`."""

    id: str
    """The operation's id in the contract."""
    scopes: tuple[str, ...] = ()
    """The scopes of which the asker's token needs one; if empty, anybody may ask."""
    limits: tuple[str, ...] = ()
    """The limits in which the asker is counted once, before anything is looked up."""
    by_said: tuple[str, ...] = ()
    """The limits in which the method itself counts, by whom the request names, or how many."""
    free: str = ""
    """The reason why it is not counted."""
    is_players: bool = False
    """Whether only players may ask, and not the tokens of the service."""
    is_silent: bool = False
    """Whether it returns nothing, so that a repeated request does nothing. The method remembers the request."""
    is_move: bool = False
    """Whether the log of the match, the first argument, remembers the request."""

    def __call__(self, act: Callable[Concatenate[C, Asker, P], R]) -> Callable[Concatenate[C, Asker, P], R]:
        """Return the method with what comes before it: the asker is checked and counted, and a repetition recognised.

        Raises:  Unauthorized, Forbidden, TooMany; what the method raises.
        """
        TABLE[self.id] = self

        @wraps(act)
        def do(case: C, asker: Asker, /, *args: P.args, **named: P.kwargs) -> R:
            front, once = cast(Any, case).front, cast(Any, named.get("once"))
            judge(asker, self.scopes, is_players=self.is_players)
            front.count(asker, self.limits, once, match_id=args[0] if self.is_move else None)
            if not self.is_silent or once is None:
                return act(case, asker, *args, **named)
            front.done(once, lambda: act(case, asker, *args, **named))
            return cast(R, None)

        return do


TABLE: dict[str, Deed] = {}
"""All deeds by id, once the service's modules are imported."""
