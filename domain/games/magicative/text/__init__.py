"""Events, moves and refusals in words. Seats are counted from 0, as in the data; places and cards from 1."""

from domain.games.magicative.text.cards import cards
from domain.games.magicative.text.describe import describe
from domain.games.magicative.text.labels import label
from domain.games.magicative.text.refusals import explain
