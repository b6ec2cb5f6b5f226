"""The lobby: what can be joined, watched and replayed, and what opens a match."""

from __future__ import annotations

from flask import Response, g, request

from domain.matches import Status
from service.limits import OPENINGS, SITTINGS
from service.matches import MatchWanted, Place
from service.problems import Malformed
from service.web import cookies, limiting
from service.web.pages import page
from service.web.pages.home import live, wanted
from service.web.pages.signing import as_guest
from service.web.pages.words.lobby import LOBBY
from service.web.reply import service

blueprint = page.blueprint("lobby")

BOT = "greedy"
"""Against which newcomers play."""

STATUSES = tuple(status.value for status in Status)


@blueprint.get("/lobby")
def lobby() -> Response:
    """The matches that can be known of, the newest first."""
    status, game = request.args.get("status") or None, request.args.get("game") or None
    if status is not None and status not in STATUSES:
        status = None
    found, more = service().lobby.listed(g.asker, wanted(status, game=game), request.args.get("cursor"))
    return page.shown(
        "lobby.html.j2",
        LOBBY,
        matches=[live(entry) for entry in found if entry.game in service().catalogue.rooms],
        more=more,
        chosen={"status": status, "game": game},
        statuses=STATUSES,
        games=[room.game for room in service().catalogue.rooms.values()],
    )


@blueprint.post("/play")
def play() -> Response:
    """A match of that game against bots, or with free seats for people, in which who asks sits down at once."""
    token = None if g.get("session") else as_guest()
    room = service().opener.room(request.form.get("game", ""))
    seats = _seats(room.game.seats)
    others = Place() if request.form.get("against") == "people" else Place(bot=BOT)
    service().limits.count(OPENINGS, limiting.asking())
    match = service().opener.open(
        g.asker, MatchWanted(game=room.game.slug, seats=(Place(), *[others] * (seats - 1))), None
    )
    service().seats.take(match, g.asker, 0, "", None)
    answer = page.go(f"/matches/{match}")
    if token is not None:
        cookies.give(answer, token, page.YEAR)
    return answer


def _seats(possible: tuple[int, ...]) -> int:
    """How many. Raises Malformed."""
    said = request.form.get("seats", "")
    if not said:
        return min(possible)
    if not said.isascii() or not said.isdecimal() or int(said) not in possible:
        raise Malformed("malformed", names=("seats",))
    return int(said)


@blueprint.post("/matches/<string:match_id>/seat")
def sit(match_id: str) -> Response:
    """Sit down there."""
    token = None if g.get("session") else as_guest()
    service().limits.count(SITTINGS, limiting.asking())
    service().seats.take(match_id, g.asker, None, "", None)
    answer = page.go(f"/matches/{match_id}")
    if token is not None:
        cookies.give(answer, token, page.YEAR)
    return answer
