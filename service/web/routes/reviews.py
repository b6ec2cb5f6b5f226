"""Reviews of matches that are over."""

from __future__ import annotations

from typing import Any

from service.matches import MatchReview
from service.web import match_inputs
from service.web.answers import WantedReviews
from service.web.reply import Blueprint, asker, lang, once, service
from service.web.routes.matches import LOOKING

REVIEWS = Blueprint("reviews", "Reviews.")
NOT_REVIEWED = {404: ("unknown-seat",), 409: ("not-over", "not-played-out")}
NONE = {404: ("unknown-review", "unknown-seat"), 409: ("not-over", "not-played-out")}


@REVIEWS.operation("POST /matches/<match_id>/reviews", 202, body=match_inputs.ReviewWanted, problems=NOT_REVIEWED)
def review_match(body: dict[str, Any], match_id: str) -> MatchReview:
    """Want to know what the decisions of a seat were worth, and how much of the result was luck.

    Only of a match that was played to its end. A worker finds it out within minutes, and the result is kept: whoever
    asks for the same seat again gets what is there.
    """
    service().reviews.want(asker(), match_id, body["seat"], once=once())
    return service().reviews.look(asker(), match_id, body["seat"], lang())


@REVIEWS.operation("GET /matches/<match_id>/reviews/<int:seat>", **LOOKING, problems=NONE)
def get_review(match_id: str, seat: int) -> MatchReview:
    """Return the review of a seat, as far as it is.

    Decisions are judged by what the seat knew when it made them. Luck is told from play by all cards, which are open
    after the end.
    """
    return service().reviews.look(asker(), match_id, seat, lang())


@REVIEWS.operation("DELETE /matches/<match_id>/reviews/<int:seat>", problems={403: ("not-your-review",), **NONE})
def stop_review(match_id: str, seat: int) -> None:
    """Stop a review that you have asked for.

    What was found out stays, and a later request goes on from there.
    """
    service().reviews.stop(asker(), match_id, seat)


@REVIEWS.operation("POST /reviews", body=match_inputs.ReviewReports)
def report_reviews(body: dict[str, Any]) -> WantedReviews:
    """Store what was found out about a match, and return which of its reviews are wanted; for the workers.

    A repeated request does nothing twice: each decision is stored once.
    """
    return WantedReviews(service().reviews.report(asker(), body["match"], body["found"]))
