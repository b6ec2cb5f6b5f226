"""Health checks: whether the process runs, and whether it can do its work."""

from __future__ import annotations

from flask import Response
from flask.views import MethodView

from service import health
from service.problems import Unready
from service.web import answers
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import reply, service

blueprint = Blueprint("health", __name__, description="Health checks.")


@blueprint.route("/healthz")
class Lives(MethodView):
    """The health of the process."""

    @operation("getHealth")
    @blueprint.response(200, answers.Health)
    def get(self) -> Response:
        """Answer 200 if the process runs.

        This does not use the store or the queue.
        """
        return reply(answers.Health("ok"))


@blueprint.route("/readyz")
class Works(MethodView):
    """The readiness of the service."""

    @operation("getReadiness", problems={503: ("not-ready", "redis-away", "stopping", "store-replaced")})
    @blueprint.response(200, answers.Health)
    def get(self) -> Response:
        """Answer 200 if the service can read and write its store, reaches its queue, and is not stopping.

        It was tried within the last seconds. `wrong` in the problem names all faults.
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
