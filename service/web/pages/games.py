"""The first page, and the pages of games: how a game is played, with drawings, its rules by clause, and its cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import lru_cache, partial
from threading import Event
from time import perf_counter
from typing import Any

import msgspec
import structlog
from flask import Response, abort, g
from markupsafe import Markup, escape

from domain import lessons
from domain.catalogue import Catalogue, Room
from domain.game import Lang
from domain.matches import Status
from domain.texts import LANGS
from service import clock
from service.matches import seat_of, shown
from service.problems import left_out
from service.store import Wanted
from service.web.pages import examples, markdown, page
from service.web.reply import service

GAMES = page.texts_of("games")
HOME = page.texts_of("games", "home")

blueprint = page.blueprint("games")

CARDS = "<!-- cards -->\n"
"""The place in the rules above the list of cards, where they are drawn."""
FIGURE = Markup(
    '<figure class="example {}"><div class="drawn" data-figure="{}">{}</div><figcaption>{}</figcaption></figure>\n'
)
TAUGHT = Markup('<a class="taught" href="/games/{}/lesson?step={}&amp;chosen={}">{}</a> ')
EMBLEM = 4
"""The number of tones in a game's emblem."""

LIVE = 12
"""The number of matches among which the page looks for one to show."""
FRESH = timedelta(minutes=10)
"""A match whose last move is older is not shown."""
KEPT = "public, max-age=3600"
"""Films may be cached: they are the same for everybody, and change only with the installed version."""

DRAWN = ("game", "match", "film", "names", "scene", "version", "seat")
"""The fields of the shown match that the page's script needs."""

REST = 9.0
"""The rest after each piece, as a multiple of the time that it took; requests are served then."""

LEAST = 0.02
"""The least seconds between two pieces."""

SOON = 5.0
"""Seconds before the first piece: until then the service's other processes start, and need the machine."""

logger = structlog.get_logger(__name__)


Written = tuple[markdown.Rendered, dict[str, examples.Figure]]
"""A text of a room as part of a page, and its figures by name."""


@blueprint.get("/games")
def games() -> Response:
    """Show all games."""
    return page.shown("games.html.j2", GAMES, rooms=[about(room) for room in service().catalogue.rooms.values()])


@blueprint.get("/games/<string:slug>")
def game(slug: str) -> Response:
    """Show a game: how it is played, and the forms that open a match."""
    room = service().opener.room(slug)
    text, figures = howto(room, page.lang())
    return page.shown(
        "game.html.j2",
        GAMES,
        **about(room),
        howto=text,
        counts=service().statistics.played(slug),
        packs=list(room.packs),
        data=drawn(room, figures),
    )


@blueprint.get("/games/<string:slug>/rules")
def rules(slug: str) -> Response:
    """Show the rules by clause. They list the cards of the room's own pack, whatever the operator offers."""
    room = service().opener.room(slug)
    text, figures = rules_of(room, next(iter(room.kept)), page.lang())
    return page.shown("rules.html.j2", GAMES, **about(room), rules=text, data=drawn(room, figures))


@blueprint.get("/games/<string:slug>/packs/<string:name>")
def pack(slug: str, name: str) -> Response:
    """Show the pieces of a pack."""
    room = service().opener.room(slug)
    service().opener.refresh_packs()
    file = room.packs.get(name)
    if file is None:
        abort(404)
    figure = examples.cards_of(room, file.hash, page.lang())
    figures = {"cards": figure} if figure.scene.zones else {}
    return page.shown("pack.html.j2", GAMES, **about(room), pack=file, cards=figure.text, data=drawn(room, figures))


def about(room: Room) -> dict[str, Any]:
    """Return what every page shows of a game."""
    lang, game = page.lang(), room.game
    least, most = min(game.seats), max(game.seats)
    pitch, length, _ = opening_of(room, lang)
    return {
        "game": game,
        "title": game.title[lang],
        "pitch": pitch,
        "length": length,
        "players": GAMES[lang]["players" if least < most else "players-one"].format(least=least, most=most),
        "tones": game.palette[:EMBLEM],
        "teaches": examples.lesson_of(room) is not None,
    }


def drawn(room: Room, figures: dict[str, examples.Figure]) -> Markup:
    """Return the figures as data for the page's script."""
    scenes = {name: {"scene": figure.scene, "seat": figure.seat} for name, figure in figures.items()}
    return page.data({"game": page.data_of(room.game), "figures": scenes}) if scenes else Markup("")


@lru_cache(maxsize=64)
def opening_of(room: Room, lang: Lang) -> tuple[str, str, str]:
    """Return the two paragraphs after the title of a room's HOWTO.md, and the text without these.

    They are a line that invites to play, and how long a match takes; "" if the room does not have them.
    """
    title, *parts = room.howto(lang).split("\n\n", 3)
    pitch, length, rest = parts if len(parts) == 3 else ("", "", "")
    return pitch, length, f"{title}\n\n{rest}"


@lru_cache(maxsize=64)
def howto(room: Room, lang: Lang) -> Written:
    """Return the text on how the game is played, with its examples."""
    figures: dict[str, examples.Figure] = {}

    def figure(name: str, caption: str) -> str:
        figures[name] = examples.figure_of(room, name, lang)
        return _figure(name, figures[name], caption)

    clauses = rules_of(room, "", lang)[0].clauses
    link = f"/games/{room.game.slug}/rules"
    return markdown.rendered(opening_of(room, lang)[2], figure, link, clauses, lang=lang), figures


@lru_cache(maxsize=64)
def rules_of(room: Room, pack: str, lang: Lang) -> Written:
    """Return the rules. `pack`: the hash of a pack whose cards are drawn where the rules list them; "" for none."""
    figures: dict[str, examples.Figure] = {}

    def figure(name: str, caption: str) -> str:
        cards = examples.cards_of(room, pack, lang) if pack else None
        if cards is None or not cards.scene.zones:
            return ""
        figures[name] = cards
        return _figure(name, cards, caption, is_told=False)

    caption = GAMES[lang]["look-closer"]
    text = room.rules(lang).replace(CARDS, f"```figure cards\n{caption}\n```\n")
    return markdown.rendered(text, figure, beside=taught(room, lang), lang=lang), figures


def taught(room: Room, lang: Lang) -> dict[str, Markup]:
    """Return for each clause that the lesson shows a link to the step, as HTML."""
    lesson = examples.lesson_of(room)
    if lesson is None:
        return {}
    label = GAMES[lang]["taught"]
    return {
        clause: TAUGHT.format(room.game.slug, step, ",".join(map(str, chosen)), label.format(step=step))
        for clause, (step, chosen) in lessons.shown_in(lesson).items()
    }


def _figure(name: str, figure: examples.Figure, caption: str, *, is_told: bool = True) -> str:
    """Return the HTML of a figure. `is_told`: whether it shows its text until a script draws it."""
    text = Markup('<pre class="told">{}</pre>').format(figure.text) if is_told else ""
    extent = "whole" if figure.scene.line else "part" if is_told else "cards"
    return str(FIGURE.format(extent, name, text, escape(caption)))


@blueprint.get("/")
def home() -> Response:
    """Show the first page."""
    rooms = service().catalogue.rooms
    staged = watched() or filmed()
    return page.shown(
        "home.html.j2",
        HOME,
        rooms=[about(room) for room in rooms.values()],
        stage=staged,
        data=page.data({name: staged[name] for name in DRAWN}) if staged else "",
    )


@blueprint.get("/games/<string:slug>/film")
def film(slug: str) -> Response:
    """Return the scenes of a game's film for the page's script."""
    room = service().opener.room(slug)
    if not examples.has_film(room):
        abort(404)
    scenes = [figure.scene for figure in examples.film_of(room, page.lang())]
    answer = Response(msgspec.json.encode(scenes), content_type="application/json")
    answer.headers["Cache-Control"] = KEPT
    return answer


def watched() -> dict[str, Any] | None:
    """Return a running match of others, as the reader may see it; None if there is none."""
    playing, _ = service().lobby.listed(g.asker, Wanted(status=Status.PLAYING.value, limit=LIVE), None)
    since = clock.stamp(clock.now() - FRESH)
    fresh = [entry for entry in playing if (entry.moved or "") >= since and seat_of(entry, g.asker) is None]
    for entry in sorted(fresh, key=lambda entry: entry.moved or "", reverse=True):
        with left_out():  # it may have ended since it was listed
            look = service().views.look(entry.id, g.asker)
            match = service().views.match(look, page.lang(), scene=True)
            return {
                "title": look.log.game.title[page.lang()],
                "game": page.data_of(look.log.game),
                "match": entry.id,
                "film": "",
                "names": shown.names_of(entry, page.lang()),
                "scene": match.scene,
                "text": match.text,
                "version": look.state.version,
                "seat": None,
            }
    return None


def filmed() -> dict[str, Any] | None:
    """Return the film of the day's game; None if no game has a film."""
    rooms = [room for room in service().catalogue.rooms.values() if examples.has_film(room)]
    if not rooms:
        return None
    room, lang = rooms[clock.now().toordinal() % len(rooms)], page.lang()
    first = examples.film_of(room, lang)[0]
    return {
        "title": room.game.title[lang],
        "game": page.data_of(room.game),
        "match": "",
        "film": f"/games/{room.game.slug}/film?lang={lang}",
        "version": 0,
        "names": [],
        "scene": first.scene,
        "text": first.text,
        "seat": first.seat,
    }


def warm(catalogue: Catalogue, stop: Event, rest: float = REST, soon: float = 0.0) -> None:
    """Make everything after so many seconds (`soon`), unless `stop` is set."""
    if stop.wait(soon):
        return
    begun = perf_counter()
    for room in tuple(catalogue.rooms.values()):
        for make in _pieces(room):
            started = perf_counter()
            try:
                make()
            except Exception as error:
                # who asks for that page gets the error; the other pages must be made
                logger.warning("a page can't be made", game=room.game.slug, exc_info=error)
            if stop.wait(max(LEAST, rest * (perf_counter() - started)) if rest else 0):
                return
    logger.info("pages are made", seconds=round(perf_counter() - begun, 1))


def _pieces(room: Room) -> Iterator[Callable[[], Any]]:
    """Yield functions that make one piece each; none takes more than some hundredths of a second."""
    for name in room.examples():
        yield partial(examples.moment_of, room, name)
    for lang in LANGS:
        for name in room.examples():
            yield partial(examples.figure_of, room, name, lang)
        if examples.has_film(room):
            yield partial(examples.film_of, room, lang)
        yield partial(rules_of, room, "", lang)
        yield partial(howto, room, lang)
        yield partial(rules_of, room, next(iter(room.kept)), lang)
