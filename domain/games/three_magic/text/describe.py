"""Events and moves in words, told without the table; what is hidden in an event is told as hidden."""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang
from domain.games.three_magic.events import (
    AttributesDrawn,
    CardDiscarded,
    CardDrawn,
    CardInserted,
    ClaimsOpened,
    ClaimsPassed,
    DealDrawn,
    DealStarted,
    DrawnDiscarded,
    HandDealt,
    HandShown,
    IndicatorTurned,
    LaidSunk,
    LaidTaken,
    LapCompleted,
    LeyLineCollected,
    ManagerAdded,
    ManagerPassed,
    ManagerStayed,
    MatchEnded,
    Measured,
    OdPaid,
    Pledged,
    ReachDeclared,
    RonDeclared,
    Shuffled,
    ThreeMagicEvent,
    TsumoDeclared,
    UnusedSetAside,
)
from domain.games.three_magic.moves import (
    Discard,
    DiscardDrawn,
    Insert,
    Pass,
    Pledge,
    Ron,
    ThreeMagicMove,
    Tsumo,
)
from domain.games.three_magic.text.phrases import WORDS, card_name, card_names, seat_name, sentence
from domain.games.three_magic.text.words import Words

MOVES = (Tsumo, Insert, Discard, DiscardDrawn, Ron, Pledge, Pass)


def describe(told: ThreeMagicEvent | ThreeMagicMove, lang: Lang) -> str:
    """The event or the move in words."""
    words = WORDS[lang]
    if isinstance(told, MOVES):
        return _move(words, told)
    return sentence(_event(words, told))


def _move(words: Words, move: ThreeMagicMove) -> str:
    match move:
        case Tsumo():
            return words.tsumo
        case Insert(at=at):
            return words.insert.format(place=at)
        case Discard(at=at, reach=reach):
            return (words.discard_reach if reach else words.discard).format(place=at)
        case DiscardDrawn():
            return words.discard_drawn
        case Ron():
            return words.ron
        case Pledge(first=first, second=second):
            return words.pledge.format(first=first, second=second)
        case Pass():
            return words.pass_
        case _:
            assert_never(move)


Dealing = (
    AttributesDrawn | DealStarted | Shuffled | HandDealt | UnusedSetAside | IndicatorTurned | CardDrawn | CardInserted
)
Claiming = CardDiscarded | DrawnDiscarded | ReachDeclared | ClaimsOpened | ClaimsPassed | Pledged
Winning = TsumoDeclared | RonDeclared | Measured | OdPaid | LaidTaken | LeyLineCollected
Ending = LaidSunk | ManagerAdded | DealDrawn | HandShown | ManagerStayed | ManagerPassed | LapCompleted | MatchEnded


def _event(words: Words, event: ThreeMagicEvent) -> str:
    if isinstance(event, Dealing):
        return _dealing(words, event)
    if isinstance(event, Claiming):
        return _claiming(words, event)
    if isinstance(event, Winning):
        return _winning(words, event)
    return _ending(words, event)


def _dealing(words: Words, event: Dealing) -> str:
    match event:
        case AttributesDrawn(attributes=attributes):
            holders = (
                words.holds.format(seat=seat_name(words, seat), attribute=words.attribute[attribute])
                for seat, attribute in enumerate(attributes)
            )
            return words.attributes_drawn.format(seats=words.comma.join(holders))
        case DealStarted(deal=deal, lap=lap, manager=seat):
            return words.deal_started.format(deal=deal, lap=lap, seat=seat_name(words, seat))
        case Shuffled(cards=cards):
            return words.shuffled.format(count=len(cards))
        case HandDealt(seat=seat, cards=cards):
            text = words.hand_dealt_hidden if None in cards else words.hand_dealt
            return text.format(seat=seat_name(words, seat), count=len(cards), cards=card_names(words, cards))
        case UnusedSetAside(count=count):
            return words.unused_set_aside.format(count=count)
        case IndicatorTurned(card=card):
            return words.indicator_turned.format(card=card_name(words, card))
        case CardDrawn(seat=seat, card=drawn):
            text = words.card_drawn_hidden if drawn is None else words.card_drawn
            return text.format(seat=seat_name(words, seat), card=card_name(words, drawn))
        case CardInserted(seat=seat, at=at):
            return words.card_inserted.format(seat=seat_name(words, seat), place=at)
        case _:
            assert_never(event)


def _claiming(words: Words, event: Claiming) -> str:
    match event:
        case CardDiscarded(seat=seat, at=at, card=card, reach=reach):
            text = words.card_discarded_reach if reach else words.card_discarded
            return text.format(seat=seat_name(words, seat), place=at, card=card_name(words, card))
        case DrawnDiscarded(seat=seat, card=card):
            return words.drawn_discarded.format(seat=seat_name(words, seat), card=card_name(words, card))
        case ReachDeclared(seat=seat, od=od):
            return words.reach_declared.format(seat=seat_name(words, seat), od=od)
        case ClaimsOpened(discarder=seat, card=card, asked=asked):
            text = words.claims_opened.format(seat=seat_name(words, seat), card=card_name(words, card))
            if seats := words.comma.join(seat_name(words, seat) for seat, is_asked in enumerate(asked) if is_asked):
                text = f"{text} {sentence(words.who_is_asked.format(seats=seats))}"
            return text
        case ClaimsPassed(discarder=seat, card=card):
            return words.claims_passed.format(seat=seat_name(words, seat), card=card_name(words, card))
        case Pledged():
            return words.pledged.format(
                seat=seat_name(words, event.seat),
                discarder=seat_name(words, event.discarder),
                call=words.call[event.call],
                first=event.first,
                second=event.second,
                card=card_name(words, event.card),
                spell=card_names(words, event.spell),
                od=event.od,
            )
        case _:
            assert_never(event)


def _winning(words: Words, event: Winning) -> str:
    match event:
        case TsumoDeclared(seat=seat, card=card, hand=hand):
            return words.tsumo_declared.format(
                seat=seat_name(words, seat), card=card_name(words, card), hand=card_names(words, hand)
            )
        case RonDeclared(seat=seat, discarder=discarder, card=card, hand=hand):
            return words.ron_declared.format(
                seat=seat_name(words, seat),
                discarder=seat_name(words, discarder),
                card=card_name(words, card),
                hand=card_names(words, hand),
            )
        case Measured():
            return words.measured.format(
                seat=seat_name(words, event.seat),
                counted=words.attribute[event.counted],
                attribute=event.attribute,
                line=words.comma.join(words.line[line] for line in event.line) or words.no_line,
                number=event.number,
                star=event.star,
                catalyst=event.catalyst,
                total=event.total,
            )
        case OdPaid(payer=seat, winner=winner, od=od):
            return words.od_paid.format(seat=seat_name(words, seat), winner=seat_name(words, winner), od=od)
        case LaidTaken(seat=seat, od=od):
            return words.laid_taken.format(seat=seat_name(words, seat), od=od)
        case LeyLineCollected(seat=seat, od=od):
            return words.ley_line_collected.format(seat=seat_name(words, seat), od=od)
        case _:
            assert_never(event)


def _ending(words: Words, event: Ending) -> str:
    match event:
        case LaidSunk(od=od):
            return words.laid_sunk.format(od=od)
        case ManagerAdded(manager=seat, od=od):
            return words.manager_added.format(seat=seat_name(words, seat), od=od)
        case DealDrawn(manager=seat, ready=ready):
            return (words.deal_drawn_ready if ready else words.deal_drawn).format(seat=seat_name(words, seat))
        case HandShown(seat=seat, hand=hand):
            return words.hand_shown.format(seat=seat_name(words, seat), hand=card_names(words, hand))
        case ManagerStayed(manager=seat):
            return words.manager_stayed.format(seat=seat_name(words, seat))
        case ManagerPassed(manager=seat, to=to):
            return words.manager_passed.format(seat=seat_name(words, seat), to=seat_name(words, to))
        case LapCompleted(lap=lap):
            return words.lap_completed.format(lap=lap)
        case MatchEnded(points=points, ranking=ranking):
            return words.match_ended.format(
                points=words.comma.join(
                    words.points.format(rank=ranking[seat], seat=seat_name(words, seat), od=points[seat])
                    for seat in sorted(range(len(points)), key=lambda seat: ranking[seat])
                )
            )
        case _:
            assert_never(event)
