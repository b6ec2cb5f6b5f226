"""What an operator may say, on the command line or in the environment (FOLDTABLE_...)."""

from __future__ import annotations

import re
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
"""What can be said in the environment beside the limits."""

SIGN_UPS = ("open", "closed", "invitation")
"""Who may sign up: everybody, nobody, or who has a pass."""

PORTS = 65535
"""The last port that there is."""

OTHERS = 0o077
"""The bits of a file's mode that are for others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The operator's say, with a default for everything."""

    data: Path = Path("data")
    """The folder of the store, the keys and the tokens."""
    store: str = field(default="", repr=False)
    """URL of the store; "": the SQLite file in the data folder. It may hold a password: log `events.stores.name_of`."""
    take_over: bool = False
    """Whether a store is taken over in which running matches are played by rules that are not at hand."""
    host: str = "127.0.0.1"
    port: int = 8000
    web: int = 2
    """Web processes that `up` starts: they share the port and the store."""
    redis: str = ""
    """URL of a Redis that commits are told to; "" is none."""
    patience: float = 10.0
    """Seconds within which a request must be there whole, and an answer be taken."""
    bot_pause: float = 1.5
    """Seconds that a bot takes at least over an answer under seal, where people sit at the table; up to twice that."""
    bot_pace: float = 0.0
    """Seconds that a bot takes at least over its turn, where nobody but bots sits, so that it can be watched; up to
    twice that."""
    bot_moves: int = 30_000
    """Most moves that the bots in the matches of one account make in a minute; 0: as many as they can."""

    pause_days: int = 90
    """Days after which a match that is still paused is broken off."""
    vacation_days: int = 30
    """Days a year for which a player's deadlines need not run."""

    keys_file: Path | None = None
    """The file with the keys that sign receipts, as a mounted secret; None: the one in the data folder."""

    worker_said: str = field(default="", repr=False)
    admin_said: str = field(default="", repr=False)
    """The tokens of workers and operator, where they are the same on several hosts; "": those in the files."""
    worker_file: Path | None = None
    admin_file: Path | None = None
    """Files with these tokens, as mounted secrets; None: those in the data folder, which are made."""

    secret_said: str = field(default="", repr=False)
    secret_file: Path | None = None
    """What links, reply addresses and cursors are signed by, the same on all hosts; said, or in a file, like tokens."""
    public_url: str = ""
    """Where people reach the service, for links in mails: scheme and host, without a slash at the end; "": by host and
    port."""

    sign_up: str = SIGN_UPS[0]
    """Who may sign up; the operator may always."""
    passes: int = 5
    """Passes to sign up by that a player makes within 30 days at most."""

    webhook_private: tuple[Network, ...] = ()
    """Networks that webhooks may lie in beside the public ones, also without TLS."""

    smtp: str = field(default="", repr=False)
    """URL of the server that takes mails, with its password; "": none is sent."""
    mail_from: str = ""
    """The address that mails come from."""
    mail_domain: str = ""
    """The domain whose mail comes to us, for replies and bounces; "": mails can't be answered."""
    mail_listen: str = ""
    """Host and port at which it comes, by LMTP or SMTP."""
    mail_after: float = 60.0
    """Seconds for which a turn must wait before it is told by mail: who is at the table needs none."""

    origins: tuple[str, ...] = ()
    """Whose pages may ask from a browser, as scheme, host and port; "*" is everybody's. None: only our own."""

    limits: Settings = DEFAULT
    """How much anybody may ask."""
    metrics: str = ""
    """Host and port, or ports, at one of which each process is asked for its metrics; "" is nowhere."""

    @property
    def database(self) -> Path:
        """The one file of the store, where no other is named."""
        return self.data / "foldtable.db"

    @property
    def store_url(self) -> str:
        """The URL that opens the store."""
        return self.store or f"sqlite:{self.database}"

    @property
    def packs(self) -> Path:
        """The folder into which an operator puts packs, and where those that matches are played with are kept."""
        return self.data / "packs"

    @property
    def keys(self) -> Path:
        """The file with the keys that sign receipts."""
        return self.keys_file or self.data / "keys"

    @property
    def worker_token(self) -> Path:
        """The file with the token of the workers, who play for the bots."""
        return self.worker_file or self.data / "worker-token"

    @property
    def admin_token(self) -> Path:
        """The file with the operator's token, which may break any match off."""
        return self.admin_file or self.data / "admin-token"

    @property
    def secret(self) -> Path:
        """The file with the secret by which links, reply addresses and cursors are signed."""
        return self.secret_file or self.data / "secret"

    @property
    def address(self) -> str:
        """Where people reach the service."""
        return self.public_url or f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def read(
    *, data: Path | None = None, host: str | None = None, port: int | None = None, redis: str | None = None
) -> Config:
    """The command line's say before the environment's; None is not said.

    Raises:  environs.EnvError, with one line for each variable that is wrong.
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
    """None where nothing is said, or "" is, as where a variable is handed on that is not set."""
    said = env.str(name, "")
    return Path(said) if said else None


def _check_token(said: str) -> None:
    """Raises ValidationError, which does not repeat it."""
    if said and not TOKEN.fullmatch(said):
        raise ValidationError("a token is 32 visible ASCII characters or more")


def _check_url(said: str) -> None:
    """Raises ValidationError."""
    if said and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", said):
        raise ValidationError("say https://HOST, where people reach the service")


def _check_smtp(said: str) -> None:
    """Raises ValidationError, which does not repeat it: it may hold a password."""
    found = re.fullmatch(r"smtps?://([^@/\s]*@)?(\[[0-9A-Fa-f:.]+\]|[^\s/:@]+)(:([0-9]{1,5}))?/?", said)
    if said and (found is None or int(found[4] or 0) > PORTS):
        raise ValidationError("say smtp://USER:PASSWORD@HOST:PORT, or smtps://; what is no letter or digit as %XX")


def _check_mail_address(said: str) -> None:
    """Raises ValidationError."""
    if said and not re.fullmatch(r"[!-;=?A-~]{1,64}@[0-9A-Za-z.-]{1,190}", said):
        raise ValidationError("say an address: NAME@DOMAIN")


def _check_domain(said: str) -> None:
    """Raises ValidationError."""
    if said and not re.fullmatch(r"[0-9A-Za-z]([0-9A-Za-z.-]{0,188}[0-9A-Za-z])?", said):
        raise ValidationError("say the domain whose mail comes to the service")


def _check_place(said: str) -> None:
    """Raises ValidationError."""
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\s/:@]*):([0-9]{1,5})", said)
    if said and (found is None or int(found[2]) > PORTS):
        raise ValidationError("say HOST:PORT")


def parse_origins(said: str) -> tuple[str, ...]:
    """Origins, with commas between. Raises ValueError."""
    found = tuple(part.strip().lower() for part in said.split(",") if part.strip())
    if wrong := [one for one in found if one != "*" and not re.fullmatch(r"https?://[^\s/?#@*]+", one)]:
        raise ValueError(wrong[0])
    return found


def _check_origins(said: str) -> None:
    """Raises ValidationError."""
    try:
        parse_origins(said)
    except ValueError as error:
        raise ValidationError(
            f'say origins as "https://HOST, http://localhost:3000", or "*": {error} is none'
        ) from None


def _check_addresses(said: str) -> None:
    """Raises ValidationError."""
    try:
        addresses(said)
    except ValueError as error:
        raise ValidationError(str(error)) from error
