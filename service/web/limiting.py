"""Who asks is counted before anything is looked up, so that a refusal tells nothing of what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from flask import Response

from events.store import NulInText
from service.accounts import ADMIN, BOT, looked_up, mailboxes
from service.ids import digest
from service.limits import GUESSES, INVITATIONS, LETTERS, LIMITED, LOGINS, Asking, Caller
from service.problems import TooMany
from service.web.contract.operations import Operation
from service.web.reply import asked, asker, noted, once, service

SIGNS = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP", "HTTP_VIA")
"""What proxies add, as WSGI names it. Only the first is believed, and of a trusted one alone."""


NOBODY = Asking()
"""Who is not counted."""


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
        return NOBODY
    return Asking(site=found.site, account=who.player)


def count_guess() -> None:
    """A token that is nobody's was sent. Raises TooMany; whoever has a right one is never counted."""
    service().limits.count((GUESSES,), asking())


def count_login(login: str) -> None:
    """Somebody says a password, and whose it is. Raises TooMany, whether there is such an account or not."""
    _count_named(LOGINS, looked_up(login))


def count_link(token: str) -> None:
    """Somebody says what a mailed link holds, and a password. Raises TooMany."""
    _count_named(LOGINS, token.strip())


def count_letter(address: str) -> None:
    """Somebody wants a mail to be sent there. Raises TooMany, whether it will be or not."""
    _count_named(LETTERS, mailboxes.receiver(address))


def _count_named(name: str, whom: str) -> None:
    """Count it by what was said, in the form in which it is looked up: nothing is looked up before."""
    site = asking().site
    account = f"{name}:{digest(whom)[:32]}" if site else ""
    _count((name,), Asking(site=site, account=account))


def count_invitations(players: Iterable[str | None]) -> None:
    """Seats are to be kept for these players, of whom None is nobody. Raises TooMany."""
    if others := {player for player in players if player is not None and player != asker().player}:
        _count((INVITATIONS,), asking(), len(others))


def count_operation(id: str) -> None:
    """Count what a page or a program asks for as the operation of that id. Raises TooMany."""
    if names := LIMITED[id].asking:
        _count(names, asking())


def _count(names: tuple[str, ...], whom: Asking, cost: float = 1.0) -> None:
    """Raises TooMany, but for a repeat: that gets the first success."""
    if whom == NOBODY:
        return
    try:
        service().limits.count(names, whom, cost)
    except TooMany:
        if not is_repeat():
            raise


def is_repeat() -> bool:
    """Whether the request came before, by its key, and was done. Raises Malformed where it said something else then."""
    before = once()
    if before is None:
        return False
    if service().requests.answer(before) is not None:
        return True
    match_id = (asked().view_args or {}).get("match_id")
    try:
        return match_id is not None and service().requests.command(before, match_id) is not None
    except NulInText:
        return False


def count_body(size: int) -> None:
    """A body was sent. Raises TooMany."""
    if size:
        service().limits.count_body(asking(), size)


def count_request(told: Operation | None) -> None:
    """Count a request for that operation. Raises TooMany, but for a repeat: that gets the first success."""
    if told is None or (counted := LIMITED.get(told.id)) is None or not counted.asking:
        return
    try:
        _count(counted.asking, asking())
    finally:
        noted().counted = counted.asking


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
    if names is not None and (whom := asking()) != NOBODY and (standings := service().limits.standings(names, whom)):
        policies = (f'"{one.rate.id}";q={one.rate.most};w={one.rate.seconds}' for one in standings)
        left = (f'"{one.rate.id}";r={one.left};t={one.full_in}' for one in standings)
        answer.headers["RateLimit-Policy"], answer.headers["RateLimit"] = _list(policies), _list(left)
    return answer


def _list(items: Iterable[str]) -> str:
    return ", ".join(items)
