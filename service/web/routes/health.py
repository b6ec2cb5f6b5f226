"""Whether the service lives, and whether it can work."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service import health
from service.problems import Unready
from service.web import answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import reply, service

blueprint = Blueprint("health", __name__, description="For whatever watches over the service.")


@blueprint.route("/healthz")
class Lives(MethodView):
    """The process."""

    @operation("getHealth")
    @blueprint.response(200, answers.Health)
    def get(self) -> Response:
        """Whether the process lives.

        It asks nothing of the store or the queue.
        """
        return reply(answers.Health("ok"))


@blueprint.route("/readyz")
class Works(MethodView):
    """The process with its store."""

    @operation("getReadiness", problems={503: ("not-ready", "redis-away", "stopping", "store-replaced")})
    @blueprint.response(200, answers.Health)
    def get(self) -> Response:
        """Whether the service can read and write its store and reach its queue, and goes on serving.

        It found out by doing so within the last seconds. `wrong` names all that keeps it from that.
        """
        wrong = service().health.wrong()
        if health.STOPPING in wrong:
            raise Unready("stopping", more={"wrong": wrong})
        if health.REPLACED in wrong:
            raise Unready("store-replaced", more={"wrong": wrong})
        if health.STORE in wrong:
            raise Unready("not-ready", more={"wrong": wrong})
        if wrong:
            raise Unready("redis-away", more={"wrong": wrong})
        return reply(answers.Health("ready"))
