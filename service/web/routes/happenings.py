"""The events of all matches of a player."""

from __future__ import annotations

from itertools import islice
from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import PLAY, READ
from service.streams import Item, PlayerLog, PlayerStream
from service.streams import MyEvents as Page
from service.web import stream_answers, stream_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.flowing import asker_of_request, flow, form_wanted
from service.web.limiting import place_to_stream
from service.web.reply import asker, lang, reply, service

blueprint = Blueprint("happenings", __name__, url_prefix="/api", description="Your events.")


@blueprint.route("/me/events")
class MyEvents(MethodView):
    """The events of the asker's matches."""

    @operation(
        "listMyEvents", READ, PLAY, problems={422: ("malformed-cursor",), 429: ("too-many-streams", "too-many-wait")}
    )
    @blueprint.arguments(stream_inputs.MyEventsQuery(), location="query")
    @blueprint.arguments(stream_inputs.MyEventsHeaders(), location="headers")
    @blueprint.response(200, Page, headers=("X-Accel-Buffering",), also=stream_answers.forms_of(Item))
    def get(self, query: dict[str, Any], headers: dict[str, Any]) -> Response:
        """Return everything that happens in the matches where you sit, in one order.

        These are events as you may read them, your turns, and invitations.

        There are three forms, by `Accept`: a page (`application/json`), or a stream, in lines of JSON
        (`application/x-ndjson`) or Server-Sent Events (`text/event-stream`). Without a cursor it begins now, with an
        item for the present state; with one, as `after` or `Last-Event-ID`, it continues from there. A stream has a
        sign of life every 14 seconds. Its last line has the member `end`.
        """
        asker().need(READ, PLAY)
        cursor = headers["last"] or query["after"]
        log = _log(lang() if query["texts"] else None)
        begun = log.begin(cursor)
        if (form := form_wanted()) is not None:
            asked, here = asker_of_request(), service().streams
            return flow(form, lambda: PlayerStream(here, log, begun, form, asked, place_to_stream()))
        items = [*begun, *islice(log.look(set(), query["limit"]), query["limit"])]
        is_cut = log.has_more or len(items) >= query["limit"]
        answer = reply(Page(items, items[-1].cursor if items and is_cut else log.cursor, is_cut))
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _log(spoken: Any) -> PlayerLog:
    here = service()
    return PlayerLog(here.recorder, here.views, here.invitations, here.signer, asker(), spoken)
