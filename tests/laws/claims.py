"""Laws of what labels claim: every number in a label is compared with what then happens, in both languages.

A room says in `tests/games/<room>/claims.py` how its labels claim something: an expression that finds the claim in an
English label, and what must be so before and after the move. No number in a label may be left unclaimed; in Japanese
the same numbers stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, NamedTuple

from domain.chance import Simulation
from domain.game import Game, fold
from domain.play import advance
from tests.laws.rooms import known_of
from tests.laws.table import Played

NUMBER = re.compile(r"[−+]?\d+")
PLACE = re.compile(r"\d+位|\d+つ目")
"""A place among others, for which English has a word: first, second."""
WORDS = {"two": "2", "three": "3", "both": "2"}
"""Numbers for which English may have a word."""
SEAT = r"\bseat \d+"
"""How a seat is called: no claim."""


class Moment(NamedTuple):
    """A legal move, tried: what was before it, what it brought about, and what was after it."""

    game: Game[Any, Any, Any]
    before: Any
    seat: int
    move: Any
    label: str
    told: tuple[Any, ...]
    after: Any
    """Before forced moves."""
    ended: Any
    """After the forced moves that followed."""

    def said(self, kind: Any) -> list[Any]:
        """What was told of a kind of event."""
        return [event for event in self.told if isinstance(event, kind)]


IsSo = Callable[[Moment, "re.Match[str]"], bool]
Claim = tuple[str, IsSo]
"""How something is claimed, and whether it is so."""


def numbers(found: re.Match[str]) -> tuple[int, ...]:
    """The numbers of a claim, in their order."""
    return tuple(int(part.replace("−", "-")) for part in found.groups() if part)


def told(kind: Any, *names: str) -> IsSo:
    """The move brings about an event of the kind with these numbers, in the order of the claim."""
    return lambda moment, found: (
        numbers(found) in [tuple(getattr(event, name) for name in names) for event in moment.said(kind)]
    )


class Claims(NamedTuple):
    """What a room's labels claim."""

    names: str
    """An expression for numbers that name or describe a thing as it is printed, and claim nothing of the move."""
    made: tuple[Claim, ...]
    printed: Callable[[Any], Iterable[str]] = lambda pack: ()
    """Texts that a pack's cards bear, as labels have them: what they do later, which claims nothing of the move."""


def a_label_claims_what_then_happens(played: Played) -> None:
    """Each claim of each legal move's label is so, and each number in it is claimed or a name."""
    claims = known_of(played.game.slug).claims
    names = re.compile("|".join(filter(None, (SEAT, claims.names))))
    made = [(re.compile(pattern), is_so) for pattern, is_so in claims.made]
    printed = [re.compile(re.escape(text), re.IGNORECASE) for text in claims.printed(played.pack.pack)]
    for moment in moments(played):
        spans = [found.span() for pattern in (names, *printed) for found in pattern.finditer(moment.label)]
        for found, is_so in ((found, is_so) for pattern, is_so in made for found in pattern.finditer(moment.label)):
            if not _is_within(found, spans):
                assert is_so(moment, found), f"{found[0]!r} is not so: {moment.label}"
                spans.append(found.span())
        for number in NUMBER.finditer(moment.label):
            assert _is_within(number, spans), f"{number[0]} is nobody's claim: {moment.label}"


def _is_within(found: re.Match[str], spans: list[tuple[int, int]]) -> bool:
    return any(start <= found.start() and found.end() <= end for start, end in spans)


def both_languages_claim_the_same_numbers(played: Played) -> None:
    """Whatever number English has stands in Japanese too, which may count one where English says a or your last."""
    game = played.game
    for _, seat, seen in played.asked():
        for move in game.legal(seen, seat):
            english, japanese = (game.label(seen, seat, move, lang) for lang in ("en", "ja"))
            one, other = _numbers(english), _numbers(PLACE.sub("", japanese))
            worded = {number for word, number in WORDS.items() if re.search(rf"\b{word}\b", english)}
            assert one <= other <= one | {"1"} | worded, f"{english} | {japanese}"


def _numbers(text: str) -> set[str]:
    return {number.lstrip("+−") for number in NUMBER.findall(text)}


def moments(played: Played) -> Iterator[Moment]:
    """Every legal move of every position, made on the true table."""
    game, seats = played.game, range(len(played.truth.taken))
    for step, seat, seen in played.asked():
        before = step.table
        for move in game.legal(seen, seat):
            chance = Simulation(f"{step.truth.version} {seat}")
            if game.secret(before):
                asked = game.to_act(before)
                answers = [game.default(before, other) if other in asked else None for other in seats]
                answers[seat] = move
                told = game.close(before, tuple(answers), chance)
            else:
                told = game.decide(before, seat, move, chance)
            ended, _, forced = advance(game, before, told, repeat(chance))
            after = fold(game, before, told) if forced else ended
            yield Moment(game, before, seat, move, game.label(seen, seat, move, "en"), told, after, ended)
