"""Where the links in mails lead: a page that asks whether it is meant, since what only looks at a link must not act.

There is no script on it, and nothing from elsewhere; what it does the API does.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from flask import Blueprint, Response, request

from domain.game import Lang
from service.accounts import passwords
from service.problems import Problem, TooMany
from service.web import limiting
from service.web.reply import VARY, service, spoken
from service.wording import say, translated

blueprint = Blueprint("account_pages", __name__, url_prefix="/account")

SHUT = {
    "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Vary": VARY,
}
"""The link holds a secret: it is told to nobody else, and kept nowhere."""

WORDS: dict[Lang, dict[str, str]] = {
    "en": {
        "confirm": "Confirm your mail address",
        "confirm-do": "It is mine",
        "confirm-done": "{email} is confirmed.",
        "recover": "Set a new password",
        "recover-do": "Set it",
        "recover-done": "Your new password is set. Log in again: every session and every token has ended.",
        "password": "New password",
    },
    "ja": {
        "confirm": "メールアドレスの確認",
        "confirm-do": "自分のアドレスです",
        "confirm-done": "{email}を確認しました。",
        "recover": "新しいパスワード",
        "recover-do": "設定する",
        "recover-done": "新しいパスワードを設定しました。ログインもトークンもすべて終了しました。"
        "もう一度ログインしてください。",
        "password": "新しいパスワード",
    },
}

PAGE = """<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title></head><body><main><h1>{title}</h1>
{inner}
</main></body></html>
"""

FORM = """<form method="post"><input type="hidden" name="token" value="{token}">
{field}<p><button type="submit">{label}</button></p></form>"""

FIELD = """<p><label>{label} <input type="password" name="password" autocomplete="new-password" required
minlength="{least}" maxlength="{most}"></label></p>
"""


@blueprint.get("/confirm")
def ask_confirm() -> Response:
    """Whether the address is theirs."""
    return _page("confirm", _form("confirm"))


@blueprint.post("/confirm")
def confirm() -> Response:
    """It is."""

    def act() -> str:
        email = service().mailboxes.confirm(_said("token"), spoken())
        return WORDS[spoken()]["confirm-done"].format(email=email)

    return _done("confirm", act)


@blueprint.get("/recover")
def ask_recover() -> Response:
    """Which password it is to be."""
    return _page("recover", _form("recover", _field()))


@blueprint.post("/recover")
def recover() -> Response:
    """That one."""

    def act() -> str:
        limiting.count_login(_said("token"))
        service().mailboxes.recover(_said("token"), _said("password"), spoken())
        return WORDS[spoken()]["recover-done"]

    return _done("recover", act, _field())


def _done(what: str, act: Callable[[], str], field: str = "") -> Response:
    """What came of it; when it is refused, why, and the form again if it may be mended."""
    try:
        return _page(what, f"<p>{escape(act())}</p>")
    except Problem as error:
        said = say(error.code, spoken(), error.fields)
        if error.code == "malformed":
            said = " ".join(translated(error.more["errors"], spoken())["password"])
        is_mended = error.code == "malformed" or isinstance(error, TooMany)
        return _page(what, f"<p>{escape(said)}</p>{_form(what, field) if is_mended else ''}", 422)


def _said(name: str) -> str:
    """What the link or the form says."""
    return request.form.get(name) or request.args.get(name) or ""


def _field() -> str:
    label = WORDS[spoken()]["password"]
    return FIELD.format(label=label, least=passwords.LEAST, most=passwords.MOST)


def _form(what: str, field: str = "") -> str:
    return FORM.format(token=escape(_said("token")), field=field, label=WORDS[spoken()][f"{what}-do"])


def _page(what: str, inner: str, status: int = 200) -> Response:
    text = PAGE.format(lang=spoken(), title=WORDS[spoken()][what], inner=inner)
    return Response(text, status, SHUT, content_type="text/html; charset=utf-8")
