"""The feed: a player's turns for a feed reader, behind a secret address."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from service import feeds
from service.accounts import WEBHOOK
from service.web import webhook_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, lang, once, reply, service, vary

KIND = "application/atom+xml"
TEXT = {"type": "string"}

blueprint = Blueprint("feeds", __name__, url_prefix="/api", description="Your turns in a feed reader.")

NO_PLAYER = {403: ("no-player",)}
NO_FEED = {404: ("unknown-feed",)}


@blueprint.route("/me/feed")
class MyFeed(MethodView):
    """The asker's feed."""

    @operation("getFeed", WEBHOOK, problems={**NO_PLAYER, **NO_FEED})
    @blueprint.response(200, feeds.Feed)
    def get(self) -> Response:
        """Return your feed, without its address.

        The address is returned only when it is made.
        """
        return reply(service().feeds.of(asker()))

    @operation("makeFeed", problems={**NO_PLAYER, 409: ("secret-already-told",)})
    @blueprint.arguments(webhook_inputs.FeedWanted())
    @blueprint.response(200, feeds.NewFeed)
    def put(self, said: dict[str, Any]) -> Response:
        """Make your feed, or give it a new address.

        The old address answers 404 from then on.
        """
        return reply(service().feeds.make(asker(), said["kinds"], once=once()))

    @operation("revokeFeed", problems={**NO_PLAYER, **NO_FEED})
    @blueprint.response(204)
    def delete(self) -> Response:
        """Remove your feed.

        Its address answers 404 from then on.
        """
        service().feeds.revoke(asker(), once=once())
        return Response(status=204)


@blueprint.route("/feeds/<string:token>")
class Read(MethodView):
    """What feed readers fetch."""

    @operation("readFeed", problems=NO_FEED)
    @blueprint.response(200, TEXT, content_type=KIND)
    def get(self, token: str) -> Response:
        """The feed (Atom, RFC 4287): your turns while they are yours, and news of your matches.

        It lists the last seven days.
        """
        answer = Response(service().feeds.read(token, lang()), content_type=f"{KIND}; charset=utf-8")
        answer.headers["Cache-Control"] = "private, no-store"
        return vary(answer)
