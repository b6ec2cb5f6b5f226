"""Settings: how somebody signs in, what they are told by mail, when they are away, and how they go for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, g, request

from domain.game import Lang
from service.accounts import logins, passwords
from service.problems import Conflict, Malformed, Problem, token_missing
from service.store import Player, Wishes, mailing
from service.web import account_inputs, clock_inputs, cookies, mail_inputs
from service.web.pages import forms, page
from service.web.pages.words.settings import SETTINGS
from service.web.reply import LANGS, service

blueprint = page.blueprint("settings", url_prefix="/settings")

NOTHING = forms.Filled()

DONE = ("name", "keep", "login", "password", "email", "mail", "vacation", "muted", "pass")
"""What the page says was done, by the name of its form."""

TURNS = (mailing.EACH, mailing.DIGEST, mailing.NONE)


@blueprint.get("")
def settings() -> Response:
    """What can be set."""
    return _page()


def own() -> Player:
    """Whose settings these are. Raises Unauthorized."""
    player = page.me()
    if player is None:
        raise token_missing()
    return player


def form(name: str, path: str = "", **codes: str) -> Callable[[Callable[..., object]], None]:
    """Do what is decorated when the page's form of that name is sent: the page then says that it is done, or why not.

    `path`: where the form is sent, if not to its name. `codes`: see `forms.wrong`.
    """

    def added(act: Callable[..., object]) -> None:
        def done(**parts: str) -> Response:
            own()
            try:
                act(**parts)
            except Problem as error:
                return _page(name, forms.wrong(error, **codes), forms.status_of(error))
            return page.go(f"/settings?done={name}#{name}")

        blueprint.add_url_rule(path or f"/{name}", act.__name__, done, methods=["POST"])

    return added


@form("name")
def rename() -> None:
    """Be called something else."""
    said = forms.read(account_inputs.SignUp(only=("name",)), "name")
    service().accounts.rename(g.asker, said["name"], once=page.once())


@form("keep")
def keep() -> None:
    """A guest's account, which is known by more than this browser from now on."""
    login = forms.read(account_inputs.LoginWanted(), "login")["login"]
    said = forms.read(account_inputs.PasswordWanted(), "new")
    service().sessions.keep(g.asker, g.session, login, said["new"], page.lang(), once=page.once())


@form("login")
def login() -> None:
    """Another name to sign in by, or none."""
    wanted = None
    if request.form.get("login", "").strip():
        wanted = forms.read(account_inputs.LoginWanted(), "login")["login"]
    service().sessions.set_login(g.asker, wanted, once=page.once())


@form("password", password_wrong="old", password_needed="old", password="new")
def password() -> None:
    """Another password."""
    said = forms.read(account_inputs.PasswordWanted(), "new", "old")
    service().sessions.change(g.asker, g.session, said["old"], said["new"], page.lang(), once=page.once())


@form("email", password_wrong="password", password_needed="password")
def email() -> None:
    """Another mail address, or none."""
    wanted = None
    if request.form.get("email", "").strip():
        wanted = forms.read(account_inputs.AddressWanted(), "email", "password")["email"]
    said = request.form.get("password") or None
    service().mailboxes.say(g.asker, wanted, said, page.lang(), once=page.once())


@form("mail")
def mail() -> None:
    """What they want by mail."""
    schema = mail_inputs.MailWanted(only=("turns", "zone"))
    said = {**forms.read(schema, "turns", "zone"), "hour": _hour(), "lang": _lang()}
    said |= {name: request.form.get(name) == "yes" for name in ("on", "news")}
    service().wishing.change(g.asker, said, once=page.once())


def _hour() -> int:
    said = request.form.get("hour", "")
    if not said.isascii() or not said.isdecimal() or len(said) > 2 or int(said) > 23:
        raise Malformed("malformed", more={"errors": {"hour": ["Not a valid integer."]}}, names=("hour",))
    return int(said)


def _lang() -> Lang:
    said = request.form.get("lang", page.lang())
    if said not in LANGS:
        raise Malformed("unknown-lang", lang=said, known=LANGS)
    return said


@form("vacation", vacation_spent="days", on_vacation="days")
def vacation() -> None:
    """Be away, or be back."""
    if request.form.get("back") == "yes":
        service().vacations.come_back(g.asker, once=page.once())
        return
    said = request.form.get("days", "").strip()
    days = int(said) if said.isascii() and said.isdecimal() and len(said) < 5 else said
    found = forms.loaded(clock_inputs.VacationWanted(), {"days": days} if said else {})
    service().vacations.leave(g.asker, found["days"], once=page.once())


@blueprint.post("/erase")
def erase() -> Response:
    """Go for good: they have said their name once more, and their password where they have one."""
    player = own()
    try:
        if request.form.get("confirm", "").strip() != player.name:
            said = SETTINGS[page.lang()]["erase-wrong"]
            raise Malformed("malformed", more={"errors": {"confirm": [said]}}, names=("confirm",))
        service().farewell.say(g.asker, player.id, request.form.get("password") or None)
    except Problem as error:
        return _page(
            "erase", forms.wrong(error, password_wrong="password", password_needed="password"), forms.status_of(error)
        )
    answer = page.go("/")
    cookies.take_away(answer)
    return answer


@form("muted")
def unmute() -> None:
    """Hear somebody again."""
    service().talk.unmute(g.asker, request.form.get("player", ""), once=page.once())


@blueprint.post("/pass")
def make_pass() -> Response:
    """What lets somebody else sign up: its code is told this once."""
    own()
    try:
        _, code = service().passes.make(g.asker, once=page.once())
    except Problem as error:
        return _page("pass", forms.wrong(error), forms.status_of(error))
    return _page(code=code)


@form("pass", "/pass/<string:pass_id>")
def withdraw_pass(pass_id: str) -> None:
    """Nobody signs up by that one any longer."""
    service().passes.withdraw(g.asker, pass_id, once=page.once())


def _page(form: str = "", filled: forms.Filled = NOTHING, status: int = 200, code: str = "") -> Response:
    """All of it; with the form of that name as it was filled in."""
    player = own()
    service().accounts.own(g.asker)
    done = request.args.get("done", "")
    answer = page.shown(
        "settings.html.j2",
        SETTINGS,
        status,
        player=player,
        forms={form: filled},
        empty=NOTHING,
        done=done if done in DONE else "",
        wishes=_wishes(),
        sends=service().mail is not None,
        turns=TURNS,
        away=service().vacations.look(g.asker),
        muted=service().talk.mutes(g.asker),
        passes=_passes(player),
        code=code,
        limits={"login": (logins.LEAST, logins.MOST), "password": (passwords.LEAST, passwords.MOST)},
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _wishes() -> Wishes | None:
    try:
        return service().wishing.of(g.asker)
    except Conflict:
        return None


def _passes(player: Player) -> dict[str, Any] | None:
    """What they may make for others; None where people need none."""
    if service().sign_ups.mode != "invitation" or player.kind != "human":
        return None
    open_ones = [one for one in service().passes.made(g.asker) if one.player is None]
    return {"made": open_ones, "left": service().passes.left(g.asker)}
