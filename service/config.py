"""The operator's settings, from the command line and the environment (FOLDTABLE_...)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from environs import Env, ValidationError, validate

from service.limits import DEFAULT, MOST, Network, Settings, networks, read_settings
from service.telemetry import addresses

TOKEN = re.compile(r"[\x21-\x7e]{32,}")

VARIABLES = (
    *("DATA", "STORE", "HOST", "PORT", "WEB", "REDIS", "PATIENCE", "BOT_PAUSE", "BOT_PACE", "BOT_MOVES", "METRICS"),
    *("PAUSE_DAYS", "VACATION_DAYS", "TAKE_OVER"),
    *("KEYS", "WORKER_TOKEN", "ADMIN_TOKEN", "WORKER_TOKEN_FILE", "ADMIN_TOKEN_FILE"),
    *("SECRET", "SECRET_FILE", "PUBLIC_URL", "SIGN_UP", "PASSES", "WEBHOOK_PRIVATE", "ORIGINS"),
    *("SMTP", "MAIL_FROM", "MAIL_DOMAIN", "MAIL_LISTEN", "MAIL_AFTER"),
)
"""The variables in the environment, besides those of limits."""

SIGN_UPS = ("open", "closed", "invitation")
"""Who may sign up: everybody, nobody, or those with a pass."""

PORTS = 65535
"""The highest port."""

OTHERS = 0o077
"""The bits of a file's mode for other users."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings, each with a default."""

    data: Path = Path("data")
    """The folder of the store, the keys and the tokens."""
    store: str = field(default="", repr=False)
    """The store's URL; "" for SQLite in the data folder. Log `events.stores.name_of` of it: it may have a password."""
    take_over: bool = False
    """Whether to open a store for writing in which running matches need rules that are not available."""
    host: str = "127.0.0.1"
    port: int = 8000
    web: int = 2
    """The number of web processes that `up` starts; they share the port and the store."""
    redis: str = ""
    """The URL of a Redis that is told of commits; "" for none."""
    patience: float = 10.0
    """The seconds within which a request must arrive completely, and an answer be read."""
    bot_pause: float = 1.5
    """The least seconds before a bot answers under seal, if people sit at the table; up to twice that."""
    bot_pace: float = 0.0
    """The least seconds of a bot's turn, if only bots sit at the table, so that it can be watched; up to twice that."""
    bot_moves: int = 30_000
    """The most moves of bots in the matches of one account in a minute; 0 for no limit."""

    pause_days: int = 90
    """The days after which a match that is still paused is broken off."""
    vacation_days: int = 30
    """The days of vacation that a player has in a year."""

    keys_file: Path | None = None
    """The file with the keys that sign receipts, as a mounted secret; None for the one in the data folder."""

    worker_said: str = field(default="", repr=False)
    admin_said: str = field(default="", repr=False)
    """The tokens of workers and operator, for several hosts; "" for those in the files."""
    worker_file: Path | None = None
    admin_file: Path | None = None
    """The files with these tokens, as mounted secrets; None for those in the data folder, which are made."""

    secret_said: str = field(default="", repr=False)
    secret_file: Path | None = None
    """The secret that signs links, reply addresses and cursors, the same on all hosts; given like the tokens."""
    public_url: str = ""
    """The URL for links in mails: scheme and host, without a slash at the end; "" for host and port."""

    sign_up: str = SIGN_UPS[0]
    """Who may sign up; the operator always may."""
    passes: int = 5
    """The most passes that a player may make in 30 days."""

    webhook_private: tuple[Network, ...] = ()
    """The private networks to which webhooks may be sent, also without TLS."""

    smtp: str = field(default="", repr=False)
    """The URL of the server that takes mails, with its password; "" to send none."""
    mail_from: str = ""
    """The sender's address of mails."""
    mail_domain: str = ""
    """The domain of reply and bounce addresses; "" if mails can't be answered."""
    mail_listen: str = ""
    """The host and port that receive mails, by LMTP or SMTP."""
    mail_after: float = 60.0
    """The seconds after which an open turn is mailed; players at the table need no mail."""

    origins: tuple[str, ...] = ()
    """The origins (scheme, host and port) whose pages may call the API; "*" for all; none for only our own."""

    limits: Settings = DEFAULT
    """The limits of requests."""
    metrics: str = ""
    """The host and port, or ports, one of which each process uses to serve its metrics; "" for none."""

    @property
    def database(self) -> Path:
        """The file of the SQLite store in the data folder."""
        return self.data / "foldtable.db"

    @property
    def store_url(self) -> str:
        """The URL that opens the store."""
        return self.store or f"sqlite:{self.database}"

    @property
    def packs(self) -> Path:
        """The folder of packs: those of the operator, and those with which matches are played."""
        return self.data / "packs"

    @property
    def keys(self) -> Path:
        """The file with the keys that sign receipts."""
        return self.keys_file or self.data / "keys"

    @property
    def worker_token(self) -> Path:
        """The file with the token of the workers."""
        return self.worker_file or self.data / "worker-token"

    @property
    def admin_token(self) -> Path:
        """The file with the operator's token."""
        return self.admin_file or self.data / "admin-token"

    @property
    def secret(self) -> Path:
        """The file with the secret that signs links, reply addresses and cursors."""
        return self.secret_file or self.data / "secret"

    @property
    def address(self) -> str:
        """The URL at which people reach the service."""
        return self.public_url or f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def read(
    *, data: Path | None = None, host: str | None = None, port: int | None = None, redis: str | None = None
) -> Config:
    """Return the settings: the command line's, if they are not None, before those of the environment.

    Raises:  environs.EnvError, with one line for each wrong variable.
    """
    env = Env(prefix="FOLDTABLE_")
    default = Config()
    return Config(
        data=(_path(env, "DATA") or default.data) if data is None else data,
        store=env.str("STORE", default.store),
        take_over=env.bool("TAKE_OVER", default.take_over),
        host=env.str("HOST", default.host) if host is None else host,
        port=env.int("PORT", default.port, validate=validate.Range(0, PORTS)) if port is None else port,
        web=env.int("WEB", default.web, validate=validate.Range(1, 64)),
        redis=env.str("REDIS", default.redis) if redis is None else redis,
        patience=env.float("PATIENCE", default.patience, validate=validate.Range(0.1, 600)),
        bot_pause=env.float("BOT_PAUSE", default.bot_pause, validate=validate.Range(0, 3600)),
        bot_pace=env.float("BOT_PACE", default.bot_pace, validate=validate.Range(0, 3600)),
        keys_file=_path(env, "KEYS"),
        worker_said=env.str("WORKER_TOKEN", "", validate=_check_token),
        admin_said=env.str("ADMIN_TOKEN", "", validate=_check_token),
        worker_file=_path(env, "WORKER_TOKEN_FILE"),
        admin_file=_path(env, "ADMIN_TOKEN_FILE"),
        secret_said=env.str("SECRET", "", validate=_check_token),
        secret_file=_path(env, "SECRET_FILE"),
        public_url=env.str("PUBLIC_URL", "", validate=_check_url).rstrip("/"),
        sign_up=env.str("SIGN_UP", default.sign_up, validate=validate.OneOf(SIGN_UPS)),
        passes=env.int("PASSES", default.passes, validate=validate.Range(0, MOST)),
        webhook_private=networks(env, "WEBHOOK_PRIVATE", ()),
        smtp=env.str("SMTP", "", validate=_check_smtp),
        mail_from=env.str("MAIL_FROM", default.mail_from, validate=_check_mail_address),
        mail_domain=env.str("MAIL_DOMAIN", default.mail_domain, validate=_check_domain).lower(),
        mail_listen=env.str("MAIL_LISTEN", default.mail_listen, validate=_check_place),
        mail_after=env.float("MAIL_AFTER", default.mail_after, validate=validate.Range(0, 86_400)),
        origins=parse_origins(env.str("ORIGINS", "", validate=_check_origins)),
        limits=read_settings(env),
        bot_moves=env.int("BOT_MOVES", default.bot_moves, validate=validate.Range(0, MOST)),
        pause_days=env.int("PAUSE_DAYS", default.pause_days, validate=validate.Range(1, 3660)),
        vacation_days=env.int("VACATION_DAYS", default.vacation_days, validate=validate.Range(0, 366)),
        metrics=env.str("METRICS", default.metrics, validate=_check_addresses),
    )


def _path(env: Env, name: str) -> Path | None:
    """Return the path; None if the variable is missing or empty."""
    path = env.str(name, "")
    return Path(path) if path else None


def _like(pattern: str, message: str) -> Callable[[str], None]:
    """Return a check that raises ValidationError for any other text, without repeating it: it may be a secret."""

    def check(value: str) -> None:
        if value and not re.fullmatch(pattern, value):
            raise ValidationError(message)

    return check


_check_token = _like(TOKEN.pattern, "a token is 32 visible ASCII characters or more")
_check_url = _like(r"https?://[^\s/?#]+(/[^\s?#]*)?", "write https://HOST, the URL at which people reach the service")
_check_mail_address = _like(r"[!-;=?A-~]{1,64}@[0-9A-Za-z.-]{1,190}", "write an address: NAME@DOMAIN")
_check_domain = _like(
    r"[0-9A-Za-z]([0-9A-Za-z.-]{0,188}[0-9A-Za-z])?", "write the domain whose mail comes to the service"
)


def _check_smtp(value: str) -> None:
    """Raise ValidationError for a wrong URL, without repeating it: it may have a password."""
    match = re.fullmatch(r"smtps?://([^@/\s]*@)?(\[[0-9A-Fa-f:.]+\]|[^\s/:@]+)(:([0-9]{1,5}))?/?", value)
    if value and (match is None or int(match[4] or 0) > PORTS):
        raise ValidationError("write smtp://USER:PASSWORD@HOST:PORT, or smtps://; other characters as %XX")


def _check_place(value: str) -> None:
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\s/:@]*):([0-9]{1,5})", value)
    if value and (match is None or int(match[2]) > PORTS):
        raise ValidationError("write HOST:PORT")


def parse_origins(value: str) -> tuple[str, ...]:
    """Return the origins in a text with commas between them. Raises ValueError with the first wrong one."""
    origins = tuple(part.strip().lower() for part in value.split(",") if part.strip())
    if wrong := [each for each in origins if each != "*" and not re.fullmatch(r"https?://[^\s/?#@*]+", each)]:
        raise ValueError(wrong[0])
    return origins


def _parsed(parse: Callable[[str], object], message: str = "{}") -> Callable[[str], None]:
    """Return a check that raises ValidationError, with this message, for a text that can't be parsed."""

    def check(value: str) -> None:
        try:
            parse(value)
        except ValueError as error:
            raise ValidationError(message.format(error)) from None

    return check


_check_origins = _parsed(parse_origins, 'write origins like "https://HOST, http://localhost:3000", or "*": {} is none')
_check_addresses = _parsed(addresses)
