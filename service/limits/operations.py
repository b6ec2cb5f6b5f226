"""The table of what is limited: by which limits each operation is counted, whether a program, a page or a mail asks.

Every operation of the contract that changes something stands here, by its id. Those that nobody can repeat to any
effect, and those of the house itself, stand in `FREE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from service.limits.settings import (
    DEEDS,
    INVITATIONS,
    LETTERS,
    LOGINS,
    MOVES,
    OPENINGS,
    ORDERS,
    PINGS,
    SETTINGS,
    SIGN_UPS,
    SITTINGS,
    TALK,
    TOKENS,
)


class Counted(NamedTuple):
    """By which limits an operation is counted."""

    asking: tuple[str, ...]
    """Once, for whoever asks, before anything is looked up."""
    said: tuple[str, ...] = ()
    """And then by what the request says: whom it names, or how many."""


def _each(limit: str, *operations: str) -> dict[str, Counted]:
    return {one: Counted((limit,)) for one in operations}


LIMITED: Mapping[str, Counted] = {
    "signUp": Counted((SIGN_UPS,), (LETTERS,)),
    **{one: Counted((), (LOGINS,)) for one in ("logIn", "setPassword", "setLogin", "recover", "eraseMe")},
    "setEmail": Counted((), (LOGINS, LETTERS)),
    "askRecovery": Counted((), (LETTERS,)),
    "openMatch": Counted((OPENINGS,), (INVITATIONS,)),
    "forkMatch": Counted((OPENINGS,), (INVITATIONS,)),
    # those who have played together just now are asked once more
    "openRematch": Counted((OPENINGS, INVITATIONS)),
    **_each(INVITATIONS, "giveSeat"),
    **_each(SITTINGS, "takeSeat", "acceptInvitation"),
    **_each(MOVES, "makeMove"),
    **_each(ORDERS, "giveOrder", "withdrawOrder"),
    **_each(TALK, "say", "eraseMessage", "reportMessage"),
    **_each(DEEDS, "leaveSeat", "declineInvitation", "renewLink", "resign", "leaveToBot", "takeSeatBack"),
    **_each(DEEDS, "agreeToAbort", "withdrawAbort", "agreeToPause", "withdrawPause", "agreeToResume"),
    **_each(DEEDS, "offerSeat", "withdrawOffer", "agreeToOffer", "disagreeWithOffer", "acceptOffer", "declineOffer"),
    **_each(TOKENS, "createToken", "createMyBot", "createBotToken", "createPass", "createWebhook", "renewSecret"),
    **_each(TOKENS, "makeFeed"),
    **_each(PINGS, "pingWebhook", "deliverAgain"),
    **_each(SETTINGS, "revokeToken", "revokeBotToken", "eraseMyBot", "withdrawPass", "changeWebhook", "deleteWebhook"),
    **_each(SETTINGS, "setMail", "muteMatch", "unmuteMatch", "mutePlayer", "unmutePlayer", "goOnVacation", "comeBack"),
    **_each(SETTINGS, "confirmEmail", "unsubscribe", "rename", "revokeFeed"),
}
"""By the operation's id. `rename` is asked for by a page alone."""

FREE: Mapping[str, str] = {
    "logOut": "the session that asks is worth nothing afterwards",
    "takeBotTurns": "asked for by the house's workers alone",
    "fireDue": "asked for by the house's workers alone",
    "followOrders": "asked for by the house's workers alone",
    "settleReport": "asked for by the operator alone",
}
"""The operations that are not limited, and why."""
