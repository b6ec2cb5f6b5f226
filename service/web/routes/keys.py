"""The public keys by which receipts are checked."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service.web import answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import reply, service

blueprint = Blueprint("keys", __name__, url_prefix="/api", description="Keys.")


@blueprint.route("/keys")
class Keys(MethodView):
    """The service's public keys."""

    @operation("listKeys")
    @blueprint.response(200, answers.Keys)
    def get(self) -> Response:
        """List all keys that have signed receipts, the oldest first; the last one signs now.

        Compare them with the keys in a match's file.
        """
        return reply(answers.Keys(service().keyring.keys))
