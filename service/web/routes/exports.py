"""A match as a file: its export, which proves itself (docs/log.md, "Exports"), and its film."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

from flask import Response, request

from replays.files import exports
from service.matches import answers, films
from service.problems import Unknown
from service.web import inputs
from service.web.contract import UNCHANGED, Success
from service.web.contract.schemas import FIXED
from service.web.reply import VARY, Blueprint, asker, lang, service, tagged
from service.web.routes.matches import LOOKING
from service.web.routes.moves import ids_of

KIND = "application/x-ndjson"

IN_MEMORY = 1 << 20
"""The most bytes of an export that stay in memory; a longer one is written to a file."""

BLOCK = 1 << 16

EXPORT = Blueprint("export", "Exports.", "/api/matches/<match_id>")
FILMS = Blueprint("films", "Replays.", "/api/matches/<match_id>")


def file_name(match_id: str) -> str:
    """Return a file's name from the match's id, safe for file systems and headers; imported ids may be any text."""
    return f"{re.sub(r'[^0-9A-Za-z_-]', '_', match_id)[:100]}.jsonl"


def sent(lines: Iterator[bytes], name: str) -> Response:
    """Return an answer with the lines as a file of this name.

    All are made before the first is sent, so that an error can be answered.
    """
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  # it is closed after the answer
    try:
        for line in lines:
            file.write(line)
        length = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = Response(_blocks(file), content_type=KIND)
    answer.content_length = length
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.call_on_close(file.close)
    return answer


def _blocks(file: SpooledTemporaryFile[bytes]) -> Iterator[bytes]:
    with file:
        while block := file.read(BLOCK):
            yield block


@EXPORT.operation(
    "GET /export",
    Success(200, FIXED["export"], headers=("ETag", "Content-Disposition"), kind=KIND),
    UNCHANGED,
    **LOOKING,
    query=inputs.SeatQuery,
    problems={409: ("parent-missing",)},
)
def export_match(query: dict[str, Any], match_id: str) -> Response:
    """Return the match as JSON Lines: all of it if it is over, else what your seat, or anybody, may read.

    The lines are a header with the pack and the keys, the events (for a fork also those that it continues), and a
    receipt for the end of each stream. `./foldtable replays` reads and checks such files.
    """
    look = service().views.look(match_id, asker(), query["seat"])
    return tagged(
        service().views.export_tag(look),
        lambda: sent(exports.lines(look.log, service().keyring, look.reader), file_name(match_id)),
    )


@FILMS.operation(
    "GET /film",
    Success(200, films.Film, headers=("ETag", "Content-Encoding")),
    UNCHANGED,
    **LOOKING,
    query=inputs.FilmQuery,
    problems={404: ("unknown-version",)},
)
def get_film(query: dict[str, Any], match_id: str) -> Response:
    """Return every event in words, with the scene after it, to replay the match.

    If the match is over, the film shows everything, or with `seat` what that seat saw, or with `nobody` what
    anybody saw. While the match runs, it shows what your seat, or anybody, has seen. A frame names its scene by the
    index in `reel.scenes`, a scene its zones in `reel.zones`, a zone its pieces in `reel.pieces`. Longer matches
    come in parts, by `after`.
    """
    here, seat = service(), query["seat"]
    look = here.views.look(match_id, asker(), seat, any_when_over=True)
    viewer = films.viewer_of(look, as_seat=seat is not None, as_nobody=query["nobody"])
    if query["after"] >= look.state.version:
        raise Unknown("unknown-version", match=match_id, head=look.state.version)
    tag = f"{query['after']}.{here.films.tag(look, viewer, lang())}"
    answer = tagged(tag, lambda: _packed(here.films.packed(look, viewer, query["after"], lang())), weak=True)
    answer.headers["Vary"] = f"{VARY}, Accept-Encoding"
    return answer


@FILMS.operation(
    "GET /choice",
    **LOOKING,
    query=inputs.ChoiceQuery,
    problems={409: ("not-over",)},
)
def get_choice(query: dict[str, Any], match_id: str) -> answers.NextChoice:
    """Return a seat's next decision after a version, with the table as it saw it: to guess what it chose.

    The match must be over. If you name no seat and have none, the first seat is meant.
    """
    here = service()
    look = here.views.look(match_id, asker(), query["seat"], any_when_over=True)
    return here.films.next_choice(look, look.reader or 0, query["after"], lang())


@FILMS.operation(
    "GET /what-if",
    **LOOKING,
    query=inputs.WhatIfQuery,
    problems={409: ("no-decision", "not-legal", "not-over")},
)
def get_what_if(query: dict[str, Any], match_id: str) -> answers.WhatIf:
    """Play on from a seat's first decision after a version, against bots, with other moves.

    The match must be over. If you name no seat and have none, the first seat is meant. `moves` are made one after
    another, and the bots answer each. Nothing is stored: the address contains everything, so others can open it too.
    To take a move back, leave it out. Chance is that of the match: the same moves lead to the same position.
    """
    here = service()
    look = here.views.look(match_id, asker(), query["seat"], any_when_over=True)
    return here.films.what_if(look, look.reader or 0, query["after"], ids_of(query), query["bot"], lang())


def _packed(film: bytes) -> Response:
    """Return the film as it is kept, compressed, or decompressed if the client does not accept that."""
    if not request.accept_encodings.quality("gzip"):
        return Response(gzip.decompress(film), content_type="application/json")
    return Response(film, content_type="application/json", headers={"Content-Encoding": "gzip"})
