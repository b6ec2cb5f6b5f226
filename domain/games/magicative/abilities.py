"""The patterns of specials and the powers of artefacts: the closed sets from which a pack is written."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.game import Value

MOST_LOOKED_AT = 7
"""The most cards at which Fate looks."""
MOST_PUT = 5
"""The most cards that Past puts."""


class Pattern(Value, frozen=True, tag_field="formulas"):
    """The pattern of the formulas in one group of a special 特殊式."""


class EqualRuns(Pattern, frozen=True, tag="equal-runs"):
    """Several equal runs in one school. Rule: MG-13."""

    times: Annotated[int, Meta(ge=2, le=5)]
    """How many equal runs."""


class RunInEverySchool(Pattern, frozen=True, tag="run-in-every-school"):
    """The same run in all three schools. Rule: MG-13."""


class NumberInEverySchool(Pattern, frozen=True, tag="number-in-every-school"):
    """The same number three times, in all three schools. Rule: MG-13."""


class AllNumbers(Pattern, frozen=True, tag="all-numbers"):
    """Formulas of one school that together have all its numbers. Rule: MG-13."""


class AllRuns(Pattern, frozen=True, tag="all-runs"):
    """Every run of one school. Rule: MG-13."""


Group = EqualRuns | RunInEverySchool | NumberInEverySchool | AllNumbers | AllRuns


class Power(Value, frozen=True, tag_field="artefact"):
    """The power of an artefact."""


class FatePower(Power, frozen=True, tag="fate"):
    """Look at cards from the top of the deck, and put them back in any order. Rule: MG-15."""

    cards: Annotated[int, Meta(ge=2, le=MOST_LOOKED_AT)]
    """How many cards are looked at."""


class PastPower(Power, frozen=True, tag="past"):
    """Put hand cards into the user's own row, and take as many other cards of it. Rule: MG-15."""

    cards: Annotated[int, Meta(ge=1, le=MOST_PUT)]
    """How many cards are put, and then taken."""


class InnocentPower(Power, frozen=True, tag="innocent"):
    """A hand card counts as innocent. Rule: MG-15."""


AnyPower = FatePower | PastPower | InnocentPower

POWERS: tuple[type[AnyPower], ...] = (FatePower, PastPower, InnocentPower)
"""The powers in the order in which the artefacts are named."""
