"""Webhooks: a player's own programs get a request when it is their turn."""

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

blueprint = Blueprint(
    "webhooks", __name__, url_prefix="/api", description="Requests to your own programs when something happens."
)

NO_PLAYER = {403: ("no-player",)}
NO_WEBHOOK = {**NO_PLAYER, 404: ("unknown-webhook",)}


@blueprint.route("/webhooks")
class Webhooks(MethodView):
    """The player's webhooks."""

    @operation("listWebhooks", WEBHOOK, problems=NO_PLAYER)
    @blueprint.response(200, webhook_answers.Webhooks)
    def get(self) -> Response:
        """List your webhooks, without their secrets.

        `POST` describes what they get, and how it is signed.
        """
        return reply(webhook_answers.Webhooks(service().webhooks.all(asker())))

    @operation("createWebhook", problems={**NO_PLAYER, 409: ("secret-already-told", "too-many-webhooks")})
    @blueprint.arguments(webhook_inputs.WebhookWanted())
    @blueprint.response(201, webhook_answers.NewWebhook)
    def post(self, said: dict[str, Any]) -> Response:
        """Make a webhook: the service sends signed POST requests about your matches to a URL of yours.

        Only this answer contains the secret.
        """
        made, secret = service().webhooks.make(asker(), said["name"], said["url"], said["kinds"], once=once())
        return reply(webhook_answers.NewWebhook(**asdict(made), secret=secret), 201)


@blueprint.route("/webhooks/<string:webhook_id>")
class Webhook(MethodView):
    """One webhook."""

    @operation("getWebhook", WEBHOOK, problems=NO_WEBHOOK)
    @blueprint.response(200, webhooks.Webhook)
    def get(self, webhook_id: str) -> Response:
        """Return a webhook.

        It says since when it is disabled, and why.
        """
        return reply(service().webhooks.one(asker(), webhook_id))

    @operation("changeWebhook", problems={**NO_WEBHOOK, 409: ("too-many-webhooks",)})
    @blueprint.arguments(webhook_inputs.WebhookChange())
    @blueprint.response(200, webhooks.Webhook)
    def patch(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Change a webhook's URL, name or kinds, disable it, or enable it again.

        What the request leaves out stays as it is.
        """
        changed = service().webhooks.change(
            *(asker(), webhook_id), name=said["name"], url=said["url"], wanted=said["kinds"], enabled=said["enabled"]
        )
        return reply(changed)

    @operation("deleteWebhook", problems=NO_WEBHOOK)
    @blueprint.response(204)
    def delete(self, webhook_id: str) -> None:
        """Delete a webhook.

        A delivery that is being sent may still arrive.
        """
        service().webhooks.remove(asker(), webhook_id)


@blueprint.route("/webhooks/<string:webhook_id>/secret")
class Secret(MethodView):
    """The secret that signs a webhook's deliveries."""

    @operation("renewSecret", problems={**NO_WEBHOOK, 409: ("secret-already-told",)})
    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(201, webhook_answers.NewWebhook)
    def post(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Give a webhook another secret.

        Only this answer contains it. For 24 hours deliveries are signed with the former secret too.
        """
        found, secret = service().webhooks.renew(asker(), webhook_id, once=once())
        return reply(webhook_answers.NewWebhook(**asdict(found), secret=secret), 201)


@blueprint.route("/webhooks/<string:webhook_id>/deliveries")
class Deliveries(MethodView):
    """A webhook's deliveries."""

    @operation("listDeliveries", WEBHOOK, problems={**NO_WEBHOOK, 422: ("malformed-cursor",)})
    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, webhook_answers.Deliveries, headers=("Link",))
    def get(self, said: dict[str, Any], webhook_id: str) -> Response:
        """List the webhook's deliveries, sent and waiting, the latest first.

        They are kept for seven days.
        """
        found, more = service().webhooks.deliveries(asker(), webhook_id, said["limit"], said["cursor"])
        answer = reply(webhook_answers.Deliveries(found, more))
        return link_next(answer, cursor=more) if more else answer

    @operation("pingWebhook", problems={**NO_WEBHOOK, 409: ("webhook-disabled",)})
    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(202, webhooks.Delivery)
    def post(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Send a `ping` to the webhook.

        It shows whether deliveries arrive.
        """
        return reply(service().webhooks.try_out(asker(), webhook_id, once=once()), 202)


@blueprint.route("/webhooks/<string:webhook_id>/deliveries/<string:delivery_id>")
class Delivery(MethodView):
    """One delivery."""

    @operation(
        "deliverAgain",
        problems={**NO_WEBHOOK, 404: ("unknown-delivery", "unknown-webhook"), 409: ("webhook-disabled",)},
    )
    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(202, webhooks.Delivery)
    def post(self, said: dict[str, Any], webhook_id: str, delivery_id: str) -> Response:
        """Send a delivery once more, at once.

        It is sent even if the turn that it is about was answered.
        """
        return reply(service().webhooks.again(asker(), webhook_id, delivery_id, once=once()), 202)
