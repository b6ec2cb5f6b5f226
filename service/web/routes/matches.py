"""Matches: the lobby, opening a match, looking at it, its seats and link; its rematch, forks, and breaking it off."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Response
from msgspec.structs import asdict

from service.accounts import BOT, CREATE, PLAY, READ
from service.matches import ForkWanted, MatchWanted, answers, rows
from service.store import Wanted
from service.web import inputs, match_inputs
from service.web.answers import Link as MatchLink
from service.web.answers import Lobby
from service.web.contract import UNCHANGED, Success
from service.web.contract.problems import OPTIONS
from service.web.reply import Blueprint, asker, lang, once, origin, reader, reply, service
from service.web.waiting import of_match, patiently

MATCHES = Blueprint("matches", "Matches.")

LOOKING: dict[str, Any] = {"scopes": (READ, PLAY, BOT), "is_open": True}
"""What operations declare by which one looks at a match."""

NOT_SEATED = {
    403: ("seat-reserved",),
    404: ("unknown-seat",),
    409: ("already-seated", "no-free-seat", "not-open", "seat-taken", "seated-too-often", "seats-taken-too-often"),
}

NEW_MATCH = Success(201, answers.NewMatch, headers=("Location",))

LINKS = Blueprint("links", "Links.", "/api/matches/<match_id>")
ABORT = Blueprint("abort", "Breaking off.", "/api/matches/<match_id>")
FORKS = Blueprint("forks", "Forks.", "/api/matches/<match_id>")
REMATCH = Blueprint("rematch", "Rematches.", "/api/matches/<match_id>")


def opened(match_id: str, status: int = 201) -> Response:
    """Return the answer with a match that was just opened, its first event and the receipt for it."""
    look = service().views.look(match_id, reader())
    first = service().views.events(look, 0, 1, lang()).events[0]
    receipt = service().views.receipt(match_id, 1)
    match = asdict(service().views.match(look, lang()))
    answer = reply(answers.NewMatch(**match, opening=first, receipt=receipt), status)
    answer.headers["Location"] = f"/api/matches/{match_id}"
    return answer


def changed(match_id: str, version: int | None, *, has_left: bool = False) -> answers.ChangedMatch:
    """Return the answer with a match that was just changed.

    Shape:   `version`: that of the event for the receipt, if any; `has_left`: the asker had a seat, and so knows of a
             match that is found by a link, also without the link.
    """
    who, entry = reader(), service().lobby.find(match_id) if has_left else None
    if entry is not None and entry.link is not None:
        who = msgspec.structs.replace(who, link=(match_id, entry.link))
    look = service().views.look(match_id, who)
    receipt = None if version is None else service().views.receipt(match_id, version)
    return answers.ChangedMatch(**asdict(service().views.match(look, lang())), receipt=receipt)


@MATCHES.operation(
    "GET /matches", scopes=(READ,), query=inputs.LobbyQuery, is_open=True, problems={401: ("token-missing",)}
)
def list_matches(query: dict[str, Any]) -> Lobby:
    """List the matches that you may know of, the newest first; with `since`, those that ended last first.

    Private matches, and those with a link, are listed only for their players, their opener and invited players.
    """
    own = ("game", "status", "mine", "player", "result", "how", "since", "speed", "seats", "limit")
    wanted = Wanted(free=query["seat"] == "free", **{name: query[name] for name in own})
    page, more = service().lobby.listed(asker(), wanted, query["cursor"])
    return Lobby([rows.summary(entry) for entry in page], more)


@MATCHES.operation(
    "POST /matches",
    NEW_MATCH,
    body=match_inputs.MatchWanted,
    problems={
        404: ("unknown-game", "unknown-player"),
        409: ("too-many-invitations", "too-many-open"),
        422: ("malformed-options", "player-twice", "unknown-bot", "unknown-pack", *OPTIONS),
    },
)
def open_match(body: dict[str, Any]) -> Response:
    """Open a match.

    Bots sit down at once; everybody else, also you, takes a seat with `POST …/seats`. The match starts when all
    seats are taken.
    """
    return opened(service().opener.open(asker(), MatchWanted(**body), once=once()))


@MATCHES.operation(
    "GET /matches/<match_id>",
    Success(200, answers.Match, headers=("ETag",)),
    UNCHANGED,
    **LOOKING,
    query=inputs.WaitQuery,
)
def get_match(query: dict[str, Any], match_id: str) -> Response:
    """Return the match as you may see it now.

    With `wait`, the answer comes when it differs from the one whose ETag is in If-None-Match or, without that
    header, when the match changes or it is your turn; at the latest when the time is up. With `until=turn` too, it
    comes only when it is your turn or the match is over. If too many requests wait already, the answer is
    429, with `Retry-After`.
    """
    return patiently(
        lambda: service().views.look(match_id, asker(), query["seat"]),
        query["wait"],
        of_match(lang(), is_for_turn=query["until"] == inputs.TURN),
        lambda look: service().views.match(look, lang(), scene=query["scene"]),
    )


@MATCHES.operation(
    "POST /matches/<match_id>/seats", query=inputs.LinkQuery, optional_body=inputs.SeatWanted, problems=NOT_SEATED
)
def take_seat(query: dict[str, Any], body: dict[str, Any], match_id: str) -> answers.ChangedMatch:
    """Take a seat; the match starts when all seats are taken.

    If you send a nonce, the service alone can't choose the cards. The receipt is for the last event of this request.
    """
    return changed(match_id, service().seats.take(asker(), match_id, body["seat"], body["nonce"], once=once()))


@MATCHES.operation("DELETE /matches/<match_id>/seats", problems={409: ("not-open", "not-seated", "seat-free")})
def leave_seat(match_id: str) -> answers.ChangedMatch:
    """Leave your seat before the match starts.

    If the seat was kept for you, you may take it again.
    """
    return changed(match_id, service().seats.leave(asker(), match_id), has_left=True)


@MATCHES.operation("GET /matches/<match_id>/bots", scopes=(BOT,))
def list_bot_decisions(match_id: str) -> answers.BotDecisions:
    """List the open decisions of the match's bots; only for those who play them.

    Other players learn no more than what `GET …/{match_id}` shows them.
    """
    return service().playing.bots(match_id, asker())


def told(match_id: str, token: str) -> MatchLink:
    """Return an answer with the link and its token."""
    return MatchLink(token, f"{origin()}/api/matches/{match_id}?link={token}")


@LINKS.operation("GET /link", scopes=(READ, PLAY, CREATE), query=inputs.LinkQuery, problems={409: ("no-link",)})
def get_link(query: dict[str, Any], match_id: str) -> MatchLink:
    """Return the match's link; whoever has it may look on and sit down.

    Everybody who may look at the match can get it.
    """
    return told(match_id, service().links.token(match_id, asker()))


@LINKS.operation("POST /link", optional_body=inputs.Nothing, problems={403: ("not-opener",), 409: ("no-link",)})
def renew_link(match_id: str) -> MatchLink:
    """Make a new link to a match that you opened.

    The old link is void then.
    """
    return told(match_id, service().links.renew(asker(), match_id, once=once()))


@ABORT.operation(
    "POST /abort",
    optional_body=inputs.Nothing,
    problems={403: ("not-creator", "not-seated"), 409: ("match-aborted", "match-finished", "resigned")},
)
def agree_to_abort(match_id: str) -> answers.ChangedMatch:
    """Agree to break the match off. It ends, and all secrets open, once every player at the table has agreed.

    Bots always agree. Players who have resigned, or for whom a bot plays, are not asked: if only such a player had not
    agreed, the match ends as they leave. Before the start, the player who opened the match can break it off alone; the
    operator always can.
    """
    return changed(match_id, service().ending.abort(asker(), match_id, once=once()))


@ABORT.operation("DELETE /abort", problems={403: ("not-seated",), 409: ("match-aborted", "match-finished")})
def withdraw_abort(match_id: str) -> answers.ChangedMatch:
    """Withdraw your agreement to break the match off.

    If everybody has agreed already, the match stays broken off.
    """
    service().ending.take_back(asker(), match_id)
    return changed(match_id, None)


@FORKS.operation(
    "POST /fork",
    NEW_MATCH,
    query=inputs.LinkQuery,
    body=match_inputs.ForkWanted,
    problems={
        404: ("unknown-player",),
        409: ("fork-point", "match-not-over", "parent-private", "too-many-invitations", "too-many-open"),
        422: ("player-twice", "seats", "unknown-bot"),
    },
)
def fork_match(query: dict[str, Any], body: dict[str, Any], match_id: str) -> Response:
    """Open a match that continues this one, which must be over, from a version, with the same hidden cards.

    Somebody must have been asked for a move at that version; if not, `nearest` in the problem names such versions.
    Bots sit down at once; everybody else takes a seat, and the match starts at the position of that version.
    """
    return opened(service().opener.fork(asker(), match_id, ForkWanted(**body), once=once()))


@REMATCH.operation(
    "POST /rematch",
    NEW_MATCH,
    Success(200, answers.NewMatch, headers=("Location",)),
    optional_body=inputs.Nothing,
    problems={403: ("not-seated",), 409: ("not-invited", "not-over", "too-many-invitations", "too-many-open")},
)
def open_rematch(match_id: str) -> Response:
    """Open the rematch of a match that is over, or find the one that another player has opened (200).

    It has the same game, pack, options, clock, visibility, players and bots. Everybody moves one seat forward, and
    the first one moves to the last seat. Bots sit down at once; the seats of players are kept for them, and each
    must accept. If you have declined yours and may not see the rematch, you are refused (`not-invited`).
    """
    rematch, is_new = service().opener.rematch(asker(), match_id, once=once())
    return opened(rematch, 201 if is_new else 200)
