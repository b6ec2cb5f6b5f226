"""Events, moves, refusals and the table in words. Seats are counted from 0, places in a hand from 1."""

from domain.games.three_magic.text.cards import cards
from domain.games.three_magic.text.describe import describe
from domain.games.three_magic.text.labels import label
from domain.games.three_magic.text.refusals import explain
