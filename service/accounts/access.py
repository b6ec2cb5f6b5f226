"""Who asks, and what their token grants."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from service.problems import scope_missing, token_missing

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
