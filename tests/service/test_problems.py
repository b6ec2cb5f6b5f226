"""Problems of one match in work on many: each becomes a code, and the other matches go on."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from domain.game import Refusal
from events.codec import Unreadable
from events.store import StaleVersion, StoreError
from replays.log import OtherRules, UnknownMatch
from service.problems import Conflict, left_out, problem_in


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (None, None),
        (Conflict("busy"), "busy"),
        (StaleVersion("m_1", 3), "busy"),
        (Refusal("", "match-open"), "match-open"),
        (UnknownMatch("m_1"), "unknown-match"),
        (Unreadable("m_1"), "unreadable"),
        (KeyError("the hand is fire 3"), "internal"),
    ],
)
def test_a_problem_becomes_a_code_and_what_nobody_foresaw_is_logged_without_its_words(
    error: Exception | None, code: str | None
) -> None:
    def act(match_id: str) -> None:
        if error is not None:
            raise error

    with capture_logs() as lines:
        assert problem_in("m_1", act) == code
    assert [(one["event"], one["match"], one["kind"]) for one in lines] == (
        [("unforeseen", "m_1", "KeyError")] if code == "internal" else []
    )
    assert "fire" not in repr(lines)


def test_an_error_of_the_store_concerns_all_matches() -> None:
    def act(match_id: str) -> None:
        raise StoreError("the store does not answer")

    with pytest.raises(StoreError):
        problem_in("m_1", act)


@pytest.mark.parametrize(
    ("error", "kinds"),
    [
        (None, []),
        (Conflict("busy"), []),
        (StaleVersion("m_1", 3), []),
        (OtherRules("game", match="m_1", game="gone", version=1), []),
        (Unreadable("the hand is fire 3"), ["Unreadable"]),
        (KeyError("the hand is fire 3"), ["KeyError"]),
    ],
)
def test_one_of_many_matches_is_left_out_and_what_can_not_be_read_is_logged_without_its_words(
    error: Exception | None, kinds: list[str]
) -> None:
    with capture_logs() as lines, left_out():
        if error is not None:
            raise error
    assert [(one["event"], one["kind"]) for one in lines] == [("a match is left out", kind) for kind in kinds]
    assert "fire" not in repr(lines)
    with pytest.raises(StoreError), left_out():
        raise StoreError("the store does not answer")
