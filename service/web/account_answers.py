"""The answers about accounts, and what an account is told: mail, webhooks, profiles and statistics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Self

from msgspec import Struct, convert
from msgspec.structs import asdict

from domain.texts import LANGS
from service.config import SIGN_UPS
from service.matches import rows
from service.shapes import Moment, one_of
from service.store import Entry, Player, Token, Wishes, lobby, mailing, people, results
from service.webhooks import Delivery, Webhook


class Learnt(Struct, frozen=True):
    """The games that you have learnt."""

    games: tuple[str, ...]
    """The games whose lesson you have gone through, by their slugs."""


class NewPlayer(Player, frozen=True, kw_only=True):
    """An account with its first token, which is shown only here."""

    token: str


class NewToken(Token, frozen=True, kw_only=True):
    """A token with its secret, which is shown only here."""

    token: str


class Tokens(Struct, frozen=True):
    """Your tokens."""

    tokens: tuple[Token, ...]


class Invitations(Struct, frozen=True):
    """A page of your invitations."""

    invitations: tuple[lobby.Invitation, ...]
    next: str | None


class Characters(Struct, frozen=True):
    """The least and the most characters of a text."""

    least: int
    most: int


class AccountLimits(Struct, frozen=True):
    """Who may sign up, and the limits of an account."""

    sign_up: Annotated[str, one_of(*SIGN_UPS)]
    """Who may sign up: everybody (`open`), those with a pass (`invitation`), or nobody (`closed`)."""
    passes: int
    """The most passes that a player may make in 30 days, if people sign up with passes."""
    bots: int
    """The most bot accounts of one person."""
    password_characters: Characters
    login_characters: Characters


class SessionNow(Struct, frozen=True):
    """The player who is signed in."""

    player: people.Who
    csrf: str | None
    """The value of X-CSRF-Token, which requests with a cookie need to change something; null without a cookie."""


class Session(SessionNow, frozen=True):
    """A new session."""

    expires: Moment | None
    """When the session ends; null for never."""
    token: str | None
    """The token, which is shown only here; null if it is in the cookie."""


class Confirmed(Struct, frozen=True):
    """A mail address that was confirmed."""

    email: str


class NewPass(people.Pass, frozen=True, kw_only=True):
    """A pass with its code, which is shown only here."""

    code: str
    """The code, to be sent as `pass` to POST /api/players."""


class Passes(Struct, frozen=True):
    """Your passes."""

    passes: tuple[people.Pass, ...]
    left: int | None
    """How many more you may make now; null for any number."""


class Bots(Struct, frozen=True):
    """The bot accounts that you have made."""

    bots: tuple[Player, ...]


class Mail(Struct, frozen=True, kw_only=True):
    """The mails that a player wants."""

    address: str
    """The confirmed mail address."""
    on: bool
    """Whether mails are sent."""
    stopped: Annotated[str, one_of(mailing.UNSUBSCRIBED, mailing.BOUNCED)] | None
    """Why no mails are sent: you want none, or the address refused them; null if mails are sent."""
    lang: Annotated[str, one_of(*LANGS)]
    turns: Annotated[str, one_of(mailing.EACH, mailing.DIGEST, mailing.NONE)]
    """`each`: a mail for each turn; `digest`: one a day for all matches; or `none`."""
    news: bool
    """Whether there are mails about invitations, and starts and ends of matches."""
    hour: int
    zone: str
    """The time zone of hours and deadlines."""
    quiet: tuple[str, ...]
    """The matches about which no mails are sent."""

    @classmethod
    def of(cls, wishes: Wishes, quiet: Iterable[Entry]) -> Mail:
        """Return the player's wishes in the form of the answer. `quiet`: the matches without mails."""
        more = {"on": not wishes.stopped, "stopped": wishes.stopped or None, "quiet": [entry.id for entry in quiet]}
        return convert(asdict(wishes) | more, cls)


class NewWebhook(Webhook, frozen=True, kw_only=True):
    """A webhook with its secret, which no other answer contains."""

    secret: str
    """`whsec_` and a key in base64, for the signatures (Standard Webhooks): `webhook-signature` has `v1,` and the
    base64 of HMAC-SHA256 over `webhook-id`.`webhook-timestamp`.body, once for each valid secret.
    """


class Webhooks(Struct, frozen=True):
    """Your webhooks."""

    webhooks: tuple[Webhook, ...]


class Deliveries(Struct, frozen=True):
    """A page of a webhook's deliveries of the last seven days."""

    deliveries: tuple[Delivery, ...]
    next: str | None


class MoveNumbers(Struct, frozen=True):
    """The numbers of moves in matches."""

    least: int
    most: int
    mean: float


class Results(Struct, frozen=True, kw_only=True):
    """The results of a number of matches."""

    matches: int
    """The number of matches."""
    won: int
    """The number of matches in which it alone came first."""
    shared: int
    """The number of matches in which it shared the first place."""
    points: float
    """The mean of the points."""

    @classmethod
    def of(cls, result: results.Result, **more: Any) -> Self:
        """Return the stored result in the form of answers, with the mean of its points."""
        mean = round(result.points / result.matches, 3)
        return cls(matches=result.matches, won=result.won, shared=result.shared, points=mean, **more)


class SeatResults(Results, frozen=True, kw_only=True):
    """The results of a seat."""

    seat: int


class BotResults(Results, frozen=True, kw_only=True):
    """The results of a bot on any seat."""

    bot: str


class OwnResults(Results, frozen=True, kw_only=True):
    """The results of a player in a game with a number of seats."""

    game: str
    seats: int


class PlayedTable(Struct, frozen=True):
    """The matches with a number of seats."""

    seats: int
    matches: int
    """The number of matches."""
    moves: MoveNumbers
    """The numbers of moves in the matches."""
    by_seat: list[SeatResults]
    """The results of each seat."""
    by_bot: list[BotResults]
    """The results of each bot."""


class GameStatistics(Struct, frozen=True):
    """The statistics of a game."""

    game: str
    tables: list[PlayedTable]
    """The statistics by number of seats."""


class OwnStatistics(Struct, frozen=True):
    """The statistics of a player."""

    games: list[OwnResults]


class Profile(people.Who, frozen=True):
    """A player, with their results and opponents."""

    owner: people.Who | None
    """The account that made this bot account; null for other accounts."""
    since: Moment
    """When the account was made."""
    games: list[OwnResults]
    against: tuple[results.Rival, ...]
    """The player's opponents, those met most often first."""


class Matches(Struct, frozen=True):
    """A page of the player's matches."""

    matches: list[rows.Played]
    next: str | None
