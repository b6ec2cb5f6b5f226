"""Opening a match: which game, against whom, by which clock, and what its rules leave open."""

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
"""Whose a seat is to be, beside `bot:NAME` and `player:ID`."""

VISIBILITIES = (PUBLIC, LINK, PRIVATE)

CLOCK = "three-days"
"""The one that is proposed."""

NO_CLOCK = "none"


@blueprint.get("")
def ask() -> Response:
    """Which match."""
    room = service().catalogue.rooms.get(request.args.get("game", ""))
    if room is None:
        return page.shown("new.html.j2", TEXTS, room=None, games=_games(), invited=_invited())
    if not g.get("session") and not may_be_guest():
        return page.go(f"/sign-in?{urlencode({'next': f'/new?game={room.game.slug}'})}")
    return _page(room, forms.Filled(_proposed(room)))


@blueprint.post("")
def open_it() -> Response:
    """That one: who opens it sits down first."""
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
        # a guest that was made on the way stays this guest
        wrong = _page(room, forms.wrong(error, malformed_options="options"), forms.status_of(error))
        return with_guest(wrong, token)
    return with_guest(page.go(forms.table_of(match, later)), token)


def _games() -> list[Any]:
    return [room.game for room in service().catalogue.rooms.values()]


def _invited() -> str:
    """Whom a profile's page proposes to play with."""
    return request.args.get("player", "")[: inputs.NAME]


def _proposed(room: Room) -> dict[str, str]:
    """What the form says before anybody has changed it."""
    least = min(room.game.seats)
    seats = {f"seat{seat}": ANYBODY if seat < least else NOBODY for seat in range(1, max(room.game.seats))}
    if player := _invited():
        seats |= {"seat1": SOMEBODY, "player1": player}
    return {**seats, "clock": CLOCK, "visibility": PUBLIC, "talk": inputs.TALK[0], **options.proposed(room.game)}


def _page(room: Room, form: forms.Filled, status: int = 200) -> Response:
    """The form."""
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
    """With whom they have played, as the form says it."""
    return [(f"player:{player}", name) for player, name in passing.met()]


def _wanted(room: Room) -> MatchWanted:
    """What the form says. Raises Malformed, by field."""
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
    """Whose that seat is to be; None: there is none."""
    said = request.form.get(f"seat{seat}", NOBODY)
    if said == SOMEBODY:
        named = request.form.get(f"player{seat}", "").strip().rstrip("/").rpartition("/")[2]
        if not named or len(named) > inputs.NAME:
            raise _not_so(f"player{seat}", OPENING[page.lang()]["player-wrong"])
        return Place(player=named)
    kind, _, name = said.partition(":")
    if kind in {"bot", "player"} and name:
        return Place(bot=name) if kind == "bot" else Place(player=name)
    if said not in {ANYBODY, NOBODY}:
        raise _not_so("seats", OPENING[page.lang()]["choose"])
    return Place() if said == ANYBODY else None


def _one_of(name: str, known: tuple[str, ...]) -> str:
    said = request.form.get(name, known[0])
    if said not in known:
        raise _not_so(name, OPENING[page.lang()]["choose"])
    return said


def _not_so(field: str, said: str) -> Malformed:
    return Malformed("malformed", more={"errors": {field: [said]}}, names=(field,))
