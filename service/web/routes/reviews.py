"""Reviews of matches that are over, and hints in those that are played against bots."""

from __future__ import annotations

from typing import Any

from service.accounts import PLAY, READ
from service.matches import MatchReview
from service.web import inputs, match_inputs
from service.web.answers import GivenHints, Moments
from service.web.reply import Blueprint, asker, lang, once, service
from service.web.routes.matches import LOOKING
from service.work import WantedThoughts

REVIEWS = Blueprint("reviews", "Reviews and hints.")
NOT_REVIEWED = {404: ("unknown-seat",), 409: ("not-over", "not-played-out")}
NONE = {404: ("unknown-review", "unknown-seat"), 409: ("not-over", "not-played-out")}


@REVIEWS.operation(
    "POST /matches/<match_id>/reviews",
    202,
    query=inputs.LinkQuery,
    body=match_inputs.ReviewWanted,
    problems=NOT_REVIEWED,
)
def review_match(query: dict[str, Any], body: dict[str, Any], match_id: str) -> MatchReview:
    """Ask what the decisions of a seat were worth, and how much of the result was luck.

    Only for a match that was played to its end. A worker does the review within minutes, and the result is kept:
    whoever asks for the same seat again gets what is there.
    """
    service().reviews.want(asker(), match_id, body["seat"], once=once())
    return service().reviews.look(asker(), match_id, body["seat"], lang())


@REVIEWS.operation("GET /matches/<match_id>/reviews/<int:seat>", **LOOKING, query=inputs.LinkQuery, problems=NONE)
def get_review(query: dict[str, Any], match_id: str, seat: int) -> MatchReview:
    """Return the review of a seat, as far as it is done.

    Decisions are judged by what the seat knew when it made them. Luck and play are separated by all cards, which are
    open after the end.
    """
    return service().reviews.look(asker(), match_id, seat, lang())


@REVIEWS.operation(
    "DELETE /matches/<match_id>/reviews/<int:seat>",
    query=inputs.LinkQuery,
    problems={403: ("not-your-review",), **NONE},
)
def stop_review(query: dict[str, Any], match_id: str, seat: int) -> None:
    """Stop a review that you have asked for, unless others have asked for it too.

    What was found out stays, and a later request goes on from there.
    """
    service().reviews.stop(asker(), match_id, seat)


@REVIEWS.operation("GET /me/moments", scopes=(READ, PLAY), query=inputs.Lang)
def list_moments(query: dict[str, Any]) -> Moments:
    """List the decisions that cost most in the matches for which you have asked for a review.

    The answer has those of the 20 latest reviews that are done.
    """
    return Moments(service().reviews.moments(asker(), lang()))


@REVIEWS.operation(
    "POST /matches/<match_id>/hints",
    202,
    body=match_inputs.HintWanted,
    problems={403: ("not-seated",), 409: ("decision-not-open", "hint-against-people")},
)
def want_hint(body: dict[str, Any], match_id: str) -> GivenHints:
    """Ask what a search thinks of your open decision.

    Only if all other seats belong to bots of the service. It takes a second or two: ask for the hints of the match
    until its `state` is not `wanted` any more. Hints are kept, and everybody can see them once the match is over.
    """
    service().reviews.want_hint(asker(), match_id, body["decision"], once=once())
    return GivenHints(service().reviews.hints(asker(), match_id, lang()))


@REVIEWS.operation("GET /matches/<match_id>/hints", **LOOKING, query=inputs.LinkQuery)
def list_hints(query: dict[str, Any], match_id: str) -> GivenHints:
    """List your hints in a match; once it is over, those of all seats.

    So everybody can count how often somebody was advised.
    """
    return GivenHints(service().reviews.hints(asker(), match_id, lang()))


@REVIEWS.operation("POST /thoughts", body=match_inputs.ThoughtsReported)
def report_thoughts(body: dict[str, Any]) -> WantedThoughts:
    """Store the results of workers about a match, and return what they are to do next in it; for the workers.

    A repeated request does nothing twice: each decision is stored once.
    """
    return service().reviews.report(asker(), body["match"], body["found"], body["hints"])
