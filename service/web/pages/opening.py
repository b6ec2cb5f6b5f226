"""Opening a match: the form for its game, players, clock and options."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, g, request

from bots import ABOUT, BOTS
from domain.catalogue import Room
from service.matches import MatchWanted, Place, terms
from service.problems import Malformed, Problem
from service.store import LINK, PRIVATE, PUBLIC
from service.web import inputs
from service.web.pages import forms, options, page, passing, rows
from service.web.pages.sign_in import comer, may_be_guest, with_guest
from service.web.pages.words.opening import OPENING
from service.web.pages.words.rows import ROWS
from service.web.reply import LANGS, service

blueprint = page.blueprint("opening", url_prefix="/new")

TEXTS = {one: {**ROWS[one], **OPENING[one]} for one in LANGS}

ANYBODY, NOBODY, SOMEBODY = "anybody", "", "somebody"
"""The values for who gets a seat, besides `bot:NAME` and `player:ID`."""

VISIBILITIES = (PUBLIC, LINK, PRIVATE)

CLOCK = "three-days"
"""The clock that the form proposes."""

NO_CLOCK = "none"


@blueprint.get("")
def ask() -> Response:
    """Show the form, or the games to choose from."""
    room = service().catalogue.rooms.get(request.args.get("game", ""))
    if room is None:
        return page.shown("new.html.j2", TEXTS, room=None, games=_games(), invited=_invited())
    if not g.get("session") and not may_be_guest():
        return page.go(f"/sign-in?{urlencode({'next': f'/new?game={room.game.slug}'})}")
    return _page(room, forms.Filled(_proposed(room)))


@blueprint.post("")
def open_it() -> Response:
    """Open the match of the form; the reader takes the first seat."""
    room = service().opener.room(request.form.get("game", ""))
    if not g.get("session") and not may_be_guest():
        return page.go("/sign-in?next=/new")
    token = None
    try:
        wanted = _wanted(room)
        token = comer("openMatch", "takeSeat")
        later = forms.later()
        mine = Place(player=g.asker.player if later else None)
        wanted = msgspec.structs.replace(wanted, seats=(mine, *wanted.seats[1:]))
        match = service().opener.open(g.asker, wanted, once=page.once())
        if not later:
            service().seats.take(g.asker, match, 0, once=page.once("seat"))
    except Problem as error:
        # if a guest was made already, the browser keeps its cookie
        wrong = _page(room, forms.wrong(error, malformed_options="options"), forms.status_of(error))
        return with_guest(wrong, token)
    return with_guest(page.go(forms.table_of(match, later)), token)


def _games() -> list[Any]:
    return [room.game for room in service().catalogue.rooms.values()]


def _invited() -> str:
    """Return the player whom a profile's page proposes as opponent; "" for none."""
    return request.args.get("player", "")[: inputs.NAME]


def _proposed(room: Room) -> dict[str, str]:
    """Return the first values of the form."""
    least = min(room.game.seats)
    seats = {f"seat{seat}": ANYBODY if seat < least else NOBODY for seat in range(1, max(room.game.seats))}
    if player := _invited():
        seats |= {"seat1": SOMEBODY, "player1": player}
    return {**seats, "clock": CLOCK, "visibility": PUBLIC, "talk": inputs.TALK[0], **options.proposed(room.game)}


def _page(room: Room, form: forms.Filled, status: int = 200) -> Response:
    """Return the page with the form."""
    lang = page.lang()
    return page.shown(
        "new.html.j2",
        TEXTS,
        status,
        room=room,
        games=_games(),
        invited=_invited(),
        form=form,
        chairs=range(1, max(room.game.seats)),
        least=min(room.game.seats),
        bots=[(f"bot:{name}", name, ABOUT[name][lang]) for name in BOTS],
        known=_known(),
        clocks=[(name, rows.clock(clock.allowance, clock.bank, lang)) for name, clock in terms.PRESETS.items()],
        visibilities=VISIBILITIES,
        talks=inputs.TALK,
        options=options.fields(room.game, lang),
        packs=tuple(room.packs),
    )


def _known() -> list[tuple[str, str]]:
    """Return the reader's former opponents as choices of the form."""
    return [(f"player:{player}", name) for player, name in passing.met()]


def _wanted(room: Room) -> MatchWanted:
    """Return the match that the form describes. Raises Malformed, with errors by field."""
    others = [place for seat in range(1, max(room.game.seats)) if (place := _place(seat)) is not None]
    if len(others) + 1 not in room.game.seats:
        possible = ROWS[page.lang()]["and"].join(map(str, room.game.seats))
        raise _not_so("seats", OPENING[page.lang()]["seats-wrong"].format(possible=possible))
    clock = request.form.get("clock", NO_CLOCK)
    if clock != NO_CLOCK and clock not in terms.PRESETS:
        raise _not_so("clock", OPENING[page.lang()]["choose"])
    return MatchWanted(
        game=room.game.slug,
        seats=(Place(), *others),
        options=options.read(room.game),
        pack=request.form.get("pack") or None,
        visibility=_one_of("visibility", VISIBILITIES),
        clock=terms.PRESETS.get(clock),
        talk=_one_of("talk", inputs.TALK),
    )


def _place(seat: int) -> Place | None:
    """Return who gets the seat; None if the match has no such seat. Raises Malformed."""
    value = request.form.get(f"seat{seat}", NOBODY)
    if value == SOMEBODY:
        named = request.form.get(f"player{seat}", "").strip().rstrip("/").rpartition("/")[2]
        if not named or len(named) > inputs.NAME:
            raise _not_so(f"player{seat}", OPENING[page.lang()]["player-wrong"])
        return Place(player=named)
    kind, _, name = value.partition(":")
    if kind in {"bot", "player"} and name:
        return Place(bot=name) if kind == "bot" else Place(player=name)
    if value not in {ANYBODY, NOBODY}:
        raise _not_so("seats", OPENING[page.lang()]["choose"])
    return Place() if value == ANYBODY else None


def _one_of(name: str, known: tuple[str, ...]) -> str:
    value = request.form.get(name, known[0])
    if value not in known:
        raise _not_so(name, OPENING[page.lang()]["choose"])
    return value


def _not_so(field: str, sentence: str) -> Malformed:
    return Malformed("malformed", more={"errors": {field: [sentence]}}, names=(field,))
