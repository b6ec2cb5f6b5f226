"""What all pages have: who looks, in which language, what is refused and how, and the frame around them.

A page is asked for with the browser's cookie alone. What changes something is a form of our own page: it repeats what
only that could have read, as scripts do with `X-CSRF-Token`.
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
from service.ids import digest
from service.matches import answers
from service.problems import Problem, TooMany, Unauthorized, Unready, token_missing
from service.store import Once, Player, idempotency
from service.web import cookies, limiting
from service.web.errors import STATUS, WAIT_AFTER
from service.web.pages import assets, partly
from service.web.pages.words import COMMON
from service.web.reply import LANGS, parts_of, preferred, service

Texts = Mapping[Lang, Mapping[str, str]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)
"""Nothing in line, and nothing from elsewhere."""

LANG = "lang"
"""Of the cookie that says in which language somebody reads, and of the query that sets it."""

THEME = "theme"
"""Of the cookie that says whether somebody wants it light or dark; without one it is as their device has it."""

THEMES = ("auto", "light", "dark")

LONGEST = 2000
"""Characters of an address to which a form goes on."""

WRITTEN = "/?#[]@!$&'()*+,;=:%~"
"""What stands in addresses as it is, beside letters, digits, - and _ (RFC 3986)."""

UNSAID = frozenset({"csrf", "later", "nonce"})
"""Fields by which a form is no other one: a script may fill them in anew each time."""

YEAR = 365 * 24 * 60 * 60

FOLDER = Path(__file__).parent / "templates"


def blueprint(name: str, **more: Any) -> Blueprint:
    """Routes of pages: they know who looks, and tell as pages what is refused."""
    made = Blueprint(f"pages_{name}", __name__, **more)
    made.before_request(know)
    made.register_error_handler(Problem, _problem)
    made.register_error_handler(Refusal, _refusal)
    made.register_error_handler(HTTPException, _of_flask)
    return made


def know() -> Response | None:
    """Find out who looks, in which language; refuse what another site had the browser send."""
    listen()
    g.asker = limiting.counted(looker())
    if partly.is_wanted() and g.get("is_cookie_stale"):
        raise token_missing()  # in place of what strangers are shown
    link = request.args.get("link")
    if link is not None:
        g.asker = _by_link(g.asker, link)
    if request.method in {"GET", "HEAD"}:
        reader = me()
        return partly.anew() if partly.is_of_another(reader.id if reader else None) else None
    cookies.check_origin()
    limiting.count_body(request.content_length or 0)
    if session := g.get("session"):
        g.form = cookies.form_of(session, request.form.get("csrf", ""))
    return None


def once(part: str = "") -> Once | None:
    """Return the key of the form that was sent: sent again, it does nothing more and leads to the same page.

    Shape:   `part` tells deeds of one form apart. Strangers' forms have no key: what they are given, a token in a
             cookie, can't be given twice.
    """
    if not isinstance(key := g.get("form"), str):
        return None
    said = [(name, value) for name, value in sorted(request.form.items(multi=True)) if name not in UNSAID]
    # a form may hold a password, and what is kept of it nobody may guess it by
    body = service().signer.sign("body", digest(msgspec.json.encode(said)))
    return idempotency.once(g.asker.player, f"{request.path} {part}", f"{key} {body}", b"")


def listen() -> None:
    """Find out in which language the page is to be."""
    wanted = request.args.get(LANG) or request.cookies.get(LANG)
    g.lang = wanted if wanted in LANGS else preferred(request.headers.get("Accept-Language", ""))


def _by_link(asker: Asker, link: str) -> Asker:
    return msgspec.structs.replace(asker, link=service().links.read(link))


def looker() -> Asker:
    """Whoever's cookie came along. Raises TooMany where too many were nobody's."""
    kept = cookies.token()
    if kept is None:
        return STRANGER
    try:
        found = service().accounts.in_browser(kept)
    except Unauthorized as error:
        if error.code == "unknown-token":
            service().front.count_guess(limiting.counted(STRANGER))
        g.is_cookie_stale = True
        return STRANGER
    g.session = kept
    return found


def lang() -> Lang:
    """In which language the page is told."""
    return str(g.lang)


def me() -> Player | None:
    """Who looks, if they are signed in."""
    if "me" not in g:
        try:
            g.me = service().accounts.player(g.asker) if g.get("session") else None
        except Problem:
            g.me = None  # the operator's token in a cookie is no player's
    found: Player | None = g.me
    return found


def shown(template: str, texts: Texts, status: int = 200, *, is_embedded: bool = False, **context: Any) -> Response:
    """The page, or the part of it that is asked for. `texts`: its own words, beside those of all. `is_embedded`:
    whether other sites may show it in theirs.
    """
    spoken = lang()
    session = g.get("session")
    found = _environment().get_template(template)
    part = partly.named(found.blocks)
    html = found.render(
        part=part,
        lang=spoken,
        t={**COMMON[spoken], **texts[spoken]},
        me=me(),
        waiting=_waiting() if session else 0,
        csrf=cookies.csrf(session, token_urlsafe(9)) if session else "",
        script_csrf=cookies.csrf(session) if session else "",
        path=request.path,
        here=here(),
        theme=theme(),
        langs=[(one, _with_lang(one)) for one in LANGS],
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
    """Whether they want it light or dark, or as their device has it."""
    said = request.cookies.get(THEME)
    return said if said in THEMES else THEMES[0]


def here() -> str:
    """The page that is looked at, as a path of ours: of a form, the page that it stood on."""
    if request.method in {"GET", "HEAD"}:
        query = {name: value for name, value in request.args.items() if name != LANG}
        return f"{request.path}?{urlencode(query)}" if query else request.path
    came = parts_of(request.headers.get("Referer", ""))
    return came.path if came.netloc == request.host and came.path.startswith("/") else "/"


def go(where: str) -> Response:
    """To another page of ours, after something was done. Whatever can't stand in a header is written as %XX."""
    where = quote(where, safe=WRITTEN, errors="replace")
    if partly.is_wanted() and not partly.is_here(where):
        return partly.lead(where)
    answer = redirect(where, 303)
    assert isinstance(answer, Response)
    return answer


def back(fallback: str) -> str:
    """Where a form says that it goes on: a path of ours, and nothing else. It never fails: something was done then."""
    said = request.form.get("next") or request.args.get("next") or ""
    # browsers leave out what is not to be seen, and read what is left
    if len(said) > LONGEST or any(category(char) in {"Cc", "Cs"} for char in said):
        return fallback
    is_ours = said.startswith("/") and not said.startswith("//") and "\\" not in said
    return said if is_ours and not urlsplit(said).netloc else fallback


def _with_lang(one: Lang) -> str:
    path, _, query = here().partition("?")
    return f"{path}?{urlencode([*parse_qsl(query), (LANG, one)])}"


def _waiting() -> int:
    """In how many matches it is their turn."""
    return len(turns()) if me() else 0


def turns() -> list[answers.Turn]:
    """The decisions that wait for whoever looks."""
    if "turns" not in g:
        g.turns = service().views.turns(g.asker).turns
    found: list[answers.Turn] = g.turns
    return found


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
    """A page that says why not, and where to go on; of a part, only why not."""
    if partly.is_wanted():
        return partly.trouble(str(escape(said)), status)
    title = wording.TITLES[lang()].get(status) or COMMON[lang()]["refused"]
    return shown("refused.html.j2", {one: {} for one in LANGS}, status, said=said, title=title, **more)


def said_of(error: Problem) -> str:
    """A problem in words."""
    if error.code == "csrf-token-missing":
        return COMMON[lang()]["old-form"]
    if error.refusal:
        return refusals.say(*error.refusal, lang())
    if "errors" in error.more:
        said = wording.translated(error.more["errors"], lang())
        return " ".join(
            str(text) for texts in said.values() for text in (texts if isinstance(texts, list) else [texts])
        )
    return wording.say(error.code, lang(), error.fields)


def status_of(error: Problem) -> int:
    """Return the status of the page that tells of it, which says when to come back where that is known."""
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
