"""The games, their rules and packs, and the limits of the service."""

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
from service.matches import seats
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

blueprint = Blueprint("games", __name__, url_prefix="/api", description="Games.")

UNKNOWN_GAME = {404: ("unknown-game",)}


SCHEMAS = "#/schemas/"
"""The beginning of references between a game's schemas in its answer."""


def summary(room: Room) -> answers.GameSummary:
    """Return a game as the list shows it."""
    game = room.game
    return answers.GameSummary(game.slug, game.title, game.version, game.seats)


def names_of(game: AnyGame, pack: Any) -> dict[str, dict[str, dict[Lang, str]]]:
    """Return the names of a pack's pieces in each language, by kind, and by the value that moves and events have."""
    spoken = {lang: game.names(pack, lang) for lang in game.title}
    first = next(iter(spoken.values()))
    return {
        sort: {piece: {lang: names[sort][piece] for lang, names in spoken.items()} for piece in pieces}
        for sort, pieces in first.items()
    }


def described(room: Room) -> answers.Game:
    """Return a game with its packs, bots and JSON schemas, those of a match's own events included."""
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
        "listGames", links={"game": Link("getGame", "The first game.", {"game": "$response.body#/games/0/slug"})}
    )
    @blueprint.response(200, answers.Games)
    def get(self) -> Response:
        """List the games that can be played here.

        `GET /api/games/{game}` returns more of each.
        """
        return reply(answers.Games([summary(room) for room in service().catalogue.rooms.values()]))


@blueprint.route("/games/<string:game>")
class Game(MethodView):
    """One game."""

    @operation("getGame", problems=UNKNOWN_GAME)
    @blueprint.response(200, answers.Game)
    def get(self, game: str) -> Response:
        """Return a game: its packs and bots, and the schemas of its options, views, moves and events.

        Their references point into `schemas`.
        """
        service().opener.refresh_packs()
        return reply(described(service().opener.room(game)))


@blueprint.route("/games/<string:game>/rules")
class Rules(MethodView):
    """The rules of a game."""

    @operation("getRules", problems=UNKNOWN_GAME)
    @blueprint.arguments(inputs.Lang(), location="query")
    @blueprint.response(200, {"type": "string"}, content_type="text/markdown")
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Return the game's rules by clause, as Markdown.

        Problems name these clauses. If there is no text in the requested language, it is in English.
        """
        text = service().opener.room(game).rules(lang())
        return Response(text, content_type="text/markdown; charset=utf-8", headers={"Vary": "Accept-Language"})


@blueprint.route("/games/<string:game>/packs/<string:pack>")
class Pack(MethodView):
    """A pack of a game."""

    @operation("getPack", problems={404: ("unknown-game", "unknown-pack")})
    @blueprint.response(200, {"type": "string"}, content_type="application/toml", headers=("Content-Location",))
    def get(self, game: str, pack: str) -> Response:
        """Return a pack by its name or hash, as TOML.

        A pack that is no longer offered can still be found by its hash, if a match is played with it. The hash is that
        of the answer's bytes; `Content-Location` contains it.
        """
        service().opener.refresh_packs()
        room = service().opener.room(game)
        # a hash counts before a name, in case a pack has the name of another one's hash
        if (file := room.pack_of(pack) or room.packs.get(pack)) is None:
            raise Unknown("unknown-pack", pack=pack, known=tuple(room.packs))
        answer = Response(file.data, content_type="application/toml")
        answer.headers["Content-Location"] = f"/api/games/{room.game.slug}/packs/{file.hash}"
        return answer


def _talk() -> dict[str, int]:
    """Return the limits of messages at a table."""
    return {
        "characters": LENGTH,
        "lines": LINES,
        "messages": MESSAGES,
        "mutes": MUTES,
        "erasable_hours": int(ERASABLE.total_seconds()) // 3600,
    }


@blueprint.route("/limits")
class Limits(MethodView):
    """The limits of the service."""

    @operation("getLimits")
    @blueprint.response(200, answers.Limits)
    def get(self) -> Response:
        """Return the limits of the service, and how much of each is left for you.

        `left` is null if you are not counted. Of each of the `rates`, `most` may be used at once; what was used becomes
        free again evenly, all of it in `seconds`.
        """
        mine = asker().player if asker().may(CREATE) else ""
        used = service().opener.quota.opened(mine) if mine else 0
        most = service().opener.quota.most
        limits = service().limits.told(limiting.asking())
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
                invitations=seats.MOST_INVITED,
                accounts=accounts.limits(),
                bot_moves_per_minute=service().config.bot_moves,
                talk=_talk(),
                idempotency_key_hours=int(KEPT.total_seconds()) // 3600,
                rates=[answers.Rate(**each) for each in limits["rates"]],
                at_once=[answers.Room(**each) for each in limits["at_once"]],
                quotas=[
                    answers.Room("open-matches", "account", most, max(0, most - used) if mine else None),
                    answers.Room("webhooks", "account", WEBHOOKS, _webhooks_left()),
                ],
            )
        )
        # the answer depends on the address, which caches ignore
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _webhooks_left() -> int | None:
    """Return how many more webhooks the asker may make; None if their token may not make any."""
    return max(0, WEBHOOKS - len(service().webhooks.all(asker()))) if asker().may(WEBHOOK) else None
