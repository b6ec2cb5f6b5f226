"""The limits: the defaults, and what an operator sets (FOLDTABLE_LIMIT_..., FOLDTABLE_PROXIES)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeVar

import msgspec
from environs import Env, validate
from marshmallow import ValidationError

ADDRESS, ACCOUNT = "address", "account"
OFF = "off"

MOST = 10**9
"""The largest number, and the longest time in seconds, that a limit can be set to: Redis and SQLite can count to it."""

DIGITS = len(str(MOST)) + 1
"""The digits of a number that show whether it is larger than MOST."""

KIB = 1024.0

T = TypeVar("T")

Network = IPv4Network | IPv6Network


class Room(msgspec.Struct, frozen=True, dict=True):
    """A limit of how many requests may be under way at the same time."""

    name: str
    by: str
    """The thing that is counted: ADDRESS or ACCOUNT."""
    most: int

    @cached_property
    def id(self) -> str:
        """The name of the limit in answers."""
        return f"{self.name}-by-{self.by}"


class Rate(Room, frozen=True, dict=True):
    """A limit of requests in a time. All may come at once; what was used comes back evenly within `seconds`."""

    seconds: int

    @cached_property
    def a_second(self) -> float:
        """How much comes back in a second."""
        return self.most / self.seconds


SIGN_UPS, GUESSES, OPENINGS, SITTINGS, BODIES = "sign-ups", "guesses", "openings", "sittings", "body-kib"
LOGINS, LETTERS, TALK = "logins", "letters", "messages"
MOVES, ORDERS, DEEDS, INVITATIONS = "moves", "orders", "deeds", "invitations"
TOKENS, PINGS, SETTINGS = "tokens", "pings", "settings"
REVIEWS, HINTS = "reviews", "hints"
WAITS, STREAMS = "waits", "streams"


def _both(name: str, by_address: int, by_account: int, seconds: int) -> tuple[Rate, Rate]:
    return Rate(name, ADDRESS, by_address, seconds), Rate(name, ACCOUNT, by_account, seconds)


RATES = (
    Rate(SIGN_UPS, ADDRESS, 60, 3600),
    Rate(GUESSES, ADDRESS, 60, 60),
    # for these two an account is the name or address that the caller gives, whether an account has it or not
    *_both(LOGINS, 60, 20, 600),
    *_both(LETTERS, 30, 6, 3600),
    *_both(OPENINGS, 1200, 300, 3600),
    *_both(SITTINGS, 2400, 600, 3600),
    *_both(TALK, 600, 60, 600),
    # enough for four tables of six at once, and then for one player every three minutes
    *_both(INVITATIONS, 100, 20, 3600),
    # a match may have any number of moves, so this stops only programs in a loop: 50 a second, without end
    *_both(MOVES, 30_000, 3000, 60),
    *_both(ORDERS, 3000, 300, 3600),
    # each is an event in a log that everybody may read; enough for a player of a hundred matches to give all to bots
    *_both(DEEDS, 1200, 120, 3600),
    *_both(TOKENS, 600, 60, 3600),
    # each makes the service send something to an address that the caller has chosen
    *_both(PINGS, 600, 60, 3600),
    *_both(SETTINGS, 2400, 240, 3600),
    # each takes a minute of a processor
    *_both(REVIEWS, 60, 12, 3600),
    # each takes a second of it
    *_both(HINTS, 3000, 300, 3600),
    # enough for a school behind one address; 2 500 moves a second are 30 MiB a minute
    *_both(BODIES, 131_072, 65_536, 60),
)

INVITED, INVITED_BY_ONE = Rate("invited", ACCOUNT, 20, 86_400), Rate("invited-by-one", ACCOUNT, 5, 86_400)
"""Mails about invitations that a player gets within a day: from all players, and from one. Further invitations are
shown on the pages only. They are counted like the other limits, when the mail processes send them.
"""

ROOMS = (
    *(Room(WAITS, ADDRESS, 1000), Room(WAITS, ACCOUNT, 500)),
    # an account: enough for one person with pages open in many places; an address: enough for a school of them
    *(Room(STREAMS, ADDRESS, 1000), Room(STREAMS, ACCOUNT, 50)),
)

HERE = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
"""This machine."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All limits, with the networks that are exempt or trusted."""

    rates: tuple[Rate, ...] = RATES
    rooms: tuple[Room, ...] = ROOMS
    open_matches: int = 1000
    """The most matches opened by one account that are not over."""
    exempt: tuple[Network, ...] = HERE
    """The networks whose requests are not counted, neither by address nor by account."""
    proxies: tuple[Network, ...] = ()
    """The networks of proxies that are trusted when they say for which address they ask."""


DEFAULT = Settings()


def read_settings(env: Env) -> Settings:
    """Return the settings that the environment gives. Raises environs.EnvError."""
    say_rate, say_room = 'write a rate as "60/hour", or "off"', f'write a number from 1 to {MOST}, or "off"'
    rates = (_read(env, _variable(rate), rate, partial(parse_rate, rate), say_rate) for rate in DEFAULT.rates)
    rooms = (_read(env, _variable(room), room, partial(_parse_room, room), say_room) for room in DEFAULT.rooms)
    return Settings(
        rates=tuple(rate for rate in rates if rate is not None),
        rooms=tuple(room for room in rooms if room is not None),
        open_matches=env.int("LIMIT_OPEN_MATCHES", DEFAULT.open_matches, validate=validate.Range(1, MOST)),
        exempt=networks(env, "LIMIT_EXEMPT", DEFAULT.exempt),
        proxies=networks(env, "PROXIES", DEFAULT.proxies),
    )


def _variable(of: Room) -> str:
    return f"LIMIT_{of.id}".upper().replace("-", "_")


VARIABLES = frozenset({"LIMIT_OPEN_MATCHES", "LIMIT_EXEMPT", "PROXIES"} | {_variable(one) for one in (*RATES, *ROOMS)})
"""The names of the environment variables that set limits."""


def _read(env: Env, name: str, default: T, parse: Callable[[str], T | None], say: str) -> T | None:
    """Return what the variable's text means, or the default if it is not set. Raises environs.EnvError."""

    def check(said: str) -> bool:
        try:
            parse(said)
        except ValueError as error:
            raise ValidationError(f"{say}: {error}") from error
        return True

    said = env.str(name, None, validate=check)
    return default if said is None else parse(said)


def parse_rate(default: Rate, said: str) -> Rate | None:
    """Return the rate of a text like `60/hour` or `100 per 5 minutes`, None for `off`. Raises ValueError."""
    if said.strip().lower() == OFF:
        return None
    # imported here: a service that sets no rate does not need the library
    import limits

    item, *more = limits.parse_many(said)
    if more:
        raise ValueError("one rate alone")
    # the library takes "0 hours" as one hour
    if 0 in map(int, re.findall(r"\d+", said)):
        raise ValueError("at least 1")
    if max(item.amount, item.get_expiry()) > MOST:
        raise ValueError(f"at most {MOST} in {MOST} seconds")
    return msgspec.structs.replace(default, most=item.amount, seconds=item.get_expiry())


def _parse_room(default: Room, said: str) -> Room | None:
    said = said.strip().lower()
    if said == OFF:
        return None
    if not said.isdecimal() or not 0 < int(said[:DIGITS]) <= MOST:
        raise ValueError("no such number")
    return msgspec.structs.replace(default, most=int(said))


def networks(env: Env, name: str, default: tuple[Network, ...]) -> tuple[Network, ...]:
    """Return the networks that the variable names, or the default. Raises environs.EnvError."""
    return _read(env, name, default, parse_networks, 'write addresses and networks as "10.0.0.1, fd00::/8"') or ()


def parse_networks(said: str) -> tuple[Network, ...]:
    """Return the addresses and networks in a text with commas between them. Raises ValueError."""
    return tuple(ip_network(part.strip()) for part in said.split(",") if part.strip())
