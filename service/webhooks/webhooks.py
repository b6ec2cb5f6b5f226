"""The webhooks of an account: making, reading and changing them, and their deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Annotated

import msgspec

from events.chain import fresh_id
from events.store import BrokenConstraint, MissingValue, Store
from service.deeds import WEBHOOK, Asker, Deed, Front, judge
from service.limits import PINGS, SETTINGS, TOKENS, Network
from service.matches import page_of, parse_cursor
from service.problems import Conflict, Unauthorized, Unknown, malformed
from service.shapes import Moment, Object, one_of
from service.signing import Signer, digest
from service.store import Delivery as Kept
from service.store import DeliveryTable, Once, People, Subscription, Subscriptions, deliveries, notices, people
from service.webhooks.sending import check, fresh_secret

MOST = 10
"""The most webhooks of an account."""

BOTH = timedelta(hours=24)
"""For how long messages are also signed by the former secret, while the owner gives the new one to the receiver."""

CHANNEL = "webhook"
"""The name of the channel in subscriptions and deliveries."""

PURPOSE = "webhook"
"""The purpose for which the secrets are sealed."""

TRIES = 8
"""The most tries to store a new webhook, if another one is stored at the same moment."""


class Disabled(msgspec.Struct, frozen=True):
    """Since when a webhook is sent nothing, and why."""

    at: Moment
    """Since when the webhook is sent nothing."""
    reason: Annotated[str, one_of("failing", "gone", "owner", "secret")]
    """`failing`: nothing could be delivered for three days; `gone`: it answered 410; `owner`: you disabled it, or set a
    new password by a link; `secret`: its secret can't be read any more, renew it.
    """


class Webhook(msgspec.Struct, frozen=True):
    """An address to which the service sends messages about your matches."""

    id: str
    name: str
    url: str
    """The whole address."""
    kinds: tuple[Annotated[str, one_of(*notices.KINDS)], ...]
    """The kinds of messages that it is sent."""
    created: Moment
    enabled: bool
    """Whether it is sent messages."""
    failing: Moment | None
    """Since when nothing could be delivered; null if the last delivery was taken."""
    disabled: Disabled | None
    """Since when it is sent nothing, and why; null if it is enabled."""


class Delivery(msgspec.Struct, frozen=True):
    """A message that was sent to a webhook, or is to be sent."""

    id: str
    """The header `webhook-id`, the same each time it is sent."""
    kind: Annotated[str, one_of(*notices.KINDS, notices.PING)]
    """The kind of the message: one of the webhook's kinds, or `ping`."""
    about: Object
    """The match, its game, your seat, and more data by the kind."""
    status: Annotated[str, one_of("waiting", "delivered", "failed", "dropped")]
    """`waiting`: the next try is at `next`; `failed`: it was given up; `dropped`: there was nothing to send any more,
    for instance because the decision was answered, or the proposal withdrawn.
    """
    created: Moment
    """When the reason for it happened, by the match's log; for a ping, when you asked for it."""
    tries: int
    """How often it was tried."""
    next: Moment | None
    """When it is tried next."""
    tried: Moment | None
    """When it was tried last."""
    answer: int | None
    """The status with which the receiver answered the last try."""
    problem: str | None
    """The problem of the last try: `no-address`: the name has no address to which messages may be sent;
    `no-connection`, `no-tls`, `tls`, `timeout`, `no-http`; `redirected`: redirects are not followed; `status`.
    """


class Hooks:
    """The use cases. They raise Problems and the store's errors."""

    def __init__(self, recorder: Store, front: Front, signer: Signer, allowed: Sequence[Network]) -> None:
        self._recorder = recorder
        self._webhooks = Subscriptions(recorder)
        self._deliveries = DeliveryTable(recorder)
        self._people = People(recorder)
        self.front = front
        self._signer = signer
        self._allowed = allowed

    def all(self, asker: Asker) -> tuple[Webhook, ...]:
        """Return the asker's webhooks, oldest first. Raises Forbidden."""
        judge(asker, (WEBHOOK,), is_players=True)
        return tuple([_shown(webhook) for webhook in self._webhooks.of(asker.player, CHANNEL)])

    def one(self, asker: Asker, id: str) -> Webhook:
        """Return a webhook of the asker. Raises Unknown, Forbidden."""
        return _shown(self._find(asker, id))

    @Deed("createWebhook", (WEBHOOK,), limits=(TOKENS,), is_players=True)
    def make(
        self, asker: Asker, name: str, url: str, wanted: Sequence[str], *, once: Once | None = None
    ) -> tuple[Webhook, str]:
        """Make a webhook. Returns it with its secret, which is shown only this once. Raises Conflict, Malformed."""
        self._check(url)
        secret, at = fresh_secret(), self.front.at()
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
        self.front.tell_once(once, made.id, partial(self._enter, made, once), Conflict("secret-already-told"))
        return _shown(made), secret

    def _enter(self, made: Subscription, once: Once | None) -> None:
        statements = notices.subscribe(made, MOST)
        for times in range(TRIES):
            try:
                self.front.write(once, statements, made.id)
                return
            except MissingValue:
                owner = self._people.player(made.player)
                if owner is None or owner.kind == people.ERASED:
                    raise Unauthorized("unknown-token") from None
                raise Conflict("too-many-webhooks", most=MOST) from None
            except BrokenConstraint:
                # another webhook was stored at this moment; or this one was, when the same request came before
                if times == TRIES - 1 or (once is not None and self.front.answer(once) is not None):
                    raise

    @Deed("changeWebhook", (WEBHOOK,), limits=(SETTINGS,), is_players=True)
    def change(
        self,
        asker: Asker,
        id: str,
        *,
        name: str | None,
        url: str | None,
        kinds: Sequence[str] | None,
        enabled: bool | None,
    ) -> Webhook:
        """Change what is not None. Raises Unknown, Malformed.

        A webhook that is enabled again counts as never having failed.
        """
        self._find(asker, id)
        if url is not None:
            self._check(url)
        wanted = None if kinds is None else _in_order(kinds)
        statements = [notices.change_subscription(id, asker.player, name, url, wanted)]
        if enabled is not None:
            at = self.front.at()
            statements.append(notices.enable(id) if enabled else notices.disable(id, at, "owner"))
        self._recorder.write(statements)
        return self.one(asker, id)

    @Deed("renewSecret", (WEBHOOK,), limits=(TOKENS,), is_players=True)
    def renew(self, asker: Asker, id: str, *, once: Once | None = None) -> tuple[Webhook, str]:
        """Give the webhook a new secret. For a day messages are also signed by the former one.

        Returns the webhook with the secret, which is shown only this once. Raises Unknown, Conflict.
        """
        webhook, secret = self._find(asker, id), fresh_secret()
        until = self.front.at(BOTH)
        sealed = self._signer.seal(PURPOSE, secret)
        mark = digest(sealed)
        write = partial(self.front.write, once, [notices.renew(webhook, sealed, until)], mark)
        self.front.tell_once(once, mark, write, Conflict("secret-already-told"))
        return self.one(asker, id), secret

    @Deed("deleteWebhook", (WEBHOOK,), limits=(SETTINGS,), is_players=True)
    def remove(self, asker: Asker, id: str) -> None:
        """Delete the webhook. Raises Unknown."""
        self._find(asker, id)
        self._recorder.write([notices.unsubscribe(id, asker.player)])

    def deliveries(
        self, asker: Asker, id: str, limit: int, cursor: str | None
    ) -> tuple[tuple[Delivery, ...], str | None]:
        """Return a page of the deliveries, latest first, and the cursor of the next page. Raises Unknown, Malformed."""
        self._find(asker, id)
        rows = self._deliveries.page(id, limit + 1, parse_cursor("deliveries", cursor))
        page, more = page_of("deliveries", rows, limit, lambda one: (one.at, one.id))
        return tuple([_noted(row) for row in page]), more

    @Deed("pingWebhook", (WEBHOOK,), limits=(PINGS,), is_players=True)
    def try_out(self, asker: Asker, id: str, *, once: Once | None = None) -> Delivery:
        """Queue a ping, which shows the owner that the webhook works. Raises Unknown, Conflict."""
        webhook = self._find(asker, id)
        at, key = self.front.at(), f"{webhook.id}_{fresh_id('d')}"
        ping = Kept(
            home=id,
            id=key,
            channel=CHANNEL,
            target=id,
            player=webhook.player,
            kind=notices.PING,
            at=at,
            asked=True,
            due=at,
        )

        def deed() -> str:
            _need_enabled(webhook)
            self.front.write(once, [deliveries.enter(ping)], key)
            return key

        return _noted(self._known(webhook, self.front.do(once, deed)))

    @Deed("deliverAgain", (WEBHOOK,), limits=(PINGS,), is_players=True)
    def again(self, asker: Asker, id: str, delivery: str, *, once: Once | None = None) -> Delivery:
        """Make a delivery due again at once. Raises Unknown, Conflict."""
        webhook = self._find(asker, id)
        before = self._known(webhook, delivery)
        # it stays as it is if its next try comes sooner
        again = deliveries.again(before, self.front.at(), self.front.at(timedelta(seconds=30)))

        def deed() -> None:
            _need_enabled(webhook)
            self.front.write(once, [again])

        self.front.done(once, deed)
        return _noted(self._known(webhook, delivery))

    def _known(self, webhook: Subscription, id: str) -> Kept:
        delivery = self._deliveries.find(id) if "\0" not in id else None
        if delivery is None or delivery.target != webhook.id:
            raise Unknown("unknown-delivery", delivery=id)
        return delivery

    def _find(self, asker: Asker, id: str) -> Subscription:
        judge(asker, (WEBHOOK,), is_players=True)
        webhook = self._webhooks.find(id) if "\0" not in id else None
        if webhook is None or (webhook.channel, webhook.player) != (CHANNEL, asker.player):
            raise Unknown("unknown-webhook", webhook=id)
        return webhook

    def _check(self, url: str) -> None:
        try:
            check(url, self._allowed)
        except ValueError as error:
            raise malformed({"url": [str(error)]}) from error


def _need_enabled(webhook: Subscription) -> None:
    """Raises Conflict."""
    if webhook.disabled is not None:
        raise Conflict("webhook-disabled", since=webhook.disabled)


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
