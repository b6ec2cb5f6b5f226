"""Messages between the players at a table."""

from __future__ import annotations

from typing import Any

from service.accounts import ADMIN, PLAY, READ
from service.problems import Malformed
from service.signing import NotOurs
from service.store import talk as kept
from service.talk import Page
from service.web import inputs
from service.web.answers import Mutes, Reports
from service.web.reply import Blueprint, asker, once, service

TALK = Blueprint("talk", "Messages.")
PURPOSE = "reports"
NOT_HEARD = {403: ("talk-of-seats",), 409: ("no-talk",)}


def place_of(cursor: str | None) -> kept.Place:
    """Return the place at which a page of reports begins. Raises Malformed."""
    if cursor is None:
        return kept.FIRST
    try:
        at, match_id, number, reporter = service().signer.read(PURPOSE, cursor)
    except NotOurs:
        raise Malformed("malformed-cursor") from None
    return at, match_id, number, reporter


@TALK.operation(
    "GET /matches/<match_id>/talk", scopes=(READ, PLAY, ADMIN), query=inputs.TalkQuery, is_open=True, problems=NOT_HEARD
)
def list_messages(query: dict[str, Any], match_id: str) -> Page:
    """List the last messages at the table or, with `since`, those that were sent or erased after that.

    The match's `talk` says who may read them. You don't see messages of players whom you have muted.
    """
    talk, limit = service().talk, query["limit"]
    if query["since"] is not None:
        return talk.since(match_id, asker(), query["since"], limit)
    return talk.newest(match_id, asker(), query["before"], limit)


@TALK.operation(
    "POST /matches/<match_id>/talk",
    201,
    body=inputs.MessageWanted,
    problems={403: ("not-seated", "talk-of-seats"), 409: ("busy", "no-talk", "talk-full")},
)
def say(body: dict[str, Any], match_id: str) -> kept.Message:
    """Send a message from your seat.

    You can send messages before the start, during play and after the end, with 500 characters at most.
    """
    return service().talk.say(asker(), match_id, body["text"], once=once())


@TALK.operation(
    "DELETE /matches/<match_id>/talk/<int:message>",
    problems={
        403: ("not-your-message", "talk-of-seats"),
        404: ("unknown-message",),
        409: ("busy", "no-talk", "too-late-to-erase"),
    },
)
def erase_message(match_id: str, message: int) -> None:
    """Erase a message of yours, within 24 hours.

    The operator can erase any message at any time. No player can read it any more.
    """
    service().talk.erase(asker(), match_id, message)


@TALK.operation(
    "POST /matches/<match_id>/talk/<int:message>/report",
    optional_body=inputs.ReportWanted,
    problems={**NOT_HEARD, 404: ("unknown-message",)},
)
def report_message(body: dict[str, Any], match_id: str, message: int) -> None:
    """Report a message to the operator.

    Only the operator sees who has reported it.
    """
    service().talk.report(asker(), match_id, message, body["reason"] or "", once=once())


@TALK.operation("DELETE /matches/<match_id>/talk/<int:message>/report")
def settle_report(match_id: str, message: int) -> None:
    """Delete the reports of a message, as the operator.

    The message stays as it is.
    """
    service().talk.settle(asker(), match_id, message)


@TALK.operation("GET /reports", scopes=(ADMIN,), query=inputs.PageQuery)
def list_reports(query: dict[str, Any]) -> Reports:
    """List the messages that players have reported, the oldest report first.

    Only the operator can see them.
    """
    page, more = service().talk.reports(asker(), place_of(query["cursor"]), query["limit"])
    if not more:
        return Reports(page, None)
    last = page[-1]
    return Reports(page, service().signer.sign(PURPOSE, [last.at, last.match, last.number, last.by.id]))


@TALK.operation("GET /me/mutes", scopes=(READ, PLAY))
def list_mutes() -> Mutes:
    """List the players whom you have muted.

    Nobody else sees this.
    """
    return Mutes(service().talk.mutes(asker()))


@TALK.operation(
    "POST /me/mutes",
    body=inputs.MuteWanted,
    problems={404: ("unknown-player",), 409: ("too-many-mutes",), 422: ("mute-yourself",)},
)
def mute_player(body: dict[str, Any]) -> None:
    """Mute a player: you don't see their messages any more, at any table.

    They don't learn of it.
    """
    service().talk.mute(asker(), body["player"], once=once())


@TALK.operation("DELETE /me/mutes/<player>")
def unmute_player(player: str) -> None:
    """Unmute a player.

    You see their messages again, also those that they sent meanwhile.
    """
    service().talk.unmute(asker(), player)
