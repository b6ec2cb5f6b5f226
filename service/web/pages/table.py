"""The page of a table: the match as the reader may see it, and forms for all deeds: moves, messages, leaving and more.

With scripts the table is drawn and touched; without them it is text, and moves are chosen from a list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Response, abort, g, request
from markupsafe import Markup

from bots import ABOUT, BOTS
from domain import refusals, texts
from domain.game import Refusal
from domain.matches import Status
from replays import words
from replays.table import MODULES
from service.accounts import Asker
from service.matches import Choice, Look, shown, terms
from service.problems import Problem, Unauthorized
from service.store import LINK, Entry, Once, offers
from service.talk import LENGTH, BadText, TalkPage, enforce
from service.web import inputs
from service.web.pages import assets, examples, forms, page
from service.web.reply import service
from service.wiring import Service

blueprint = page.blueprint("table", url_prefix="/matches/<string:match_id>")

TEXTS = page.texts_of("table", "passing")

SCRIPT = texts.read("service.web.pages", "words/script")
"""The texts of the page's script, which fills `{…}` in."""

RECENT = 40
"""The number of events beside the table."""

SAID = 50
"""The number of messages beside the table."""

TOLD = ("id", "status", "version", "seat", "decision", "scene")
"""The fields of a match that the script gets; everything else is in the page."""

OWN = (
    "api.js", "follow.js", "sse.js", "play.js", "hand.js", "input.js", "turn.js", "parts.js", "around.js",
    "attention.js", "log.js", "talk.js", "clocks.js", "wishes.js", "write.js", "evidence.js",
)  # fmt: skip
"""The modules of this page besides its first one."""

ASIDE = "match/DeadlineSet"
"""The event that the list leaves out, since deadlines are shown beside the players' names."""


@blueprint.get("")
def table(match_id: str) -> Response:
    """Show the match as the reader may see it now."""
    return at_table(match_id)


@blueprint.get("/moves")
@blueprint.get("/do/<string:what>")
def again(match_id: str, what: str = "") -> Response:
    """Lead back to the table, if a browser loads the answer of a form again."""
    return page.go(f"/matches/{match_id}{linked()}")


@blueprint.post("/moves")
def move(match_id: str) -> Response:
    """Make a move from the list."""

    def make() -> None:
        choice = Choice(decision=forms.number("decision"), id=request.form.get("id", ""))
        service().playing.move(g.asker, match_id, choice, once=page.once())

    return done(match_id, make)


@blueprint.get("/due")
def due(match_id: str) -> Response:
    """Return the deadlines that the reader may know, for the page's script, since not all of them are in events."""
    look = service().views.look(match_id, g.asker)
    lang = page.lang()
    body = {"due": terms.deadlines_of(look), "said": TEXTS[lang]["due"]}
    answer = Response(msgspec.json.encode(body), content_type="application/json")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Cookie, Accept-Language"
    answer.set_etag(f"due.{look.etag(lang)}", weak=True)
    answer.make_conditional(request)
    return answer


def done(match_id: str, deed: Callable[[], str | None]) -> Response:
    """Do the deed, and lead to the table or the page that it returns. If refused, show the table with the error."""
    try:
        where = deed()
    except Unauthorized:
        raise
    except Problem as error:
        return at_table(match_id, page.status_of(error), page.said_of(error))
    except Refusal as refusal:
        look = service().views.look(match_id, g.asker)
        sentence = refusals.say(look.log.game, refusal, page.lang())
        return at_table(match_id, 409, words.named(sentence, shown.names_of(look.entry, page.lang())))
    return page.go(where or f"/matches/{match_id}{linked()}")


def at_table(match_id: str, status: int = 200, wrong: str = "") -> Response:
    """Return the page of the match. `wrong`: the error of a deed that was refused."""
    look = service().views.look(match_id, g.asker)
    return page.shown("table.html.j2", TEXTS, status, wrong=wrong, **told(look))


def linked() -> str:
    """Return the query with the link by which the reader found the match; "" if there is none."""
    token = request.args.get("link")
    return f"?link={quote(token)}" if token else ""


def told(look: Look) -> dict[str, Any]:
    """Return what the page shows."""
    lang, game, entry = page.lang(), look.log.game, look.entry
    match = service().views.match(look, lang, scene=True)
    names = shown.names_of(entry, lang)
    after = max(0, look.state.version - RECENT)
    talk = heard(entry)
    return {
        "game": game,
        "title": game.title[lang],
        "names": names,
        "look": look,
        "match": match,
        "moves": shown.moves(look, lang),
        "recent": [each for each in service().views.events(look, after, RECENT, lang).events if each.type != ASIDE],
        "is_open": match.status == Status.OPEN,
        "is_over": match.status in (Status.FINISHED, Status.ABORTED),
        "mine": entry.chairs[look.seat] if look.seat is not None else None,
        "kept": kept_for(entry),
        "link": linked(),
        "share": shared(entry),
        "places": ranked(match.result),
        "may_end": g.asker.player is not None and entry.creator == g.asker.player,
        "people": sum(chair.player is not None for chair in entry.chairs),
        "talk": talk,
        "passing": passed(look, names),
        "length": LENGTH,
        "typed": request.form.get("text", ""),
        "modules": [f"table/{name}" for name in MODULES] + list(OWN),
        "data": data(scripted(look, match, names, talk)),
    }


def ranked(result: Any) -> list[tuple[int, int]]:
    """Return places with their seats, the first place first; nothing if the match was not played to its end."""
    return sorted((place, seat) for seat, place in enumerate(result.ranking)) if result else []


def shared(entry: Entry) -> str:
    """Return the query that others need to find the match."""
    if entry.visibility != LINK or g.asker.player is None:
        return linked()
    return f"?link={quote(service().links.token(entry.id, g.asker))}"


def kept_for(entry: Entry) -> bool:
    """Return whether a seat is kept for the reader."""
    return bool(g.asker.player) and any(chair.reserved == g.asker.player for chair in entry.chairs)


def heard(entry: Entry) -> TalkPage | None:
    """Return the last messages at the table; None if the reader may not read them."""
    try:
        return service().talk.newest(entry.id, g.asker, 2**53 - 1, SAID)
    except Problem:
        return None


def scripted(look: Look, match: Any, names: tuple[str, ...], talk: TalkPage | None) -> dict[str, Any]:
    """Return the data for the page's script."""
    lang = page.lang()
    return {
        **{name: getattr(match, name) for name in TOLD},
        "me": g.asker.player,
        "names": names,
        "lang": lang,
        "game": examples.data_of(look.log.game),
        "moves": shown.moves(look, lang).moves,
        "link": request.args.get("link"),
        "timed": match.clock is not None,
        "talk": None if talk is None else talk.since,
        "icons": [assets.address("icon.svg"), assets.address("icon-turn.svg")],
        "words": SCRIPT[lang],
    }


def data(value: Any) -> Markup:
    """Return the value as JSON for an element of the page; nothing in it can end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("&", "\\u0026"))


def passed(look: Look, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the offers, the possible heirs of the reader's seat, and what the reader has typed."""
    is_on = look.entry.status == Status.PLAYING and page.me() is not None
    listed = service().offers.of(look.entry.id, g.asker) if is_on else ()
    shown_offers = [_offer(each, look, names) for each in listed]
    may_offer = is_on and look.seat is not None and not any(each["is_mine"] for each in shown_offers)
    return {
        "offers": shown_offers,
        "known": [name for _, name in met()] if may_offer else [],
        "heirs": [(name, shown.BOT_NAMES[page.lang()].format(bot=name), ABOUT[name][page.lang()]) for name in BOTS],
        "heir": request.form.get("name", ""),
    }


def met() -> list[tuple[str, str]]:
    """Return the reader's former opponents by id and name."""
    if (player := page.me()) is None:
        return []
    players = [rival.player for rival in service().profiles.rivals(player) if rival.player is not None]
    return [(who.id, who.name) for who in players if who.name]


def _offer(offer: offers.Offer, look: Look, names: tuple[str, ...]) -> dict[str, Any]:
    asked = [chair.seat for chair in look.entry.chairs if chair.is_asked_itself and chair.seat != offer.seat]
    return {
        "seat": offer.seat,
        "by": names[offer.seat] or TEXTS[page.lang()]["gone"],
        "to": _name(offer),
        "player": offer.player,
        "bot": offer.bot,
        "is_mine": offer.seat == look.seat,
        "is_to_me": bool(offer.player) and offer.player == g.asker.player,
        "accepted": offer.accepted,
        "agreed": look.seat in offer.consenting,
        "is_asked": look.seat in asked and look.seat not in offer.consenting,
        "agree": [names[seat] for seat in offer.consenting],
        "asked": [names[seat] for seat in asked if seat not in offer.consenting],
    }


def _name(offer: offers.Offer) -> str:
    if offer.bot:
        return shown.BOT_NAMES[page.lang()].format(bot=offer.bot)
    return offer.player_name or TEXTS[page.lang()]["gone"]


def _heir() -> offers.Heir:
    """Return the heir in the form: a bot, a former opponent by name, or a player by id or profile. Raises Malformed."""
    if bot := request.form.get("bot", ""):
        return offers.Heir(bot=str(forms.loaded(inputs.OfferWanted(), {"bot": bot})["bot"]))
    value = request.form.get("name", "").strip()
    called = [player for player, name in met() if name == value]
    if len(called) > 1:
        raise forms.wrong_field("name", TEXTS[page.lang()]["name-twice"])
    named = called[0] if called else value.rstrip("/").rpartition("/")[2]
    if not named.startswith("p_") or len(named) > inputs.NAME:
        raise forms.wrong_field("name", TEXTS[page.lang()]["name-wrong"])
    return offers.Heir(player=named)


def _shown_heir() -> offers.Heir:
    """Return the heir whom the page has shown."""
    return offers.Heir(player=request.form.get("player", ""), bot=request.form.get("bot", ""))


def _seat() -> int:
    return forms.number("seat", 4)


def where(match_id: str) -> str | None:
    """Return the page after a seat was accepted: None for the table, or the turns if they can't see the match yet."""
    entry: Entry | None = service().lobby.find(match_id)
    is_theirs = entry is not None and any(chair.player == g.asker.player for chair in entry.chairs)
    return None if is_theirs or (entry is not None and entry.visibility == "public") else "/turns"


@blueprint.post("/do/<string:what>")
def do(match_id: str, what: str) -> Response:
    """Do the deed of this name."""
    if what not in DEEDS:
        abort(404)

    def deed() -> str | None:
        act, *values = DEEDS[what](service(), match_id)
        done = act(g.asker, *values, once=page.once())
        if what == "take-seat":
            return where(match_id)
        return {"rematch": done, "decline": "/turns", "decline-seat": "/turns"}.get(what)

    return done(match_id, deed)


def _rematch(asker: Asker, match_id: str, once: Once | None) -> str:
    rematch, _ = service().opener.rematch(asker, match_id, once=once)
    look = service().views.look(rematch, asker)
    if look.seat is not None or not kept_for(look.entry):
        return f"/matches/{rematch}"
    later = forms.later()
    if not later:
        service().seats.accept(asker, rematch, once=page.once("seat"))
    return forms.table_of(rematch, later)


def _text() -> str:
    try:
        return enforce(request.form.get("text", "").replace("\r\n", "\n"), LENGTH)
    except BadText as error:
        raise forms.wrong_field("text", str(error)) from error


DEEDS: dict[str, Callable[[Service, str], tuple[Any, ...]]] = {
    "decline": lambda at, match: (at.invitations.decline, match),
    "rematch": lambda at, match: (_rematch, match),
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
    "agree-offer": lambda at, match: (at.offers.agree, match, _seat(), _shown_heir()),
    "disagree-offer": lambda at, match: (at.offers.disagree, match, _seat()),
    "take-seat": lambda at, match: (at.offers.accept, match, _seat()),
    "decline-seat": lambda at, match: (at.offers.decline, match, _seat()),
}
"""The use cases of deeds, with the values that they get besides the asker, by the deeds' names in paths."""
