"""Events, moves, cards and refusals in words. Seats are counted from 0, as in the data."""

from domain.games.terraformers.text.cards import cards
from domain.games.terraformers.text.describe import describe
from domain.games.terraformers.text.labels import label
from domain.games.terraformers.text.refusals import explain
