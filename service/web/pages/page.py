"""The parts of all pages: the reader, the language, refusals, the theme, and the frame.

A browser sends only its cookie for a page. Forms that change something also send a value that only our own pages can
read, as scripts do with `X-CSRF-Token`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, cast
from unicodedata import category
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import msgspec
from flask import Blueprint, Response, current_app, g, redirect, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from werkzeug.exceptions import HTTPException

from domain import refusals, texts
from domain.game import Game, Lang, Refusal
from domain.scene import style_of
from domain.texts import LANGS, apart, figure
from service import wording
from service.accounts import STRANGER, called, names, passwords
from service.matches import answers, rows
from service.matches import shown as of_matches
from service.problems import Problem, TooMany, Unauthorized, Unready
from service.signing import digest
from service.store import Once, Player, idempotency
from service.web import askers
from service.web.errors import KIND, STATUS, WAIT_AFTER
from service.web.pages import assets
from service.web.reply import origin, parts_of, preferred, service

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

READER, NOBODY = "X-Reader", "nobody"
"""The header with the reader of the page to which a part belongs, and its value for a stranger."""

VARIES = "HX-Request, HX-Target"
"""The headers on which an answer depends, besides those of pages."""

FRAME = frozenset({"title", "head", "page", "waits"})
"""Blocks of templates that are no parts."""

PLACE = "#trouble"
"""The element of a page that shows errors."""

PROGRAMS = re.compile(r"/(api/(?!mail/)|healthz|readyz|metrics|openapi)")
"""The paths for programs, which never return pages. The links in mails are for people too."""

LIMITS = {"login": (names.LOGIN_LEAST, names.LOGIN_MOST), "password": (passwords.LEAST, passwords.MOST)}
"""The least and the most characters of texts in forms."""

FOLDER = Path(__file__).parent / "templates"


def texts_of(*names: str) -> texts.Texts:
    """Return the texts of a page: those of all pages, and those of these files in `words/`."""
    return texts.read("service.web.pages", "words/frame", *(f"words/{name}" for name in names))


HOUSE = "house"
"""The name of the pack that each room has."""

COMMON = texts_of()
"""The texts of all pages."""


def blueprint(name: str, **more: Any) -> Blueprint:
    """Return a blueprint for pages, which knows the reader and shows errors as pages."""
    made = Blueprint(f"pages_{name}", __name__, **more)
    made.before_request(know)
    made.register_error_handler(Problem, _problem)
    made.register_error_handler(Refusal, lambda refusal: refused(409, refusals.plain(refusal, lang())))
    made.register_error_handler(HTTPException, _of_flask)
    return made


def know() -> Response | None:
    """Find out the reader and the language. Raises Forbidden for a form of another site's page."""
    listen()
    g.asker = askers.counted(askers.looker())
    if is_part() and g.get("is_cookie_stale"):
        raise Unauthorized("token-missing")  # instead of what strangers see
    if (link := request.args.get("link")) is not None:
        g.asker = msgspec.structs.replace(g.asker, link=service().links.read(link))
    if request.method in {"GET", "HEAD"}:
        reader = player.id if (player := me()) else NOBODY
        # the page to which the part belongs may be another reader's: then the browser loads it again
        is_of_another = is_part() and request.headers.get(READER, reader) != reader
        return Response(status=204, headers={"HX-Refresh": "true"}) if is_of_another else None
    askers.check_origin()
    if size := request.content_length:
        service().limits.count_body(askers.asking(), size)
    if session := g.get("session"):
        g.form = askers.form_of(session, request.form.get("csrf", ""))
    return None


def is_part() -> bool:
    """Return whether htmx asks for a part of a page: a list once more, or the result of a form.

    A part is a block of the page's template, named after the element that it replaces. Without scripts, the same paths
    return whole pages.
    """
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


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
    return cast(Player | None, g.me)


def own() -> Player:
    """Return the reader. Raises Unauthorized if they are not signed in."""
    if (player := me()) is None:
        raise Unauthorized("token-missing")
    return player


def shown(
    template: str,
    words: texts.Texts,
    status: int = 200,
    *,
    is_embedded: bool = False,
    is_secret: bool = False,
    **context: Any,
) -> Response:
    """Return the page, or the part that was asked for.

    `words`: see `texts_of`. `is_embedded`: whether other sites may embed it; `is_secret`: whether nobody may store it.
    """
    spoken, session, chosen = lang(), g.get("session"), request.cookies.get(THEME)
    parsed = _environment().get_template(template)
    part = request.headers.get("HX-Target", "") if is_part() else ""
    part = part if part in parsed.blocks and part not in FRAME else ""
    html = parsed.render(
        part=part,
        lang=spoken,
        t=words[spoken],
        me=me(),
        waiting=len(turns()) if me() else 0,
        csrf=askers.csrf(session, token_urlsafe(9)) if session else "",
        script_csrf=askers.csrf(session) if session else "",
        path=quote(request.path),
        here=here(),
        theme=chosen if chosen in THEMES else THEMES[0],
        langs=[(each, _with_lang(each)) for each in LANGS],
        draws=service().films.easel.is_at_hand,
        origin=origin(),
        **context,
    )
    answer = Response(html, status, content_type="text/html; charset=utf-8")
    answer.headers["Content-Security-Policy"] = POLICY.format(ancestors="*" if is_embedded else "'none'")
    answer.headers["Cache-Control"] = "no-store" if is_secret else "private, no-cache"
    answer.headers["Vary"] = f"Cookie, Accept-Language, {VARIES}"
    answer.headers["Referrer-Policy"] = "same-origin"
    if is_part() and not part:
        # the page has no such part, so it replaces the old page
        answer.headers.update({"HX-Retarget": "#page", "HX-Reselect": "#page", "HX-Reswap": "outerHTML show:top"})
    if request.args.get(LANG) in LANGS:
        answer.set_cookie(LANG, spoken, max_age=YEAR, path="/", samesite="Lax", httponly=True)
    return answer


def here() -> str:
    """Return the path of the page that is shown; for a form, that of the page with the form."""
    if request.method in {"GET", "HEAD"}:
        query = {name: value for name, value in request.args.items() if name != LANG}
        path = quote(request.path)  # a link with a control character, or with a \ for a /, may lead elsewhere
        return f"{path}?{urlencode(query)}" if query else path
    came = parts_of(request.headers.get("Referer", ""))
    return f"/{came.path.lstrip('/')}" if came.netloc == request.host else "/"


def go(where: str) -> Response:
    """Return an answer that leads to another page of ours. Other characters than those of URLs are percent-encoded."""
    where = quote(where, safe=WRITTEN, errors="replace")
    is_here = parts_of(request.headers.get("HX-Current-URL", "")).path == parts_of(where).path
    if is_part() and not is_here:
        return Response(status=204, headers={"HX-Redirect": where})
    return cast(Response, redirect(where, 303))


def lead(path: str) -> Response:
    """Return an answer that leads to another page of ours with the query of this request."""
    query = request.query_string.decode(errors="replace")
    return go(f"{path}?{query}" if query else path)


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


def met(lately: int = rows.LATELY) -> list[tuple[str, str]]:
    """Return the reader's opponents in so many newest matches and in those that are running, by id and name."""
    if (player := me()) is None:
        return []
    return [(who.id, called(who.name, lang())) for who in service().profiles.met(player, lately)]


def turns() -> list[answers.Turn]:
    """Return the reader's turns."""
    if "turns" not in g:
        g.turns = service().views.turns(g.asker).turns
    return cast(list[answers.Turn], g.turns)


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(FOLDER)
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"apart": apart, "figure": figure, "named": _named, "as_pack": pack_name}
    made.globals |= {"learnt": _learnt, "asset": assets.addresses().__getitem__, "limits": LIMITS}
    made.globals["title_of"] = lambda slug: service().catalogue.title(slug, lang())
    made.globals["bot_name"] = lambda bot: of_matches.BOT_NAMES[lang()].format(bot=bot)
    made.globals["sends"] = lambda: service().mail is not None
    made.filters["called"] = lambda name: apart(called(name, lang()))
    return made


def pack_name(name: str) -> str:
    """Return a pack's name in the reader's language: that of the rooms' own packs, any other as it is."""
    return COMMON[lang()]["pack-house"] if name == HOUSE else name


def _learnt() -> tuple[str, ...]:
    """Return the games that the reader has learnt, so that their lessons are not offered; read once for a page."""
    if "learnt" not in g:  # a template may ask many times
        g.learnt = service().accounts.learnt(g.asker)
    return cast(tuple[str, ...], g.learnt)


def _named(seats: Iterable[int], names: Sequence[str], words: Mapping[str, str], you: int | None) -> str:
    """Return the names of these seats, one after the other. `you`: the reader's seat, which is called so."""
    said = [words["you"] if seat == you else names[seat] or words["seat"].format(seat=seat) for seat in seats]
    return ", ".join(map(apart, said))


def data_of(game: Game[Any, Any, Any]) -> dict[str, Any]:
    """Return what a page's script needs to know of a game."""
    return {"slug": game.slug, "title": game.title, "palette": game.palette, "style": style_of(game)}


def data(value: Any) -> Markup:
    """Return the value as JSON for an element of the page; nothing in it can end the element."""
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c").replace("&", "\\u0026"))


def refused(status: int, said: str, **more: Any) -> Response:
    """Return a page with an error; if a part was asked for, only the error's sentence."""
    if is_part():
        headers = {"HX-Retarget": PLACE, "HX-Reswap": "innerHTML show:top", "Vary": VARIES}
        return Response(str(escape(said)), status, headers, content_type="text/html; charset=utf-8")
    title = wording.TITLES[lang()].get(status) or COMMON[lang()]["refused"]
    return shown("refused.html.j2", COMMON, status, said=said, title=title, **more)


def said_of(error: Problem) -> str:
    """Return a problem as a sentence."""
    if error.code == "csrf-token-missing":
        return COMMON[lang()]["old-form"]
    if error.refusal:
        return error.say(refusals.say(*error.refusal, lang()))
    if "errors" in error.more:
        return joined(wording.translated(error.more["errors"], lang()))
    return error.say(wording.say(error.code, lang(), error.fields))


def joined(errors: Any) -> str:
    """Return the errors of fields as one text."""
    if isinstance(errors, dict):
        errors = list(errors.values())
    return " ".join(map(joined, errors)) if isinstance(errors, list) else str(errors)


def status_of(error: Problem) -> int:
    """Return the status of the error's page, and note its Retry-After if it has one."""
    if isinstance(error, TooMany | Unready):
        g.again = str(error.fields.get("after", WAIT_AFTER))
    return next(status for kind, status in STATUS.items() if isinstance(error, kind))


def _problem(error: Problem) -> Response:
    g.setdefault("lang", LANGS[0])
    status = status_of(error)
    if isinstance(error, Unauthorized):
        return go(f"/sign-in?next={quote(here())}")
    return refused(status, said_of(error))


def _of_flask(error: HTTPException) -> Response:
    code = error.code or 500
    return refused(code, COMMON[lang()]["not-there" if code == 404 else "not-so"])


def dress(answer: Response) -> Response:
    """Return the answer; an error as a page if the request wants one: browsers name HTML, programs accept anything."""
    is_for_reading = is_part() or "text/html" in request.headers.get("Accept", "")
    if answer.mimetype != KIND or PROGRAMS.match(request.path) or not is_for_reading:
        return answer
    problem = msgspec.json.decode(answer.get_data())
    if problem["code"] == "method-not-allowed" and request.method == "GET":
        return lead(_above(request.path))
    listen()
    if answer.status_code >= 500:
        g.session, g.me = None, None  # after an error of the service nobody is known
    else:
        # an unknown path has no route that found out the reader
        g.asker = STRANGER
        with suppress(Problem):
            g.asker = askers.looker()
    is_nowhere = problem["code"] in {"unknown-path", "method-not-allowed"}
    dressed = refused(answer.status_code, COMMON[lang()]["not-there"] if is_nowhere else problem["detail"])
    dressed.headers.update({name: answer.headers[name] for name in ("Retry-After", "Allow") if name in answer.headers})
    return dressed


def _above(path: str) -> str:
    """Return the nearest page above the address of a form: to read that, or to change its language, leads there."""
    pages = current_app.url_map.bind("")
    while path != "/":
        path = path.rpartition("/")[0] or "/"
        if pages.test(path, "GET"):
            break
    return path
