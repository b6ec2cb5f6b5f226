"""What players are told: mails, webhooks and feeds."""

from __future__ import annotations

from html import escape
from typing import Any

from flask import Response
from msgspec.structs import asdict

from service import feeds, webhooks
from service.accounts import PLAY, READ, WEBHOOK
from service.mail import word
from service.web import account_answers, account_inputs, inputs
from service.web.contract import Success
from service.web.reply import Blueprint, asker, lang, once, origin, service

WEBHOOKS = Blueprint("webhooks", "Requests to your own programs when something happens.")
DISABLED = {409: ("webhook-disabled",)}
ATOM = "application/atom+xml"
FEEDS = Blueprint("feeds", "Your turns in a feed reader.")
NO_FEED = {404: ("unknown-feed",)}
HTML = "text/html"
PAGE, *WRONG = (Success(status, {"type": "string"}, kind=HTML) for status in (200, 400, 404, 429, 500, 503))
NO_LINK = {404: ("unknown-link",)}
MAIL = Blueprint("mail", "Mail.")
NO_ADDRESS = {409: ("no-confirmed-address",)}


@WEBHOOKS.operation("GET /webhooks", scopes=(WEBHOOK,))
def list_webhooks() -> account_answers.Webhooks:
    """List your webhooks, without their secrets.

    `POST` describes what they get, and how it is signed.
    """
    return account_answers.Webhooks(service().webhooks.all(asker()))


@WEBHOOKS.operation(
    "POST /webhooks",
    201,
    body=account_inputs.WebhookWanted,
    problems={409: ("secret-already-told", "too-many-webhooks")},
)
def create_webhook(body: dict[str, Any]) -> account_answers.NewWebhook:
    """Make a webhook: the service sends signed POST requests about your matches to a URL of yours.

    Only this answer contains the secret.
    """
    made, secret = service().webhooks.make(asker(), body["name"], body["url"], body["kinds"], once=once())
    return account_answers.NewWebhook(**asdict(made), secret=secret)


@WEBHOOKS.operation("GET /webhooks/<webhook_id>", scopes=(WEBHOOK,))
def get_webhook(webhook_id: str) -> webhooks.Webhook:
    """Return a webhook.

    It says since when it is disabled, and why.
    """
    return service().webhooks.one(asker(), webhook_id)


@WEBHOOKS.operation(
    "PATCH /webhooks/<webhook_id>", body=account_inputs.WebhookChange, problems={409: ("too-many-webhooks",)}
)
def change_webhook(body: dict[str, Any], webhook_id: str) -> webhooks.Webhook:
    """Change a webhook's URL, name or kinds, disable it, or enable it again.

    What the request leaves out stays as it is.
    """
    return service().webhooks.change(asker(), webhook_id, **body)


@WEBHOOKS.operation("DELETE /webhooks/<webhook_id>")
def delete_webhook(webhook_id: str) -> None:
    """Delete a webhook.

    A delivery that is being sent may still arrive.
    """
    service().webhooks.remove(asker(), webhook_id)


@WEBHOOKS.operation(
    "POST /webhooks/<webhook_id>/secret", 201, body=inputs.Nothing, problems={409: ("secret-already-told",)}
)
def renew_secret(webhook_id: str) -> account_answers.NewWebhook:
    """Give a webhook another secret.

    Only this answer contains it. For 24 hours deliveries are signed with the former secret too.
    """
    found, secret = service().webhooks.renew(asker(), webhook_id, once=once())
    return account_answers.NewWebhook(**asdict(found), secret=secret)


@WEBHOOKS.operation("GET /webhooks/<webhook_id>/deliveries", scopes=(WEBHOOK,), query=inputs.PageQuery)
def list_deliveries(query: dict[str, Any], webhook_id: str) -> account_answers.Deliveries:
    """List the webhook's deliveries, sent and waiting, the latest first.

    They are kept for seven days.
    """
    page = service().webhooks.deliveries(asker(), webhook_id, query["limit"], query["cursor"])
    return account_answers.Deliveries(*page)


@WEBHOOKS.operation("POST /webhooks/<webhook_id>/deliveries", 202, body=inputs.Nothing, problems=DISABLED)
def ping_webhook(webhook_id: str) -> webhooks.Delivery:
    """Send a `ping` to the webhook.

    It shows whether deliveries arrive.
    """
    return service().webhooks.try_out(asker(), webhook_id, once=once())


@WEBHOOKS.operation("POST /webhooks/<webhook_id>/deliveries/<delivery_id>", 202, body=inputs.Nothing, problems=DISABLED)
def deliver_again(webhook_id: str, delivery_id: str) -> webhooks.Delivery:
    """Send a delivery once more, at once.

    It is sent even if the turn that it is about was answered.
    """
    return service().webhooks.again(asker(), webhook_id, delivery_id, once=once())


@FEEDS.operation("GET /me/feed", scopes=(WEBHOOK,), problems=NO_FEED)
def get_feed() -> feeds.Feed:
    """Return your feed, without its address.

    The address is returned only when it is made.
    """
    return service().feeds.of(asker())


@FEEDS.operation("PUT /me/feed", body=account_inputs.FeedWanted)
def make_feed(body: dict[str, Any]) -> feeds.NewFeed:
    """Make your feed, or give it a new address.

    The old address answers 404 from then on.
    """
    return service().feeds.make(asker(), body["kinds"], origin())


@FEEDS.operation("DELETE /me/feed", problems=NO_FEED)
def revoke_feed() -> None:
    """Remove your feed.

    Its address answers 404 from then on.
    """
    service().feeds.revoke(asker(), once=once())


@FEEDS.operation("GET /feeds/<token>", Success(200, {"type": "string"}, kind=ATOM), query=inputs.Lang, problems=NO_FEED)
def read_feed(query: dict[str, Any], token: str) -> Response:
    """The feed (Atom, RFC 4287): your turns while they are yours, and news of your matches.

    It lists the last seven days.
    """
    answer = Response(service().feeds.read(token, lang(), origin()), content_type=f"{ATOM}; charset=utf-8")
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@MAIL.operation("GET /me/mail", scopes=(READ, PLAY), problems=NO_ADDRESS)
def get_mail() -> account_answers.Mail:
    """Return which mails you want.

    You need a confirmed address first.
    """
    wishing = service().wishing
    return account_answers.Mail.of(wishing.of(asker()), wishing.quiet(asker()))


@MAIL.operation("PUT /me/mail", body=account_inputs.MailWanted, problems={**NO_ADDRESS, 422: ("unknown-zone",)})
def set_mail(body: dict[str, Any]) -> account_answers.Mail:
    """Change which mails you want.

    Fields that are left out stay unchanged.
    """
    wishing = service().wishing
    return account_answers.Mail.of(wishing.change(asker(), body), wishing.quiet(asker()))


@MAIL.operation("PUT /me/mail/quiet/<match_id>")
def mute_match(match_id: str) -> None:
    """Get no mails about this match.

    You still get mails about other matches.
    """
    service().wishing.hush(asker(), match_id)


@MAIL.operation("DELETE /me/mail/quiet/<match_id>")
def unmute_match(match_id: str) -> None:
    """Get mails about this match again.

    Mails that were not sent meanwhile are not sent later.
    """
    service().wishing.unhush(asker(), match_id)


@MAIL.operation("GET /mail/unsubscribe/<token>", PAGE, *WRONG, problems=NO_LINK)
def ask_unsubscribe(token: str) -> Response:
    """Return a page that asks whether to end the mails.

    This changes nothing. To a browser an error is a page too.
    """
    _, match = service().wishing.read(token)
    asked = word("page-match" if match else "page-all", lang())
    button = word("page-quit", lang())
    return page(f'<p>{escape(asked)}</p><form method="post"><button>{escape(button)}</button></form>')


@MAIL.operation("POST /mail/unsubscribe/<token>", PAGE, *WRONG, problems=NO_LINK)
def unsubscribe(token: str) -> Response:
    """End the mails about a match, or all mails.

    Mail programs can call this with one click (RFC 8058). To a browser an error is a page too.
    """
    _, match = service().wishing.read(token)
    service().wishing.unsubscribe(asker(), token, once=once())
    done, settings = (word(name, lang()) for name in ("page-done-match" if match else "page-done-all", "page-settings"))
    return page(f'<p>{escape(done)}</p><p><a href="/settings">{escape(settings)}</a></p>')


def page(body: str) -> Response:
    """Return an answer with a page that loads nothing, and that no other page can embed."""
    spoken = lang()
    wide = '<meta name="viewport" content="width=device-width, initial-scale=1">'  # as a phone is
    html = f'<!DOCTYPE html><html lang="{spoken}"><head><meta charset="utf-8">{wide}<title>Foldtable</title></head>'
    answer = Response(f"{html}<body>{body}</body></html>\n", content_type=f"{HTML}; charset=utf-8")
    answer.headers["Content-Security-Policy"] = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"
    return answer
