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
from tests.laws.rooms import Known, listed, room_of

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


KNOWN = Known(conserved=conserved, options=options, things=things, claims=CLAIMS, **listed(__file__, events, moves))
