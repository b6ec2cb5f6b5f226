"""Webhooks: where one's own programs are told that it is one's turn."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from service.web import inputs, webhook_answers, webhook_inputs
from service.web.middleware import Parser
from service.web.reply import asker, once, reply, service
from service.web.routes.matches import link_next
from service.web.told_headers import LINK

blueprint = Blueprint("webhooks", __name__, url_prefix="/api", description="Who is told what happens.")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("/webhooks")
class Webhooks(MethodView):
    """One's own."""

    @blueprint.response(200, webhook_answers.Webhooks)
    def get(self) -> Response:
        """Your webhooks, without their secrets."""
        return reply({"webhooks": service().webhooks.all(asker())})

    @blueprint.arguments(webhook_inputs.WebhookWanted())
    @blueprint.response(201, webhook_answers.NewWebhook)
    def post(self, said: dict[str, Any]) -> Response:
        """Be told of your matches by a POST to a URL of yours, signed. The answer holds the secret, told only here."""
        made, secret = service().webhooks.make(asker(), said["name"], said["url"], said["kinds"], once())
        return reply({**msgspec.structs.asdict(made), "secret": secret}, 201)


@blueprint.route("/webhooks/<string:webhook_id>")
class Webhook(MethodView):
    """One of them."""

    @blueprint.response(200, webhook_answers.Webhook)
    def get(self, webhook_id: str) -> Response:
        """A webhook, with a note if it is disabled."""
        return reply(service().webhooks.one(asker(), webhook_id))

    @blueprint.arguments(webhook_inputs.WebhookChange())
    @blueprint.response(200, webhook_answers.Webhook)
    def patch(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Have it elsewhere, told other things, disabled, or enabled again."""
        changed = service().webhooks.change(
            *(asker(), webhook_id), name=said["name"], url=said["url"], wanted=said["kinds"], enabled=said["enabled"]
        )
        return reply(changed)

    @blueprint.response(204)
    def delete(self, webhook_id: str) -> Response:
        """Tell it nothing more, and forget it."""
        service().webhooks.remove(asker(), webhook_id)
        return Response(status=204)


@blueprint.route("/webhooks/<string:webhook_id>/secret")
class Secret(MethodView):
    """What it is signed by."""

    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(201, webhook_answers.NewWebhook)
    def post(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Another secret, told only here. For 24 hours is signed by the one before as well."""
        found, secret = service().webhooks.renew(asker(), webhook_id, once())
        return reply({**msgspec.structs.asdict(found), "secret": secret}, 201)


@blueprint.route("/webhooks/<string:webhook_id>/deliveries")
class Deliveries(MethodView):
    """What it was told."""

    @blueprint.arguments(inputs.PageQuery(), location="query")
    @blueprint.response(200, webhook_answers.Deliveries, headers=LINK)
    def get(self, said: dict[str, Any], webhook_id: str) -> Response:
        """What the webhook was told in the last seven days and is to be told, the latest first."""
        found, more = service().webhooks.deliveries(asker(), webhook_id, said["limit"], said["cursor"])
        answer = reply({"deliveries": found, "next": more})
        return link_next(answer, cursor=more) if more else answer

    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(202, webhook_answers.Delivery)
    def post(self, said: dict[str, Any], webhook_id: str) -> Response:
        """Have it told a `ping`, to see whether it arrives."""
        return reply(service().webhooks.try_out(asker(), webhook_id, once()), 202)


@blueprint.route("/webhooks/<string:webhook_id>/deliveries/<string:delivery_id>")
class Delivery(MethodView):
    """One thing that it was told."""

    @blueprint.arguments(inputs.Nothing())
    @blueprint.response(202, webhook_answers.Delivery)
    def post(self, said: dict[str, Any], webhook_id: str, delivery_id: str) -> Response:
        """Have it told once more, at once, also when it tells of a decision that was answered."""
        return reply(service().webhooks.again(asker(), webhook_id, delivery_id), 202)
