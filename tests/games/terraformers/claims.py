"""What labels of Terraformers claim, and when it is so. See `tests/laws/claims.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

from domain.games.terraformers import events, moves
from domain.games.terraformers.abilities import AddTips, Fill, GainPoints, MarkStars, PayTips, TakeTips, When
from domain.games.terraformers.components import BOX_AT, LEVEL_AT, Box, Level
from domain.games.terraformers.pack import Pack
from domain.games.terraformers.rules.power import base_of
from domain.games.terraformers.rules.scoring import belligerents, carnival_power, oxygen_of, surplus_points, war_power
from domain.games.terraformers.state import Table, ability_of
from domain.games.terraformers.text.cards import card_text
from tests.laws.claims import Claims, IsSo, Moment, numbers

TIPS = r"(?:your last tip|all your (?P<all>\d+) tips|(?P<some>\d+) tips?)"
BY_USE = GainPoints | TakeTips | PayTips | Fill | MarkStars | AddTips
LEVEL = r"(city|green|science|cosmo)"


def hand(table: Table, seat: int) -> int:
    return table.players[seat].hand


def level(table: Table, seat: int, name: str) -> int:
    return table.players[seat].levels[LEVEL_AT[Level(name)]]


def has_level(moment: Moment, found: re.Match[str]) -> bool:
    return level(moment.before, moment.seat, found[1]) == int(found[2])


def power(table: Table, seat: int) -> int:
    return base_of(table.players[seat], ability_of(table, table.players[seat]))


def tips_in(found: re.Match[str]) -> int:
    return int(found["all"] or found["some"] or 1)


def places(moment: Moment) -> list[int]:
    """The numbers of tips that may be placed after a choice."""
    return [move.tips for move in moment.game.legal(moment.after, moment.seat) if isinstance(move, moves.Place)]


def placed(moment: Moment, tips: int) -> tuple[tuple[Any, ...], Any]:
    """What placing so many after the choice brings about."""
    return following(moment, moment.after, tips)


def following(moment: Moment, table: Table, tips: int) -> tuple[tuple[Any, ...], Any]:
    """What placing so many brings about, without what the next turn begins with (TF-8): labels speak of the move."""
    told = moment.game.decide(table, moment.seat, moves.Place(tips), None)  # type: ignore[arg-type]  # no chance in it
    told = tuple(takewhile(lambda event: not isinstance(event, events.TurnStarted), told))
    for event in told:
        table = moment.game.evolve(table, event)
    return told, table


def is_price(moment: Moment, found: re.Match[str]) -> bool:
    """Of a choice the fewest tips that may be placed, and whether more may be; of a move that pays what it takes."""
    tips, before = tips_in(found), hand(moment.before, moment.seat)
    if found["some"] is None and tips != before:
        return False
    if isinstance(moment.move, moves.PutBack | moves.Copy):
        paid = [event.tips for event in moment.said(events.SpeciesPutBack | events.AbilityCopied)]
        return paid == [tips]
    if isinstance(moment.move, moves.Place):
        return moment.move.tips == tips
    return places(moment)[0] == tips and (len(places(moment)) > 1) == bool(found["more"])


def is_way(moment: Moment, found: re.Match[str]) -> bool:
    """So many tips bring the level there, and one less does not; "or more" if all bring it no further."""
    box, to, tips = moment.move.box.value, int(found["to"]), tips_in(found)
    reached = [level(placed(moment, few)[1], moment.seat, box) for few in places(moment)]
    is_all = found["some"] is not None or tips == hand(moment.before, moment.seat)
    is_more = bool(found["more"]) == (reached[-1] == to and tips < hand(moment.before, moment.seat))
    return is_all and is_more and places(moment)[reached.index(to)] == tips


def is_out_of_reach(moment: Moment, found: re.Match[str]) -> bool:
    most = places(moment)[-1]
    stays = level(placed(moment, most)[1], moment.seat, found[1]) == int(found[2])
    return stays and int(found[3]) == int(found[2]) + 1 and int(found[4]) > most


def is_spare(moment: Moment, found: re.Match[str]) -> bool:
    """So many fewer do the same, and one fewer yet does not, or is not allowed."""
    fewest = moment.move.tips - int(found[1])
    legal = [move.tips for move in moment.game.legal(moment.before, moment.seat)]

    def brings(tips: int) -> list[Any]:
        kinds = events.CardScored | events.TipsTaken | events.LevelRaised | events.StarsMarked | events.TipsAdded
        return [event for event in following(moment, moment.before, tips)[0] if isinstance(event, kinds)]

    same = brings(fewest) == brings(moment.move.tips)
    return same and (fewest == legal[0] or brings(fewest - 1) != brings(fewest))


def tells(moment: Moment, kind: Any) -> list[Any]:
    """Events of what is chosen with the tips that the label speaks of: those of the move, or of placing the fewest."""
    if isinstance(moment.move, moves.Place):
        return moment.said(kind)
    found = [placed(moment, tips)[0] for tips in (places(moment)[0], places(moment)[-1])]
    return [event for told in found for event in told if isinstance(event, kind)]


def results(moment: Moment) -> tuple[Table, ...]:
    """The tables that the label speaks of: after the move, or after placing the fewest tips, and all of them."""
    if isinstance(moment.move, moves.Place):
        return (moment.after,)
    return tuple(placed(moment, tips)[1] for tips in (places(moment)[0], places(moment)[-1]))


def box_after(moment: Moment) -> Table:
    """The table when the tips lie on the box, before anything else happens."""
    used = next(event for event in moment.told if isinstance(event, events.BoxUsed))
    after: Table = moment.game.evolve(moment.before, used)
    return after


def used(moment: Moment, tips: int) -> Table:
    """The table when so many tips lie on the box that was chosen."""
    told = placed(moment, tips)[0]
    after: Table = moment.game.evolve(moment.after, next(one for one in told if isinstance(one, events.BoxUsed)))
    return after


def ends(moment: Moment) -> tuple[Table, Table]:
    """The table when the fewest tips lie on the box, and when all do; of tips that are placed the same twice."""
    if isinstance(moment.move, moves.Place):
        return box_after(moment), box_after(moment)
    return used(moment, places(moment)[0]), used(moment, places(moment)[-1])


def is_oxygen(moment: Moment, found: re.Match[str]) -> bool:
    """With as many tips as it takes, or with all of them, green and power come to that."""
    said = tuple(int(found[name]) for name in ("green", "power", "city"))
    enough = found["does"] == "reach"
    if isinstance(moment.move, moves.Place):
        tables = [box_after(moment)]
    else:
        tables = [used(moment, tips) for tips in places(moment)]
    resolved = [oxygen_of(table, moment.seat) for table in tables]
    reach = [(one.green, one.power, one.city) for one in resolved if (one.green + one.power >= one.city) is enough]
    is_first = bool(reach) and (reach[0] if enough else reach[-1]) == said
    tips = tips_in(found) if "with" in found[0] else None
    return is_first and (tips is None or used(moment, tips) == tables[places(moment).index(tips)])


def is_span(worth: Callable[[Table, int], int | None]) -> IsSo:
    """What the fewest tips and all of them are worth."""

    def is_so(moment: Moment, found: re.Match[str]) -> bool:
        least, most = (worth(table, moment.seat) for table in ends(moment))
        return (int(found["least"]), int(found["most"] or found["least"])) == (least, most)

    return is_so


def is_power(moment: Moment, found: re.Match[str]) -> bool:
    if moment.before.turn.at == BOX_AT[Box.WAR]:
        return war_power(box_after(moment), moment.seat) == int(found[1])
    return bool(moment.said(events.BoxUsed)[0].power == int(found[1]))


def is_lost(moment: Moment, found: re.Match[str]) -> bool:
    """What power is left when the check boxes are paid for that were filled."""
    box, raised = moment.said(events.BoxUsed)[0], moment.said(events.LevelRaised)[0]
    column = getattr(moment.before.terms.pack.levels, raised.level.value)
    filled = raised.to - raised.boxes - column.start
    return bool(box.power - sum(column.prices[filled : filled + raised.boxes]) == int(found[1]))


def is_gained(moment: Moment, found: re.Match[str]) -> bool:
    if moment.said(events.BoxUsed):
        table = box_after(moment)
        return surplus_points(table, oxygen_of(table, moment.seat)) == int(found[1])
    return (moment.seat, int(found[1])) in [(one.seat, one.points) for one in tells(moment, events.CardScored)]


def is_cost(moment: Moment, found: re.Match[str]) -> bool:
    """What oxygen that fails costs, where it would fail without the move."""
    is_open = not oxygen_of(moment.before, moment.seat).succeeds
    return is_open and int(found[1]) == moment.before.terms.pack.oxygen.lose


def falls(moment: Moment, found: re.Match[str]) -> bool:
    after = placed(moment, places(moment)[0])[1] if isinstance(moment.move, moves.Acquire) else moment.after
    return (power(moment.before, moment.seat), power(after, moment.seat)) == numbers(found)


def among(kind: Any, *names: str) -> IsSo:
    """Some event of the kind has these numbers, in the order in which the label has them."""

    return lambda moment, found: (
        numbers(found) in [tuple(abs(getattr(one, name)) for name in names) for one in tells(moment, kind)]
    )


def is_strongest(moment: Moment, found: re.Match[str]) -> bool:
    others = [(seat, power) for seat, power in belligerents(moment.before) if seat != moment.seat]
    return others[0] == numbers(found)


def printed(pack: Pack) -> Iterator[str]:
    """What cards do all the time, or not by the move itself: all but what a box card does when it is used."""
    for card in pack.cards:
        for effect in card.effects:
            if not isinstance(effect, BY_USE) or effect.when is not When.USED:
                yield card_text(card.kind, (effect,), "en", is_brief=True).rstrip(".")


CLAIMS = Claims(
    printed=printed,
    # what is printed on a card, told as it is printed
    names=(
        r"[Ss]cience counts as \d+|[Ff]or power, \d+ counts|power \+ \d+|[Tt]urn start: pay \d+ tips?"
        r"|[Rr]ound start: (?:gain|take|pay) \d+ \w+|at once: fill \d+ check box(?:es)?"
        r"|\d+ points? for each 1 (?:by which|beyond it)|pay \d+ tips? to gain|\(E\) Game end:.*"
    ),
    made=(
        (rf"^(?:Place|(?:Acquire|Guard|Use|Put|Have) .*? (?:for|with)) {TIPS}(?P<more> or more)?", is_price),
        (rf"; for {TIPS}:", lambda moment, found: tips_in(found) == hand(moment.before, moment.seat)),
        (r"^Raise (\w+) from (\d+)", has_level),
        (r"^Use the (\w+) box, which is full at (\d+)", has_level),
        (rf"to (?P<to>\d+) with {TIPS}(?P<more> or more)?", is_way),
        (r"^Use the (\w+) box, which stays at (\d+): (\d+) takes (\d+) tips?", is_out_of_reach),
        (
            rf"(?:with {TIPS}, )?green (?P<green>\d+) and power (?P<power>\d+)(?: with all your tips)? "
            r"(?P<does>reach|stay below) city (?P<city>\d+)",
            is_oxygen,
        ),
        (r"green (\d+) reaches city (\d+)", lambda m, found: m.before.players[m.seat].levels[1::-1] == numbers(found)),
        (r"(?:else you lose|, lose|oxygen fails and costs) (\d+) points?", is_cost),
        (r"^Go to war with power (?P<least>\d+)(?: to (?P<most>\d+))?", is_span(war_power)),
        (
            r"first gains (\d+) points? and the marker, second (\d+) points?",
            lambda m, found: (m.before.terms.pack.war.first, m.before.terms.pack.war.second) == numbers(found),
        ),
        (r"so far seat (\d+) is strongest with (\d+)", is_strongest),
        (
            r"(?:^Hold carnival|on carnival): as things lie (?P<least>\d+)(?: to (?P<most>\d+))? points? at the "
            r"round's end",
            is_span(carnival_power),
        ),
        (r"without tips it gives (\d+)", lambda m, found: carnival_power(m.before, m.seat) == int(found[1])),
        (r": power (\d+)", is_power),
        (r", power (\d+) is lost", is_lost),
        (
            rf"{LEVEL} (?:rises to|stays at) (\d+)",
            lambda m, found: any(level(table, m.seat, found[1]) == int(found[2]) for table in results(m)),
        ),
        (r", (\d+) more than it takes", is_spare),
        (r"(?<!start: )gain (\d+) points?", is_gained),
        (r"seat (\d+) loses (\d+) points?", among(events.CardScored, "seat", "points")),
        (r"(?<!start: )take (\d+) tips? from the stock", among(events.TipsTaken, "tips")),
        (r"give (\d+) tips? to the stock", among(events.TipsPaid, "tips")),
        (r"mark (\d+) stars?, (\d+) in all", among(events.StarsMarked, "stars", "total")),
        (r"(\d+) tips? from the stock (?:each )?on", among(events.TipsAdded, "tips")),
        (r"seat (\d+) puts (\d+) tips? from hand", among(events.TipsForced, "seat", "tips")),
        (r"your (\d+) tips? in hand", lambda m, found: hand(m.before, m.seat) == int(found[1])),
        (r"power falls from (\d+) to (\d+)", falls),
    ),
)
