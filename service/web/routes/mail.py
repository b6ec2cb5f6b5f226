"""What players want by mail, and the links that end it."""

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

blueprint = Blueprint("mail", __name__, url_prefix="/api", description="Play by mail.")

NO_ADDRESS = {409: ("no-confirmed-address",)}


@blueprint.route("/me/mail")
class MyMail(MethodView):
    """What is sent to oneself."""

    @operation("getMail", READ, PLAY, problems=NO_ADDRESS)
    @blueprint.response(200, mail_answers.Mail)
    def get(self) -> Response:
        """What you want by mail.

        There is nothing to want before an address is confirmed.
        """
        return reply(mail_answers.Mail.of(service().wishing.of(asker())))

    @operation("setMail", problems={**NO_ADDRESS, 422: ("unknown-zone",)})
    @blueprint.arguments(mail_inputs.MailWanted())
    @blueprint.response(200, mail_answers.Mail)
    def put(self, said: dict[str, Any]) -> Response:
        """Want it so from now on.

        What is not said stays as it is.
        """
        return reply(mail_answers.Mail.of(service().wishing.change(asker(), said)))


@blueprint.route("/me/mail/quiet/<string:match_id>")
class Quiet(MethodView):
    """Matches that one hears nothing of."""

    @operation("muteMatch")
    @blueprint.response(204)
    def put(self, match_id: str) -> None:
        """Have no mails of this match.

        Mails of other matches go on.
        """
        service().wishing.hush(asker(), match_id)

    @operation("unmuteMatch")
    @blueprint.response(204)
    def delete(self, match_id: str) -> None:
        """Have mails of this match again.

        Those that were not sent meanwhile are not made up for.
        """
        service().wishing.unhush(asker(), match_id)


@blueprint.route("/mail/unsubscribe/<string:token>")
class Unsubscribe(MethodView):
    """Where the links of mails lead. Whoever has the link may end the mails, and nothing else."""

    @operation("askUnsubscribe", problems={404: ("unknown-link",)})
    @blueprint.response(200, TEXT, content_type=KIND)
    def get(self, token: str) -> Response:
        """A page that asks whether the mails are to end.

        Looking at it changes nothing.
        """
        _, match = service().wishing.read(token)
        asked = word("page-match" if match else "page-all", lang())
        button = word("page-quit", lang())
        return page(f'<p>{escape(asked)}</p><form method="post"><button>{escape(button)}</button></form>')

    @operation("unsubscribe", problems={404: ("unknown-link",)})
    @blueprint.response(200, TEXT, content_type=KIND)
    def post(self, token: str) -> Response:
        """End the mails of a match, or all.

        At a click, as mail programs ask for it (RFC 8058).
        """
        service().wishing.unsubscribe(asker(), token, once=once())
        return page(f"<p>{escape(word('page-done', lang()))}</p>")


def page(body: str) -> Response:
    """A page that loads nothing, and is shown in no other."""
    spoken = lang()
    html = f'<!DOCTYPE html><html lang="{spoken}"><head><meta charset="utf-8"><title>Foldtable</title></head>'
    answer = Response(f"{html}<body>{body}</body></html>\n", content_type=PAGE)
    answer.headers["Content-Security-Policy"] = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"
    return vary(answer)
