"""The replay of a match, played by scripts, or without them as one page for each version; a table to watch; reviews."""

from __future__ import annotations

import msgspec
import structlog
from flask import Response, abort, g, request
from markupsafe import Markup

from bots.review import parts
from domain.game import Lang
from replays.player import SAY
from replays.table.picture import NotDrawn, picture
from service.accounts import STRANGER
from service.matches import ForkWanted, Look, Place, films, shown
from service.problems import Malformed, Unknown, Unready
from service.store import PUBLIC
from service.web.pages import forms, page
from service.web.pages.lobby import BOT
from service.web.pages.sign_in import opened
from service.web.pages.table import headed, linked, scripted
from service.web.reply import service, tagged

REPLAY = page.texts_of("replay")
WATCH = page.texts_of("watch")
REVIEW = page.texts_of("review")

blueprint = page.blueprint("replay")

logger = structlog.get_logger(__name__)


@blueprint.get("/matches/<string:match_id>/replay")
def replay(match_id: str) -> Response:
    """Show the match up to now, as the reader may see it."""
    eyes = request.args.get("eyes", "")
    seat = forms.whole(eyes, 3)
    look = service().views.look(match_id, g.asker, seat, any_when_over=True)
    lang, head, version = page.lang(), look.state.version, _version(look)
    steps = {"first": 1, "back": version - 1, "on": version + 1, "last": head}
    match = service().views.match(look, lang)
    then = service().views.at(look, version, lang, as_seat=seat is not None)
    [event] = service().views.events(look, version - 1, 1, lang).events
    [first] = service().views.events(look, 0, 1, None).events
    [last] = service().views.events(look, head - 1, 1, None).events
    return page.shown(
        "replay.html.j2",
        REPLAY,
        is_secret=look.seat is not None,
        **headed(look, lang),
        match=match,
        version=version,
        head=head,
        text=then.text,
        event=event,
        opened=first.at,
        ended=last.at,
        steps=[(name, to if 1 <= to <= head and to != version else None) for name, to in steps.items()],
        can_fork=bool(look.state.is_over and look.is_playable and films.points(look.log)),
        link=request.args.get("link") or "",
        eyes=eyes,
        keyboard=SAY[lang]["keyboard"],
        data=_data(look, lang, seat),
    )


def _version(look: Look) -> int:
    """Return the version to show, one that the match has."""
    head, wanted = look.state.version, forms.whole(request.args.get("at", ""))
    if wanted is None:
        return 1 if look.state.is_over else head
    return max(1, min(head, wanted))


def _data(look: Look, lang: Lang, seat: int | None) -> Markup:
    """Return what the player's script needs besides the film."""
    if look.state.is_over:
        eyes = ["all", "nobody", *(str(each) for each in range(len(look.entry.chairs)))]
    else:
        eyes = [*([] if look.reader is None else [str(look.reader)]), "nobody"]
    wanted = request.args.get("eyes")
    return scripted(
        look,
        match=look.log.id,
        head=look.state.version,
        version=_version(look) if request.args.get("at") else None,
        eyes=eyes,
        seen=wanted if wanted in eyes else eyes[0] if seat is None else str(seat),
        result={"points": look.state.points, "ranking": look.state.ranking} if look.state.ranking else None,
        words=SAY[lang]
        | {name: text for name, text in REPLAY[lang].items() if name.startswith(("again-", "guess-", "if-"))},
    )


@blueprint.post("/matches/<string:match_id>/fork")
def fork(match_id: str) -> Response:
    """Continue a finished match from a version, against bots. Leads to the new match's table."""
    version, seat = forms.number("version"), forms.number("seat")
    look = service().views.look(match_id, g.asker)
    seats = len(look.entry.chairs)
    if seat >= seats:
        raise Malformed("malformed", names=("seat",))
    points = films.points(look.log)
    # the version itself if somebody was asked then, or else the last one before it
    at = max((point for point in points if point <= version), default=points[0] if points else version)

    def open(mine: Place) -> str:
        places = tuple(mine if each == seat else Place(bot=BOT) for each in range(seats))
        return service().opener.fork(g.asker, match_id, ForkWanted(version=at, seats=places), once=page.once())

    return opened("forkMatch", open, seat)


@blueprint.get("/matches/<string:match_id>/reviews/<int:seat>")
def review(match_id: str, seat: int) -> Response:
    """Show where the seat gained and lost, as far as it is known, or offer to find it out."""
    lang = page.lang()
    look = service().views.look(match_id, g.asker)
    try:
        found = service().reviews.look(g.asker, match_id, seat, lang)
    except Unknown as error:
        if error.code != "unknown-review":
            raise
        found = None
    return page.shown(
        "review.html.j2",
        REVIEW,
        **headed(look, lang),
        match_id=match_id,
        seat=seat,
        review=found,
        can_ask=look.is_playable,
        rules=look.log.opening.version,
        is_mine=service().reviews.is_wanted_by(g.asker, match_id, seat),
        is_conceded=look.state.conceded is not None,
        parts=parts(found.account, len(look.entry.chairs)) if found is not None and found.account else {},
        link=request.args.get("link") or "",
    )


@blueprint.get("/moments")
def moments() -> Response:
    """Show what cost most, and whom, in all reviews that the reader has asked for."""
    page.own()
    lang = page.lang()
    found = service().reviews.moments(g.asker, lang)
    entries = service().lobby.found([one.match for one in found])
    names = {id: shown.names_of(entry, lang) for id, entry in entries.items()}
    return page.shown("moments.html.j2", REVIEW, moments=found, names=names)


@blueprint.post("/matches/<string:match_id>/reviews/<int:seat>")
def find_out(match_id: str, seat: int) -> Response:
    """Want the review of the seat, or with `stop` no longer."""
    deed = service().reviews.stop if request.form.get("stop") else service().reviews.want
    deed(g.asker, match_id, seat, once=page.once())
    return page.go(f"/matches/{match_id}/reviews/{seat}{linked()}")


@blueprint.get("/watch/<string:match_id>")
def watch(match_id: str) -> Response:
    """Show the table live, as anybody sees it, with nothing around it."""
    # as a stranger: an embedded page shows only what anybody may see
    look = service().views.look(match_id, msgspec.structs.replace(STRANGER, link=g.asker.link))
    lang = page.lang()
    match = service().views.match(look, lang, scene=True)
    scene = films.seen_by_anybody(look, lang)
    return page.shown(
        "watch.html.j2",
        WATCH,
        is_embedded=True,
        **headed(look, lang),
        match=match,
        line=scene.line if scene else WATCH[lang]["not-begun"],
        data=scripted(look, match=match.id, version=match.version, scene=scene),
    )


@blueprint.get("/matches/<string:match_id>/picture.png")
def png(match_id: str) -> Response:
    """Return a picture of a public match, as anybody sees it."""
    look = service().views.look(match_id, STRANGER)
    if look.entry.visibility != PUBLIC:
        abort(404)
    if not service().films.easel.is_at_hand:
        raise Unknown("no-pictures")
    lang = page.lang()
    here = service().films

    def make() -> Response:
        return Response(here.pictured(look, lang, lambda: _drawn(look, lang)), content_type="image/png")

    answer = tagged(here.tag(look, None, lang), make, weak=True)
    answer.headers["Cache-Control"] = "public, max-age=60"
    return answer


def _drawn(look: Look, lang: str) -> bytes:
    """Return the picture. Raises Unready."""
    game = look.log.game
    scene, names = films.seen_by_anybody(look, lang), shown.names_of(look.entry, lang)
    svg = picture(scene, game.title[lang], names, game.palette, lang)
    try:
        return service().films.easel.drawn(svg)
    except NotDrawn as error:
        logger.warning("no picture was drawn", match=look.log.id, reason=str(error))
        raise Unready("not-drawn") from error
