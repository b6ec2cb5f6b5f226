"""Signing in and out, signing up, and playing at once as a guest: an account that only this browser knows."""

from __future__ import annotations

import secrets

from flask import Response, g, request

from service.accounts import Sessions, Signing, passwords
from service.limits import SIGN_UPS
from service.problems import Problem
from service.web import cookies, limiting
from service.web.pages import page
from service.web.pages.words.signing import SIGNING
from service.web.reply import service

blueprint = page.blueprint("signing")

GUEST = 9000
"""How many numbers there are for guests; two may have the same."""


@blueprint.get("/sign-in")
def ask() -> Response:
    """Who it is."""
    return _page()


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """That is who it is."""
    login, password = request.form.get("login", ""), request.form.get("password", "")
    try:
        limiting.count_login(login)
        _, _, token = service().sessions.begin(login, password, None)
    except Problem as error:
        return _page(said=page.said_of(error), login=login, status=422)
    answer = page.go(page.back("/turns"))
    cookies.give(answer, token, int(Sessions.LASTS.total_seconds()))
    return answer


@blueprint.post("/sign-up")
def sign_up() -> Response:
    """A new account."""
    name = request.form.get("name", "").strip()
    login, email, code = (request.form.get(key, "").strip() or None for key in ("login", "email", "code"))
    try:
        token = signed_up(
            Signing(name=name, password=request.form.get("password") or None, login=login, email=email, code=code)
        )
    except Problem as error:
        return _page(new=page.said_of(error), name=name, status=422)
    answer = page.go(page.back("/lobby"))
    cookies.give(answer, token, page.YEAR)
    return answer


@blueprint.post("/guest")
def guest() -> Response:
    """Nobody in particular."""
    answer = page.go(page.back("/lobby"))
    if not g.get("session"):
        cookies.give(answer, as_guest(), page.YEAR)
    return answer


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Not any longer."""
    answer = page.go("/")
    if session := g.get("session"):
        service().sessions.end(g.asker, session)
        cookies.take_away(answer)
    return answer


def signed_up(said: Signing) -> str:
    """A new account's token. Raises Problems."""
    service().limits.count(SIGN_UPS, limiting.asking())
    if said.email is not None:
        limiting.count_letter(said.email)
    _, token = service().sign_ups.sign_up(g.asker, said, page.lang(), None)
    return token


def as_guest() -> str:
    """A guest's token: who looks is that guest from now on. Raises Problems."""
    number = 1000 + secrets.randbelow(GUEST)
    token = signed_up(Signing(name=SIGNING[page.lang()]["guest-name"].format(number=number)))
    g.asker, g.session = service().accounts.asker(token), token
    return token


def _page(status: int = 200, **said: str) -> Response:
    return page.shown(
        "sign_in.html.j2",
        SIGNING,
        status,
        said=said.get("said", ""),
        new=said.get("new", ""),
        login=said.get("login", ""),
        name=said.get("name", ""),
        next=page.back(""),
        mode=service().sign_ups.mode,
        least=passwords.LEAST,
        most=passwords.MOST,
    )
