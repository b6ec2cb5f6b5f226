"""The mails that players want, and the links that unsubscribe from them."""

from __future__ import annotations

from html import escape
from typing import Any

from flask import Response
from flask.views import MethodView

from service.accounts import PLAY, READ
from service.mail import word
from service.web import mail_answers, mail_inputs
from service.web.blueprint import Blueprint
from service.web.contract import operation
from service.web.reply import asker, lang, once, reply, service, vary

KIND = "text/html"
PAGE = f"{KIND}; charset=utf-8"
TEXT = {"type": "string"}

blueprint = Blueprint("mail", __name__, url_prefix="/api", description="Mail.")

NO_ADDRESS = {409: ("no-confirmed-address",)}


@blueprint.route("/me/mail")
class MyMail(MethodView):
    """The mails that the asker wants."""

    @operation("getMail", READ, PLAY, problems=NO_ADDRESS)
    @blueprint.response(200, mail_answers.Mail)
    def get(self) -> Response:
        """Return which mails you want.

        You need a confirmed address first.
        """
        return reply(mail_answers.Mail.of(service().wishing.of(asker())))

    @operation("setMail", problems={**NO_ADDRESS, 422: ("unknown-zone",)})
    @blueprint.arguments(mail_inputs.MailWanted())
    @blueprint.response(200, mail_answers.Mail)
    def put(self, body: dict[str, Any]) -> Response:
        """Change which mails you want.

        Fields that are left out stay unchanged.
        """
        return reply(mail_answers.Mail.of(service().wishing.change(asker(), body)))


@blueprint.route("/me/mail/quiet/<string:match_id>")
class Quiet(MethodView):
    """A match about which the asker wants no mails."""

    @operation("muteMatch")
    @blueprint.response(204)
    def put(self, match_id: str) -> None:
        """Get no mails about this match.

        You still get mails about other matches.
        """
        service().wishing.hush(asker(), match_id)

    @operation("unmuteMatch")
    @blueprint.response(204)
    def delete(self, match_id: str) -> None:
        """Get mails about this match again.

        Mails that were not sent meanwhile are not sent later.
        """
        service().wishing.unhush(asker(), match_id)


@blueprint.route("/mail/unsubscribe/<string:token>")
class Unsubscribe(MethodView):
    """The page of the links in mails. Whoever has the link can unsubscribe, and nothing else."""

    @operation("askUnsubscribe", problems={404: ("unknown-link",)})
    @blueprint.response(200, TEXT, content_type=KIND)
    def get(self, token: str) -> Response:
        """Return a page that asks whether to end the mails.

        This changes nothing.
        """
        _, match = service().wishing.read(token)
        asked = word("page-match" if match else "page-all", lang())
        button = word("page-quit", lang())
        return page(f'<p>{escape(asked)}</p><form method="post"><button>{escape(button)}</button></form>')

    @operation("unsubscribe", problems={404: ("unknown-link",)})
    @blueprint.response(200, TEXT, content_type=KIND)
    def post(self, token: str) -> Response:
        """End the mails about a match, or all mails.

        Mail programs can call this with one click (RFC 8058).
        """
        service().wishing.unsubscribe(asker(), token, once=once())
        return page(f"<p>{escape(word('page-done', lang()))}</p>")


def page(body: str) -> Response:
    """Return an answer with a page that loads nothing, and that no other page can embed."""
    spoken = lang()
    html = f'<!DOCTYPE html><html lang="{spoken}"><head><meta charset="utf-8"><title>Foldtable</title></head>'
    answer = Response(f"{html}<body>{body}</body></html>\n", content_type=PAGE)
    answer.headers["Content-Security-Policy"] = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"
    return vary(answer)
