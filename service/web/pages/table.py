"""The page of a table: the match as the reader may see it, and forms for all deeds: moves, messages, leaving and more.

With scripts the table is drawn and touched; without them it is text, and moves are chosen from a list.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Response, abort, g, request
from markupsafe import Markup
from msgspec import UNSET

from bots import ABOUT, BOTS
from domain import orders, refusals, texts
from domain.game import Game, Lang, Refusal
from domain.matches import Status
from replays.table import MODULES
from service.accounts import GUEST, GUESTS, Asker, Unsuitable
from service.matches import Choice, Look, answers, seat_of, shown
from service.problems import Conflict, Problem, Unauthorized, malformed
from service.store import LINK, Entry, Once, lobby
from service.talk import LENGTH, enforce
from service.web import inputs
from service.web.contract.operations import SAFE
from service.web.pages import examples, forms, opening, page
from service.web.reply import reply, service, tagged
from service.wiring import Service

blueprint = page.blueprint("table", url_prefix="/matches/<string:match_id>")

TEXTS = page.texts_of("table", "passing")

SHARED = ("your-turn", "no-answer", "wait", "watching", "mute", "report", "erase", "erased", "gone", "colon")
"""The names of the page's texts that its script needs too."""

SCRIPT = {
    lang: words
    | {name: TEXTS[lang][name] for name in SHARED}
    | {"guest": GUESTS[lang]["guest"], "guests": GUEST.pattern}
    for lang, words in texts.read("service.web.pages", "words/script").items()
}
"""The texts of the page's script, which fills `{…}` in."""

RECENT = 40
"""The number of events beside the table."""

SAID = 50
"""The number of messages beside the table."""

MET = 30
"""The number of the reader's newest matches whose players are offered by name; those of older ones may be typed."""

TOLD = ("id", "status", "version", "seat", "decision", "scene")
"""The fields of a match that the script gets; everything else is in the page."""

MOVE = "match/MoveMade"

PROPOSALS = ("abort", "pause", "resume")
"""Deeds that ask for the agreement of the others."""

BELOW = ("go-on", "no-pause", "pass-on", "keep-seat")
"""Deeds of which the page tells below the table alone, where they are done."""


@blueprint.get("/due")
def due(match_id: str) -> Response:
    """Return the deadlines that the reader may know, for the page's script, since not all of them are in events."""
    look = service().views.look(match_id, g.asker)
    lang = page.lang()
    body = {"due": shown.deadlines_of(look), "said": TEXTS[lang]["due"]}
    return tagged(f"due.{look.etag(lang)}", lambda: reply(body), weak=True)


@blueprint.post("/do/<string:what>")
def do(match_id: str, what: str) -> Response:
    """Do the deed of this name, and lead to where it leads. If refused, show the table with the error."""
    if what not in DEEDS:
        abort(404)
    try:
        act, *values = DEEDS[what](service(), match_id)
        result = act(g.asker, *values, once=page.once())
    except (Problem, Refusal) as error:
        # a list says itself what is refused; and who can't see the table is told on a page without it
        if not isinstance(error, Unauthorized) and not page.is_part():
            with suppress(Problem):
                return at_table(match_id, error)
        raise
    if what == "rematch":
        return page.go(result)
    if what not in {"decline", "decline-seat"}:
        # not everybody sees the table afterwards: who has left it, or whose new seat the others have not agreed to yet
        with suppress(Problem):
            entry = service().lobby.entry(match_id, g.asker)
            is_below = what in BELOW or (what in PROPOSALS and waits(entry))
            return page.go(f"/matches/{entry.id}{linked()}{'#deeds' if is_below else ''}")
    return page.go("/turns")


def waits(entry: Entry) -> bool:
    """Return whether the reader has proposed or agreed to something that others have not agreed to yet."""
    seat = seat_of(entry, g.asker)
    return not entry.is_over and seat is not None and (entry.chairs[seat].agreed or entry.chairs[seat].pausing)


@blueprint.get("")
def at_table(match_id: str, error: Problem | Refusal | None = None) -> Response:
    """Show the match as the reader may see it now, with the error of a deed that was refused."""
    look, status, wrong = service().views.look(match_id, g.asker), 200, ""
    if isinstance(error, Refusal):
        said = refusals.say(look.log.game, error, page.lang())
        status, wrong = 409, shown.sayer(look, page.lang())(said)
    elif error is not None:
        status, wrong = page.status_of(error), page.said_of(error)
    teaches = examples.lesson_of(look.log.catalogue.rooms[look.log.game.slug]) is not None
    return page.shown(
        "table.html.j2",
        TEXTS,
        status,
        is_secret=look.seat is not None,  # else the way back shows the cards of who has signed out
        wrong=wrong,
        teaches=teaches,
        drawing=MODULES,
        **told(look),
    )


def linked() -> str:
    """Return the query with the link by which the reader found the match; "" if there is none."""
    token = request.args.get("link")
    return f"?link={quote(token)}" if token else ""


def told(look: Look) -> dict[str, Any]:
    """Return what the page shows."""
    lang, game, entry = page.lang(), look.log.game, look.entry
    match = service().views.match(look, lang, scene=True)
    moves = shown.moves(look, lang)
    recent = service().views.events(look, max(0, look.state.version - RECENT), RECENT, lang).events
    talk = None
    with suppress(Problem):  # not everybody may read the messages
        talk = service().talk.newest(entry.id, g.asker, SAFE, SAID)
    return {
        "game": game,
        **headed(look, lang),
        "match": match,
        "moves": moves,
        "recent": [each for each in recent if each.aside is UNSET],
        **before_and_after(look, match, lang),
        "mine": entry.chairs[look.seat] if look.seat is not None else None,
        "kept": shown.is_kept_for(g.asker, entry),
        "link": linked(),
        "share": shared(entry),
        **played_again(entry),
        "may_end": entry.creator == g.asker.player,
        "talk": talk,
        "passing": passed(look),
        "length": LENGTH,
        "typed": request.form.get("text", ""),
        "data": scripted(
            look,
            **{name: getattr(match, name) for name in TOLD},
            since=since(recent, look.seat),
            me=g.asker.player,
            moves=moves.moves,
            timed=match.clock is not None,
            hints=look.seat is not None and entry.is_among_bots(look.seat),
            **ordering(look.log.game, match.options, lang),
            marks=service().streams.besides.told(entry.id, g.asker),
            talk=talk and talk.since,
            words=SCRIPT[lang],
        ),
    }


def played_again(entry: Entry) -> dict[str, Any]:
    """Return what the page shows of the rematch.

    It is None if there is none, or if the reader may not know of it: they declined their seat in a private one.
    """
    rematch = None
    if entry.rematch is not None:
        with suppress(Problem):
            rematch = service().lobby.entry(entry.rematch, g.asker)
    return {
        "rematch": rematch and rematch.id,
        "waits_there": bool(rematch and rematch.status == Status.OPEN and shown.is_kept_for(g.asker, rematch)),
    }


def headed(look: Look, lang: Lang) -> dict[str, Any]:
    """Return what every page of a match shows: the match, its game's title, the names of its players, and both."""
    title, names = look.log.game.title[lang], shown.names_of(look.entry, lang)
    headline = " · ".join(filter(None, (title, ", ".join(filter(None, names)))))
    return {"look": look, "title": title, "names": names, "headline": headline}


def before_and_after(look: Look, match: answers.Match, lang: Lang) -> dict[str, Any]:
    """Return what the page shows before the match and at its end: the places, and how they came about by today's rules.

    Of a match that was given up it shows by whom instead, since that decided it and no points did.
    """
    result = match.result
    return {
        "invitation": opening.invitation(look, match) if match.status == Status.OPEN else None,
        "conceded": look.state.conceded,
        "is_open": look.state.status == Status.OPEN,
        "is_over": look.state.is_over,
        "places": sorted((place, seat) for seat, place in enumerate(result.ranking)) if result else [],
        "is_drawn": result is not None and len(result.winners) == len(result.ranking),
        "breakdown": service().films.breakdown(look, lang)
        if result and look.is_playable and look.state.conceded is None
        else None,
    }


def ordering(game: Game[Any, Any, Any], options: Any, lang: Lang) -> dict[str, Any]:
    """Return what the script needs for orders: the path to the part of the match, and the moves that have no fields.

    A premove needs no more of them than their class; each has the words for it. Those that the match's options never
    allow are left out.
    """
    kinds, never = game.kinds(lang), {move.__name__ for move in game.never(options)}
    named = [(name, fields) for name, fields in orders.fields_of(game).items() if name in kinds and name not in never]
    plain = [(name, kinds[name]) for name, fields in named if not fields]
    return {"kinds": plain, "part": game.part}


def since(recent: list[answers.Event], seat: int | None) -> int:
    """Return the version of the seat's last move among these events, or of the first one."""
    own = [each.version for each in recent if each.type == MOVE and msgspec.json.decode(each.public)["seat"] == seat]
    return own[-1] if own else recent[0].version


def shared(entry: Entry) -> str:
    """Return the query that others need to find the match."""
    if entry.visibility != LINK or not g.asker.player:
        return linked()
    return f"?link={quote(service().links.token(entry.id, g.asker))}"


def scripted(look: Look, **more: Any) -> Markup:
    """Return the data for a page's script: what each script needs to know of a match, and `more`."""
    lang, link = page.lang(), request.args.get("link")
    names = shown.names_of(look.entry, lang)
    return page.data({"lang": lang, "link": link, "names": names, "game": page.data_of(look.log.game), **more})


def passed(look: Look) -> dict[str, Any]:
    """Return the offers, the free seats of a match that the reader opened, whom they know, and what they have typed."""
    entry = look.entry
    is_on = entry.status == Status.PLAYING and page.me() is not None
    offered = service().offers.of(entry.id, g.asker) if is_on else ()
    may_offer = is_on and look.seat is not None and all(offer.seat != look.seat for offer in offered)
    may_invite = entry.status == Status.OPEN and entry.creator == g.asker.player
    free = [chair.seat for chair in entry.chairs if chair.is_free and may_invite]
    seated = {chair.player for chair in entry.chairs}
    return {
        "offers": offered,
        "may_offer": may_offer,
        # seats that are kept for nobody yet come first
        "free": sorted(free, key=lambda seat: entry.chairs[seat].reserved is not None),
        "known": [name for id, name in page.met(MET) if id not in seated] if may_offer or free else [],
        "bots": {name: ABOUT[name][page.lang()] for name in BOTS},
        "typed": request.form.get("name", ""),
        "seat": request.form.get("seat", ""),
    }


def _heir() -> lobby.Heir:
    """Return the heir in the form: a bot, or a player. Raises Malformed."""
    if bot := request.form.get("bot", ""):
        return lobby.Heir(bot=str(forms.loaded(inputs.OfferWanted(), {"bot": bot})["bot"]))
    return lobby.Heir(player=_named())


def _named() -> str:
    """Return the id of the player in the form: a former opponent by name, or anybody by id or profile.

    Raises:  Malformed.
    """
    value = request.form.get("name", "").strip()
    alike = [player for player, name in page.met() if name == value]
    if len(alike) > 1:
        raise malformed({"name": [TEXTS[page.lang()]["name-twice"]]})
    named = alike[0] if alike else value.rstrip("/").rpartition("/")[2]
    if not named.startswith("p_") or len(named) > inputs.NAME:
        raise malformed({"name": [TEXTS[page.lang()]["name-wrong"]]})
    return named


def _shown_heir() -> lobby.Heir:
    return lobby.Heir(player=request.form.get("player", ""), bot=request.form.get("bot", ""))


def _rematch(asker: Asker, match_id: str, once: Once | None) -> str:
    rematch, _ = service().opener.rematch(asker, match_id, once=once)
    look = service().views.look(rematch, asker)
    if look.seat is not None or not shown.is_kept_for(g.asker, look.entry):
        return f"/matches/{rematch}"
    later = forms.later()
    if not later:
        try:
            service().seats.accept(asker, rematch, once=page.once("seat"))
        except Conflict as error:
            # the first of two touches at once has sat down there
            if error.code != "already-seated":
                raise
    return forms.table_of(rematch, later)


def _choice() -> Choice:
    return Choice(decision=forms.number("decision"), id=request.form.get("id", ""))


def _text() -> str:
    try:
        return enforce(request.form.get("text", "").replace("\r\n", "\n"))
    except Unsuitable as error:
        raise malformed({"text": [str(error)]}) from error


DEEDS: dict[str, Callable[[Service, str], tuple[Any, ...]]] = {
    "move": lambda at, match: (at.playing.move, match, _choice()),
    "decline": lambda at, match: (at.seats.decline, match),
    "rematch": lambda at, match: (_rematch, match),
    "invite": lambda at, match: (at.seats.give, match, forms.number("seat", 4), _named()),
    "uninvite": lambda at, match: (at.seats.give, match, forms.number("seat", 4), None),
    "leave": lambda at, match: (at.seats.leave, match),
    "resign": lambda at, match: (at.leaving.resign, match),
    "to-bot": lambda at, match: (at.leaving.leave, match),
    "back": lambda at, match: (at.leaving.come_back, match),
    "abort": lambda at, match: (at.ending.abort, match),
    "go-on": lambda at, match: (at.ending.take_back, match),
    "pause": lambda at, match: (at.pausing.pause, match),
    "resume": lambda at, match: (at.pausing.resume, match),
    "no-pause": lambda at, match: (at.pausing.take_back, match),
    "keep-seat": lambda at, match: (at.offers.withdraw, match),
    "accept": lambda at, match: (at.seats.accept, match, forms.nonce()),
    "say": lambda at, match: (at.talk.say, match, _text()),
    "mute": lambda at, match: (at.talk.mute, request.form.get("player", "")),
    "erase": lambda at, match: (at.talk.erase, match, forms.number("number")),
    "report": lambda at, match: (at.talk.report, match, forms.number("number")),
    "pass-on": lambda at, match: (at.offers.offer, match, _heir()),
    "agree-offer": lambda at, match: (at.offers.agree, match, forms.number("seat", 4), _shown_heir()),
    "disagree-offer": lambda at, match: (at.offers.disagree, match, forms.number("seat", 4)),
    "take-seat": lambda at, match: (at.offers.accept, match, forms.number("seat", 4)),
    "decline-seat": lambda at, match: (at.offers.decline, match, forms.number("seat", 4)),
}
"""The use cases of deeds, with the values that they get besides the asker, by the deeds' names in paths."""
