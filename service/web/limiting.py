"""Who is counted for a request, and what is left to them: deeds count what they do themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from flask import Response

from service.deeds import ADMIN, BOT, NOBODY, Asker, whom
from service.limits import Asking, Caller
from service.web.reply import asked, noted, service

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


def counted(who: Asker) -> Asker:
    """Return the asker as limits count them: not where the address is exempt, nor the workers and the operator."""
    found = caller()
    if found.is_exempt or who.may(BOT) or who.may(ADMIN):
        return who
    return msgspec.structs.replace(who, site=found.site)


def asking() -> Asking:
    """Return who is counted for the request."""
    return whom(noted().asker)


def count_body(size: int) -> None:
    """A body was sent. Raises TooMany."""
    if size:
        service().limits.count_body(asking(), size)


def place_to_wait() -> Callable[[], None]:
    """A place among those who wait; what gives it back. Raises TooMany."""
    return service().limits.wait(asking())


def place_to_stream() -> Callable[[], None]:
    """A place for a stream; what gives it back. Raises TooMany."""
    return service().limits.stream(asking())


def tell(answer: Response) -> Response:
    """Say what is left, where the request was counted (draft-ietf-httpapi-ratelimit-headers-11); and, on a page that
    tells why not, when to come back.
    """
    if (again := noted().get("again")) is not None:
        answer.headers["Retry-After"] = again
    names = noted().get("counted")
    if names and (who := asking()) != NOBODY and (standings := service().limits.standings(names, who)):
        policies = (f'"{one.rate.id}";q={one.rate.most};w={one.rate.seconds}' for one in standings)
        left = (f'"{one.rate.id}";r={one.left};t={one.full_in}' for one in standings)
        answer.headers["RateLimit-Policy"], answer.headers["RateLimit"] = _list(policies), _list(left)
    return answer


def _list(items: Iterable[str]) -> str:
    return ", ".join(items)
