"""A match as a file that proves itself (docs/log.md, "Exports")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

from flask import Response, request
from flask.views import MethodView

from replays.files import exports
from service.accounts import BOT, PLAY, READ
from service.web import inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, service, vary

KIND = "application/x-ndjson"

LINES = {
    "type": "string",
    "description": "Lines: first the header, then the events, stream by stream, then a receipt for the end of each"
    " stream, in the same order.",
    "contentMediaType": KIND,
    "contentSchema": {
        "description": "One line.",
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("ExportHeader", "Event", "Receipt")],
    },
}
"""The schema of an export; readers that don't know `contentSchema` take it for a text."""

IN_MEMORY = 1 << 20
"""The most bytes of an export that stay in memory; a longer one is written to a file."""

BLOCK = 1 << 16

blueprint = Blueprint("export", __name__, url_prefix="/api/matches/<string:match_id>", description="Exports.")


def file_name(match_id: str) -> str:
    """Return a file's name from the match's id, safe for file systems and headers; imported ids may be any text."""
    return f"{re.sub(r'[^0-9A-Za-z_-]', '_', match_id)[:100]}.jsonl"


def sent(lines: Iterator[bytes]) -> Response:
    """Return an answer with the lines. All are made before the first is sent, so that an error can be answered."""
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # it is closed after the answer
    try:
        for line in lines:
            file.write(line)
        length = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = vary(Response(_blocks(file), content_type=KIND))
    answer.content_length = length
    answer.call_on_close(file.close)
    return answer


def _blocks(file: SpooledTemporaryFile[bytes]) -> Iterator[bytes]:
    with file:
        while block := file.read(BLOCK):
            yield block


@blueprint.route("/export")
class Export(MethodView):
    """The whole log, as the asker may read it."""

    @operation(
        "exportMatch",
        READ,
        PLAY,
        BOT,
        is_open=True,
        problems={403: ("not-your-seat",), 404: ("unknown-seat",), 409: ("parent-missing",)},
    )
    @blueprint.arguments(inputs.SeatQuery(), location="query")
    @blueprint.response(200, LINES, content_type=KIND, headers=("ETag", "Content-Disposition"))
    @blueprint.response(304, description="It has not changed.", headers=("ETag",))
    def get(self, query: dict[str, Any], match_id: str) -> Response:
        """Return the match as JSON Lines: all of it if it is over, else what your seat, or anybody, may read.

        The lines are a header with the pack and the keys, the events (for a fork also those that it continues), and a
        receipt for the end of each stream. `python -m replays` reads and checks such files.
        """
        look = service().views.look(match_id, asker(), query["seat"])
        tag = service().views.export_tag(look)
        if request.if_none_match.contains_weak(tag):
            answer = vary(Response(status=304))
        else:
            answer = sent(exports.lines(look.log, service().keyring, look.reader))
            answer.headers["Content-Disposition"] = f'attachment; filename="{file_name(match_id)}"'
        answer.set_etag(tag)
        return answer
