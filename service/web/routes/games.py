"""The games, their rules, and what the service allows."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView
from msgspec.structs import asdict

from bots import ABOUT, BOTS
from bots.choose import AnyGame
from domain.catalogue import Room
from domain.game import Lang
from service.accounts import CREATE, WEBHOOK
from service.matches import invitations, seats
from service.problems import Unknown
from service.store import KEPT
from service.talk import ERASABLE, LENGTH, LINES, MESSAGES, MUTES
from service.web import answers, game_schemas, inputs, limiting
from service.web.blueprint import Blueprint
from service.web.contract import Link, operation
from service.web.game_schemas import prefix_of
from service.web.middleware import BODY
from service.web.reply import asker, lang, reply, service
from service.web.routes import accounts
from service.webhooks import MOST as WEBHOOKS

blueprint = Blueprint("games", __name__, url_prefix="/api", description="What is played.")

UNKNOWN_GAME = {404: ("unknown-game",)}


SCHEMAS = "#/schemas/"
"""Where a game's schemas find each other in its answer."""


def summary(room: Room) -> answers.GameSummary:
    """Return a game as it stands in a list."""
    game = room.game
    return answers.GameSummary(game.slug, game.title, game.version, game.seats)


def names_of(game: AnyGame, pack: Any) -> dict[str, dict[str, dict[Lang, str]]]:
    """What the pieces of a pack are called, in each language, by their sort and by what moves and events call them."""
    spoken = {lang: game.names(pack, lang) for lang in game.title}
    first = next(iter(spoken.values()))
    return {
        sort: {piece: {lang: names[sort][piece] for lang, names in spoken.items()} for piece in pieces}
        for sort, pieces in first.items()
    }


def described(room: Room) -> answers.Game:
    """Return a game with its packs, the bots that play it, and the JSON schemas of its options, views, moves and
    events, and of the events of the match around it.
    """
    game = room.game
    own = game_schemas.of_game(game, SCHEMAS)
    around = game_schemas.of_matches(SCHEMAS, f"{prefix_of(game)}Move", own.options)
    return answers.Game(
        **asdict(summary(room)),
        bound=game.bound,
        packs=[answers.Pack(pack.name, pack.hash, names_of(game, pack.pack)) for pack in room.packs.values()],
        palette=game.palette,
        bots=[answers.BotKind(name, ABOUT[name]) for name in BOTS],
        options={"$ref": SCHEMAS + own.options},
        view={"$ref": SCHEMAS + own.view},
        moves=[{"$ref": SCHEMAS + name} for name in own.moves.values()],
        events={kind: {"$ref": SCHEMAS + name} for kind, name in (own.events | around.events).items()},
        schemas=own.parts | around.parts,
    )


@blueprint.route("/games")
class Games(MethodView):
    """The catalogue."""

    @operation(
        "listGames", links={"game": Link("getGame", "All of the first one.", {"game": "$response.body#/games/0/slug"})}
    )
    @blueprint.response(200, answers.Games)
    def get(self) -> Response:
        """The games that can be played here.

        Enough for a list; each game tells the rest of itself.
        """
        return reply(answers.Games([summary(room) for room in service().catalogue.rooms.values()]))


@blueprint.route("/games/<string:game>")
class Game(MethodView):
    """One game."""

    @operation("getGame", problems=UNKNOWN_GAME)
    @blueprint.response(200, answers.Game)
    def get(self, game: str) -> Response:
        """A game: its packs, its bots, its options with their bounds, its views, moves and events.

        Options, view, moves and events are JSON schemas; references in them are to `schemas`.
        """
        service().opener.refresh_packs()
        return reply(described(service().opener.room(game)))


@blueprint.route("/games/<string:game>/rules")
class Rules(MethodView):
    """The rule text."""

    @operation("getRules", problems=UNKNOWN_GAME)
    @blueprint.arguments(inputs.Lang(), location="query")
    @blueprint.response(200, {"type": "string"}, content_type="text/markdown")
    def get(self, said: dict[str, Any], game: str) -> Response:
        """The rules by clause, as Markdown.

        Problems name these clauses. In English where there is no text in the language asked for.
        """
        text = service().opener.room(game).rules(lang())
        return Response(text, content_type="text/markdown; charset=utf-8", headers={"Vary": "Accept-Language"})


@blueprint.route("/games/<string:game>/packs/<string:pack>")
class Pack(MethodView):
    """A pack's text."""

    @operation("getPack", problems={404: ("unknown-game", "unknown-pack")})
    @blueprint.response(200, {"type": "string"}, content_type="application/toml", headers=("Content-Location",))
    def get(self, game: str, pack: str) -> Response:
        """A pack, as it was printed, by its name or by its hash.

        By its hash it is also told where it is offered no more, but a match is played with it. It is TOML, byte by byte
        what the hash is of; `Content-Location` says the hash.
        """
        service().opener.refresh_packs()
        room = service().opener.room(game)
        # what is named like another one's hash is found by its own
        if (found := room.pack_of(pack) or room.packs.get(pack)) is None:
            raise Unknown("unknown-pack", pack=pack, known=tuple(room.packs))
        answer = Response(found.data, content_type="application/toml")
        answer.headers["Content-Location"] = f"/api/games/{room.game.slug}/packs/{found.hash}"
        return answer


def _talk() -> dict[str, int]:
    """How much may be said at a table."""
    return {
        "characters": LENGTH,
        "lines": LINES,
        "messages": MESSAGES,
        "mutes": MUTES,
        "erasable_hours": int(ERASABLE.total_seconds()) // 3600,
    }


@blueprint.route("/limits")
class Limits(MethodView):
    """Limits as data."""

    @operation("getLimits")
    @blueprint.response(200, answers.Limits)
    def get(self) -> Response:
        """What the service allows, and how much of it is left to you: null where you are not counted.

        Of each of the `rates` so much may be used at once; what was used comes back evenly, all of it within so many
        seconds.
        """
        mine = asker().player if asker().may(CREATE) else ""
        used = service().opener.quota.opened(mine) if mine else 0
        most = service().opener.quota.most
        told = service().limits.told(limiting.asking())
        answer = reply(
            answers.Limits(
                body_bytes=BODY,
                page={
                    "matches": {"default": inputs.PAGE, "most": inputs.MOST},
                    "events": {"default": inputs.MOST, "most": inputs.EVENTS},
                },
                wait_seconds=inputs.WAIT,
                waiting=service().bells.most,
                name_characters=inputs.NAME,
                sittings={"player": seats.A_PLAYER, "seat": seats.A_SEAT},
                invitations=invitations.MOST,
                accounts=accounts.limits(),
                bot_moves_per_minute=service().config.bot_moves,
                talk=_talk(),
                idempotency_key_hours=int(KEPT.total_seconds()) // 3600,
                rates=[answers.Rate(**one) for one in told["rates"]],
                at_once=[answers.Room(**one) for one in told["at_once"]],
                quotas=[
                    answers.Room("open-matches", "account", most, max(0, most - used) if mine else None),
                    answers.Room("webhooks", "account", WEBHOOKS, _webhooks_left()),
                ],
            )
        )
        # of this address, which no cache knows
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _webhooks_left() -> int | None:
    """How many more the asker may make; None where that is not theirs to know."""
    return max(0, WEBHOOKS - len(service().webhooks.all(asker()))) if asker().may(WEBHOOK) else None
