"""The operator's settings, from the command line and the environment (FOLDTABLE_...)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from environs import Env, EnvError, ValidationError, validate

from service.limits import DEFAULT, MOST, Network, Settings, networks, read_settings
from service.limits import VARIABLES as LIMITS
from service.telemetry import addresses

TOKEN = re.compile(r"[\x21-\x7e]{32,}")

WEB_URL = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")
"""A URL at which a service can be reached."""

SIGN_UPS = ("open", "closed", "invitation")
"""Who may sign up: everybody, nobody, or those with a pass."""

REDIS_URL = re.compile(r"unix://.*|rediss?://[^/?]*(/[^@?]*)?(\?.*)?")
"""The URL of a Redis. What follows a / of its own in a password would be taken for the path, and be shown."""

PORTS = 65535
"""The highest port."""

PORT_OF = {"http": 80, "https": 443}
"""By scheme, the port that a URL need not name, and that browsers leave out."""

OTHERS = 0o077
"""The bits of a file's mode for other users."""


T = TypeVar("T")

Reading = Callable[[Env, str, Any], Any]
"""Returns what the variable of that name says, or the default if it is missing. Raises environs.EnvError."""


def _setting(default: T, check: Callable[[str], object] | None = None, variable: str = "", **more: Any) -> T:
    """Return the field of a setting that is read as a value of the default's type.

    Shape:   `variable`: the name without the prefix, if it is not the field's; `more`: see `dataclasses.field`.
    """

    def reading(env: Env, name: str, default: Any) -> Any:
        return getattr(env, type(default).__name__)(name, default, validate=check)

    setting: T = field(default=default, metadata={"reading": reading, "variable": variable}, **more)
    return setting


def _path(env: Env, name: str, default: Path | None) -> Path | None:
    """Return the path; the default also if the variable is empty."""
    path = env.str(name, "")
    return Path(path) if path else default


def _like(pattern: str, message: str) -> Callable[[str], None]:
    """Return a check that raises ValidationError for any other text, without repeating it: it may be a secret."""

    def check(value: str) -> None:
        if value and not re.fullmatch(pattern, value):
            raise ValidationError(message)

    return check


_check_token = _like(TOKEN.pattern, "a token is 32 visible ASCII characters or more")
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


def parse_origin(value: str) -> str:
    """Return the origin as browsers send it: in small letters, ASCII, and without the port that its scheme has anyway.

    Raises:  ValueError with the text if it is no origin.
    """
    try:
        parts = urlsplit(value)
        host, port = (parts.hostname or "").encode("idna").decode(), parts.port
        name = f"[{IPv6Address(host)}]" if ":" in host else host
    except ValueError:
        raise ValueError(value) from None
    if not re.fullmatch(r"https?://[^\s/?#@*]+", value, re.IGNORECASE) or not re.fullmatch(r"[\w.-]+|\[.+\]", name):
        raise ValueError(value)
    return f"{parts.scheme}://{name}" + (f":{port}" if port not in {None, PORT_OF[parts.scheme]} else "")


def parse_origins(value: str) -> tuple[str, ...]:
    """Return the origins in a text with commas between them. Raises ValueError with the first wrong one."""
    parts = (part.strip() for part in value.split(",") if part.strip())
    return tuple(each if each == "*" else parse_origin(each) for each in parts)


def parse_url(value: str) -> str:
    """Return the URL of a web site, its origin as browsers send it, without a slash at the end; "" for "".

    Raises:  ValueError, whose words may have a password in them.
    """
    if value and not WEB_URL.fullmatch(value):
        raise ValueError
    scheme, _, rest = value.rstrip("/").partition("://")
    host, *path = rest.split("/")
    return "/".join([parse_origin(f"{scheme}://{host}"), *path]) if value else ""


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
_check_url = _parsed(parse_url, "write https://HOST, the URL at which people reach the service")


def _origins(env: Env, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    return parse_origins(env.str(name, ",".join(default), validate=_check_origins))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings, each with a default, and with how its variable is read."""

    data: Path = field(default=Path("data"), metadata={"reading": _path})
    """The folder of the store, the keys and the tokens."""
    store: str = _setting("", repr=False)
    """The store's URL; "" for SQLite in the data folder. Log `events.stores.name_of` of it: it may have a password."""
    take_over: bool = _setting(False)
    """Whether to open a store for writing in which running matches need rules that are not available."""
    host: str = _setting("127.0.0.1")
    port: int = _setting(8000, validate.Range(0, PORTS))
    web: int = _setting(2, validate.Range(1, 64))
    """The number of web processes that `up` starts; they share the port and the store."""
    redis: str = _setting("")
    """The URL of a Redis that is told of commits; "" for none."""
    patience: float = _setting(10.0, validate.Range(0.1, 600))
    """The seconds within which a request must arrive completely, and an answer be read."""
    bot_pause: float = _setting(1.5, validate.Range(0, 3600))
    """The least seconds before a bot answers under seal, if people sit at the table; the most are twice that."""
    bot_pace: float = _setting(0.0, validate.Range(0, 3600))
    """The least seconds of a bot's turn, if only bots sit at the table; the most are twice that."""
    think_cores: int = _setting(1, validate.Range(1, 64))
    """The number of processes on which a worker that thinks searches; more make `thinker` and `master` stronger."""
    bot_moves: int = _setting(30_000, validate.Range(0, MOST))
    """The most moves of bots in the matches of one account in a minute; 0 for no limit."""

    pause_days: int = _setting(90, validate.Range(1, 3660))
    """The days after which a match that is still paused is broken off."""
    vacation_days: int = _setting(30, validate.Range(0, 366))
    """The days of vacation that a player has in a year."""

    keys_file: Path | None = field(default=None, metadata={"reading": _path, "variable": "KEYS"})
    """The file with the keys that sign receipts, as a mounted secret; None for the one in the data folder."""

    worker_said: str = _setting("", _check_token, "WORKER_TOKEN", repr=False)
    admin_said: str = _setting("", _check_token, "ADMIN_TOKEN", repr=False)
    """The tokens of workers and operator, for several hosts; "" for those in the files."""
    worker_file: Path | None = field(default=None, metadata={"reading": _path, "variable": "WORKER_TOKEN_FILE"})
    admin_file: Path | None = field(default=None, metadata={"reading": _path, "variable": "ADMIN_TOKEN_FILE"})
    """The files with these tokens, as mounted secrets; None for those in the data folder, which are made."""

    secret_said: str = _setting("", _check_token, "SECRET", repr=False)
    secret_file: Path | None = field(default=None, metadata={"reading": _path})
    """The secret that signs links, reply addresses and cursors, the same on all hosts; given like the tokens."""
    public_url: str = _setting("", _check_url)
    """The URL for links in mails: scheme and host, without a slash at the end; "" for host and port."""

    sign_up: str = _setting(SIGN_UPS[0], validate.OneOf(SIGN_UPS))
    """Who may sign up; the operator always may."""
    passes: int = _setting(5, validate.Range(0, MOST))
    """The most passes that a player may make in 30 days."""

    webhook_private: tuple[Network, ...] = field(default=(), metadata={"reading": networks})
    """The private networks to which webhooks may be sent, also without TLS."""

    smtp: str = _setting("", _check_smtp, repr=False)
    """The URL of the server that takes mails, with its password; "" to send none."""
    mail_from: str = _setting("", _check_mail_address)
    """The sender's address of mails."""
    mail_domain: str = _setting("", _check_domain)
    """The domain of reply and bounce addresses; "" if mails can't be answered."""
    mail_listen: str = _setting("", _check_place)
    """The host and port that receive mails, by LMTP or SMTP."""
    mail_after: float = _setting(60.0, validate.Range(0, 86_400))
    """The seconds after which an open turn is mailed; players at the table need no mail."""

    origins: tuple[str, ...] = field(default=(), metadata={"reading": _origins})
    """The origins (scheme, host and port) whose pages may call the API; "*" for all; none for only our own."""

    metrics: str = _setting("", _check_addresses)
    """The host and port, or ports, one of which each process uses to serve its metrics; "" for none."""
    limits: Settings = DEFAULT
    """The limits of requests, which are read from variables of their own."""

    @property
    def mail_lacks(self) -> tuple[str, ...]:
        """The settings without which no mail is sent, if others of mail are set."""
        if not (self.smtp or self.mail_from or self.mail_domain or self.mail_listen):
            return ()
        needed = {"FOLDTABLE_SMTP": self.smtp, "FOLDTABLE_MAIL_FROM": self.mail_from}
        return tuple(name for name, value in needed.items() if not value)

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
    def own_url(self) -> str:
        """The URL at which the web process of this machine listens."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def address(self) -> str:
        """The URL at which people reach the service."""
        return self.public_url or f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def _is_text(path: Path) -> bool:
    """Return whether the path is UTF-8: all other bytes in it are lone surrogates here."""
    return not any("\ud800" <= char <= "\udfff" for char in str(path))


VARIABLES: dict[str, tuple[str, Reading]] = {
    each.name: (each.metadata.get("variable") or each.name.upper(), each.metadata["reading"])
    for each in fields(Config)
    if each.metadata
}
"""By setting, the variable in the environment without the prefix, and how it is read. Limits have their own."""


PREFIX = "FOLDTABLE_"
BESIDE = {"URL", "LOG", "HEARTBEAT", "PYTHON", "PUBLISH", "POSTGRES_PASSWORD", "REDIS_PASSWORD"}
"""Variables that are read without the other settings: `up` sets one for its processes, and some are for containers."""

KNOWN = frozenset(f"{PREFIX}{name}" for name in {*(name for name, _ in VARIABLES.values()), *LIMITS, *BESIDE})


def read(**given: Any) -> Config:
    """Return the settings: those that are given, as by the command line, and not None, and else the environment's.

    Raises:  environs.EnvError, which names each wrong variable.
    """
    env, default, wrong = Env(prefix=PREFIX), Config(), list[str]()
    values = {name: value for name, value in given.items() if value is not None}
    for name, (variable, reading) in VARIABLES.items():
        try:
            if name not in values:
                values[name] = reading(env, variable, getattr(default, name))
        except EnvError as error:
            wrong.append(str(error))
    # it stands in messages, logs and URLs, which are UTF-8
    wrong += [
        f"{said}: its name is not UTF-8: use another"
        for said in values.values()
        if isinstance(said, Path) and not _is_text(said)
    ]
    try:
        limits = read_settings(env)
    except EnvError as error:
        wrong.append(str(error))
    if wrong:
        raise EnvError("; ".join(wrong))
    values |= {"public_url": parse_url(values["public_url"]), "mail_domain": values["mail_domain"].lower()}
    return Config(**values, limits=limits)


def unknown(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the variables that are no settings, as misspelled ones, each with what is to be done."""
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in KNOWN:
            near = get_close_matches(name, sorted(KNOWN), 3)
            yield name, f"perhaps {' or '.join(near)} is meant" if near else "docs/operating.md has all settings"
