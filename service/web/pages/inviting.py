"""What somebody sees of a match that waits for players, before they sign in: the game, who invites, what is agreed."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from flask import g

from domain.game import Game, Lang
from service.accounts import called
from service.matches import Look, answers
from service.problems import Problem
from service.web.pages import games, lobby, opening, page
from service.web.reply import service

TEXTS = page.texts_of("opening", "inviting")


def told(look: Look, match: answers.Match) -> dict[str, Any]:
    """Return what the page shows of the match.

    Shape:   `by`: the name of who opened it, "" if it is not known; `agreed`: labels and values.
    """
    entry, room, texts = look.entry, service().opener.room(look.log.game.slug), TEXTS[page.lang()]
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
    entry, texts = look.entry, TEXTS[lang]
    clock = texts["no-clock-at-all"]
    if entry.clock is not None:
        clock = lobby.clock(entry.clock.allowance, entry.clock.bank, lang)
    return [
        (texts["clock"], clock),
        (texts["if-resigned"], texts[f"resigned-{match.resignation}"]),
        (texts["seen"], texts[f"visibility-{entry.visibility}"]),
        (texts["talk"], texts[f"talk-{match.talk}"]),
        *_options(look.log.game, msgspec.to_builtins(match.options), lang),
        (texts["pack"], page.pack_name(match.rules.pack)),
    ]


def _options(game: Game[Any, Any, Any], chosen: dict[str, Any], lang: Lang) -> list[tuple[str, str]]:
    """Return the options that can be chosen when a match is opened, as they were chosen."""
    texts = TEXTS[lang]
    lines = []
    for field in opening.fields_of(game, lang):
        value, words = chosen.get(field.name, field.default), dict(field.choices)
        if isinstance(value, bool):
            said = texts["yes" if value else "no"]
        elif isinstance(value, list | tuple):
            said = texts["listed"].join(words.get(str(one), str(one)) for one in value) or texts["nothing"]
        else:
            said = words.get(str(value), str(value))
        lines.append((field.label, said))
    return lines
