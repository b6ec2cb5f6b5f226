"""What labels of Troll Master claim, and when it is so. See `tests/laws/claims.py`."""

from __future__ import annotations

import re
from typing import Any

from domain.games.troll_master import events
from domain.games.troll_master.abilities import Strengthen, Timing
from domain.games.troll_master.components import Kind
from domain.games.troll_master.rules.actions import count
from domain.games.troll_master.rules.summoning import uncovered
from domain.games.troll_master.state import Place, points, power
from tests.laws.claims import Claims, Moment, numbers, told

MANA = r"(?:all your (?P<all>\d+)|(?P<price>\d+) of your (?P<mana>\d+)|your (?P<only>only)|no) mana"
CHARGES = r"(?:(?P<some>\d+) of its (?P<charges>\d+) charges|its only charge|all its (?P<all>\d+) charges)"
DOES = r"(?P<kind>summon|brew|attack|divination)(?: (?:at |for |with power \+)?(?P<value>\d+))?"
ACQUIRED = events.FamiliarSummoned | events.FamiliarTrained


def own(moment: Moment, table: Any) -> Place:
    place: Place = table.places[moment.seat]
    return place


def is_paid(moment: Moment, found: re.Match[str]) -> bool:
    """The price, out of all the mana that the seat has."""
    paid = sum(event.mana for event in moment.said(events.CardsBought | ACQUIRED))
    paid += len(moment.said(events.FamiliarCharged))
    has = own(moment, moment.before).mana
    if found["price"]:
        return (paid, has) == (int(found["price"]), int(found["mana"]))
    everything = int(found["all"] or bool(found["only"]))
    return paid == everything and (not everything or has == everything)


def acquired(moment: Moment) -> Any:
    """The seat's place when the familiar is acquired, or charged, and nothing else has happened."""
    event = moment.said(ACQUIRED | events.FamiliarCharged)[0]
    return own(moment, moment.game.evolve(moment.before, event))


def is_more(moment: Moment, found: re.Match[str]) -> bool:
    worth = points if found[1] == "points" else power
    return worth(acquired(moment)) - worth(own(moment, moment.before)) == int(found[2].replace("−", "-"))


def is_action(moment: Moment, found: re.Match[str]) -> bool:
    """What that action does, by the row."""
    space = moment.before.terms.printed.row[int(found["action"])]
    return (space.kind, space.value) == (Kind(found["kind"]), int(found["value"] or 0))


def is_revealed(moment: Moment, found: re.Match[str]) -> bool:
    space = moment.before.terms.printed.row[moment.move.action]
    needed = 0 if found[1] == "no" else int(found[1])
    revealed = moment.game.evolve(moment.before, moment.said(events.CardRevealed)[0])
    return (needed, int(found[2])) == (space.cost, count(revealed.cards.open, space.icon))


def is_strong(moment: Moment, found: re.Match[str]) -> bool:
    if declared := moment.said(events.AttackDeclared):
        return bool(declared[0].strength == int(found[1]))
    return bool(power(own(moment, moment.after)) + moment.after.stage.bonus == int(found[1]))


def is_defended(moment: Moment, found: re.Match[str]) -> bool:
    place: Place = moment.before.places[int(found[1])]
    fired = [ability for owned in place.familiars for ability in owned.card.fires[Timing.DEFENCE]]
    return power(place) + sum(one.power for one in fired if isinstance(one, Strengthen)) == int(found[2])


def is_used(moment: Moment, found: re.Match[str]) -> bool:
    charges = uncovered(own(moment, moment.before), moment.move.familiar).charges
    cost = moment.move.ability.cost
    if found["some"]:
        return (cost, charges) == (int(found["some"]), int(found["charges"]))
    return bool(cost == charges == int(found["all"] or 1))


def is_gained(moment: Moment, found: re.Match[str]) -> bool:
    used = moment.game.evolve(moment.before, moment.said(events.AbilityUsed)[0])
    before, after = own(moment, moment.before), own(moment, used)
    more = after.mana - before.mana if found[2] == "mana" else after.chips - before.chips
    return more == int(found[1])


def is_answered(moment: Moment, found: re.Match[str]) -> bool:
    """The comparison, its outcome and what the attacker takes."""
    (done,) = moment.said(events.AttackSucceeded | events.AttackFailed)
    said = (int(found["defence"]), int(found["attacker"]), int(found["strength"]))
    chips = int(found["chips"] or 0)
    return said == (done.defence, done.seat, done.strength) and chips == getattr(done, "chips", 0)


def is_needed(moment: Moment, found: re.Match[str]) -> bool:
    space = moment.before.terms.printed.row[moment.move.action]
    missing = max(0, space.cost - count(moment.before.cards.open, space.icon))
    needed = 0 if found[1] == "no" else int(found[1])
    return (needed, int(found[2] or 0), int(found[3] or 0)) == (space.cost, missing, 2 * missing)


def is_held(moment: Moment, found: re.Match[str]) -> bool:
    owned = uncovered(acquired(moment), moment.move.familiar)
    return (owned.charges, owned.card.ribbons) == numbers(found)


def leads(moment: Moment, found: re.Match[str]) -> bool:
    legal = moment.game.legal(moment.after, moment.seat)
    return [int(number) for number in re.findall(r"\d+", found[1])] == [move.action for move in legal]


CLAIMS = Claims(
    # what is printed on a card, told as it is printed
    names=r"\[\w+\].*|for every \d+|power \+\d+(?=, (?:attack|defend) with)|draw 1, discard 1|put 1 charge on",
    made=(
        (
            r"; (?!strength)[A-Z][^;:]*: (?:gain|put|acquire|power|\d+ mana less)[^;]*",
            lambda m, found: len(re.findall(found.re.pattern, m.label)) == len(m.said(events.AbilityFired)),
        ),
        (rf"(?:for|with) {MANA}", is_paid),
        (r"(?<!with )(points|power) ([+−]\d+)", is_more),
        (r"(?<!put )(\d+) charges? on it", told(ACQUIRED, "charges")),
        (r"(\d+)(?: charges?)? lost", told(events.FamiliarTrained, "lost")),
        (rf"action (?P<action>\d+), {DOES}", is_action),
        (rf"to (?:action )?(?P<action>\d+)[:,] {DOES}", is_action),
        (r"(?:pawn|Chain) from action (\d+)", lambda m, found: own(m, m.before).pawn == int(found[1])),
        (
            r"(?:^(?:Pass|Do)|home from|stays on) action (\d+)|action (\d+) is done",
            lambda m, found: int(found[1] or found[2]) in (own(m, m.before).pawn, m.before.stage.action),
        ),
        (r"\((no|\d+) \w+ needed, (\d+) face up with this card\)", is_revealed),
        (r"(\d+) of \d+ \w+ missing", told(events.CardsBought, "cards")),
        (r"(?:; strength|Declare the attack with strength|attack with strength) (\d+)", is_strong),
        (r"seat (\d+)'s (\d+)(?=[ ,]| or more|$)(?!: the)", is_defended),
        (r": (\d+) mana instead", told(events.ActionPassed, "mana")),
        (r": (\d+) mana when planning ends", lambda m, found: int(found[1]) == 2),
        (rf"^Use .*? for {CHARGES}", is_used),
        (r"^Use .*: gain (\d+) (mana|chips?)", is_gained),
        (r"acquire at (\d+) mana less", lambda m, found: m.move.ability.mana == int(found[1])),
        (r"(\d+) mana less in all", lambda m, found: m.after.stage.bonus == int(found[1])),
        (
            r"defend with (\d+) against (\d+)",
            lambda m, found: (power(own(m, m.after)) + m.after.stage.bonus, m.after.stage.strength) == numbers(found),
        ),
        (r"chain to \w+, on action ([\d, or]+)", leads),
        (
            r"Defend with (?P<defence>\d+) against seat (?P<attacker>\d+)'s (?P<strength>\d+): the attack "
            r"(?:fails|succeeds and seat \d+ takes (?P<chips>\d+) chips?)",
            is_answered,
        ),
        (r"(no|\d+) \w+ needed, (?:all there|(\d+) missing, to be bought for (\d+) mana)", is_needed),
        (r"you keep (\d+) mana", lambda m, found: own(m, m.before).mana == int(found[1])),
        (r"then (\d+) of (\d+) charges?", is_held),
    ),
)
