"""Links to matches that the lobby does not list: whoever has the link may look on and sit down.

A link contains a signed token, which is not stored. The token names the match and the link's number. When the match's
opener renews the link, it gets the next number, and the old link is void.
"""

from __future__ import annotations

from service.deeds import CREATE, PLAY, READ, Asker, Deed, Front
from service.limits import DEEDS
from service.matches.lobby import Lobby
from service.problems import Conflict, Forbidden
from service.signing import NotOurs, Signer
from service.store import LINK, Entry, Once, lobby

PURPOSE = "match-link"


class Links:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, found: Lobby, signer: Signer, front: Front) -> None:
        self.front = front
        self._lobby = found
        self._signer = signer

    def read(self, token: str) -> tuple[str, int] | None:
        """Return the match and the link's number from a token; None if the token was not signed here."""
        try:
            match_id, number = self._signer.read(PURPOSE, token)
        except (NotOurs, TypeError, ValueError):
            return None
        return match_id, number

    def token(self, match_id: str, asker: Asker) -> str:
        """Return the token of the match's link. Raises Unknown if the asker may not know of the match, Conflict."""
        asker.need(READ, PLAY, CREATE)
        return self._token(self._linked(match_id, asker))

    @Deed("renewLink", (CREATE,), limits=(DEEDS,))
    def renew(self, asker: Asker, match_id: str, *, once: Once | None = None) -> str:
        """Make the match's link void, and return the token of a new one. Raises Unknown, Conflict, Forbidden."""
        entry = self._linked(match_id, asker)
        if asker.player != entry.creator:
            raise Forbidden("not-opener")
        assert entry.link is not None, "its visibility is LINK"
        # of two requests at once only one renews it
        renewed = lobby.renew_link(match_id, entry.link)
        self.front.done(once, lambda: self.front.write(once, [renewed]))
        return self._token(self._linked(match_id, asker))

    def _linked(self, match_id: str, asker: Asker) -> Entry:
        entry = self._lobby.entry(match_id, asker)
        if entry.visibility != LINK:
            raise Conflict("no-link", visibility=entry.visibility)
        return entry

    def _token(self, entry: Entry) -> str:
        return self._signer.sign(PURPOSE, [entry.id, entry.link])
