"""The requests of which the contract's examples are made: three players meet, play and talk."""

from __future__ import annotations

from typing import Any, Protocol

GAME = "magicative"


class Asks(Protocol):
    """Sends requests, and notes them with their answers: see `make_examples.Recorder`."""

    tokens: dict[str, str]

    def ask(self, operation: str, who: str = "", body: Any = None, query: Any = None, **parts: Any) -> Any:
        """Request an operation, and return the body of the answer."""

    def mailed(self, kind: str, player: str, address: str) -> str:
        """Return the token in the link of a mail about an account."""

    def heed(self, player: str, address: str) -> None:
        """Make the address the one to which the player's mails are sent."""


def walk(asks: Asks) -> None:
    """Request every operation, except those of `walk_by_pass`, in an order in which each succeeds."""
    people = arrive(asks)
    settle(asks, people)
    match = meet(asks, people)
    play(asks, match)
    linger(asks, match)
    talk(asks, match, people)
    pass_on(asks, match, people)
    afterwards(asks, match)
    asks.ask("getPlayer", player_id=people["Ann"])
    asks.ask("listPlayerMatches", player_id=people["Ann"])
    asks.ask("eraseMe", "Bob", {"confirm": people["Bob"]})


def walk_by_pass(asks: Asks) -> None:
    """Request the operations of a service where people sign up by invitation."""
    made = asks.ask("createPass", "operator")
    asks.ask("listPasses", "operator")
    asks.ask("withdrawPass", "operator", pass_id=made["id"])


def arrive(asks: Asks) -> dict[str, str]:
    """Sign three people up, and return their ids by name."""
    people = {}
    for name in ("Ann", "Bob", "Cyd"):
        answer = asks.ask("signUp", body={"name": name})
        people[name], asks.tokens[name] = answer["id"], answer["token"]
    asks.ask("getMe", "Ann")
    made = asks.ask("createToken", "Ann", {"name": "a script", "scopes": ["match:read", "match:play"]})
    asks.ask("listTokens", "Ann")
    asks.ask("revokeToken", "Ann", token_id=made["id"])
    for one in ("getHealth", "getReadiness", "getLimits", "listKeys", "listGames", "listClocks"):
        asks.ask(one)
    found = asks.ask("getGame", game=GAME)
    asks.ask("getRules", game=GAME)
    asks.ask("getPack", game=GAME, pack=found["packs"][0]["hash"])
    return people


def settle(asks: Asks, people: dict[str, str]) -> None:
    """Set up Ann's account: a password, a mail address, a bot account."""
    address, password = "ann@example.org", "a goose at the window"
    asks.ask("setPassword", "Ann", {"new": password})
    asks.ask("setLogin", "Ann", {"login": "ann-of-the-mill"})
    asks.ask("setEmail", "Ann", {"email": address, "password": password})
    asks.ask("confirmEmail", body={"token": asks.mailed("confirm", people["Ann"], address)})
    asks.heed(people["Ann"], address)
    asks.ask("askRecovery", body={"email": address})
    asks.ask("recover", body={"token": asks.mailed("recover", people["Ann"], address), "password": password})
    session = asks.ask("logIn", body={"login": address, "password": password})
    asks.tokens["Ann"] = session["token"]
    asks.ask("getSession", "Ann")
    bot = asks.ask("createMyBot", "Ann", {"name": "Ann's engine"})["id"]
    asks.ask("listMyBots", "Ann")
    token = asks.ask("createBotToken", "Ann", {"name": "at home", "scopes": ["match:play"]}, bot_id=bot)["id"]
    asks.ask("listBotTokens", "Ann", bot_id=bot)
    asks.ask("revokeBotToken", "Ann", bot_id=bot, token_id=token)
    asks.ask("eraseMyBot", "Ann", bot_id=bot)
    asks.ask("logOut", "Ann")
    asks.tokens["Ann"] = asks.ask("logIn", body={"login": address, "password": password})["token"]


def opening(other: str) -> dict[str, Any]:
    """Return the body that opens a match of two seats, with a day for each move, for those who have its link."""
    return {
        "game": GAME,
        "seats": [None, {"player": other}],
        "clock": {"preset": "day", "resignation": "bot"},
        "visibility": "link",
    }


NONCE = "7c1e9a4b03d25f86e0b7a91c4d3852f6a8e61b0c97d4f2358b6e07a1c3d95f42"
"""The nonce of the examples, 32 bytes. A client makes a new one each time that it sits down."""


def meet(asks: Asks, people: dict[str, str]) -> str:
    """Open a match and fill its seats."""
    match = str(asks.ask("openMatch", "Ann", opening(people["Bob"]))["id"])
    asks.ask("listMatches")
    asks.ask("listInvitations", "Bob")
    asks.ask("declineInvitation", "Bob", match_id=match)
    asks.ask("giveSeat", "Ann", {"seat": 1, "player": None}, match_id=match)
    asks.ask("takeSeat", "Ann", {"seat": 0, "nonce": NONCE}, match_id=match)
    asks.ask("leaveSeat", "Ann", match_id=match)
    asks.ask("takeSeat", "Ann", {"seat": 0, "nonce": NONCE}, match_id=match)
    asks.ask("giveSeat", "Ann", {"seat": 1, "player": people["Cyd"]}, match_id=match)
    asks.ask("getLink", "Ann", match_id=match)
    asks.ask("renewLink", "Ann", {}, match_id=match)
    asks.ask("acceptInvitation", "Cyd", {}, match_id=match)
    return match


def play(asks: Asks, match: str) -> None:
    """Make some moves of both players, and agree to break the match off, which Ann takes back."""
    for _ in range(4):
        for who in ("Ann", "Cyd"):
            open_now = asks.ask("listMoves", who, match_id=match)
            if open_now["moves"]:
                asks.ask("listTurns", who)
                asks.ask("tryMoves", who, match_id=match)
                asks.ask("explainTouch", who, query={"touched": "deck/0"}, match_id=match)
                first = {"decision": open_now["decision"], "id": open_now["moves"][0]["id"]}
                asks.ask("makeMove", who, first, match_id=match)
    for operation in ("getMatch", "listEvents", "getFilm", "exportMatch"):
        asks.ask(operation, "Ann", match_id=match)
    asks.ask("getMatchAt", "Ann", match_id=match, version=5)
    asks.ask("agreeToAbort", "Ann", {}, match_id=match)
    asks.ask("withdrawAbort", "Ann", match_id=match)


def linger(asks: Asks, match: str) -> None:
    """Request operations about time, standing orders, mail, webhooks and feeds."""
    asks.ask("agreeToPause", "Ann", {}, match_id=match)
    asks.ask("withdrawPause", "Ann", match_id=match)
    asks.ask("agreeToPause", "operator", {}, match_id=match)
    asks.ask("agreeToResume", "operator", {}, match_id=match)
    asks.ask("goOnVacation", "Ann", {"days": 7})
    asks.ask("getVacation", "Ann")
    asks.ask("comeBack", "Ann")
    order = asks.ask("giveOrder", "Ann", {"play": [{"type": "Draw"}]}, match_id=match)["order"]
    asks.ask("listOrders", "Ann", match_id=match)
    asks.ask("followOrders", "worker", {"matches": [match]})
    asks.ask("fireDue", "worker", {"matches": [match]})
    asks.ask("withdrawOrder", "Ann", match_id=match, order=order)
    asks.ask("giveOrder", "Ann", {"play": [{"type": "Draw"}], "once": True}, match_id=match)
    asks.ask("listMyEvents", "Ann")
    asks.ask("getMail", "Ann")
    asks.ask("setMail", "Ann", {"turns": "digest", "hour": 7, "zone": "Europe/Berlin"})
    hook = asks.ask("createWebhook", "Ann", {"name": "at home", "url": "https://example.org/turns"})["id"]
    asks.ask("listWebhooks", "Ann")
    asks.ask("getWebhook", "Ann", webhook_id=hook)
    asks.ask("renewSecret", "Ann", {}, webhook_id=hook)
    ping = asks.ask("pingWebhook", "Ann", {}, webhook_id=hook)["id"]
    asks.ask("listDeliveries", "Ann", webhook_id=hook)
    asks.ask("deliverAgain", "Ann", {}, webhook_id=hook, delivery_id=ping)
    asks.ask("changeWebhook", "Ann", {"enabled": False}, webhook_id=hook)
    asks.ask("deleteWebhook", "Ann", webhook_id=hook)
    feed = asks.ask("makeFeed", "Ann", {"kinds": ["turn"]})["url"]
    asks.ask("getFeed", "Ann")
    asks.ask("readFeed", "", token=feed.rpartition("/")[2])
    asks.ask("revokeFeed", "Ann")


def talk(asks: Asks, match: str, people: dict[str, str]) -> None:
    """Send, read, report and erase a message, mute a player, and finish a lesson."""
    message = asks.ask("say", "Ann", {"text": "Good luck!"}, match_id=match)["number"]
    asks.ask("listMessages", "Cyd", match_id=match)
    asks.ask("reportMessage", "Cyd", {"reason": "There is no luck in it."}, match_id=match, message=message)
    asks.ask("listReports", "operator")
    asks.ask("settleReport", "operator", match_id=match, message=message)
    asks.ask("eraseMessage", "Ann", match_id=match, message=message)
    asks.ask("mutePlayer", "Cyd", {"player": people["Ann"]})
    asks.ask("listMutes", "Cyd")
    asks.ask("unmutePlayer", "Cyd", player=people["Ann"])
    asks.ask("learn", "Cyd", {"game": GAME})
    asks.ask("listLessons", "Cyd")


def pass_on(asks: Asks, match: str, people: dict[str, str]) -> None:
    """Offer Cyd's seat to Bob. Everybody takes their step back."""
    asks.ask("offerSeat", "Cyd", {"player": people["Bob"]}, match_id=match)
    asks.ask("listOffers", "Ann", match_id=match)
    asks.ask("agreeToOffer", "Ann", {"player": people["Bob"]}, match_id=match, seat=1)
    asks.ask("disagreeWithOffer", "Ann", match_id=match, seat=1)
    asks.ask("listMyOffers", "Bob")
    asks.ask("acceptOffer", "Bob", {}, match_id=match, seat=1)
    asks.ask("declineOffer", "Bob", match_id=match, seat=1)
    asks.ask("offerSeat", "Cyd", {"player": people["Bob"]}, match_id=match)
    asks.ask("withdrawOffer", "Cyd", match_id=match)


def afterwards(asks: Asks, match: str) -> None:
    """Break the match off, fork it, let bots play the fork, and request reviews and statistics."""
    version = asks.ask("getMatch", "Ann", match_id=match)["version"]
    events = asks.ask("listEvents", "Ann", match_id=match)["events"]
    asks.ask("leaveToBot", "Cyd", {"bot": "greedy"}, match_id=match)
    asks.ask("takeSeatBack", "Cyd", match_id=match)
    asks.ask("resign", "Cyd", {}, match_id=match)
    asks.ask("agreeToAbort", "operator", {}, match_id=match)
    asks.ask("getChoice", "Ann", match_id=match)
    mover = next(event["public"]["seat"] for event in events if event["type"] == "match/MoveMade")
    asks.ask("getWhatIf", "Ann", query={"seat": mover}, match_id=match)
    for who in ("Ann", "Cyd"):
        asks.ask("openRematch", who, {}, match_id=match)
    fork = {"version": version, "seats": [{"bot": "greedy"}, {"bot": "random"}]}
    other = str(asks.ask("forkMatch", "Ann", fork, match_id=match)["id"])
    asked = asks.ask("listBotDecisions", "worker", match_id=other)
    asks.ask("takeBotTurns", "worker", {"turns": [{"match": other}]})
    seat = asked["decisions"][0]["seat"]
    open_now = asks.ask("listMoves", "worker", query={"seat": seat}, match_id=other)
    move = {"seat": seat, "decision": open_now["decision"], "move": open_now["moves"][0]["move"]}
    asks.ask("takeBotTurns", "worker", {"turns": [{"match": other, "move": move}]})
    review(asks)
    asks.ask("getGameStatistics", game=GAME)
    asks.ask("getMyStatistics", "Ann")


def review(asks: Asks) -> None:
    """Let Ann resign a match against a bot, and ask for a hint before and a review after it."""
    decision = None
    while decision is None:  # until Ann begins the match
        match = str(asks.ask("openMatch", "Ann", {"game": GAME, "seats": [None, {"bot": "greedy"}]})["id"])
        asks.ask("takeSeat", "Ann", {"seat": 0, "nonce": NONCE}, match_id=match)
        decision = asks.ask("listMoves", "Ann", match_id=match)["decision"]
    asks.ask("wantHint", "Ann", {"decision": decision}, match_id=match)
    asks.ask("listHints", "Ann", match_id=match)
    asks.ask("resign", "Ann", {}, match_id=match)
    asks.ask("reviewMatch", "Ann", {"seat": 0}, match_id=match)
    asks.ask("reportThoughts", "worker", {"match": match, "found": [{"seat": 0, "total": 0}]})
    asks.ask("getReview", "Ann", match_id=match, seat=0)
    asks.ask("listMoments", "Ann")
    asks.ask("stopReview", "Ann", match_id=match, seat=0)
