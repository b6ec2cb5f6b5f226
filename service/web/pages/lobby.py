"""The lobby: first the matches that can be joined, then running ones, then finished ones; and a match as a row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from flask import Response, g, request
from msgspec.structs import replace

from domain.game import Lang
from domain.matches import Status
from domain.texts import figure
from service import wording
from service.accounts import called
from service.matches import MatchWanted, Place, rows, seat_of, shown, terms
from service.problems import Malformed
from service.store import SPEEDS, Chair, Entry, Wanted
from service.web.pages import forms, page
from service.web.pages.sign_in import barred, come, opened
from service.web.reply import service

TEXTS = page.texts_of("rows", "lobby")

blueprint = page.blueprint("lobby")

BOT = "greedy"
"""The bot against which newcomers play."""


FEW, MANY = 8, 30
"""The most matches of each kind on the page of all kinds, and on a page of one kind."""

EVER = "0"
"""A moment before all ends of matches."""

BETWEEN_PEOPLE = terms.PRESETS["three-days"]
"""The clock of matches among people that are opened with one click, so that nobody waits for ever."""


@blueprint.get("/lobby")
def lobby() -> Response:
    """Show the matches that the reader may know of."""
    games = service().catalogue.rooms
    known = {"game": tuple(games), "status": rows.STATUSES, "speed": tuple(SPEEDS), "seat": ("free",), "mine": ("yes",)}
    asked = {name: request.args.get(name, "") for name in known}
    chosen = {name: value for name, value in asked.items() if value in known[name]}
    if chosen.get("mine") and not g.get("session"):
        return page.go("/sign-in?next=/lobby%3Fmine%3Dyes")
    sections = _sections(chosen)
    return page.shown(
        "lobby.html.j2",
        TEXTS,
        sections=sections,
        listed=sum(len(section["rows"]) for section in sections),
        chosen={**dict.fromkeys(known, ""), **chosen},
        statuses=rows.STATUSES,
        speeds=known["speed"],
        games=[room.game for room in games.values()],
    )


def _sections(chosen: dict[str, str]) -> list[dict[str, Any]]:
    """Return a page of the matches of the chosen status; if none is chosen, some matches of each kind."""
    game, speed = chosen.get("game"), chosen.get("speed")
    wanted = Wanted(game=game, speed=speed, mine="mine" in chosen, free="seat" in chosen, limit=FEW)
    if status := chosen.get("status"):
        since = EVER if status in {Status.FINISHED, Status.ABORTED} else None
        listed, cursor = leafed(replace(wanted, status=status, since=since, limit=MANY))
        return [_section(status, listed, {**chosen, "cursor": cursor} if cursor else {})]
    kinds = {Status.OPEN: replace(wanted, status=Status.OPEN, free=not wanted.mine)}
    if not wanted.free:
        kinds |= {Status.PLAYING: replace(wanted, status=Status.PLAYING), Status.FINISHED: replace(wanted, since=EVER)}
    sections = []
    for kind, wanted in kinds.items():
        listed, cursor = service().lobby.listed(g.asker, wanted, None)
        sections.append(_section(kind, listed, {**chosen, "status": kind} if cursor else {}))
    return sections


def _section(kind: str, listed: Iterable[Entry], more: dict[str, str]) -> dict[str, Any]:
    """Return a section of the page. `more`: the query of the page with more such matches, {} if there are none."""
    return {"of": kind, "rows": rows_of(listed), "more": f"/lobby?{urlencode(more)}" if more else ""}


def leafed(wanted: Wanted) -> tuple[tuple[Entry, ...], str | None]:
    """Return the page of the list at the request's cursor, and the cursor of the next page."""
    try:
        return service().lobby.listed(g.asker, wanted, request.args.get("cursor"))
    except Malformed:
        # the cursor is of another list, or incomplete: begin anew
        return service().lobby.listed(g.asker, wanted, None)


@blueprint.post("/play")
def play() -> Response:
    """Open a match against bots, or with free seats for people; the reader sits down at once."""
    room = service().opener.room(request.form.get("game", ""))
    seats = forms.number("seats", 3) if request.form.get("seats") else min(room.game.seats)
    if seats not in room.game.seats:
        raise Malformed("malformed", names=("seats",))
    if answer := barred(f"/games/{room.game.slug}"):
        return answer
    others, clock = (Place(), BETWEEN_PEOPLE) if request.form.get("against") == "people" else (Place(bot=BOT), None)

    def open(mine: Place) -> str:
        places = (mine, *[others] * (seats - 1))
        wanted = MatchWanted(game=room.game.slug, seats=places, clock=clock, talk=rows.TALK[0])
        return service().opener.open(g.asker, wanted, once=page.once())

    return opened("openMatch", open)


@blueprint.post("/matches/<string:match_id>/seat")
def sit(match_id: str) -> Response:
    """Sit down in a match."""
    query = request.query_string.decode("ascii", "replace")
    if answer := barred(f"/matches/{match_id}?{query}" if query else f"/matches/{match_id}"):
        return answer
    # checked before a guest's account is made
    nonce = forms.nonce()
    service().lobby.entry(match_id, g.asker)
    come("takeSeat")
    service().seats.take(g.asker, match_id, None, nonce, once=page.once())
    return page.go(f"/matches/{match_id}")


def rows_of(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the matches as rows, without those of games that this service does not have."""
    return [row(entry) for entry in entries if entry.game in service().catalogue.rooms]


def row(entry: Entry) -> dict[str, Any]:
    """Return the match as a row."""
    lang = page.lang()
    names = shown.names_of(entry, lang)
    is_drawn = all(chair.place == 1 for chair in entry.chairs)
    return {
        "id": entry.id,
        "title": service().catalogue.title(entry.game, lang),
        "status": entry.status,
        "visibility": entry.visibility,
        "seats": [{**seat(chair, lang), "won": chair.place == 1 and not is_drawn} for chair in entry.chairs],
        "mine": seat_of(entry, g.asker),
        "kept": shown.is_kept_for(g.asker, entry),
        "moves": entry.moves or 0,
        "moved": entry.ended or entry.moved or entry.created,
        "clock": wording.clock(entry.clock, lang),
        "agreed": "" if entry.is_over else TEXTS[lang][f"resigning-{entry.resignation or terms.GENERAL.resignation}"],
        "ended": ended(entry, names, lang),
        "line": "",
        "due": "",
        "waits": False,
    }


def seat(chair: Chair, lang: Lang) -> dict[str, Any]:
    """Return the name of who has the seat, and the path of their page."""
    texts = TEXTS[lang]
    if chair.is_free:
        is_kept = chair.reserved is not None
        text = (
            texts["kept"].format(name=called(chair.reserved_name or texts["gone"], lang)) if is_kept else texts["free"]
        )
        return {"name": text, "href": "", "is_free": True}
    href = f"/players/{chair.player}" if chair.player is not None and chair.player_kind != "erased" else ""
    return {"name": shown.name_of(chair, lang) or texts["gone"], "href": href, "is_free": False}


def ended(entry: Entry, names: tuple[str, ...], lang: Lang) -> str:
    """Return in words how the match ended; "" if it has not."""
    texts = TEXTS[lang]
    if entry.status not in {Status.FINISHED, Status.ABORTED}:
        return ""
    result = rows.summary(entry).result
    if entry.status == Status.ABORTED or result is None:
        return texts[entry.status]
    points = texts["dash"].join(map(figure, result.points))
    if len(result.winners) == len(entry.chairs):
        return texts["drawn"].format(points=points)
    winners = texts["and"].join(names[seat] or texts["gone"] for seat in result.winners)
    if entry.conceded is not None:
        # whatever the points were, they decided nothing
        return texts["conceded"].format(winners=winners, loser=names[entry.conceded] or texts["gone"])
    return texts["won"].format(winners=winners, points=points)
