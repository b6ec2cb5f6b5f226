"""The table of deeds: of each, what a program sends and, where pages have a form for it, what the form says."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.service.accounts.insiders import WORD


class Row(NamedTuple):
    """A deed, asked for in both ways. Texts in braces stand for what `laid.py` has prepared."""

    deed: str
    said: Any = None
    """The body that a program sends."""
    form: str = ""
    """Where the page's form is sent; "": no page has one."""
    fields: dict[str, str] = {}
    """What is typed into the form."""
    match: str = "playing"
    """Which of the prepared matches it is about."""
    sits: int | None = None
    """The seat that the form takes besides in the match that it opens."""
    asker: str = "ann"
    apart: str = ""
    """The table in which a page writes something else: a browser is given a session."""
    unkeyed: str = ""
    """Why the form does nothing twice though it has no key."""


NEW, OLD = "another horse battery", WORD
DO = "/matches/{match_id}/do/"
PROGRAMS = "/settings/programs/"
GONE = "whoever asks is nobody afterwards"
STRANGER = "a stranger's form has no key, and what it brings, a session, can't be told twice"
BY_LINK = "what the link holds is good once"

ROWS = (
    # a match, before it starts and around it
    Row("openMatch", {"game": "high-card", "seats": [{}, {"bot": "greedy"}]}, "/play", {"game": "high-card"}, sits=0),
    Row(
        "openMatch",
        {"game": "high-card", "seats": [{}, {}], "clock": {"preset": "three-days"}},
        "/play",
        {"game": "high-card", "against": "people"},
        sits=0,
    ),
    Row(
        "openMatch",
        {"game": "high-card", "seats": [{}, {"player": "{dan}"}], "talk": "seats"},
        "/new",
        {"game": "high-card", "seat1": "somebody", "player1": "{dan}", "clock": "none"},
        sits=0,
    ),
    Row("forkMatch", {"version": "{point}", "seats": [{}, {"bot": "greedy"}]}, "/matches/{match_id}/fork",
        {"version": "{point}", "seat": "0"}, match="over", sits=0),
    Row("openRematch", None, DO + "rematch", match="over", sits=1),
    Row("giveSeat", {"seat": 1, "player": "{dan}"}, match="own"),
    Row("renewLink", None, match="own"),
    Row("takeSeat", {"nonce": "{nonce}"}, "/matches/{match_id}/seat", {"nonce": "{nonce}"}, match="open"),
    Row("leaveSeat", None, DO + "leave", match="own"),
    Row("acceptInvitation", {"nonce": "{nonce}"}, DO + "accept", {"nonce": "{nonce}"}, match="asked"),
    Row("declineInvitation", None, DO + "decline", match="asked"),
    # a match that is played
    Row("makeMove", {"decision": "{decision}", "id": "{move}"}, DO + "move",
        {"decision": "{decision}", "id": "{move}"}),
    Row("giveOrder", {"play": [{"type": "Pass"}]}),
    Row("withdrawOrder"),
    Row("resign", None, DO + "resign"),
    Row("leaveToBot", None, DO + "to-bot"),
    Row("takeSeatBack", None, DO + "back", match="lent"),
    Row("agreeToAbort", None, DO + "abort"),
    Row("withdrawAbort", None, DO + "go-on", match="agreed"),
    Row("agreeToPause", None, DO + "pause"),
    Row("withdrawPause", None, DO + "no-pause", match="agreed"),
    Row("agreeToResume", None, DO + "resume", match="paused"),
    Row("offerSeat", {"player": "{eve}"}, DO + "pass-on", {"name": "{eve}"}),
    Row("offerSeat", {"bot": "greedy"}, DO + "pass-on", {"bot": "greedy"}),
    Row("withdrawOffer", None, DO + "keep-seat"),
    Row("agreeToOffer", {"player": "{dan}"}, DO + "agree-offer", {"seat": "{theirs}", "player": "{dan}"}),
    Row("disagreeWithOffer", None, DO + "disagree-offer", {"seat": "{theirs}"}, match="agreed"),
    Row("acceptOffer", None, DO + "take-seat", {"seat": "{theirs}"}, match="offered"),
    Row("declineOffer", None, DO + "decline-seat", {"seat": "{theirs}"}, match="offered"),
    # talk
    Row("say", {"text": "good luck"}, DO + "say", {"text": "good luck"}),
    Row("eraseMessage", None, DO + "erase", {"number": "{message}"}),
    Row("reportMessage", None, DO + "report", {"number": "{theirs_said}"}),
    Row("mutePlayer", {"player": "{bob}"}, DO + "mute", {"player": "{bob}"}),
    Row("unmutePlayer", None, "/settings/muted", {"player": "{dan}"}),
    # one's account
    Row("signUp", {"name": "Fay", "pass": "{code}"}, "/sign-up", {"name": "Fay", "pass": "{code}"}, asker="",
        apart="tokens", unkeyed=STRANGER),
    Row("logIn", {"login": "ann", "password": OLD}, "/sign-in", {"login": "ann", "password": OLD}, asker="",
        unkeyed=STRANGER),
    Row("logOut", None, "/sign-out", unkeyed=GONE),
    Row("rename", None, "/settings/name", {"name": "Anne"}),
    Row("keepAccount", None, "/settings/keep", {"login": "guesty", "new": NEW}, asker="guest"),
    Row("setLogin", {"login": "annie"}, "/settings/login", {"login": "annie"}),
    Row("setPassword", {"old": OLD, "new": NEW}, "/settings/password", {"old": OLD, "new": NEW}),
    Row("setEmail", {"email": "an@example.org", "password": OLD}, "/settings/email",
        {"email": "an@example.org", "password": OLD}),
    Row("confirmEmail", {"token": "{confirming}"}, "/account/confirm", {"token": "{confirming}"}, asker="",
        unkeyed=BY_LINK),
    Row("askRecovery", {"email": "ann@example.org"}, "/recover", {"email": "ann@example.org"}, asker="",
        unkeyed="one mail is sent in five minutes"),
    Row("recover", {"token": "{recovering}", "password": NEW}, "/account/recover",
        {"token": "{recovering}", "password": NEW}, asker="", unkeyed=BY_LINK),
    Row("eraseMe", {"confirm": "{ann}", "password": OLD}, "/settings/erase", {"confirm": "Ann", "password": OLD},
        unkeyed=GONE),
    Row("setMail", {"turns": "digest", "zone": "Asia/Tokyo", "hour": 7, "lang": "en", "on": True, "news": False},
        "/settings/mail", {"turns": "digest", "zone": "Asia/Tokyo", "hour": "7", "lang": "en", "on": "yes"}),
    Row("muteMatch"),
    Row("unmuteMatch"),
    Row("unsubscribe"),
    Row("goOnVacation", {"days": 2}, "/settings/vacation", {"days": "2"}),
    Row("comeBack", None, "/settings/vacation", {"back": "yes"}),
    # what lets others and programs in
    Row("createPass", None, "/settings/pass"),
    Row("withdrawPass", None, "/settings/pass/{pass_id}"),
    Row("createToken", {"name": "script", "scopes": ["match:read"]}, PROGRAMS + "tokens",
        {"name": "script", "scopes": "match:read"}),
    Row("revokeToken", None, PROGRAMS + "tokens/{token_id}"),
    Row("createMyBot", {"name": "engine"}, PROGRAMS + "bots", {"name": "engine"}),
    Row("createBotToken", {"name": "token"}, PROGRAMS + "bots/{bot_id}", {"do": "token"}),
    Row("eraseMyBot", None, PROGRAMS + "bots/{bot_id}", {"do": "erase"}),
    Row("revokeBotToken"),
    Row("createWebhook", {"name": "there", "url": "https://example.org/a", "kinds": ["turn"]}),
    Row("changeWebhook", {"name": "here"}),
    Row("deleteWebhook"),
    Row("renewSecret", {}),
    Row("pingWebhook", {}),
    Row("deliverAgain", {}),
    Row("makeFeed", {}, PROGRAMS + "feed", {"do": "make"}),
    Row("revokeFeed", None, PROGRAMS + "feed", {"do": "revoke"}),
    # the house's own
    Row("takeBotTurns", {"turns": [{"match": "m_none"}]}, asker="worker"),
    Row("fireDue", {"matches": ["m_none"]}, asker="worker"),
    Row("followOrders", {"matches": ["m_none"]}, asker="worker"),
    Row("settleReport", asker="operator"),
)  # fmt: skip
"""Every deed, once for each form."""
