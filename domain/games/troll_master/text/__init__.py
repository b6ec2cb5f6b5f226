"""Events, moves and cards in words. Seats are counted from 0, actions from 1."""

from domain.games.troll_master.text.cards import cards
from domain.games.troll_master.text.describe import describe
from domain.games.troll_master.text.labels import label
from domain.games.troll_master.text.refusals import explain
