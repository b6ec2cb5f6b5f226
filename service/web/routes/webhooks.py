"""Webhooks: where one's own programs are told that it is one's turn."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from msgspec.structs import asdict

from service import webhooks
from service.accounts import WEBHOOK
from service.web import inputs, webhook_answers, webhook_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import link_next

blueprint = Blueprint("webhooks", __name__, url_prefix="/api", description="Who is told what happens.")

NO_PLAYER = {403: ("no-player",)}
NO_WEBHOOK = {**NO_PLAYER, 404: ("unknown-webhook",)}


@blueprint.route("/webhooks")
class Webhooks(MethodView):
    """One's own."""

    @operation("listWebhooks", WEBHOOK, problems=NO_PLAYER)
    @blueprint.response(200, webhook_answers.Webhooks)
    def get(self) -> Response:
        """Your webhooks, without their secrets.

        What a webhook is told, and how it is signed, is told with `POST`.
        """
        return reply(webhook_answers.Webhooks(service().webhooks.all(asker())))

    @operation("createWebhook", problems={**NO_PLAYER, 409: ("secret-already-told", "too-many-webhooks")})
    @blueprint.arguments(webhook_inputs.WebhookWanted())
    @blueprint.response(201, webhook_answers.NewWebhook)
    def post(self, said: dict[str, Any]) -> Response:
        """Be told of your matches by a POST to a URL of yours, signed.

        The answer holds the secret, told only here.
        """
        made, secret = service().webhooks.make(asker(), said["name"], said["url"], said["kinds"], once=once())
        return reply(webhook_answers.NewWebhook(**asdict(made), secret=secret), 201)


@blueprint.route("/webhooks/<string:webhook_id>")
class Webhook(MethodView):
    """One of them."""

    @operation("getWebhook", WEBHOOK, problems=NO_WEBHOOK)
    @blueprint.response(200, webhooks.Webhook)
    def get(self, webhook_id: str) -> Response:
        """A webhook.

        With a note if it is disabled.
        """
        return reply(service().webhooks.one(asker(), webhook_id))

    @operation("changeWebhook", problems={**NO_WEBHOOK, 409: ("too-many-webhooks",)})
    @blueprint.arguments(webhook_inputs.WebhookChange())
    @blueprint.response(200, webhooks.Webhook)
    def patch(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Have it elsewhere, told other things, disabled, or enabled again.

        What is not said stays as it is.
        """
        changed = service().webhooks.change(
            *(asker(), webhook_id), name=said["name"], url=said["url"], wanted=said["kinds"], enabled=said["enabled"]
        )
        return reply(changed)

    @operation("deleteWebhook", problems=NO_WEBHOOK)
    @blueprint.response(204)
    def delete(self, webhook_id: str) -> None:
        """Tell it nothing more, and forget it.

        What is on its way may still arrive.
        """
        service().webhooks.remove(asker(), webhook_id)


@blueprint.route("/webhooks/<string:webhook_id>/secret")
class Secret(MethodView):
    """What it is signed by."""

    @operation("renewSecret", problems={**NO_WEBHOOK, 409: ("secret-already-told",)})
    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(201, webhook_answers.NewWebhook)
    def post(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Another secret, told only here.

        For 24 hours is signed by the one before as well.
        """
        found, secret = service().webhooks.renew(asker(), webhook_id, once=once())
        return reply(webhook_answers.NewWebhook(**asdict(found), secret=secret), 201)


@blueprint.route("/webhooks/<string:webhook_id>/deliveries")
class Deliveries(MethodView):
    """What it was told."""

    @operation("listDeliveries", WEBHOOK, problems={**NO_WEBHOOK, 422: ("malformed-cursor",)})
    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, webhook_answers.Deliveries, headers=("Link",))
    def get(self, said: dict[str, Any], webhook_id: str) -> Response:
        """What the webhook was told and is to be told, the latest first.

        Of the last seven days.
        """
        found, more = service().webhooks.deliveries(asker(), webhook_id, said["limit"], said["cursor"])
        answer = reply(webhook_answers.Deliveries(found, more))
        return link_next(answer, cursor=more) if more else answer

    @operation("pingWebhook", problems={**NO_WEBHOOK, 409: ("webhook-disabled",)})
    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(202, webhooks.Delivery)
    def post(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Have it told a `ping`.

        To see whether it arrives.
        """
        return reply(service().webhooks.try_out(asker(), webhook_id, once=once()), 202)


@blueprint.route("/webhooks/<string:webhook_id>/deliveries/<string:delivery_id>")
class Delivery(MethodView):
    """One thing that it was told."""

    @operation(
        "deliverAgain",
        problems={**NO_WEBHOOK, 404: ("unknown-delivery", "unknown-webhook"), 409: ("webhook-disabled",)},
    )
    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(202, webhooks.Delivery)
    def post(self, said: dict[str, Any], webhook_id: str, delivery_id: str) -> Response:
        """Have it told once more, at once.

        Also when it tells of a decision that was answered.
        """
        return reply(service().webhooks.again(asker(), webhook_id, delivery_id, once=once()), 202)
