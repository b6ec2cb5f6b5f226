"""Matches that are found by a link: whoever has it may look on and sit down, and nobody finds them in the lobby.

The link holds a token that is signed and not kept. It names the match and the link's number, so that whoever opened the
match can have a new one made, and the old one is void.
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
        """The match and the number of its link; None for a token that was not made here."""
        try:
            match_id, number = self._signer.read(PURPOSE, token)
        except (NotOurs, TypeError, ValueError):
            return None
        return match_id, number

    def token(self, match_id: str, asker: Asker) -> str:
        """What the match's link says, for who may know of the match anyway. Raises Unknown, Conflict."""
        asker.need(READ, PLAY, CREATE)
        return self._token(self._linked(match_id, asker))

    @Deed("renewLink", (CREATE,), limits=(DEEDS,))
    def renew(self, asker: Asker, match_id: str, *, once: Once | None = None) -> str:
        """A new link instead of the one before; who sits in the match needs none. Raises Forbidden too."""
        entry = self._linked(match_id, asker)
        if asker.player != entry.creator:
            raise Forbidden("not-opener")
        assert entry.link is not None, "it is found by one"
        # of two who renew it at once one does
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
