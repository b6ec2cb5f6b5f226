"""The parts of all pages: the reader, the language, refusals, and the frame.

A browser sends only its cookie for a page. Forms that change something also send a value that only our own pages can
read, as scripts do with `X-CSRF-Token`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from unicodedata import category
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import msgspec
from flask import Blueprint, Response, g, redirect, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from werkzeug.exceptions import HTTPException

from domain import refusals
from domain.game import Lang, Refusal
from service import wording
from service.accounts import STRANGER, Asker
from service.matches import answers
from service.problems import Problem, TooMany, Unauthorized, Unready, token_missing
from service.signing import digest
from service.store import Once, Player, idempotency
from service.web import askers
from service.web.errors import STATUS, WAIT_AFTER
from service.web.pages import assets, partly
from service.web.pages.words import COMMON
from service.web.reply import LANGS, parts_of, preferred, service

Texts = Mapping[Lang, Mapping[str, str]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)
"""The policy of pages: no inline scripts or styles, and nothing from elsewhere."""

LANG = "lang"
"""The name of the cookie for the language, and of the query that sets it."""

THEME = "theme"
"""The name of the cookie for the theme; without it pages have the device's theme."""

THEMES = ("auto", "light", "dark")

LONGEST = 2000
"""The most characters of the page to which a form leads."""

WRITTEN = "/?#[]@!$&'()*+,;=:%~"
"""The characters that URLs contain unquoted, besides letters, digits, - and _ (RFC 3986)."""

UNSAID = frozenset({"csrf", "later", "nonce"})
"""Fields that don't count when a form is compared with an earlier one, since a script fills them in anew each time."""

YEAR = 365 * 24 * 60 * 60

FOLDER = Path(__file__).parent / "templates"


def blueprint(name: str, **more: Any) -> Blueprint:
    """Return a blueprint for pages, which knows the reader and shows errors as pages."""
    made = Blueprint(f"pages_{name}", __name__, **more)
    made.before_request(know)
    made.register_error_handler(Problem, _problem)
    made.register_error_handler(Refusal, _refusal)
    made.register_error_handler(HTTPException, _of_flask)
    return made


def know() -> Response | None:
    """Find out the reader and the language. Raises Forbidden for a form of another site's page."""
    listen()
    g.asker = askers.counted(looker())
    if partly.is_wanted() and g.get("is_cookie_stale"):
        raise token_missing()  # instead of what strangers see
    link = request.args.get("link")
    if link is not None:
        g.asker = _by_link(g.asker, link)
    if request.method in {"GET", "HEAD"}:
        reader = me()
        return partly.anew() if partly.is_of_another(reader.id if reader else None) else None
    askers.check_origin()
    askers.count_body(request.content_length or 0)
    if session := g.get("session"):
        g.form = askers.form_of(session, request.form.get("csrf", ""))
    return None


def once(part: str = "") -> Once | None:
    """Return the key of the form that was sent, so that the same form, sent again, does nothing more.

    Shape:   `part` distinguishes deeds of one form. Forms of strangers have no key: they get a token in a cookie, which
             can't be given twice.
    """
    if not isinstance(key := g.get("form"), str):
        return None
    values = [(name, value) for name, value in sorted(request.form.items(multi=True)) if name not in UNSAID]
    # a password in the form must not be guessable from the stored digest, so it is signed first
    body = service().signer.sign("body", digest(msgspec.json.encode(values)))
    return idempotency.once(g.asker.player, f"{request.path} {part}", f"{key} {body}", b"")


def listen() -> None:
    """Find out the language of the page."""
    wanted = request.args.get(LANG) or request.cookies.get(LANG)
    g.lang = wanted if wanted in LANGS else preferred(request.headers.get("Accept-Language", ""))


def _by_link(asker: Asker, link: str) -> Asker:
    return msgspec.structs.replace(asker, link=service().links.read(link))


def looker() -> Asker:
    """Return the asker with the browser's cookie. Raises TooMany if too many cookies were guessed."""
    kept = askers.cookie()
    if kept is None:
        return STRANGER
    try:
        who = service().accounts.in_browser(kept)
    except Unauthorized as error:
        if error.code == "unknown-token":
            service().front.count_guess(askers.counted(STRANGER))
        g.is_cookie_stale = True
        return STRANGER
    g.session = kept
    return who


def lang() -> Lang:
    """Return the language of the page."""
    return str(g.lang)


def me() -> Player | None:
    """Return the reader, if they are signed in."""
    if "me" not in g:
        try:
            g.me = service().accounts.player(g.asker) if g.get("session") else None
        except Problem:
            g.me = None  # a cookie may contain the operator's token, which is no player's
    player: Player | None = g.me
    return player


def shown(template: str, texts: Texts, status: int = 200, *, is_embedded: bool = False, **context: Any) -> Response:
    """Return the page, or the part that was asked for.

    `texts`: the page's own texts, besides those of all pages. `is_embedded`: whether other sites may embed it.
    """
    spoken = lang()
    session = g.get("session")
    parsed = _environment().get_template(template)
    part = partly.named(parsed.blocks)
    html = parsed.render(
        part=part,
        lang=spoken,
        t={**COMMON[spoken], **texts[spoken]},
        me=me(),
        waiting=_waiting() if session else 0,
        csrf=askers.csrf(session, token_urlsafe(9)) if session else "",
        script_csrf=askers.csrf(session) if session else "",
        path=request.path,
        here=here(),
        theme=theme(),
        langs=[(each, _with_lang(each)) for each in LANGS],
        draws=service().films.easel.is_at_hand,
        origin=service().config.address.rstrip("/"),
        **context,
    )
    answer = Response(html, status, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = POLICY.format(ancestors="*" if is_embedded else "'none'")
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Vary"] = "Cookie, Accept-Language"
    answer.headers["Referrer-Policy"] = "same-origin"
    partly.mark(answer, part)
    if request.args.get(LANG) in LANGS:
        answer.set_cookie(LANG, spoken, max_age=YEAR, path="/", samesite="Lax", httponly=True)
    return answer


def theme() -> str:
    """Return the theme that the reader has chosen."""
    chosen = request.cookies.get(THEME)
    return chosen if chosen in THEMES else THEMES[0]


def here() -> str:
    """Return the path of the page that is shown; for a form, that of the page with the form."""
    if request.method in {"GET", "HEAD"}:
        query = {name: value for name, value in request.args.items() if name != LANG}
        return f"{request.path}?{urlencode(query)}" if query else request.path
    came = parts_of(request.headers.get("Referer", ""))
    return came.path if came.netloc == request.host and came.path.startswith("/") else "/"


def go(where: str) -> Response:
    """Return an answer that leads to another page of ours. Other characters than those of URLs are percent-encoded."""
    where = quote(where, safe=WRITTEN, errors="replace")
    if partly.is_wanted() and not partly.is_here(where):
        return partly.lead(where)
    answer = redirect(where, 303)
    assert isinstance(answer, Response)
    return answer


def back(fallback: str) -> str:
    """Return the page to which a form leads: `next` if it is a path of ours, else the fallback."""
    path = request.form.get("next") or request.args.get("next") or ""
    # browsers ignore control characters in URLs, so a path with one may lead elsewhere
    if len(path) > LONGEST or any(category(char) in {"Cc", "Cs"} for char in path):
        return fallback
    is_ours = path.startswith("/") and not path.startswith("//") and "\\" not in path
    return path if is_ours and not urlsplit(path).netloc else fallback


def _with_lang(wanted: Lang) -> str:
    path, _, query = here().partition("?")
    return f"{path}?{urlencode([*parse_qsl(query), (LANG, wanted)])}"


def _waiting() -> int:
    """Return the number of the reader's turns."""
    return len(turns()) if me() else 0


def turns() -> list[answers.Turn]:
    """Return the reader's turns."""
    if "turns" not in g:
        g.turns = service().views.turns(g.asker).turns
    mine: list[answers.Turn] = g.turns
    return mine


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["asset"] = assets.address
    made.globals["htmx_config"] = msgspec.json.encode(partly.CONFIG).decode()
    made.filters["markup"] = Markup
    return made


def refused(status: int, said: str, **more: Any) -> Response:
    """Return a page with an error; if a part was asked for, only the error's sentence."""
    if partly.is_wanted():
        return partly.trouble(str(escape(said)), status)
    title = wording.TITLES[lang()].get(status) or COMMON[lang()]["refused"]
    return shown("refused.html.j2", {each: {} for each in LANGS}, status, said=said, title=title, **more)


def said_of(error: Problem) -> str:
    """Return a problem as a sentence."""
    if error.code == "csrf-token-missing":
        return COMMON[lang()]["old-form"]
    if error.refusal:
        return refusals.say(*error.refusal, lang())
    if "errors" in error.more:
        errors = wording.translated(error.more["errors"], lang())
        return " ".join(
            str(text) for texts in errors.values() for text in (texts if isinstance(texts, list) else [texts])
        )
    return wording.say(error.code, lang(), error.fields)


def status_of(error: Problem) -> int:
    """Return the status of the error's page, and note its Retry-After if it has one."""
    if isinstance(error, TooMany | Unready):
        g.again = str(error.fields.get("after", WAIT_AFTER))
    return next(status for kind, status in STATUS.items() if isinstance(error, kind))


def _problem(error: Problem) -> Response:
    if "lang" not in g:
        g.lang = LANGS[0]
    status = status_of(error)
    if isinstance(error, Unauthorized):
        return go(f"/sign-in?next={quote(here())}")
    return refused(status, said_of(error))


def _refusal(refusal: Refusal) -> Response:
    return refused(409, refusals.plain(refusal, lang()))


def _of_flask(error: HTTPException) -> Response:
    code = error.code or 500
    return refused(code, COMMON[lang()]["not-there" if code == 404 else "not-so"])
