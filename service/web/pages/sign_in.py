"""Signing in and out, signing up, and playing at once as a guest: an account that only this browser knows."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from flask import Response, g, request

from service.accounts import Sessions, Signing, passwords
from service.deeds import TABLE
from service.problems import Problem
from service.web import account_inputs, cookies, limiting
from service.web.pages import forms, page
from service.web.pages.words.sign_in import SIGN_IN
from service.web.reply import service

blueprint = page.blueprint("sign_in")

GUEST = 9000
"""How many numbers there are for guests; two may have the same."""

OPEN = "open"
"""How people sign up where everybody may."""

NOTHING = forms.Filled()

OF_GUESTS = int(Sessions.OF_GUESTS.total_seconds())
"""Seconds for which a guest's browser keeps its cookie."""


@blueprint.get("/sign-in")
def ask() -> Response:
    """Who it is."""
    return _page()


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """That is who it is."""
    try:
        said = forms.read(account_inputs.SessionWanted(), "login", "password")
        _, _, token = service().sessions.begin(g.asker, said["login"], said["password"])
    except Problem as error:
        return _page(forms.status_of(error), entering=forms.wrong(error))
    return _in(token, "/turns", int(Sessions.LASTS.total_seconds()))


@blueprint.post("/sign-up")
def sign_up() -> Response:
    """A new account."""
    try:
        said = forms.read(account_inputs.SignUp(), "name", "login", "password", "email", "pass")
        signing = Signing(**said)
        token = signed_up(signing)
    except Problem as error:
        return _page(forms.status_of(error), coming=forms.wrong(error))
    return _in(token, "/lobby", int(lasts_of(signing).total_seconds()))


@blueprint.post("/guest")
def guest() -> Response:
    """Nobody in particular."""
    if g.get("session"):
        return page.go(page.back("/lobby"))
    try:
        token = as_guest()
    except Problem as error:
        return _page(forms.status_of(error), coming=forms.wrong(error))
    return _in(token, "/lobby", OF_GUESTS)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Not any longer, in this browser or in any."""
    answer = page.go("/")
    if session := g.get("session"):
        service().sessions.end(g.asker, session, is_all=request.form.get("everywhere") == "yes")
        cookies.take_away(answer)
    return answer


@blueprint.get("/recover")
def ask_recovery() -> Response:
    """Where the mail is to go with which a new password is set."""
    return page.shown("recover.html.j2", SIGN_IN, form=NOTHING, is_sent=False)


@blueprint.post("/recover")
def recover() -> Response:
    """There; whether it is anybody's address is not told."""
    try:
        said = forms.read(account_inputs.RecoveryWanted(), "email")
        service().mailboxes.ask_recovery(g.asker, said["email"], page.lang(), once=page.once())
    except Problem as error:
        return page.shown("recover.html.j2", SIGN_IN, forms.status_of(error), form=forms.wrong(error), is_sent=False)
    return page.shown("recover.html.j2", SIGN_IN, form=forms.Filled(forms.typed()), is_sent=True)


def signed_up(said: Signing) -> str:
    """Make the account, and return the token of its first session. Raises Problems."""
    return service().sign_ups.sign_up(g.asker, said, page.lang(), lasts_of(said))[1]


def lasts_of(said: Signing) -> timedelta:
    """Return how long the session lasts that the browser is given."""
    return service().sessions.lasts(said.login, said.password)


def may_be_guest() -> bool:
    """Whether somebody is let in without being asked anything."""
    return service().sign_ups.mode == OPEN


def comer(*deeds: str) -> str | None:
    """Let in who comes to have these deeds done. Returns the token of a guest who is made for it; None for who is
    signed in. Raises TooMany before anything is made that limits would refuse.
    """
    for deed in deeds:
        service().front.check(g.asker, TABLE[deed].limits, page.once())
    return None if g.get("session") else as_guest()


def as_guest() -> str:
    """Make a guest, who looks from now on. Returns the guest's token. Raises Problems."""
    number = 1000 + secrets.randbelow(GUEST)
    token = signed_up(Signing(name=SIGN_IN[page.lang()]["guest-name"].format(number=number)))
    g.asker, g.session = limiting.counted(service().accounts.asker(token)), token
    return token


def with_guest(answer: Response, token: str | None) -> Response:
    """Return the answer; to a guest who was just made, with the cookie by which they stay this guest."""
    if token is not None:
        cookies.give(answer, token, OF_GUESTS)
    return answer


def _in(token: str, fallback: str, seconds: int) -> Response:
    answer = page.go(page.back(fallback))
    cookies.give(answer, token, seconds)
    return answer


def _page(status: int = 200, **filled: Any) -> Response:
    return page.shown(
        "sign_in.html.j2",
        SIGN_IN,
        status,
        **{"entering": NOTHING, "coming": NOTHING, **filled},
        next=page.back(""),
        mode=service().sign_ups.mode,
        least=passwords.LEAST,
        most=passwords.MOST,
    )
