"""Where the links in mails lead: a page that asks whether it is meant, since what only looks at a link must not act."""

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
    """Whether the address is theirs."""
    return _asked("confirm")


@blueprint.post("/confirm")
def confirm() -> Response:
    """It is."""

    def act() -> str:
        email = service().mailboxes.confirm(g.asker, _token(), page.lang())
        return MAILED[page.lang()]["confirm-done"].format(email=email)

    return _done("confirm", act)


@blueprint.get("/recover")
def ask_recover() -> Response:
    """Which password it is to be."""
    return _asked("recover")


@blueprint.post("/recover")
def recover() -> Response:
    """That one."""

    def act() -> str:
        password = request.form.get("password", "")
        service().mailboxes.recover(g.asker, _token(), password, page.lang(), once=page.once())
        return MAILED[page.lang()]["recover-done"]

    return _done("recover", act)


def _token() -> str:
    """What the link or the form says."""
    return request.form.get("token") or request.args.get("token") or ""


def _asked(what: str) -> Response:
    """The form; where the link has lost its end, that it has."""
    wrong = "" if _token() else wording.say("unknown-link", page.lang(), {})
    return _page(what, wrong=wrong)


def _done(what: str, act: Callable[[], str]) -> Response:
    """What came of it; when it is refused, why, and the form again if it may be mended."""
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
    # the address holds a secret: it is told to nobody, and kept nowhere; from where a form comes is told all the same
    answer.headers["Referrer-Policy"] = "strict-origin"
    answer.headers["Cache-Control"] = "no-store"
    return answer
