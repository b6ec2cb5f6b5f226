"""The keys by which receipts can be checked."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service.web import answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import reply, service

blueprint = Blueprint("keys", __name__, url_prefix="/api", description="What receipts are checked by.")


@blueprint.route("/keys")
class Keys(MethodView):
    """The history of the service's keys."""

    @operation("listKeys")
    @blueprint.response(200, answers.Keys)
    def get(self) -> Response:
        """Every key that has signed receipts, the oldest first; the last one signs. Compare them with a file's.

        Compare them with those that a match's file names.
        """
        return reply(answers.Keys(service().keyring.keys))
