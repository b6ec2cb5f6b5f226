"""What specials are made of and what artefacts do: the closed sets from which a pack is written."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.game import Value

MOST_LOOKED_AT = 7
"""By Fate."""
MOST_PUT = 5
"""By Past."""


class Pattern(Value, frozen=True, tag_field="formulas"):
    """What the formulas of one group of a special 特殊式 are."""


class EqualRuns(Pattern, frozen=True, tag="equal-runs"):
    """So many equal runs in one school. Rule: MG-13."""

    times: Annotated[int, Meta(ge=2, le=5)]
    """How many equal runs."""


class RunInEverySchool(Pattern, frozen=True, tag="run-in-every-school"):
    """The same run in all three schools. Rule: MG-13."""


class NumberInEverySchool(Pattern, frozen=True, tag="number-in-every-school"):
    """The same number three times, in all three schools. Rule: MG-13."""


class AllNumbers(Pattern, frozen=True, tag="all-numbers"):
    """Formulas of one school that together hold all its numbers. Rule: MG-13."""


class AllRuns(Pattern, frozen=True, tag="all-runs"):
    """Every run of one school. Rule: MG-13."""


Group = EqualRuns | RunInEverySchool | NumberInEverySchool | AllNumbers | AllRuns


class Power(Value, frozen=True, tag_field="artefact"):
    """What an artefact does."""


class FatePower(Power, frozen=True, tag="fate"):
    """So many cards from the top of the deck are looked at and put back in any order. Rule: MG-15."""

    cards: Annotated[int, Meta(ge=2, le=MOST_LOOKED_AT)]
    """How many are looked at."""


class PastPower(Power, frozen=True, tag="past"):
    """So many hand cards go into one's row, and as many others of it are taken. Rule: MG-15."""

    cards: Annotated[int, Meta(ge=1, le=MOST_PUT)]
    """How many are put, and then taken."""


class InnocentPower(Power, frozen=True, tag="innocent"):
    """A hand card counts as innocent. Rule: MG-15."""


AnyPower = FatePower | PastPower | InnocentPower

POWERS: tuple[type[AnyPower], ...] = (FatePower, PastPower, InnocentPower)
"""In the order in which the artefacts are named."""
