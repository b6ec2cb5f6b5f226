"""Deeds: who asks, what stands before each thing that somebody may have done, and how a use case declares one.

A deed is a method of a use case that changes something: `method(asker, what is said, once=the request's key)`.
Programs, pages and mails call it alike. It refuses who may not ask, counts who asks too often, and does a repeated
request once; what is asked for is read before, and shown afterwards, by whoever calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from types import MethodType
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, Self, TypeVar, cast, overload

import msgspec

from events.store import NulInText, Statement, Store
from service import clock
from service.ids import digest
from service.limits import GUESSES, Asking, Limits
from service.problems import Forbidden, TooMany, scope_missing, token_missing
from service.store import Once, Requests

READ, PLAY, CREATE = "match:read", "match:play", "match:create"
ACCOUNT = "account"
"""To manage the account: sign-up's token and sessions grant it, and no other is given it."""

WEBHOOK = "webhook:write"
"""To be told of one's matches by webhooks, and to manage these."""

BOT, ADMIN = "bot:play", "admin"
SCOPES = (READ, PLAY, CREATE, WEBHOOK)
"""What a player's further tokens may grant."""

WORKER, OPERATOR = "worker", "operator"
"""Stand for the workers, and for the operator, where a player's id would."""


class HouseTokens(NamedTuple):
    """Those that lie in files beside the store and are nobody's account."""

    worker: str
    admin: str
    secret: str
    """No token, but what links, reply addresses and cursors are signed by."""


class Asker(msgspec.Struct, frozen=True):
    """Whoever asks: a player, a worker, the operator, or a stranger."""

    player: str = ""
    scopes: frozenset[str] = frozenset()
    link: tuple[str, int] | None = None
    """The match whose link they came by, and the link's number."""
    site: str | None = None
    """The address by which limits count them; "" counts the account alone, and None counts nothing."""

    def may(self, scope: str) -> bool:
        """Whether the token grants it."""
        return scope in self.scopes

    def need(self, *scopes: str) -> None:
        """Raises Unauthorized for strangers, Forbidden when the token grants none of them."""
        if not self.player:
            raise token_missing()
        if not self.scopes.intersection(scopes):
            raise scope_missing(scopes[0])


STRANGER = Asker()


def judge(asker: Asker, scopes: tuple[str, ...], *, is_players: bool) -> None:
    """Refuse whoever may not ask. `is_players`: only players have such a thing, whatever the house's tokens grant.

    Raises:  Unauthorized for strangers; Forbidden when the token grants none of the scopes.
    """
    if is_players and asker.player in {WORKER, OPERATOR}:
        if not asker.scopes.intersection(scopes):
            raise Forbidden("no-player")
    elif scopes:
        asker.need(*scopes)


NOBODY = Asking()
"""Who is not counted."""


class Front(Requests):
    """Counts who asks, and remembers what requests with a key were answered."""

    def __init__(self, recorder: Store, now: clock.Now, limits: Limits) -> None:
        super().__init__(recorder, now)
        self._store = recorder
        self.limits = limits

    def count(
        self,
        asker: Asker,
        names: tuple[str, ...],
        once: Once | None = None,
        *,
        cost: float = 1.0,
        match_id: str | None = None,
    ) -> None:
        """Count the asker in the limits of these names.

        Shape:   `match_id` is the match in whose log a move is remembered by its key.
        Raises:  TooMany, but not for a repeated request: it is answered as it was the first time.
        """
        self._count(names, whom(asker), once, cost, match_id)

    def count_named(self, asker: Asker, name: str, named: str, once: Once | None = None) -> None:
        """Count the asker's address, and what they name in place of their account, in its looked-up form.

        Raises:  TooMany, whether anybody has such an account or not: nothing is looked up before.
        """
        if asker.site:
            whom = Asking(site=asker.site, account=f"{name}:{digest(named)[:32]}")
            self._count((name,), whom, once, 1.0, None)

    def count_guess(self, asker: Asker) -> None:
        """Count a token or a pass that is nobody's. Raises TooMany."""
        if asker.site is not None:
            self.limits.count((GUESSES,), Asking(site=asker.site))

    def check(self, asker: Asker, names: tuple[str, ...], once: Once | None) -> None:
        """Raise TooMany where `count` would, and count nothing."""
        if not self.is_repeat(once, None):
            self.limits.check(names, whom(asker))

    def _count(
        self, names: tuple[str, ...], whom: Asking, once: Once | None, cost: float, match_id: str | None
    ) -> None:
        if not names or whom == NOBODY:
            return
        try:
            self.limits.count(names, whom, cost)
        except TooMany:
            if not self.is_repeat(once, match_id):
                raise

    def is_repeat(self, once: Once | None, match_id: str | None) -> bool:
        """Return whether the request came before, by its key, and was done. Raises Malformed where its body differs."""
        if once is None:
            return False
        if self.answer(once) is not None:
            return True
        try:
            return match_id is not None and self.command(once, match_id) is not None
        except NulInText:
            return False

    def write(self, once: Once | None, statements: Sequence[Statement], answer: str = "") -> tuple[int, ...]:
        """Write the statements and remember the request, in one transaction. Returns the statements' counts of rows."""
        return self._store.write([*statements, *self.remember(once, answer)])

    def done(self, once: Once | None, act: Callable[[], object]) -> None:
        """Do what is asked unless the request came before; `act` remembers the request."""

        def deed() -> str:
            act()
            return ""

        self.do(once, deed)


def whom(asker: Asker) -> Asking:
    """Return by whom the asker is counted."""
    return NOBODY if asker.site is None else Asking(site=asker.site, account=asker.player)


P = ParamSpec("P")
R = TypeVar("R")

OF_WORKERS = "asked for by the house's workers alone"
OF_OPERATOR = "asked for by the operator alone"
"""Why such deeds are not counted."""


class Deed(msgspec.Struct, frozen=True):
    """Who may do a deed, and how often. It decorates the method of a use case, which has a `front`, that does it."""

    id: str
    """What the contract calls it."""
    scopes: tuple[str, ...] = ()
    """The asker's token needs one of these; without any, anybody may."""
    limits: tuple[str, ...] = ()
    """Count the asker once, before anything is looked up."""
    by_said: tuple[str, ...] = ()
    """Are counted by the method itself, by what is said: whom it names, or how many."""
    free: str = ""
    """Why nothing is counted."""
    is_players: bool = False
    """Whether only players have such a thing, and the house's own tokens don't."""
    is_silent: bool = False
    """Whether it returns nothing, so that a repeat is not done at all. The method remembers the request."""
    is_move: bool = False
    """Whether the log of the match that is named first remembers the request."""

    def __call__(self, act: Callable[Concatenate[Any, Asker, P], R]) -> DeedMethod[P, R]:
        """Return the method as a deed."""
        TABLE[self.id] = self
        return DeedMethod(self, act)


TABLE: dict[str, Deed] = {}
"""All deeds, by their ids, once the modules of the service are imported."""


class DeedMethod(Generic[P, R]):
    """A method that judges, counts and remembers before it does anything."""

    def __init__(self, deed: Deed, act: Callable[Concatenate[Any, Asker, P], R]) -> None:
        self.deed = deed
        self._act = act
        update_wrapper(self, act)

    @overload
    def __get__(self, case: None, kind: type) -> Self: ...
    @overload
    def __get__(self, case: object, kind: type) -> Callable[Concatenate[Asker, P], R]: ...
    def __get__(self, case: object | None, kind: type) -> Self | Callable[Concatenate[Asker, P], R]:
        return self if case is None else MethodType(self, case)

    def __call__(self, case: Any, asker: Asker, *said: P.args, **named: P.kwargs) -> R:
        """Do it. Raises Unauthorized, Forbidden, TooMany; whatever the method raises."""
        deed, front, once = self.deed, cast(Front, case.front), cast(Any, named.get("once"))
        judge(asker, deed.scopes, is_players=deed.is_players)
        front.count(asker, deed.limits, once, match_id=cast(str, said[0]) if deed.is_move else None)
        if not deed.is_silent or once is None:
            return self._act(case, asker, *said, **named)
        front.done(once, lambda: self._act(case, asker, *said, **named))
        return cast(R, None)
