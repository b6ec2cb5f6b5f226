"""Signing in and out, signing up, playing as a guest, whose account only this browser can use, and the links in mails.

Those pages ask first, since programs that only look at a link must not change anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, g, request

from service import wording
from service.accounts import Sessions, Signing, guest_name
from service.deeds import TABLE
from service.matches import Place
from service.problems import Problem, TooMany, malformed
from service.web import account_inputs, askers
from service.web.pages import forms, page
from service.web.reply import service

SIGN_IN = page.texts_of("sign_in")
MAILED = page.texts_of("mailed")

blueprint = page.blueprint("sign_in")


@blueprint.get("/sign-up")
def ask_newcomer() -> Response:
    """Lead to the page with the form, for example if another language is chosen after an error."""
    return page.lead("/sign-in")


@blueprint.post("/sign-in")
def sign_in() -> Response:
    """Sign in."""
    try:
        values = forms.read(account_inputs.SessionWanted(), "login", "password")
        _, _, token = service().sessions.begin(g.asker, values["login"], values["password"])
    except Problem as error:
        return ask(forms.status_of(error), entering=forms.wrong(error))
    askers.set_cookie(token, Sessions.LASTS)
    return page.go(page.back("/turns"))


@blueprint.post("/sign-up")
def sign_up() -> Response:
    """Make an account, and sign in."""
    try:
        _sign_up(_wanted())
    except Problem as error:
        return ask(forms.status_of(error), coming=forms.wrong(error))
    return page.go(page.back("/lobby"))


@blueprint.post("/guest")
def guest() -> Response:
    """Sign in as a new guest."""
    try:
        come()
    except Problem as error:
        return ask(forms.status_of(error), coming=forms.wrong(error))
    # whoever wants to play at once has no match yet: from there one touch leads to a table
    return page.go(page.back("/games"))


@blueprint.post("/sign-out")
def sign_out() -> Response:
    """Sign out, in this browser or in all."""
    if session := g.get("session"):
        service().sessions.end(g.asker, session, is_all=request.form.get("everywhere") == "yes")
        askers.delete_cookie()
    return page.go("/")


@blueprint.post("/recover")
def recover() -> Response:
    """Post a mail with which a new password is set. The page does not show whether an account has the address."""
    try:
        values = forms.read(account_inputs.RecoveryWanted(), "email")
        service().mailboxes.ask_recovery(g.asker, values["email"], page.lang(), once=page.once())
    except Problem as error:
        return ask_recovery(forms.status_of(error), form=forms.wrong(error))
    return ask_recovery(form=forms.Filled(forms.typed()), is_sent=True)


@blueprint.get("/recover")
def ask_recovery(status: int = 200, *, form: forms.Filled = forms.NOTHING, is_sent: bool = False) -> Response:
    """Show the form that asks for the mail address of an account with a forgotten password."""
    return page.shown("recover.html.j2", SIGN_IN, status, form=form, is_sent=is_sent)


def _wanted() -> Signing:
    """Return who signs up. Raises Malformed, also for a login without a password or the reverse: neither signs in."""
    wanted = Signing(**forms.read(account_inputs.SignUp(), "name", "login", "password", "email", "pass"))
    if (wanted.login is None) != (wanted.password is None):
        missing = "login" if wanted.login is None else "password"
        raise malformed({missing: [SIGN_IN[page.lang()][f"no-{missing}"]]})
    return wanted


def _sign_up(signing: Signing) -> str:
    """Make the account. Returns the token of its first session, which the browser keeps. Raises Problems."""
    lasts = service().sessions.lasts(signing.login, signing.password)
    token = service().sign_ups.sign_up(g.asker, signing, page.lang(), lasts)[1]
    askers.set_cookie(token, lasts)
    return token


def barred(path: str) -> Response | None:
    """Return an answer that leads to the sign-in page, and then to the path; None if the reader is signed in already,
    or can become a guest.
    """
    if g.get("session") or service().sign_ups.mode == "open":
        return None
    return page.go(f"/sign-in?{urlencode({'next': path})}")


def come(*deeds: str) -> None:
    """Make the reader a guest if they are not signed in. Raises Problems.

    `deeds`: the ids of the deeds that follow. Raises TooMany, before a guest is made, if a limit would refuse them.
    """
    for deed in deeds:
        service().front.check(g.asker, TABLE[deed].limits, page.once())
    if g.get("session"):
        return
    token = _sign_up(Signing(name=guest_name(page.lang())))
    asker = askers.counted(service().accounts.asker(token))
    g.asker, g.session = msgspec.structs.replace(asker, link=g.asker.link), token


def opened(deed: str, open: Callable[[Place], str], seat: int = 0) -> Response:
    """Open a match, in which the reader gets the seat. Returns an answer that leads to its table. Raises Problems.

    `open`: does the deed of this id with the reader's place. If a script sits down itself, that seat is kept for them.
    """
    come(deed, "takeSeat")
    later = forms.later()
    match = open(Place(player=g.asker.player if later else None))
    if not later:
        service().seats.take(g.asker, match, seat, once=page.once("seat"))
    return page.go(forms.table_of(match, later))


@blueprint.get("/sign-in")
def ask(status: int = 200, **filled: Any) -> Response:
    """Show the forms for signing in and up."""
    return page.shown(
        "sign_in.html.j2",
        SIGN_IN,
        status,
        **{"entering": forms.NOTHING, "coming": forms.NOTHING, **filled},
        next=page.back(""),
        mode=service().sign_ups.mode,
    )


def ask_mailed(what: str) -> Response:
    """Show the form of a link, or that the link is incomplete."""
    return _mailed(what, wrong="" if _token() else wording.say("unknown-link", page.lang(), {}))


def do_mailed(what: str) -> Response:
    """Confirm the address, or set the password. Returns the page with the result or the error."""
    email, mailboxes = "", service().mailboxes
    try:
        if what == "confirm":
            email = mailboxes.confirm(g.asker, _token(), page.lang())
        else:
            password = request.form.get("password", "")
            mailboxes.recover(g.asker, _token(), password, page.lang(), once=page.once())
        return _mailed(what, said=MAILED[page.lang()][f"{what}-done"].format(email=email))
    except Problem as error:
        if error.code == "malformed" or isinstance(error, TooMany):
            return _mailed(what, forms.status_of(error), forms.wrong(error))
        return _mailed(what, forms.status_of(error), wrong=page.said_of(error))


for _what in ("confirm", "recover"):
    blueprint.add_url_rule(f"/account/{_what}", f"ask_{_what}", partial(ask_mailed, _what))
    blueprint.add_url_rule(f"/account/{_what}", f"do_{_what}", partial(do_mailed, _what), methods=["POST"])


def _token() -> str:
    """Return the token in the link or the form; "" if there is none."""
    return request.form.get("token") or request.args.get("token") or ""


def _mailed(
    what: str, status: int = 200, form: forms.Filled = forms.NOTHING, said: str = "", wrong: str = ""
) -> Response:
    answer = page.shown(
        "mailed.html.j2",
        MAILED,
        status,
        is_secret=True,
        what=what,
        form=form,
        token=_token(),
        said=said,
        wrong=wrong,
    )
    # the URL contains a secret, so it is not stored, and other sites don't get it; forms need to know the origin
    answer.headers["Referrer-Policy"] = "strict-origin"
    return answer
