"""Players, their tokens, sessions and turns; their events and profiles."""

from __future__ import annotations

from itertools import islice
from typing import Any

from flask import Response, g
from msgspec.structs import asdict

from service.accounts import ACCOUNT, GRANTED, PLAY, READ, Sessions, Signing
from service.limits import STREAMS
from service.matches import answers
from service.store import Player, people
from service.streams import Item, PlayerLog, PlayerStream
from service.streams import MyEvents as Page
from service.web import account_answers, account_inputs, askers, inputs
from service.web.answers import forms_of
from service.web.askers import asking, token_said
from service.web.contract import UNCHANGED, Success
from service.web.reply import Blueprint, asker, lang, once, reply, service, unkept
from service.web.waiting import asker_of_request, flow, form_wanted, of_turns, patiently

PLAYERS = Blueprint("players", "Players and tokens.")

SESSIONS = Blueprint("sessions", "Sessions.")
PROFILES = Blueprint("profiles", "Profiles.")
HAPPENINGS = Blueprint("happenings", "Your events.")


def own(player: str) -> list[account_answers.OwnResults]:
    """Return a player's results by game and number of seats."""
    results = service().statistics.of_player(player)
    return [account_answers.OwnResults.of(of, game=of.game, seats=of.seats) for of in results]


@PLAYERS.operation(
    "POST /players",
    201,
    body=account_inputs.SignUp,
    problems={403: ("pass-needed", "pass-not-good", "sign-up-closed"), 409: ("login-taken", "token-already-issued")},
)
def sign_up(body: dict[str, Any]) -> account_answers.NewPlayer:
    """Sign up. The answer contains the player's token, which is shown only here.

    A repeated request with the same key is answered with 409 `token-already-issued`. If the answer may get lost,
    send a `password` and a `login` too, and sign in with these. A mail that asks to confirm it is sent to `email`.
    If people sign up by invitation, the request needs a `pass`.
    """
    player, token = service().sign_ups.sign_up(asker(), Signing(**body), lang(), once=once())
    return account_answers.NewPlayer(**asdict(player), token=token)


@PLAYERS.operation("GET /me", scopes=GRANTED)
def get_me() -> Player:
    """Return the player with this token.

    Nobody else sees the mail address.
    """
    return service().accounts.player(asker())


@PLAYERS.operation("GET /me/lessons", scopes=(READ, PLAY))
def list_lessons() -> account_answers.Learnt:
    """List the games whose lesson you have gone through.

    Nobody else sees this.
    """
    return account_answers.Learnt(service().accounts.learnt(asker()))


@PLAYERS.operation("POST /me/lessons", body=inputs.LessonLearnt, problems={404: ("unknown-game",)})
def learn(body: dict[str, Any]) -> None:
    """Note that you have gone through the lesson of a game.

    Pages don't offer it to you any more, in whichever browser. A second request changes nothing.
    """
    service().accounts.learn(asker(), service().opener.room(body["game"]).game.slug, once=once())


@PLAYERS.operation("DELETE /me", body=account_inputs.Goodbye, problems={422: ("not-confirmed",)})
def erase_me(body: dict[str, Any]) -> None:
    """Erase your account and those of your bots. This can't be undone.

    Your name, address, password, tokens and messages are deleted. Your matches stay, with an erased player on your
    seat. You resign from those that are running.
    """
    service().farewell.say(asker(), body["confirm"], body["password"])
    askers.delete_cookie()


@PLAYERS.operation("GET /me/tokens", scopes=(ACCOUNT,))
def list_tokens() -> account_answers.Tokens:
    """List your tokens, without their secrets.

    To manage tokens, use the token of sign-up or a session (scope `account`).
    """
    return account_answers.Tokens(service().accounts.tokens(asker()))


@PLAYERS.operation(
    "POST /me/tokens",
    201,
    body=account_inputs.TokenWanted,
    problems={409: ("token-already-issued",), 422: ("already-past",)},
)
def create_token(body: dict[str, Any]) -> account_answers.NewToken:
    """Make one more token; it is shown only here.

    It can do only what the token of this request can, and can't manage tokens. Give each script a token of its own,
    with only the scopes that it needs.
    """
    kept, token = service().accounts.issue(asker(), **body, once=once())
    return account_answers.NewToken(**asdict(kept), token=token)


@PLAYERS.operation("DELETE /me/tokens/<token_id>")
def revoke_token(token_id: str) -> None:
    """Revoke a token; it may be the one of this request.

    From then on every process of the service refuses it.
    """
    service().accounts.revoke(asker(), token_id)


@PLAYERS.operation(
    "GET /me/turns",
    Success(200, answers.Turns, headers=("ETag",)),
    UNCHANGED,
    scopes=(READ, PLAY),
    query=inputs.TurnsQuery,
)
def list_turns(query: dict[str, Any]) -> Response:
    """List your turns, the soonest deadline first.

    With `wait`, the answer comes when you have a turn or, with If-None-Match, when the list has changed; at the
    latest when the time is up. If too many requests wait already, the answer is 429, with
    `Retry-After`.
    """
    return patiently(
        lambda: service().views.turns(asker()), query["wait"], of_turns(asker().player), lambda turns: turns
    )


def who(player: Player) -> people.Who:
    """Return the player as others see them."""
    return people.Who(player.id, player.name, player.kind)


@SESSIONS.operation(
    "POST /sessions",
    Success(201, account_answers.Session),
    body=account_inputs.SessionWanted,
    problems={401: ("login-refused",), 409: ("token-already-issued",)},
)
def log_in(body: dict[str, Any]) -> Response:
    """Sign in for 30 days. The answer contains a token or, if `cookie` is true, sets a cookie.

    The token can do the same as that of sign-up. A refusal does not say whether the account or the password is
    wrong.
    """
    if body["cookie"]:
        askers.check_origin()
    player, kept, token = service().sessions.begin(asker(), body["login"], body["password"], once=once())
    csrf, shown = (askers.csrf(token), None) if body["cookie"] else (None, token)
    if body["cookie"]:
        askers.set_cookie(token, Sessions.LASTS)
    return unkept(reply(account_answers.Session(who(player), csrf, kept.expires, shown), 201))


@SESSIONS.operation("GET /sessions", scopes=GRANTED)
def get_session() -> account_answers.SessionNow:
    """Return the player who is signed in.

    With a cookie, the answer also contains the `X-CSRF-Token` that is needed to change something.
    """
    player, session = service().accounts.player(asker()), g.get("session")
    return account_answers.SessionNow(who(player), askers.csrf(session) if session else None)


@SESSIONS.operation("DELETE /sessions", query=account_inputs.SessionQuery)
def log_out(query: dict[str, Any]) -> None:
    """Sign out: revoke the token or cookie of this request.

    With `everywhere`, all your other sessions end too.
    """
    service().sessions.end(asker(), token_said(), is_all=query["everywhere"])
    askers.delete_cookie()


@PROFILES.operation("GET /players/<player_id>")
def get_player(player_id: str) -> account_answers.Profile:
    """Return a player with their results by game and number of seats, and their opponents.

    The opponents are those of the newest 200 matches. Only public matches count that were opened here and played to
    their end; forks don't count.
    """
    player = service().accounts.find(player_id)
    return account_answers.Profile(
        **asdict(who(player)),
        owner=service().profiles.owner(player),
        since=player.created,
        games=own(player.id),
        against=service().profiles.rivals(player),
    )


@PROFILES.operation("GET /players/<player_id>/matches", query=inputs.PageQuery)
def list_player_matches(query: dict[str, Any], player_id: str) -> account_answers.Matches:
    """List a player's finished public matches, the newest first.

    A match appears some seconds after it ends.
    """
    player = service().accounts.find(player_id)
    return account_answers.Matches(*service().profiles.page(player, query["limit"], query["cursor"]))


@HAPPENINGS.operation(
    "GET /me/events",
    Success(200, Page, headers=("X-Accel-Buffering",), also=forms_of(Item)),
    scopes=(READ, PLAY),
    query=inputs.MyEventsQuery,
    headers=inputs.MyEventsHeaders,
)
def list_my_events(query: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Return everything that happens in the matches where you sit, in one order.

    These are events as you may read them, your turns, and invitations.

    There are three forms, by `Accept`: a page (`application/json`), or a stream, in lines of JSON
    (`application/x-ndjson`) or Server-Sent Events (`text/event-stream`). Without a cursor it begins now, with an
    item for the present state; with one, as `after` or `Last-Event-ID`, it continues from there. A stream has a
    sign of life every 14 seconds. Its last line has the member `end`.
    """
    cursor = headers["last"] or query["after"]
    here, words = service(), lang() if query["texts"] else None
    log = PlayerLog(here.recorder, here.views, here.seats, here.signer, asker(), words)
    begun = log.begin(cursor)
    if (form := form_wanted()) is not None:
        asked = asker_of_request()
        return flow(
            form, lambda: PlayerStream(here.streams, log, begun, form, asked, here.limits.enter(STREAMS, asking()))
        )
    items = [*begun, *islice(log.look(set(), query["limit"]), query["limit"])]
    is_cut = log.has_more or len(items) >= query["limit"]
    return reply(Page(items, items[-1].cursor if items and is_cut else log.cursor, is_cut))
