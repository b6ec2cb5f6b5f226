"""Opening a match: the form for its game, players, clock, and options, which are made from the options' JSON schema."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, g, request

from bots import ABOUT, BOTS
from domain import texts
from domain.catalogue import Room
from domain.game import Game, Lang
from service.matches import MatchWanted, Place, terms
from service.problems import Malformed, Problem
from service.store import LINK, PRIVATE, PUBLIC
from service.web import inputs
from service.web.pages import forms, lobby, page, table
from service.web.pages.sign_in import comer, may_be_guest, opened, with_guest
from service.web.reply import service

blueprint = page.blueprint("opening", url_prefix="/new")

TEXTS = page.texts_of("rows", "opening")

ANYBODY, NOBODY, SOMEBODY = "anybody", "", "somebody"
"""The values for who gets a seat, besides `bot:NAME` and `player:ID`."""

VISIBILITIES = (PUBLIC, LINK, PRIVATE)

CLOCK = "three-days"
"""The clock that the form proposes."""

NO_CLOCK = "none"


BEFORE = "option-"
"""The beginning of these fields' names."""

OPTIONS = texts.read("service.web.pages", "words/options")
"""The names of options, of what can be chosen (`=…`), and what is said about them (`/help`)."""


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

        def open(mine: Place) -> str:
            whole = msgspec.structs.replace(wanted, seats=(mine, *wanted.seats[1:]))
            return service().opener.open(g.asker, whole, once=page.once())

        path = opened(open)
    except Problem as error:
        # if a guest was made already, the browser keeps its cookie
        wrong = _page(room, forms.wrong(error, malformed_options="options"), forms.status_of(error))
        return with_guest(wrong, token)
    return with_guest(page.go(path), token)


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
    return {**seats, "clock": CLOCK, "visibility": PUBLIC, "talk": inputs.TALK[0], **proposed_options(room.game)}


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
        known=[(f"player:{player}", name) for player, name in table.met()],
        clocks=[(name, lobby.clock(clock.allowance, clock.bank, lang)) for name, clock in terms.PRESETS.items()],
        visibilities=VISIBILITIES,
        talks=inputs.TALK,
        options=fields_of(room.game, lang),
        packs=tuple(room.packs),
    )


def _wanted(room: Room) -> MatchWanted:
    """Return the match that the form describes. Raises Malformed, with errors by field."""
    others = [place for seat in range(1, max(room.game.seats)) if (place := _place(seat)) is not None]
    if len(others) + 1 not in room.game.seats:
        possible = TEXTS[page.lang()]["and"].join(map(str, room.game.seats))
        raise _not_so("seats", TEXTS[page.lang()]["seats-wrong"].format(possible=possible))
    clock = request.form.get("clock", NO_CLOCK)
    if clock != NO_CLOCK and clock not in terms.PRESETS:
        raise _not_so("clock", TEXTS[page.lang()]["choose"])
    return MatchWanted(
        game=room.game.slug,
        seats=(Place(), *others),
        options=read_options(room.game),
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
            raise _not_so(f"player{seat}", TEXTS[page.lang()]["player-wrong"])
        return Place(player=named)
    kind, _, name = value.partition(":")
    if kind in {"bot", "player"} and name:
        return Place(bot=name) if kind == "bot" else Place(player=name)
    if value not in {ANYBODY, NOBODY}:
        raise _not_so("seats", TEXTS[page.lang()]["choose"])
    return Place() if value == ANYBODY else None


def _one_of(name: str, known: tuple[str, ...]) -> str:
    value = request.form.get(name, known[0])
    if value not in known:
        raise _not_so(name, TEXTS[page.lang()]["choose"])
    return value


def _not_so(field: str, sentence: str) -> Malformed:
    return Malformed("malformed", more={"errors": {field: [sentence]}}, names=(field,))


class Field(msgspec.Struct, frozen=True):
    """An option that can be chosen in a form."""

    name: str
    kind: str
    """`choice` (one of several), `choices` (any of several), `number`, `text` or `switch`."""
    default: Any
    label: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None


def fields_of(game: Game[Any, Any, Any], lang: Lang) -> tuple[Field, ...]:
    """Return the fields for a game's options, without options that leave no choice.

    An option with several shapes has a field for the first one.
    """
    schema = msgspec.json.schema(game.Options)
    shapes = schema.get("$defs", {})
    properties = shapes.get(game.Options.__name__, schema).get("properties", {})
    all_fields = (_field(game.slug, name, part, shapes, lang) for name, part in properties.items())
    return tuple(field for field in all_fields if field is not None)


def proposed_options(game: Game[Any, Any, Any]) -> dict[str, str]:
    """Return the first values of these fields."""
    values: dict[str, str] = {}
    for field in fields_of(game, "en"):
        if field.kind == "choices":
            values |= {f"{BEFORE}{field.name}-{choice}": "yes" for choice in field.default or ()}
        elif field.kind == "switch":
            values |= {BEFORE + field.name: "yes"} if field.default else {}
        else:
            values[BEFORE + field.name] = str(field.default)
    return values


def read_options(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """Return the options in the form. They are not checked: the rules do that."""
    options: dict[str, Any] = {}
    for field in fields_of(game, "en"):
        value = request.form.get(BEFORE + field.name, "").strip()
        if field.kind == "choices":
            chosen = [choice for choice, _ in field.choices if request.form.get(f"{BEFORE}{field.name}-{choice}")]
            options[field.name] = chosen
        elif field.kind == "switch":
            options[field.name] = bool(value)
        elif value and value != str(field.default):
            options[field.name] = _number(value) if isinstance(field.default, int) else value
    return options


def _number(value: str) -> int | str:
    """Return the number; a text that is none unchanged, for the rules to refuse."""
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else value


def _field(slug: str, name: str, schema: dict[str, Any], shapes: dict[str, Any], lang: Lang) -> Field | None:
    default = schema.get("default")
    shape = _first(schema, shapes)
    label = OPTIONS[lang].get(f"{slug}/{name}", name)
    help = OPTIONS[lang].get(f"{slug}/{name}/help", "")
    more: dict[str, Any] = {"default": default, "label": label, "help": help}
    if "enum" in shape:
        choices = _choices(slug, name, shape["enum"], lang)
        return Field(name, "choice", choices=choices, **more) if len(choices) > 1 else None
    if shape.get("type") == "array" and "enum" in (inner := _first(shape.get("items", {}), shapes)):
        return Field(name, "choices", choices=_choices(slug, name, inner["enum"], lang), **more)
    kind = {"integer": "number", "boolean": "switch", "string": "text"}.get(str(shape.get("type")))
    if kind is None:
        return None
    return Field(name, kind, least=shape.get("minimum"), most=shape.get("maximum"), **more)


def _first(schema: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """Return the schema to which this one refers; of several the first."""
    if "anyOf" in schema:
        return _first(schema["anyOf"][0], shapes)
    if "$ref" in schema:
        return dict(shapes[schema["$ref"].rpartition("/")[2]])
    return schema


def _choices(slug: str, name: str, values: list[Any], lang: Lang) -> tuple[tuple[str, str], ...]:
    return tuple((str(value), OPTIONS[lang].get(f"{slug}/{name}={value}", str(value))) for value in values)
