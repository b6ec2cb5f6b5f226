"""The channel of feeds: an Atom feed (RFC 4287) of a player's turns and news, behind a secret address.

Nothing is sent: the notices of a feed are held until it is fetched. Then the feed says what the player may see at that
moment, and lists a turn only while it is theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Annotated
from xml.etree import ElementTree

import msgspec

from domain.catalogue import Catalogue
from domain.game import Lang
from events.chain import fresh_id
from events.store import MissingValue, Store
from service.deeds import WEBHOOK, Asker, Deed, Front, judge
from service.limits import SETTINGS, TOKENS
from service.mail import title_of, word
from service.problems import Conflict, Unauthorized, Unknown
from service.shapes import Moment, formatted, one_of
from service.signing import digest, fresh_token
from service.store import Delivery, DeliveryTable, Once, Subscription, Subscriptions, notices, proposals

CHANNEL = "feed"
"""Its name in `deliveries` and `subscriptions`."""

ATOM = "http://www.w3.org/2005/Atom"
MOST = 100
"""Entries in a feed at most."""


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """Your feed. Its address is returned only when it is made."""

    kinds: tuple[Annotated[str, one_of(*notices.KINDS)], ...]
    """The kinds of notices that it lists."""
    created: Moment
    """When its address was made. The feed lists nothing that happened before."""


class NewFeed(Feed, frozen=True, kw_only=True):
    """Your feed, with its address."""

    url: Annotated[str, formatted("uri")]
    """Where a feed reader finds it. Whoever has the address can read the feed. It is returned only here."""


class Feeds:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, store: Store, front: Front, catalogue: Catalogue) -> None:
        self.front = front
        self._store = store
        self._subscriptions = Subscriptions(store)
        self._deliveries = DeliveryTable(store)
        self._catalogue = catalogue

    def of(self, asker: Asker) -> Feed:
        """Return the asker's feed. Raises Unknown if they have none."""
        if (found := self._find(asker)) is None:
            raise Unknown("unknown-feed")
        return Feed(kinds=found.kinds, created=found.created)

    def has(self, asker: Asker) -> bool:
        """Return whether the asker has a feed."""
        return self._find(asker) is not None

    @Deed("makeFeed", (WEBHOOK,), limits=(TOKENS,), is_players=True)
    def make(self, asker: Asker, kinds: Sequence[str], origin: str, *, once: Once | None = None) -> NewFeed:
        """Make the asker's feed, or give it a new address, which begins with `origin`: the old one is void.

        Raises:  Conflict for a repeated request; Unauthorized if the account was erased meanwhile.
        """
        token = fresh_token()
        made = Subscription(
            id=fresh_id("f"),
            channel=CHANNEL,
            player=asker.player,
            name="",
            address="",
            kinds=tuple(kind for kind in notices.KINDS if kind in kinds),
            secret=digest(token),
            created=self.front.at(),
        )
        write = partial(self.front.write, once, notices.subscribe_only(made), made.id)
        try:
            self.front.tell_once(once, made.id, write, Conflict("secret-already-told"))
        except MissingValue:
            raise Unauthorized("unknown-token") from None
        return NewFeed(kinds=made.kinds, created=made.created, url=f"{origin}/api/feeds/{token}")

    @Deed("revokeFeed", (WEBHOOK,), limits=(SETTINGS,), is_players=True, is_silent=True)
    def revoke(self, asker: Asker, *, once: Once | None = None) -> None:
        """Remove the asker's feed. Raises Unknown if they have none."""
        if (found := self._find(asker)) is None:
            raise Unknown("unknown-feed")
        self.front.write(once, [notices.unsubscribe(found.id, asker.player)])

    def read(self, token: str, lang: Lang, origin: str) -> bytes:
        """Return the feed behind an address, whose links begin with `origin`. Raises Unknown if there is none."""
        if (found := self._subscriptions.by_secret(CHANNEL, digest(token))) is None:
            raise Unknown("unknown-feed")
        entries = list(islice(self._entries(found, lang), MOST))
        feed = ElementTree.Element("feed", xmlns=ATOM)
        _add(feed, "id", f"urn:foldtable:{found.id}")
        _add(feed, "title", word("feed", lang))
        _add(feed, "updated", max([found.created, *(one.at for one, _ in entries)]))
        _add(_add(feed, "author"), "name", "Foldtable")
        for one, title in entries:
            entry = _add(feed, "entry")
            _add(entry, "id", f"urn:foldtable:{one.id}")
            _add(entry, "title", title)
            _add(entry, "updated", one.at)
            _add(entry, "link", href=f"{origin}{'/turns' if proposals.offers_seat(one) else f'/matches/{one.home}'}")
        return bytes(ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True))

    def _entries(self, feed: Subscription, lang: Lang) -> Iterator[tuple[Delivery, str]]:
        """Return what the feed lists now, the latest first, each with its title."""
        for one in reversed(self._deliveries.held(feed.player, feed.id)):
            if (entry := proposals.match_if_true(self._store, one)) is not None:
                yield one, title_of(one, entry, self._catalogue.title(entry.game, lang), lang)

    def _find(self, asker: Asker) -> Subscription | None:
        judge(asker, (WEBHOOK,), is_players=True)
        return next(iter(self._subscriptions.of(asker.player, CHANNEL)), None)


def _add(parent: ElementTree.Element, name: str, text: str = "", **attributes: str) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, name, attributes)
    made.text = text or None
    return made
