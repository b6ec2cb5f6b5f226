"""Who asks is counted before anything is looked up, so that a refusal tells nothing of what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flask import Response

from service.accounts import ADMIN, BOT
from service.ids import digest
from service.limits import GUESSES, LETTERS, LOGINS, OPENINGS, SIGN_UPS, SITTINGS, TALK, Asking, Caller
from service.problems import TooMany
from service.web.reply import asked, asker, noted, once, service

COUNTED = {
    ("players.Players", "POST"): SIGN_UPS,
    ("matches.Matches", "POST"): OPENINGS,
    ("forks.Fork", "POST"): OPENINGS,
    ("rematch.Rematch", "POST"): OPENINGS,
    ("matches.Seats", "POST"): SITTINGS,
    ("invitations.Accept", "POST"): SITTINGS,
    ("talk.Talk", "POST"): TALK,
    ("talk.Reports", "POST"): TALK,
}
"""What counts as what, by endpoint and method."""

SIGNS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
"""What proxies add, as WSGI names it. Only the first is believed, and of a trusted one alone."""


def caller() -> Caller:
    """From where the request comes."""
    about = noted()
    found: Caller | None = about.get("caller")
    if found is None:
        of = asked()
        forwarded, is_passed_on = of.environ.get(SIGNS[0]), not of.environ.keys().isdisjoint(SIGNS)
        found = service().limits.addresses.caller(of.remote_addr, forwarded, is_passed_on=is_passed_on)
        about.caller = found
    return found


def asking() -> Asking:
    """Who is counted: nobody where the address is exempt, nor the workers and the operator."""
    found, who = caller(), asker()
    if found.is_exempt or who.may(BOT) or who.may(ADMIN):
        return Asking()
    return Asking(site=found.site, account=who.player)


def count_guess() -> None:
    """A token that is nobody's was sent. Raises TooMany; whoever has a right one is never counted."""
    service().limits.count(GUESSES, asking())


def count_login(login: str) -> None:
    """Somebody says a password, and whose it is. Raises TooMany, whether there is such an account or not."""
    _count_named(LOGINS, login)


def count_letter(address: str) -> None:
    """Somebody wants a mail to be sent there. Raises TooMany, whether it will be or not."""
    _count_named(LETTERS, address)


def _count_named(name: str, whom: str) -> None:
    site = asking().site
    # counted by what was said: nothing is looked up before
    account = f"{name}:{digest(whom.strip().casefold())[:32]}" if site else ""
    service().limits.count(name, Asking(site=site, account=account))


def count_body(size: int) -> None:
    """A body was sent. Raises TooMany."""
    if size:
        service().limits.count_body(asking(), size)


def count_request() -> None:
    """A request that may be limited. Raises TooMany, but for a repeat: that gets the first success."""
    of = asked()
    name = COUNTED.get((of.endpoint or "", of.method))
    if name is None:
        return
    found = asking()
    try:
        service().limits.count(name, found)
    except TooMany:
        if (before := once()) is None or service().requests.answer(before) is None:
            raise
    finally:
        noted().counted = name


def place_to_wait() -> Callable[[], None]:
    """A place among those who wait; what gives it back. Raises TooMany."""
    return service().limits.wait(asking())


def place_to_stream() -> Callable[[], None]:
    """A place for a stream; what gives it back. Raises TooMany."""
    return service().limits.stream(asking())


def tell(answer: Response) -> Response:
    """Say what is left, where the request was counted (draft-ietf-httpapi-ratelimit-headers-11)."""
    name = noted().get("counted")
    if name is not None and (standings := service().limits.standings(name, asking())):
        policies = (f'"{one.rate.id}";q={one.rate.most};w={one.rate.seconds}' for one in standings)
        left = (f'"{one.rate.id}";r={one.left};t={one.full_in}' for one in standings)
        answer.headers["RateLimit-Policy"], answer.headers["RateLimit"] = _list(policies), _list(left)
    return answer


def _list(items: Iterable[str]) -> str:
    return ", ".join(items)
