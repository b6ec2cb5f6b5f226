"""The replay of a match: with scripts it is played, without them each page shows one version."""

from __future__ import annotations

from typing import Any

from flask import Response, g, request

from domain.game import Lang
from replays.player import SAY
from service.matches import ForkWanted, Look, Place, films, shown
from service.problems import Malformed
from service.web.pages import forms, page
from service.web.pages.lobby import BOT
from service.web.pages.sign_in import comer, with_guest
from service.web.pages.table import data
from service.web.pages.words.replay import REPLAY
from service.web.reply import service

blueprint = page.blueprint("replay", url_prefix="/matches/<string:match_id>")

ALL, NOBODY = "all", "nobody"


@blueprint.get("/replay")
def replay(match_id: str) -> Response:
    """Show the match up to now, as the reader may see it."""
    eyes = request.args.get("eyes") or None
    seat = int(eyes) if eyes and eyes.isascii() and eyes.isdecimal() and len(eyes) < 4 else None
    look = service().views.look(match_id, g.asker, seat, any_when_over=True)
    lang, head, version = page.lang(), look.state.version, _version(look)
    match = service().views.match(look, lang)
    then = service().views.at(look, version, lang, as_seat=seat is not None)
    [event] = service().views.events(look, version - 1, 1, lang).events
    [first] = service().views.events(look, 0, 1, None).events
    [last] = service().views.events(look, head - 1, 1, None).events
    return page.shown(
        "replay.html.j2",
        REPLAY,
        title=look.log.game.title[lang],
        names=shown.names_of(look.entry, lang),
        look=look,
        match=match,
        version=version,
        head=head,
        text=then.text,
        event=event,
        opened=first.at,
        ended=last.at,
        steps=_steps(version, head),
        can_fork=bool(look.state.is_over and look.is_playable and films.points(look.log)),
        link=request.args.get("link") or "",
        eyes=eyes or "",
        keyboard=SAY[lang]["keyboard"],
        data=data(_data(look, lang, seat)),
    )


def _version(look: Look) -> int:
    """Return the version to show, one that the match has."""
    head = look.state.version
    wanted = request.args.get("at", "")
    if wanted.isascii() and wanted.isdecimal() and len(wanted) < 16:
        return max(1, min(head, int(wanted)))
    return 1 if look.state.is_over else head


def _steps(version: int, head: int) -> list[tuple[str, int | None]]:
    """Return the links from a version: their names, and the versions to which they lead, if any."""
    return [
        ("first", 1 if version > 1 else None),
        ("back", version - 1 if version > 1 else None),
        ("on", version + 1 if version < head else None),
        ("last", head if version < head else None),
    ]


def _data(look: Look, lang: Lang, seat: int | None) -> dict[str, Any]:
    """Return what the player's script needs besides the film."""
    game, own = look.log.game, look.reader
    if look.state.is_over:
        eyes = [ALL, NOBODY, *(str(each) for each in range(len(look.entry.chairs)))]
    else:
        eyes = [NOBODY] if own is None else [str(own), NOBODY]
    seen = str(seat) if seat is not None else eyes[0]
    if request.args.get("eyes") in eyes:
        seen = request.args["eyes"]
    return {
        "match": look.log.id,
        "head": look.state.version,
        "version": _version(look) if request.args.get("at") else None,
        "eyes": eyes,
        "seen": seen,
        "link": request.args.get("link"),
        "game": {"slug": game.slug, "title": game.title, "palette": game.palette},
        "result": {"points": look.state.points, "ranking": look.state.ranking} if look.state.ranking else None,
        "lang": lang,
        "words": SAY[lang],
    }


@blueprint.post("/fork")
def fork(match_id: str) -> Response:
    """Continue a finished match from a version, against bots. Leads to the new match's table."""
    version, seat = forms.number("version"), forms.number("seat")
    look = service().views.look(match_id, g.asker)
    seats = len(look.entry.chairs)
    if seat >= seats:
        raise Malformed("malformed", names=("seat",))
    token = comer("forkMatch", "takeSeat")
    points = films.points(look.log)
    # the version itself if somebody was asked then, or else the last one before it
    at = max((point for point in points if point <= version), default=points[0] if points else version)
    later = forms.later()
    mine = Place(player=g.asker.player if later else None)
    places = tuple(mine if each == seat else Place(bot=BOT) for each in range(seats))
    made = service().opener.fork(g.asker, match_id, ForkWanted(version=at, seats=places), once=page.once())
    if not later:
        service().seats.take(g.asker, made, seat, once=page.once("seat"))
    return with_guest(page.go(forms.table_of(made, later)), token)
