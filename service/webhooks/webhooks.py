"""An account's webhooks: made, looked at, changed, and what was delivered to them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated

import msgspec

from events.naming import fresh_id
from events.store import BrokenConstraint, Store
from service import clock
from service.deeds import ADMIN, BOT, WEBHOOK, Asker, Deed, Front
from service.ids import digest
from service.limits import PINGS, SETTINGS, TOKENS
from service.matches import format_cursor, parse_cursor
from service.problems import Conflict, Forbidden, Malformed, Unknown
from service.shapes import Moment, Object, one_of
from service.signing import Signer
from service.store import Delivery as Kept
from service.store import DeliveryTable, Once, Subscription, Subscriptions, deliveries, notices, subscriptions
from service.webhooks.addresses import Network, check
from service.webhooks.signature import fresh_secret

MOST = 10
"""Webhooks of an account."""

BOTH = timedelta(hours=24)
"""For how long is signed by the secret before as well, so that a receiver misses nothing while it is given the new."""

CHANNEL = "webhook"
"""As their settings and deliveries name them."""

PURPOSE = "webhook"
"""What their secrets are sealed for."""

SOON = timedelta(seconds=30)
"""What is tried again within that need not be asked for."""

TRIES = 8
"""How often it is made again because another one was made at once."""


class Disabled(msgspec.Struct, frozen=True):
    """Since when a webhook is told nothing, and why."""

    at: Moment
    """Since when."""
    reason: Annotated[str, one_of("failing", "gone", "owner", "secret")]
    """`failing`: nothing could be delivered for three days; `gone`: it answered 410; `owner`: you said so; `secret`:
    its secret can't be read any more, renew it.
    """


class Webhook(msgspec.Struct, frozen=True):
    """Where you want to be told of what."""

    id: str
    name: str
    url: str
    """The whole address."""
    kinds: tuple[Annotated[str, one_of(*notices.KINDS)], ...]
    """Of what it is told."""
    created: Moment
    """When it was made."""
    enabled: bool
    """Whether it is told anything."""
    failing: Moment | None
    """Since when nothing could be delivered; null where the last delivery was taken."""
    disabled: Disabled | None
    """Since when it is told nothing, and why; null: it is."""


class Delivery(msgspec.Struct, frozen=True):
    """Something that the webhook was told, or is to be."""

    id: str
    """The header `webhook-id`, the same each time it is sent."""
    kind: Annotated[str, one_of(*notices.KINDS, notices.PING)]
    """What it tells of: one of the webhook's kinds, or `ping`."""
    about: Object
    """The match, its game, your seat, and by kind what else is told."""
    status: Annotated[str, one_of("waiting", "delivered", "failed", "dropped")]
    """`waiting`: it is tried, at `next` the next time; `failed`: it was given up; `dropped`: there was nothing to tell
    any more, for the decision was answered.
    """
    created: Moment
    """When it was noted."""
    tries: int
    """How often it was tried."""
    next: Moment | None
    """When it is tried next."""
    tried: Moment | None
    """When it was tried last."""
    answer: int | None
    """The status that the last try was answered with."""
    problem: str | None
    """What was wrong with the last try: `no-address`: the name has none that may be sent to; `no-connection`, `no-tls`,
    `tls`, `timeout`, `no-http`; `redirected`: it is not followed; `status`.
    """


class Hooks:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, recorder: Store, front: Front, signer: Signer, allowed: Sequence[Network]) -> None:
        self._recorder = recorder
        self._webhooks = Subscriptions(recorder)
        self._deliveries = DeliveryTable(recorder)
        self.front = front
        self._signer = signer
        self._allowed = allowed
        self._now = front.now

    def all(self, asker: Asker) -> tuple[Webhook, ...]:
        """The asker's, the oldest first."""
        self._own(asker)
        return tuple([_shown(one) for one in self._webhooks.of(asker.player, CHANNEL)])

    def one(self, asker: Asker, id: str) -> Webhook:
        """One of them. Raises Unknown."""
        return _shown(self._find(asker, id))

    @Deed("createWebhook", (WEBHOOK,), limits=(TOKENS,), is_players=True)
    def make(
        self, asker: Asker, name: str, url: str, wanted: Sequence[str], *, once: Once | None = None
    ) -> tuple[Webhook, str]:
        """A new one, with its secret, which is told this once. Raises Conflict, Malformed."""
        self._own(asker)
        self._check(url)
        secret, at = fresh_secret(), clock.stamp(self._now())
        made = Subscription(
            id=fresh_id("w"),
            channel=CHANNEL,
            player=asker.player,
            name=name,
            address=url,
            kinds=_in_order(wanted),
            secret=self._signer.seal(PURPOSE, secret),
            created=at,
        )
        if self.front.do(once, lambda: self._enter(made, once)) != made.id:
            raise Conflict("secret-already-told")
        return _shown(made), secret

    def _enter(self, made: Subscription, once: Once | None) -> str:
        told = [subscriptions.enter(made, MOST), *self.front.remember(once, made.id)]
        for times in range(TRIES):
            if len(self._webhooks.of(made.player, CHANNEL)) >= MOST:
                raise Conflict("too-many-webhooks", most=MOST)
            try:
                if self._recorder.write(told)[0]:
                    return made.id
            except BrokenConstraint:
                # another one was made at this moment; or this one was, by the same request
                if times == TRIES - 1 or (once is not None and self.front.answer(once) is not None):
                    raise
        raise Conflict("too-many-webhooks", most=MOST)

    @Deed("changeWebhook", (WEBHOOK,), limits=(SETTINGS,), is_players=True)
    def change(
        self,
        asker: Asker,
        id: str,
        *,
        name: str | None = None,
        url: str | None = None,
        wanted: Sequence[str] | None = None,
        enabled: bool | None = None,
    ) -> Webhook:
        """Change what is named; enabled anew it counts as never having failed. Raises Unknown, Malformed."""
        found = self._find(asker, id)
        if url is not None:
            self._check(url)
        said = {"name": name, "address": url, "kinds": None if wanted is None else _in_order(wanted)}
        changed = msgspec.structs.replace(found, **{field: value for field, value in said.items() if value is not None})
        told = [subscriptions.change(changed)]
        if enabled is not None:
            at = clock.stamp(self._now())
            told.append(subscriptions.enable(id) if enabled else subscriptions.disable(id, at, "owner"))
        self._recorder.write(told)
        return self.one(asker, id)

    @Deed("renewSecret", (WEBHOOK,), limits=(TOKENS,), is_players=True)
    def renew(self, asker: Asker, id: str, *, once: Once | None = None) -> tuple[Webhook, str]:
        """Another secret, told this once; for a day is signed by the one before too. Raises Unknown, Conflict."""
        found, secret = self._find(asker, id), fresh_secret()
        until = clock.stamp(self._now() + BOTH)
        sealed = self._signer.seal(PURPOSE, secret)
        mark = digest(sealed)

        def deed() -> str:
            self._recorder.write([subscriptions.renew(found, sealed, until), *self.front.remember(once, mark)])
            return mark

        if self.front.do(once, deed) != mark:
            raise Conflict("secret-already-told")
        return self.one(asker, id), secret

    @Deed("deleteWebhook", (WEBHOOK,), limits=(SETTINGS,), is_players=True)
    def remove(self, asker: Asker, id: str) -> None:
        """Tell it nothing more, and forget it. Raises Unknown."""
        self._find(asker, id)
        self._recorder.write([subscriptions.remove(id, asker.player)])

    def deliveries(
        self, asker: Asker, id: str, limit: int, cursor: str | None
    ) -> tuple[tuple[Delivery, ...], str | None]:
        """What it was told lately and is to be told, the latest first, and the cursor to more."""
        self._find(asker, id)
        place = deliveries.LATEST if cursor is None else parse_cursor(cursor)
        found = self._deliveries.page(id, limit + 1, place)
        page = found[:limit]
        more = format_cursor(page[-1].at, page[-1].id) if len(found) > limit else None
        return tuple([_noted(one) for one in page]), more

    @Deed("pingWebhook", (WEBHOOK,), limits=(PINGS,), is_players=True)
    def try_out(self, asker: Asker, id: str, *, once: Once | None = None) -> Delivery:
        """Have it told that it works. Raises Unknown, Conflict."""
        found = self._able(asker, id)
        at, key = clock.stamp(self._now()), f"{found.id}_{fresh_id('d')}"
        ping = Kept(
            home=id,
            id=key,
            channel=CHANNEL,
            target=id,
            player=found.player,
            kind=notices.PING,
            at=at,
            asked=True,
            due=at,
        )
        told = deliveries.enter(ping)

        def deed() -> str:
            self._recorder.write([told, *self.front.remember(once, key)])
            return key

        return self._delivery(found, self.front.do(once, deed))

    @Deed("deliverAgain", (WEBHOOK,), limits=(PINGS,), is_players=True)
    def again(self, asker: Asker, id: str, delivery: str, *, once: Once | None = None) -> Delivery:
        """Have it told once more, at once. Raises Unknown, Conflict."""
        found = self._able(asker, id)
        one = self._known(found, delivery)
        now = self._now()
        again = deliveries.again(one, clock.stamp(now), clock.stamp(now + SOON))
        self.front.done(once, lambda: self.front.write(once, [again]))
        return self._delivery(found, delivery)

    def _delivery(self, webhook: Subscription, id: str) -> Delivery:
        return _noted(self._known(webhook, id))

    def _known(self, webhook: Subscription, id: str) -> Kept:
        found = self._deliveries.find(id) if "\0" not in id else None
        if found is None or found.target != webhook.id:
            raise Unknown("unknown-delivery", delivery=id)
        return found

    def _able(self, asker: Asker, id: str) -> Subscription:
        found = self._find(asker, id)
        if found.disabled is not None:
            raise Conflict("webhook-disabled", since=found.disabled)
        return found

    def _find(self, asker: Asker, id: str) -> Subscription:
        self._own(asker)
        found = self._webhooks.find(id) if "\0" not in id else None
        if found is None or (found.channel, found.player) != (CHANNEL, asker.player):
            raise Unknown("unknown-webhook", webhook=id)
        return found

    def _own(self, asker: Asker) -> None:
        asker.need(WEBHOOK, BOT, ADMIN)
        if asker.may(BOT) or asker.may(ADMIN):
            raise Forbidden("no-player")

    def _check(self, url: str) -> None:
        try:
            check(url, self._allowed)
        except ValueError as error:
            raise Malformed("malformed", more={"errors": {"url": [str(error)]}}, names=("url",)) from error


def _in_order(wanted: Sequence[str]) -> tuple[str, ...]:
    return tuple(kind for kind in notices.KINDS if kind in wanted)


def _shown(one: Subscription) -> Webhook:
    return Webhook(
        id=one.id,
        name=one.name,
        url=one.address,
        kinds=one.kinds,
        created=one.created,
        enabled=one.disabled is None,
        failing=one.failing,
        disabled=None if one.disabled is None else Disabled(one.disabled, one.reason or ""),
    )


def _noted(one: Kept) -> Delivery:
    return Delivery(
        id=one.id,
        kind=one.kind,
        about=msgspec.Raw(one.body.encode()),
        status=one.status,
        created=one.at,
        tries=one.tries,
        next=one.due if one.status == deliveries.WAITING else None,
        tried=one.tried,
        answer=one.answer,
        problem=one.problem,
    )
