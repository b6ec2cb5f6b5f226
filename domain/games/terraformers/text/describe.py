"""Events, moves and chapters in words, without the table."""

from __future__ import annotations

from typing import Any, assert_never

from domain.game import Lang
from domain.games.terraformers import events, moves
from domain.games.terraformers.components import Box
from domain.games.terraformers.events import RoundStarted, TerraformersEvent
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.text.phrases import WORDS, card_name, counted, seat_name, sentence
from domain.games.terraformers.text.words import Words

Begins = events.PlanetLaid | events.MarkerDrawn | events.RoundStarted | events.TipsDealt | events.TurnStarted
Acts = (
    events.BoxChosen
    | events.CardChosen
    | events.SpeciesChosen
    | events.BoxUsed
    | events.CardUsed
    | events.SpeciesReturned
    | events.SpeciesAcquired
    | events.SpeciesGuarded
    | events.SpeciesPutBack
    | events.AbilityCopied
    | events.CopyEnded
    | events.Passed
)
Happens = (
    events.LevelRaised
    | events.CardScored
    | events.TipsTaken
    | events.TipsPaid
    | events.TipsAdded
    | events.TipsForced
    | events.StarsMarked
)
Ends = (
    events.OxygenResolved
    | events.WarResolved
    | events.WarScored
    | events.MarkerMoved
    | events.CarnivalScored
    | events.TipsReturned
    | events.MatchEnded
)


def describe(told: TerraformersEvent | TerraformersMove, lang: Lang) -> str:
    """Return the event or the move in words."""
    words = WORDS[lang]
    if isinstance(told, TerraformersMove):
        return _move(words, told)
    return sentence(_event(words, told))


def _move(words: Words, move: TerraformersMove) -> str:
    match move:
        case moves.UseBox(box=box):
            return words.use_box.format(box=words.box[box])
        case moves.UseCard(card=card):
            return words.use_card.format(card=card_name(words, card))
        case moves.UseCardOn(card=card, other=other):
            return words.use_card_on.format(card=card_name(words, card), other=seat_name(words, other))
        case moves.Acquire(card=card):
            return words.acquire.format(card=card_name(words, card))
        case moves.Guard(card=card):
            return words.guard.format(card=card_name(words, card))
        case moves.Place(tips=tips):
            return words.place.format(tips=counted(words.tips, tips))
        case moves.PutBack():
            return words.put_back
        case moves.Copy(card=card):
            return words.copy.format(card=card_name(words, card))
        case moves.Pass():
            return words.pass_
        case _:
            assert_never(move)


def _event(words: Words, event: TerraformersEvent) -> str:
    if isinstance(event, Begins):
        return _begins(words, event)
    if isinstance(event, Acts):
        return _acts(words, event)
    if isinstance(event, Happens):
        return _happens(words, event)
    return _ends(words, event)


def _begins(words: Words, event: Begins) -> str:
    match event:
        case events.PlanetLaid(cards=cards):
            return words.planet_laid.format(cards=words.comma.join(card_name(words, card) for card in cards))
        case events.MarkerDrawn(seat=seat):
            return words.marker_drawn.format(seat=seat_name(words, seat))
        case events.RoundStarted(round=number, first=seat):
            return words.round_started.format(round=number, seat=seat_name(words, seat))
        case events.TipsDealt(tips=dealt):
            each = (
                words.dealt.format(seat=seat_name(words, seat), tips=counted(words.tips, tips))
                for seat, tips in enumerate(dealt)
            )
            return words.tips_dealt.format(seats=words.comma.join(each))
        case events.TurnStarted(seat=seat):
            return words.turn_started.format(seat=seat_name(words, seat))
        case _:
            assert_never(event)


def _acts(words: Words, event: Acts) -> str:
    if isinstance(event, events.BoxChosen | events.CardChosen | events.SpeciesChosen):
        return _chooses(words, event)
    if isinstance(event, events.CopyEnded):
        return words.copy_ended.format(card=card_name(words, event.card), copied=card_name(words, event.copied))
    seat = seat_name(words, event.seat)
    match event:
        case events.Passed():
            return words.passed.format(seat=seat)
        case events.SpeciesReturned(card=card):
            return words.species_returned.format(seat=seat, card=card_name(words, card))
        case events.SpeciesPutBack(card=card, tips=tips):
            return words.species_put_back.format(seat=seat, card=card_name(words, card), tips=counted(words.tips, tips))
        case events.AbilityCopied(card=card, copied=copied, tips=tips):
            names = {"card": card_name(words, card), "copied": card_name(words, copied)}
            return words.ability_copied.format(seat=seat, tips=counted(words.tips, tips), **names)
        case events.BoxUsed() | events.CardUsed() | events.SpeciesAcquired() | events.SpeciesGuarded():
            return _places(words, event)
        case _:
            assert_never(event)


def _chooses(words: Words, event: events.BoxChosen | events.CardChosen | events.SpeciesChosen) -> str:
    seat = seat_name(words, event.seat)
    match event:
        case events.BoxChosen(box=box):
            return words.box_chosen.format(seat=seat, box=words.box[box])
        case events.CardChosen(card=card, against=()):
            return words.card_chosen.format(seat=seat, card=card_name(words, card))
        case events.CardChosen(card=card, against=against):
            other = seat_name(words, against[0])
            return words.card_chosen_against.format(seat=seat, card=card_name(words, card), other=other)
        case events.SpeciesChosen(card=card, holder=()):
            return words.species_chosen.format(seat=seat, card=card_name(words, card))
        case events.SpeciesChosen(card=card, holder=holder):
            text = words.own_species_chosen if holder == (event.seat,) else words.species_chosen_from
            return text.format(seat=seat, card=card_name(words, card), other=seat_name(words, holder[0]))
        case _:
            assert_never(event)


def _places(
    words: Words, event: events.BoxUsed | events.CardUsed | events.SpeciesAcquired | events.SpeciesGuarded
) -> str:
    seat, tips, power = seat_name(words, event.seat), counted(words.tips, event.tips), event.power
    match event:
        case events.BoxUsed(box=Box.WAR):
            return words.war_used.format(seat=seat, tips=tips)
        case events.BoxUsed(box=box):
            return words.box_used.format(seat=seat, tips=tips, power=power, box=words.box[box])
        case events.CardUsed(card=card):
            return words.card_used.format(seat=seat, tips=tips, power=power, card=card_name(words, card))
        case events.SpeciesGuarded(card=card):
            return words.species_guarded.format(seat=seat, tips=tips, power=power, card=card_name(words, card))
        case events.SpeciesAcquired(card=card, loser=loser):
            text = words.species_acquired_from if loser else words.species_acquired
            other = words.comma.join(seat_name(words, holder) for holder in loser)
            return text.format(seat=seat, tips=tips, power=power, card=card_name(words, card), other=other)
        case _:
            assert_never(event)


def _happens(words: Words, event: Happens) -> str:
    seat = seat_name(words, event.seat)
    match event:
        case events.LevelRaised(level=level, boxes=boxes, to=to):
            filled = counted(words.check_boxes, boxes)
            return words.level_raised.format(seat=seat, level=words.level[level], boxes=filled, to=to)
        case events.CardScored(card=card, points=points):
            text = words.card_scored if points >= 0 else words.card_cost
            return text.format(seat=seat, card=card_name(words, card), points=counted(words.points, abs(points)))
        case events.TipsTaken(card=card, tips=tips):
            return words.tips_taken.format(seat=seat, card=card_name(words, card), tips=counted(words.tips, tips))
        case events.TipsPaid(card=card, tips=tips):
            return words.tips_paid.format(seat=seat, card=card_name(words, card), tips=counted(words.tips, tips))
        case events.TipsAdded(card=card, box=box, tips=tips) | events.TipsForced(card=card, box=box, tips=tips):
            text = words.tips_added if isinstance(event, events.TipsAdded) else words.tips_forced
            placed = counted(words.tips, tips)
            return text.format(seat=seat, card=card_name(words, card), box=words.box[box], tips=placed)
        case events.StarsMarked(card=card, stars=stars, total=total):
            marked = counted(words.stars, stars)
            return words.stars_marked.format(seat=seat, card=card_name(words, card), stars=marked, total=total)
        case _:
            assert_never(event)


def _ends(words: Words, event: Ends) -> str:
    match event:
        case events.OxygenResolved(seat=seat, city=city, green=green, power=power):
            text = words.oxygen_succeeds if event.succeeds else words.oxygen_fails
            if event.succeeds and green + power < city:
                text = words.oxygen_succeeds_anyway
            points = counted(words.points, -event.points)
            return text.format(seat=seat_name(words, seat), city=city, green=green, power=power, points=points)
        case events.WarResolved(order=order, powers=powers):
            each = (
                words.war_power.format(seat=seat_name(words, seat), power=power)
                for seat, power in zip(order, powers, strict=True)
            )
            return words.war_resolved.format(powers=words.comma.join(each))
        case events.WarScored(seat=seat, place=place, points=points):
            gained = counted(words.points, points)
            return words.war_scored.format(seat=seat_name(words, seat), place=words.ordinal[place - 1], points=gained)
        case events.MarkerMoved(seat=seat):
            return words.marker_moved.format(seat=seat_name(words, seat))
        case events.CarnivalScored(seat=seat, points=points):
            return words.carnival_scored.format(seat=seat_name(words, seat), points=counted(words.points, points))
        case events.TipsReturned():
            return words.tips_returned
        case events.MatchEnded():
            return _won(words, event)
        case _:
            assert_never(event)


def _won(words: Words, event: events.MatchEnded) -> str:
    """Return who won with how many points, and by what, if others have as many. Rule: TF-26."""
    first = event.ranking.index(1)
    most = event.points[first]
    tied = [seat for seat, points in enumerate(event.points) if points == most and seat != first]
    return (words.match_ended_tied if tied else words.match_ended).format(
        seat=seat_name(words, first),
        points=counted(words.points, most),
        others=words.and_.join(seat_name(words, seat) for seat in tied),
    )


CHAPTERS: dict[Lang, str] = {"en": "Round {event.round}", "ja": "ラウンド{event.round}"}


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    return CHAPTERS[lang].format(event=event) if isinstance(event, RoundStarted) else None
