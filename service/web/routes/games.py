"""The games: their rules and packs, the limits of the service, and the statistics of finished matches."""

from __future__ import annotations

from typing import Any

from flask import Response
from msgspec.structs import asdict

from bots import ABOUT, BOTS
from bots.choose import AnyGame
from domain.catalogue import Room
from domain.game import Lang
from domain.scene import style_of
from service.accounts import CREATE, GRANTED, WEBHOOK, OwnedBots, names, passwords
from service.matches import seats
from service.problems import Unknown
from service.store import KEPT, Statistics, people
from service.talk import ERASABLE, LENGTH, LINES, MESSAGES, MUTES
from service.web import account_answers, answers, askers, inputs
from service.web.account_answers import BotResults, SeatResults
from service.web.contract import Success
from service.web.contract import games as game_schemas
from service.web.head import BODY
from service.web.reply import Blueprint, asker, lang, reply, service, unkept
from service.web.routes.players import own
from service.webhooks import MOST as WEBHOOKS

GAMES = Blueprint("games", "Games.")

SCHEMAS = "#/schemas/"
"""The beginning of references between a game's schemas in its answer."""

STATISTICS = Blueprint("statistics", "Statistics.")


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
    game, prefix = room.game, game_schemas.prefix_of(room.game)
    own = game_schemas.of_game(game, SCHEMAS)
    around = game_schemas.of_matches(SCHEMAS, f"{prefix}Move", f"{prefix}Options")
    return answers.Game(
        **asdict(summary(room)),
        bound=game.bound,
        packs=[answers.Pack(pack.name, pack.hash, names_of(game, pack.pack)) for pack in room.packs.values()],
        palette=game.palette,
        style=style_of(game),
        bots=[answers.BotKind(name, ABOUT[name]) for name in BOTS],
        options={"$ref": f"{SCHEMAS}{prefix}Options"},
        view={"$ref": f"{SCHEMAS}{prefix}View"},
        moves=own.parts[f"{prefix}Move"]["oneOf"],
        events={kind: {"$ref": SCHEMAS + name} for kind, name in (own.events | around.events).items()},
        schemas=own.parts | around.parts,
    )


@GAMES.operation("GET /games")
def list_games() -> answers.Games:
    """List the games that can be played here.

    `GET /api/games/{game}` returns more of each.
    """
    return answers.Games([summary(room) for room in service().catalogue.rooms.values()])


@GAMES.operation("GET /games/<game>")
def get_game(game: str) -> answers.Game:
    """Return a game: its packs and bots, and the schemas of its options, views, moves and events.

    Their references point into `schemas`.
    """
    service().opener.refresh_packs()
    return described(service().opener.room(game))


@GAMES.operation("GET /games/<game>/rules", Success(200, {"type": "string"}, kind="text/markdown"), query=inputs.Lang)
def get_rules(query: dict[str, Any], game: str) -> Response:
    """Return the game's rules by clause, as Markdown.

    Problems name these clauses. If there is no text in the requested language, it is in English.
    """
    text = service().opener.room(game).rules(lang())
    return Response(text, content_type="text/markdown; charset=utf-8", headers={"Vary": "Accept-Language"})


@GAMES.operation(
    "GET /games/<game>/packs/<pack>",
    Success(200, {"type": "string"}, headers=("Content-Location",), kind="application/toml"),
)
def get_pack(game: str, pack: str) -> Response:
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


TALK = {
    "characters": LENGTH,
    "lines": LINES,
    "messages": MESSAGES,
    "mutes": MUTES,
    "erasable_hours": int(ERASABLE.total_seconds()) // 3600,
}
"""The limits of messages at a table."""


@GAMES.operation("GET /limits", Success(200, answers.Limits))
def get_limits() -> Response:
    """Return the limits of the service, and how much of each is left for you.

    `left` is null if you are not counted. Of each of the `rates`, `most` may be used at once; what was used becomes
    free again evenly, all of it in `seconds`.
    """
    config, limits = service().config, service().limits.told(askers.asking())
    matches = webhooks = None
    if asker().may(CREATE) and (mine := asker().player):
        matches = max(0, config.limits.open_matches - sum(service().accounts.people.counted(people.OPENED, mine)))
    if asker().may(WEBHOOK):
        webhooks = max(0, WEBHOOKS - len(service().webhooks.all(asker())))
    found = reply(
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
            accounts=account_answers.AccountLimits(
                sign_up=config.sign_up,
                passes=config.passes,
                bots=OwnedBots.MOST,
                password_characters=account_answers.Characters(passwords.LEAST, passwords.MOST),
                login_characters=account_answers.Characters(names.LOGIN_LEAST, names.LOGIN_MOST),
            ),
            bot_moves_per_minute=config.bot_moves,
            talk=TALK,
            idempotency_key_hours=int(KEPT.total_seconds()) // 3600,
            rates=[answers.Rate(**each) for each in limits["rates"]],
            at_once=[answers.Room(**each) for each in limits["at_once"]],
            quotas=[
                answers.Room("open-matches", "account", config.limits.open_matches, matches),
                answers.Room("webhooks", "account", WEBHOOKS, webhooks),
            ],
        )
    )
    return unkept(found)  # the answer depends on the address, which caches ignore


def tables(statistics: Statistics, game: str) -> list[account_answers.PlayedTable]:
    """Return a game's statistics by number of seats."""
    chairs, bots = statistics.by_kind(game, "seat"), statistics.by_kind(game, "bot")
    return [
        account_answers.PlayedTable(
            seats=size.seats,
            matches=size.matches,
            moves=account_answers.MoveNumbers(size.least, size.most, round(size.moves / size.matches, 3)),
            by_seat=sorted(
                (SeatResults.of(of, seat=int(of.who.removeprefix("seat:"))) for of in chairs if of.seats == size.seats),
                key=lambda row: row.seat,
            ),
            by_bot=[BotResults.of(of, bot=of.who.removeprefix("bot:")) for of in bots if of.seats == size.seats],
        )
        for size in statistics.played(game)
    ]


@STATISTICS.operation("GET /games/<game>/statistics")
def get_game_statistics(game: str) -> account_answers.GameStatistics:
    """Return the statistics of a game's matches; a match is counted some seconds after it ends.

    Only public matches count that were opened here and played to their end; forks don't count. The result of a seat
    whose player resigned is the player's, and never a first one, whoever played on.
    """
    slug = service().opener.room(game).game.slug
    return account_answers.GameStatistics(slug, tables(service().statistics, slug))


@STATISTICS.operation("GET /me/statistics", scopes=GRANTED)
def get_my_statistics() -> account_answers.OwnStatistics:
    """Return your results by game and number of seats.

    The same matches count as for the statistics of games.
    """
    player = service().accounts.player(asker())
    return account_answers.OwnStatistics(own(player.id))
