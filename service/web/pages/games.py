"""The games: each with how it is played, drawn, then its rules by clause and the cards of its packs."""

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
"""Where the rules list the cards of the house pack: above that list they are drawn."""
FIGURE = Markup(
    '<figure class="example {}"><div class="drawn" data-figure="{}">{}</div><figcaption>{}</figcaption></figure>\n'
)
EMBLEM = 4
"""So many tones are on a game's emblem."""


class Written(msgspec.Struct, frozen=True):
    """A text of a room as a part of a page, with what is drawn in it."""

    text: Any
    figures: dict[str, examples.Figure]


@blueprint.get("")
def games() -> Response:
    """All of them."""
    return page.shown("games.html.j2", GAMES, rooms=[told(room) for room in service().catalogue.rooms.values()])


@blueprint.get("/<string:slug>")
def game(slug: str) -> Response:
    """One game: what it is, how it is played, and what begins a match of it."""
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
    """The rules by clause. They list the cards of the room's own pack, whatever is offered here."""
    room = service().opener.room(slug)
    written = rules_of(room, next(iter(room.kept)), page.lang())
    return page.shown("rules.html.j2", GAMES, **told(room), rules=written.text, data=drawn(room, written.figures))


@blueprint.get("/<string:slug>/packs/<string:name>")
def pack(slug: str, name: str) -> Response:
    """What a pack prints, to be looked at."""
    room = service().opener.room(slug)
    service().opener.refresh_packs()
    found = room.packs.get(name)
    if found is None:
        abort(404)
    figure = examples.cards_of(room, found.hash, page.lang())
    figures = {"cards": figure} if figure.scene.zones else {}
    return page.shown("pack.html.j2", GAMES, **told(room), pack=found, cards=figure.text, data=drawn(room, figures))


def told(room: Room) -> dict[str, Any]:
    """What every page says of a game."""
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
    """With how many it is played."""
    least, most = min(seats), max(seats)
    text = GAMES[lang]["players" if least < most else "players-one"]
    return text.format(least=least, most=most)


def counts(room: Room) -> list[dict[str, Any]]:
    """How its matches went, by number of seats."""
    return [
        {"seats": one.seats, "matches": one.matches, "moves": round(one.moves / one.matches)}
        for one in service().statistics.played(room.game.slug)
    ]


def drawn(room: Room, figures: dict[str, examples.Figure]) -> Markup:
    """What the page's script draws."""
    told = {name: {"scene": figure.scene, "seat": figure.seat} for name, figure in figures.items()}
    return data({"game": examples.data_of(room.game), "figures": told}) if told else Markup("")


class Opening(msgspec.Struct, frozen=True):
    """How a room's HOWTO.md begins."""

    pitch: str
    """A line that makes one want to play."""
    length: str
    """How long that takes."""
    rest: str
    """All but these."""


@lru_cache(maxsize=64)
def opening_of(room: Room, lang: Lang) -> Opening:
    """The title is followed by a paragraph of each; nothing where the room does not say it."""
    title, *parts = room.howto(lang).split("\n\n", 3)
    pitch, length, rest = parts if len(parts) == 3 else ("", "", "")
    return Opening(pitch, length, f"{title}\n\n{rest}")


@lru_cache(maxsize=64)
def howto(room: Room, lang: Lang) -> Written:
    """How the game is played, with its examples; nothing where the room does not say it."""
    figures: dict[str, examples.Figure] = {}

    def figure(name: str, caption: str) -> str:
        figures[name] = examples.figure_of(room, name, lang)
        return _figure(name, figures[name], caption)

    clauses = rules_of(room, "", lang).text.clauses
    text = markdown.rendered(opening_of(room, lang).rest, figure, f"/games/{room.game.slug}/rules", clauses)
    return Written(text, figures)


@lru_cache(maxsize=64)
def rules_of(room: Room, pack: str, lang: Lang) -> Written:
    """The rules; with the hash of a pack at hand its cards are drawn where the rules list them."""
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
    """A place for a drawing. Until it is drawn, and without a script, it is told; unless that stands below it."""
    told = Markup('<pre class="told">{}</pre>').format(figure.text) if is_told else ""
    extent = "whole" if figure.scene.line else "part" if is_told else "cards"
    return str(FIGURE.format(extent, name, told, escape(caption)))
