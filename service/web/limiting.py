"""By whom a request is counted, and the headers that say what is left. Deeds count themselves."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Response

from service.deeds import ADMIN, BOT, NOBODY, Asker, whom
from service.limits import Asking, Caller
from service.web.reply import asked, noted, service

SIGNS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
"""The headers that proxies add, by their WSGI names. Only the first is used, and only from a trusted proxy."""


def caller() -> Caller:
    """Return from where the request comes."""
    about = noted()
    origin: Caller | None = about.get("caller")
    if origin is None:
        of = asked()
        forwarded, is_passed_on = of.environ.get(SIGNS[0]), not of.environ.keys().isdisjoint(SIGNS)
        origin = service().limits.addresses.caller(of.remote_addr, forwarded, is_passed_on=is_passed_on)
        about.caller = origin
    return origin


def counted(who: Asker) -> Asker:
    """Return the asker with the address by which limits count them, unless it is exempt, or they are not counted.

    Workers and the operator are not counted.
    """
    origin = caller()
    if origin.is_exempt or who.may(BOT) or who.may(ADMIN):
        return who
    return msgspec.structs.replace(who, site=origin.site)


def asking() -> Asking:
    """Return by whom the request is counted."""
    return whom(noted().asker)


def count_body(size: int) -> None:
    """Count the bytes of a body. Raises TooMany."""
    if size:
        service().limits.count_body(asking(), size)


def place_to_wait() -> Callable[[], None]:
    """Take a place for a waiting request. Returns the function that gives it back. Raises TooMany."""
    return service().limits.wait(asking())


def place_to_stream() -> Callable[[], None]:
    """Take a place for a stream. Returns the function that gives it back. Raises TooMany."""
    return service().limits.stream(asking())


def tell(answer: Response) -> Response:
    """Add what is left of the limits that counted the request (draft-ietf-httpapi-ratelimit-headers-11).

    A page that was refused also gets its Retry-After.
    """
    if (again := noted().get("again")) is not None:
        answer.headers["Retry-After"] = again
    names = noted().get("counted")
    if names and (who := asking()) != NOBODY and (standings := service().limits.standings(names, who)):
        policies = (f'"{each.rate.id}";q={each.rate.most};w={each.rate.seconds}' for each in standings)
        left = (f'"{each.rate.id}";r={each.left};t={each.full_in}' for each in standings)
        answer.headers["RateLimit-Policy"], answer.headers["RateLimit"] = ", ".join(policies), ", ".join(left)
    return answer
