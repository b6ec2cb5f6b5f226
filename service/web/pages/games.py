"""The pages of games: how a game is played, with drawings, its rules by clause, and the cards of its packs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from flask import Response, abort
from markupsafe import Markup, escape

from domain.catalogue import Room
from domain.game import Lang
from service.web.pages import examples, markdown, page
from service.web.pages.table import data
from service.web.pages.words.games import GAMES
from service.web.reply import service

blueprint = page.blueprint("games", url_prefix="/games")

CARDS = "<!-- cards -->\n"
"""The place in the rules above the list of cards, where they are drawn."""
FIGURE = Markup(
    '<figure class="example {}"><div class="drawn" data-figure="{}">{}</div><figcaption>{}</figcaption></figure>\n'
)
EMBLEM = 4
"""The number of tones in a game's emblem."""


class Written(msgspec.Struct, frozen=True):
    """A text of a room as part of a page, with its figures."""

    text: Any
    figures: dict[str, examples.Figure]


@blueprint.get("")
def games() -> Response:
    """Show all games."""
    return page.shown("games.html.j2", GAMES, rooms=[told(room) for room in service().catalogue.rooms.values()])


@blueprint.get("/<string:slug>")
def game(slug: str) -> Response:
    """Show a game: how it is played, and the forms that open a match."""
    room = service().opener.room(slug)
    written = howto(room, page.lang())
    return page.shown(
        "game.html.j2",
        GAMES,
        **told(room),
        howto=written.text,
        counts=counts(room),
        packs=list(room.packs),
        data=drawn(room, written.figures),
    )


@blueprint.get("/<string:slug>/rules")
def rules(slug: str) -> Response:
    """Show the rules by clause. They list the cards of the room's own pack, whatever the operator offers."""
    room = service().opener.room(slug)
    written = rules_of(room, next(iter(room.kept)), page.lang())
    return page.shown("rules.html.j2", GAMES, **told(room), rules=written.text, data=drawn(room, written.figures))


@blueprint.get("/<string:slug>/packs/<string:name>")
def pack(slug: str, name: str) -> Response:
    """Show the pieces of a pack."""
    room = service().opener.room(slug)
    service().opener.refresh_packs()
    file = room.packs.get(name)
    if file is None:
        abort(404)
    figure = examples.cards_of(room, file.hash, page.lang())
    figures = {"cards": figure} if figure.scene.zones else {}
    return page.shown("pack.html.j2", GAMES, **told(room), pack=file, cards=figure.text, data=drawn(room, figures))


def told(room: Room) -> dict[str, Any]:
    """Return what every page shows of a game."""
    lang, game = page.lang(), room.game
    opening = opening_of(room, lang)
    return {
        "game": game,
        "title": game.title[lang],
        "pitch": opening.pitch,
        "length": opening.length,
        "players": players(game.seats, lang),
        "tones": game.palette[:EMBLEM],
    }


def players(seats: tuple[int, ...], lang: Lang) -> str:
    """Return the numbers of players as a text."""
    least, most = min(seats), max(seats)
    text = GAMES[lang]["players" if least < most else "players-one"]
    return text.format(least=least, most=most)


def counts(room: Room) -> list[dict[str, Any]]:
    """Return the number and mean length of the game's matches, by number of seats."""
    return [
        {"seats": played.seats, "matches": played.matches, "moves": round(played.moves / played.matches)}
        for played in service().statistics.played(room.game.slug)
    ]


def drawn(room: Room, figures: dict[str, examples.Figure]) -> Markup:
    """Return the figures as data for the page's script."""
    scenes = {name: {"scene": figure.scene, "seat": figure.seat} for name, figure in figures.items()}
    return data({"game": examples.data_of(room.game), "figures": scenes}) if scenes else Markup("")


class Opening(msgspec.Struct, frozen=True):
    """The beginning of a room's HOWTO.md, and the rest."""

    pitch: str
    """A line that invites to play."""
    length: str
    """How long a match takes."""
    rest: str
    """The text without these."""


@lru_cache(maxsize=64)
def opening_of(room: Room, lang: Lang) -> Opening:
    """Return the paragraphs after the title: pitch and length; "" if the room does not have them."""
    title, *parts = room.howto(lang).split("\n\n", 3)
    pitch, length, rest = parts if len(parts) == 3 else ("", "", "")
    return Opening(pitch, length, f"{title}\n\n{rest}")


@lru_cache(maxsize=64)
def howto(room: Room, lang: Lang) -> Written:
    """Return the text on how the game is played, with its examples."""
    figures: dict[str, examples.Figure] = {}

    def figure(name: str, caption: str) -> str:
        figures[name] = examples.figure_of(room, name, lang)
        return _figure(name, figures[name], caption)

    clauses = rules_of(room, "", lang).text.clauses
    text = markdown.rendered(opening_of(room, lang).rest, figure, f"/games/{room.game.slug}/rules", clauses)
    return Written(text, figures)


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
    return Written(markdown.rendered(text, figure), figures)


def _figure(name: str, figure: examples.Figure, caption: str, *, is_told: bool = True) -> str:
    """Return the HTML of a figure. `is_told`: whether it shows its text until a script draws it."""
    text = Markup('<pre class="told">{}</pre>').format(figure.text) if is_told else ""
    extent = "whole" if figure.scene.line else "part" if is_told else "cards"
    return str(FIGURE.format(extent, name, text, escape(caption)))
