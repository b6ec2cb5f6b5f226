"""The pages of links in mails. They ask first, since programs that only look at a link must not change anything."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, g, request

from service import wording
from service.accounts import passwords
from service.problems import Problem, TooMany
from service.web.pages import forms, page
from service.web.pages.words.mailed import MAILED
from service.web.reply import service

blueprint = page.blueprint("mailed", url_prefix="/account")

NOTHING = forms.Filled()


@blueprint.get("/confirm")
def ask_confirm() -> Response:
    """Ask whether to confirm the address."""
    return _asked("confirm")


@blueprint.post("/confirm")
def confirm() -> Response:
    """Confirm the address."""

    def act() -> str:
        email = service().mailboxes.confirm(g.asker, _token(), page.lang())
        return MAILED[page.lang()]["confirm-done"].format(email=email)

    return _done("confirm", act)


@blueprint.get("/recover")
def ask_recover() -> Response:
    """Ask for a new password."""
    return _asked("recover")


@blueprint.post("/recover")
def recover() -> Response:
    """Set the new password."""

    def act() -> str:
        password = request.form.get("password", "")
        service().mailboxes.recover(g.asker, _token(), password, page.lang(), once=page.once())
        return MAILED[page.lang()]["recover-done"]

    return _done("recover", act)


def _token() -> str:
    """Return the token in the link or the form; "" if there is none."""
    return request.form.get("token") or request.args.get("token") or ""


def _asked(what: str) -> Response:
    """Return the page with the form, or with an error if the link has no token."""
    wrong = "" if _token() else wording.say("unknown-link", page.lang(), {})
    return _page(what, wrong=wrong)


def _done(what: str, act: Callable[[], str]) -> Response:
    """Return the page with the result of `act`, or with its error; and with the form if it can be corrected."""
    try:
        return _page(what, said=act())
    except Problem as error:
        if error.code == "malformed" or isinstance(error, TooMany):
            return _page(what, forms.status_of(error), form=forms.wrong(error))
        return _page(what, forms.status_of(error), wrong=page.said_of(error))


def _page(what: str, status: int = 200, *, form: forms.Filled = NOTHING, said: str = "", wrong: str = "") -> Response:
    answer = page.shown(
        "mailed.html.j2",
        MAILED,
        status,
        what=what,
        form=form,
        token=_token(),
        said=said,
        wrong=wrong,
        least=passwords.LEAST,
        most=passwords.MOST,
    )
    # the URL contains a secret, so it is not stored, and other sites don't get it; forms need to know the origin
    answer.headers["Referrer-Policy"] = "strict-origin"
    answer.headers["Cache-Control"] = "no-store"
    return answer
