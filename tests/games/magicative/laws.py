"""What the laws must be told of MAGICATIVE."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from domain.chance import Chance
from domain.games.magicative import GAME, events, moves
from domain.games.magicative.components import Options, cards_of, size
from domain.games.magicative.pack import deck_of
from domain.games.magicative.state import Table, held, size_of
from domain.games.magicative.view import TableView
from domain.scene import Kind
from tests.games.magicative.claims import CLAIMS
from tests.laws.knowledge import HIDDEN, NEWS, SHOWN_EACH, Fields, drawn_by, kept_by, shown_by, told
from tests.laws.rooms import Known, room_of

PACKS = ("house", "odd", "wide", "wide")
for name in ("odd", "wide"):
    room_of(GAME.slug).add_pack(f"{name}.toml", Path(__file__).with_name(f"{name}.toml").read_bytes())


def conserved(table: Table) -> object:
    """All cards by kind, and the aptitude cards by school and number."""
    cards = Counter((*table.deck, *table.stage.work.aside))
    aptitudes: Counter[tuple[int, int | None]] = Counter()
    for at, deck in enumerate(table.middle.aptitudes):
        aptitudes.update((at, number) for number in deck)
    for place in table.places:
        hand, won = place.hand, place.won
        cards.update(place.row)
        cards.update(cards_of(held(hand)))
        cards.update(card for formula in won.formulas for card in formula.cards)
        for card in won.awakened:
            cards[card] += 4  # MG-11
        aptitudes.update((list(type(one.school)).index(one.school), one.number) for one in won.aptitudes)
        assert hand.secret is not None
        assert hand.traced is not None
        assert size_of(hand) == size(held(hand)) == hand.hidden + size(hand.taken)
        assert all(cards_of(hand.traced).count(card) <= cards_of(hand.secret).count(card) for card in range(28))
    assert cards == Counter(deck_of(table.terms.pack)), "cards are lost or doubled"  # MG-1
    used = [artefact for place in table.places for artefact in place.won.artefact]
    return aptitudes, sorted((*table.middle.artefacts, *used))


def options(chance: Chance) -> tuple[str, int, Options]:
    """Two or three, and every other time a pack of another kind."""
    return chance.choose(PACKS), chance.choose(GAME.seats), Options()


def things(view: TableView) -> Counter[Kind]:
    """The deck, artefacts, the card that counts as innocent, what lies before each seat; four cards awaken together."""
    cards = view.deck + sum(view.aptitudes) + len(view.work.imitating) + len(view.artefacts)
    for place in view.places:
        cards += len(place.hand) + len(place.row) + len(place.aptitudes)
        cards += len(place.artefact) + 3 * len(place.formulas) + 4 * len(place.awakened)
    return Counter({Kind.CARD: cards})


FIELDS: Fields = {
    events.AptitudesShuffled: told("school", numbers=HIDDEN),
    events.DeckShuffled: told(cards=HIDDEN),
    events.StartDrawn: told("seat"),
    events.CardsDealt: told("seat", cards=drawn_by("seat")),
    events.TurnStarted: told("seat"),
    events.CardsDrawn: told("seat", cards=drawn_by("seat")),
    events.DeckReshuffled: told(cards=HIDDEN),
    events.SwapBegun: told("seat other"),
    events.CardsSwapped: told("seat other given taken"),
    events.SchoolDeclared: told("seat school"),
    events.FormulaFixed: told("seat school numbers cards chips total"),
    events.ChipsTaken: told("seat chips total"),
    events.SpecialCompleted: told("seat special chips total"),
    events.Awakened: told("seat card"),
    events.DrawWaits: told("seat count"),
    events.AptitudeTaken: told("seat school", number=drawn_by("seat")),
    events.AptitudeMissed: told("seat school"),
    events.AptitudeShown: told("seat at", card=shown_by("seat"), total=shown_by("seat")),
    events.AptitudesShown: told("seat", cards=shown_by("seat"), total=shown_by("seat")),
    events.ArtefactUsed: told("seat artefact points total"),
    events.FateLooked: told("seat", cards=drawn_by("seat")),
    events.FateArranged: told("seat", card=kept_by("seat")),
    events.PastPut: told("seat card left"),
    events.PastTaken: told("seat at card"),
    events.ArtefactDone: told("seat artefact"),
    events.CardImitates: told("seat card"),
    events.CardDiscarded: told("seat card"),
    events.MatchDrawn: told(points=SHOWN_EACH, ranking=NEWS),
    events.MatchEnded: told("winner", points=SHOWN_EACH, ranking=NEWS),
    moves.Draw: told(),
    moves.Swap: told("other"),
    moves.Give: told("card"),
    moves.Fix: told("school numbers innocents"),
    moves.Declare: told("school"),
    moves.Awaken: told("card"),
    moves.TakeAptitude: told("school"),
    moves.Show: told(),
    moves.ShowOne: told("at"),
    moves.Use: told("artefact"),
    moves.Arrange: told(card=kept_by("seat")),
    moves.ArrangeLast: told(),
    moves.Put: told("card"),
    moves.Take: told("at"),
    moves.Imitate: told("card"),
    moves.Discard: told("card"),
    moves.End: told(),
}

KNOWN = Known(
    conserved=conserved,
    options=options,
    fields=FIELDS,
    tells=frozenset(),
    floors={
        "Fix": 50,
        "Declare": 10,
        "Awaken": 4,
        "Use": 20,
        "Arrange": 20,
        "Take": 10,
        "Imitate": 5,
        "Show": 1,
        "End": 1,
    },
    matches=120,
    things=things,
    claims=CLAIMS,
)
