"""Opening a match: the form for its game, players, clock, and options, which are made from the options' JSON schema.

And what somebody sees of a match that waits for players, before they sign in: the game, who invites, what is agreed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from flask import Response, g, request

from bots import ABOUT, BOTS
from domain import texts
from domain.catalogue import Room
from domain.game import Game, Lang
from service import wording
from service.accounts import called
from service.matches import Look, MatchWanted, Place, answers, rows, terms
from service.problems import Problem, malformed
from service.store import LINK, PRIVATE, PUBLIC
from service.web import inputs
from service.web.contract import problems
from service.web.pages import forms, games, page
from service.web.pages.sign_in import barred, opened
from service.web.reply import service

blueprint = page.blueprint("opening", url_prefix="/new")

TEXTS = page.texts_of("rows", "opening")
INVITING = page.texts_of("opening", "inviting")

ANYBODY, NOBODY, SOMEBODY = "anybody", "", "somebody"
"""The values for who gets a seat, besides `bot:NAME` and `player:ID`."""

VISIBILITIES = (PUBLIC, LINK, PRIVATE)

CLOCK = "three-days"
"""The clock that the form proposes."""

BEFORE = "option-"
"""The beginning of these fields' names."""

PLACES = {**dict.fromkeys(("malformed-options", "options", *problems.OPTIONS), "options"), "seats": "seats"}
"""Where in the form it is told what is wrong."""

OPTIONS = texts.read("service.web.pages", "words/options")
"""The names of options, of what can be chosen (`=…`), and what is said about them (`/help`)."""


@blueprint.get("")
def ask() -> Response:
    """Show the form, or the games to choose from."""
    room = service().catalogue.rooms.get(request.args.get("game", ""))
    if room is None:
        rooms = service().catalogue.rooms.values()
        return page.shown("new.html.j2", TEXTS, room=None, games=[each.game for each in rooms], invited=_invited())
    return barred(f"/new?game={room.game.slug}") or _page(room, forms.Filled(_proposed(room)))


@blueprint.post("")
def open_it() -> Response:
    """Open the match of the form; the reader takes the first seat."""
    room = service().opener.room(request.form.get("game", ""))
    if answer := barred("/new"):
        return answer
    try:
        wanted = _wanted(room)

        def open(mine: Place) -> str:
            whole = msgspec.structs.replace(wanted, seats=(mine, *wanted.seats[1:]))
            return service().opener.open(g.asker, whole, once=page.once())

        return opened("openMatch", open)
    except Problem as error:
        return _page(room, forms.wrong(error, **PLACES), forms.status_of(error))


def _invited() -> str:
    """Return the player whom a profile's page proposes as opponent; "" for none."""
    return request.args.get("player", "")[: inputs.NAME]


def _proposed(room: Room) -> dict[str, str]:
    """Return the first values of the form."""
    least = min(room.game.seats)
    seats = {f"seat{seat}": ANYBODY if seat < least else NOBODY for seat in range(1, max(room.game.seats))}
    if player := _invited():
        seats |= {"seat1": SOMEBODY, "player1": player}
    return {**seats, "clock": CLOCK, "visibility": PUBLIC, "talk": rows.TALK[0], **_proposed_options(room.game)}


def _page(room: Room, form: forms.Filled, status: int = 200) -> Response:
    lang = page.lang()
    return page.shown(
        "new.html.j2",
        TEXTS,
        status,
        room=room,
        invited=_invited(),
        form=form,
        chairs=range(1, max(room.game.seats)),
        least=min(room.game.seats),
        bots=[(f"bot:{name}", name, ABOUT[name][lang]) for name in BOTS],
        known=[(f"player:{player}", name) for player, name in page.met()],
        clocks=[(name, wording.clock(clock.told, lang)) for name, clock in terms.PRESETS.items()],
        visibilities=VISIBILITIES,
        talks=rows.TALK,
        options=fields_of(room.game, lang),
        packs=tuple(room.packs),
    )


def _wanted(room: Room) -> MatchWanted:
    """Return the match that the form describes. Raises Malformed, with errors by field."""
    others = [place for seat in range(1, max(room.game.seats)) if (place := _place(seat)) is not None]
    if len(others) + 1 not in room.game.seats:
        possible = TEXTS[page.lang()]["and"].join(map(str, room.game.seats))
        raise malformed({"seats": [TEXTS[page.lang()]["seats-wrong"].format(possible=possible)]})
    return MatchWanted(
        game=room.game.slug,
        seats=(Place(), *others),
        options=_read_options(room.game),
        pack=request.form.get("pack") or None,
        visibility=_one_of("visibility", VISIBILITIES),
        clock=terms.PRESETS.get(_one_of("clock", ("none", *terms.PRESETS))),
        talk=_one_of("talk", rows.TALK),
    )


def _place(seat: int) -> Place | None:
    """Return who gets the seat; None if the match has no such seat. Raises Malformed."""
    value = request.form.get(f"seat{seat}", NOBODY)
    if value == SOMEBODY:
        named = request.form.get(f"player{seat}", "").strip().rstrip("/").rpartition("/")[2]
        if not named or len(named) > inputs.NAME:
            raise malformed({f"player{seat}": [TEXTS[page.lang()]["player-wrong"]]})
        return Place(player=named)
    kind, _, name = value.partition(":")
    if kind in {"bot", "player"} and name:
        return Place(bot=name) if kind == "bot" else Place(player=name)
    if value not in {ANYBODY, NOBODY}:
        raise malformed({"seats": [TEXTS[page.lang()]["choose"]]})
    return Place() if value == ANYBODY else None


def _one_of(name: str, known: tuple[str, ...]) -> str:
    value = request.form.get(name, known[0])
    if value not in known:
        raise malformed({name: [TEXTS[page.lang()]["choose"]]})
    return value


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


def _proposed_options(game: Game[Any, Any, Any]) -> dict[str, str]:
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


def _read_options(game: Game[Any, Any, Any]) -> dict[str, Any]:
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
            number = forms.whole(value, 9) if isinstance(field.default, int) else None
            options[field.name] = value if number is None else number
    return options


def _field(slug: str, name: str, schema: dict[str, Any], shapes: dict[str, Any], lang: Lang) -> Field | None:
    default = schema.get("default")
    shape = _first(schema, shapes)
    words = OPTIONS[lang]
    more: dict[str, Any] = {"default": default, "label": words.get(f"{slug}/{name}", name)}
    more["help"] = words.get(f"{slug}/{name}/help", "")
    is_list = shape.get("type") == "array"
    values = (_first(shape.get("items", {}), shapes) if is_list else shape).get("enum")
    if values is not None:
        choices = tuple((str(value), words.get(f"{slug}/{name}={value}", str(value))) for value in values)
        kind = "choices" if is_list else "choice"
        return Field(name, kind, choices=choices, **more) if is_list or len(choices) > 1 else None
    kind = {"integer": "number", "boolean": "switch", "string": "text"}.get(str(shape.get("type")), "")
    return Field(name, kind, least=shape.get("minimum"), most=shape.get("maximum"), **more) if kind else None


def _first(schema: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """Return the schema to which this one refers; of several the first."""
    if "anyOf" in schema:
        return _first(schema["anyOf"][0], shapes)
    if "$ref" in schema:
        return dict(shapes[schema["$ref"].rpartition("/")[2]])
    return schema


def invitation(look: Look, match: answers.Match) -> dict[str, Any]:
    """Return what the page shows of the match.

    Shape:   `by`: the name of who opened it, "" if it is not known; `agreed`: labels and values.
    """
    entry, room, texts = look.entry, service().opener.room(look.log.game.slug), INVITING[page.lang()]
    free = sum(chair.is_free and chair.reserved is None for chair in entry.chairs)
    seats = texts["seats-free"].format(number=free, seats=len(entry.chairs))
    if not free:
        awaited = [one.reserved for one in match.seats if one.player is None and one.reserved is not None]
        names = [called(who.name, page.lang()) for who in awaited if who.id != g.asker.player]
        seats = texts["awaits"].format(names=texts["listed"].join(names)) if names else texts["awaits-you"]
    return {
        **games.about(room),
        "by": _opener(look),
        "seats": seats,
        "has_room": free > 0,
        "is_open": service().sign_ups.mode == "open",
        "agreed": _agreed(look, match, page.lang()),
    }


def _opener(look: Look) -> str:
    if (creator := look.entry.creator) is None:
        return ""
    with suppress(Problem):
        return called(service().accounts.find(creator).name, page.lang())
    return ""


def _agreed(look: Look, match: answers.Match, lang: Lang) -> list[tuple[str, str]]:
    """Return what players agree to by sitting down, as labels and values."""
    entry, texts = look.entry, INVITING[lang]
    return [
        (texts["clock"], wording.clock(entry.clock, lang) if entry.clock else texts["no-clock-at-all"]),
        (texts["if-resigned"], texts[f"resigned-{match.resignation}"]),
        (texts["seen"], texts[f"visibility-{entry.visibility}"]),
        (texts["talk"], texts[f"talk-{match.talk}"]),
        *_chosen(look.log.game, msgspec.to_builtins(match.options), lang),
        (texts["pack"], page.pack_name(match.rules.pack)),
    ]


def _chosen(game: Game[Any, Any, Any], chosen: dict[str, Any], lang: Lang) -> list[tuple[str, str]]:
    """Return the options that can be chosen when a match is opened, as they were chosen."""
    texts = INVITING[lang]
    lines = []
    for field in fields_of(game, lang):
        value, words = chosen.get(field.name, field.default), dict(field.choices)
        if isinstance(value, bool):
            said = texts["yes" if value else "no"]
        elif isinstance(value, list | tuple):
            said = texts["listed"].join(words.get(str(one), str(one)) for one in value) or texts["nothing"]
        else:
            said = words.get(str(value), str(value))
        lines.append((field.label, said))
    return lines
