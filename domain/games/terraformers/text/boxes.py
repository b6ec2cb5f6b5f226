"""Labels for the boxes of the seat's own sheet: what choosing one may bring, and what so many tips on it do."""

from __future__ import annotations

from domain.game import Seat
from domain.games.terraformers.components import BOX_AT, BOXES, LEVELS, Box
from domain.games.terraformers.events import BoxUsed
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.rules.power import affordable, base_of, column_of
from domain.games.terraformers.rules.scoring import belligerents, oxygen_of, surplus_points
from domain.games.terraformers.state import Table, ability_of
from domain.games.terraformers.text.describe import counted, or_more, out_of_hand
from domain.texts import Words, seat_name


def choose_box(words: Words, table: Table, seat: Seat, box: Box) -> str:
    """Return the label of choosing a box of the sheet: what the tips in hand could do there. Rule: TF-13."""
    match box:
        case Box.OXYGEN:
            return _choose_oxygen(words, table, seat)
        case Box.WAR:
            return _choose_war(words, table, seat)
        case Box.CARNIVAL:
            return _choose_carnival(words, table, seat)
        case _:
            return _choose_level(words, table, seat, BOX_AT[box])


def place_on_box(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Return the label of placing tips on the chosen box: what so many do there. Rule: TF-13."""
    at = table.turn.at
    match BOXES[at]:
        case Box.OXYGEN:
            return _place_on_oxygen(words, table, seat, tips)
        case Box.WAR:
            return _place_on_war(words, table, seat, tips)
        case Box.CARNIVAL:
            return _place_on_carnival(words, table, seat, tips)
        case _:
            return _place_on_level(words, table, seat, tips)


def base_for(table: Table, seat: Seat) -> int:
    """Return the seat's power before any tip. Rule: TF-10."""
    player = table.players[seat]
    return base_of(player, ability_of(table, player))


def _with_tips(table: Table, seat: Seat, box: Box, tips: int) -> Table:
    """Return the table with so many tips of the seat on the box."""
    return evolve(table, BoxUsed(seat, box, tips, base_for(table, seat) + tips))


def _choose_level(words: Words, table: Table, seat: Seat, at: int) -> str:
    """Return the fewest tips that raise the level, and the fewest that raise it as far as possible.

    Rule:    TF-14, TF-15.
    """
    player, base, column = table.players[seat], base_for(table, seat), column_of(table.terms.pack, at)
    value, hand, level = player.levels[at], player.hand, words[f"level-{LEVELS[at]}"]
    prices = column.prices[value - column.start :]
    if not prices:
        return words["label-full"].format(level=level, value=value)
    least = max(1, prices[0] - base)
    if least > hand:
        needed = counted(words["tips"], least)
        return words["label-not-raised"].format(level=level, value=value, to=value + 1, tips=needed)
    reached = sorted({value + affordable(column, value, base + tips) for tips in (least, hand)})
    *fewer, most = [max(1, sum(prices[: to - value]) - base) for to in reached]
    said = (*(out_of_hand(words, tips, hand) for tips in fewer), or_more(words, most, hand))
    row = [words["label-way"].format(to=to, tips=tips) for to, tips in zip(reached, said, strict=True)]
    return words["label-raise-level"].format(level=level, value=value, ways=words["comma"].join(row))


def _place_on_level(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Rule: TF-14."""
    at, player = table.turn.at, table.players[seat]
    column, value, power = column_of(table.terms.pack, at), player.levels[at], base_for(table, seat) + tips
    boxes = affordable(column, value, power)
    text = words["label-place-level" if boxes else "label-place-no-level"]
    filled = value - column.start
    lost = power - sum(column.prices[filled : filled + boxes])
    label = text.format(
        tips=out_of_hand(words, tips, player.hand), level=words[f"level-{LEVELS[at]}"], power=power, to=value + boxes
    )
    return label + (words["label-place-lost"].format(n=lost) if boxes and lost else "")


def _choose_oxygen(words: Words, table: Table, seat: Seat) -> str:
    """Rule: TF-16, TF-35, TF-36."""
    player = table.players[seat]
    ability, base, hand = ability_of(table, player), base_for(table, seat), player.hand
    city, green = player.levels[0], player.levels[1]
    least = max(1, city - green - base)
    power = base + min(least, hand)
    if ability.oxygen_succeeds:
        name = "by-species"
    elif green >= city:
        name = "met"
    else:
        name = "open" if least <= hand else "short"
    has_surplus = ability.surplus and name != "short"
    each = words["label-surplus"].format(points=counted(words["points"], ability.surplus)) if has_surplus else ""
    lose = counted(words["points"], table.terms.pack.oxygen.lose)
    tips = out_of_hand(words, least, hand)
    return words[f"label-oxygen-{name}"].format(tips=tips, power=power, green=green, city=city, points=lose) + each


def _place_on_oxygen(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Rule: TF-16, TF-35, TF-36."""
    after = _with_tips(table, seat, Box.OXYGEN, tips)
    resolved = oxygen_of(after, seat)
    is_enough = resolved.green + resolved.power >= resolved.city
    text = words["label-place-oxygen" if is_enough else "label-place-oxygen-short"].format(
        tips=out_of_hand(words, tips, table.players[seat].hand),
        green=resolved.green,
        power=resolved.power,
        city=resolved.city,
    )
    if gained := surplus_points(after, resolved):
        text += words["label-place-oxygen-gives"].format(points=counted(words["points"], gained))
    if not resolved.succeeds:
        text += words["label-place-oxygen-costs"].format(points=counted(words["points"], -resolved.points))
    elif not is_enough:
        text += words["label-place-oxygen-anyway"]
    return text


def _war_after(table: Table, seat: Seat, tips: int) -> tuple[int, int]:
    """Return the seat's power in war with so many tips there, and its position among all, from 0. Rule: TF-17."""
    ranked = belligerents(_with_tips(table, seat, Box.WAR, tips))
    return next((power, at) for at, (other, power) in enumerate(ranked) if other == seat)


def _choose_war(words: Words, table: Table, seat: Seat) -> str:
    """Rule: TF-17."""
    gains = table.terms.pack.war
    rivals = [(other, power) for other, power in belligerents(table) if other != seat]
    rival = words["label-war-alone"]
    if rivals:
        rival = words["label-war-rival"].format(seat=seat_name(words, rivals[0][0]), power=rivals[0][1])
    least, most = (_war_after(table, seat, tips)[0] for tips in (1, table.players[seat].hand))
    return words["label-war"].format(
        power=_span(words, least, most),
        first=counted(words["points"], gains.first),
        second=counted(words["points"], gains.second),
        rival=rival,
    )


def _place_on_war(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Rule: TF-17."""
    power, at = _war_after(table, seat, tips)
    placed = out_of_hand(words, tips, table.players[seat].hand)
    return words["label-place-war"].format(tips=placed, power=power, place=words[f"ordinal-{at + 1}"])


def _span(words: Words, least: int, most: int) -> str:
    """Return `2`, or `2 to 5`."""
    return str(least) if least == most else words["label-span"].format(least=least, most=most)


def _choose_carnival(words: Words, table: Table, seat: Seat) -> str:
    """Rule: TF-18, TF-44."""
    player, base = table.players[seat], base_for(table, seat)
    if ability_of(table, player).no_carnival:
        return words["label-carnival-closed"]
    least, most = base + 1, base + player.hand
    points = words["points"].format(number=most if least == most else _span(words, least, most))
    return words["label-carnival"].format(points=points, without=counted(words["points"], base))


def _place_on_carnival(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Rule: TF-18, TF-44."""
    player = table.players[seat]
    is_closed = ability_of(table, player).no_carnival
    text = words["label-place-carnival-closed" if is_closed else "label-place-carnival"]
    points = counted(words["points"], base_for(table, seat) + tips)
    return text.format(tips=out_of_hand(words, tips, player.hand), points=points)
