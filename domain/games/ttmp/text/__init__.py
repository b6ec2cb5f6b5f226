"""Events and moves in words. Seats are counted from 0, as in the data."""

from domain.games.ttmp.text.cards import cards
from domain.games.ttmp.text.describe import describe
from domain.games.ttmp.text.labels import label
from domain.games.ttmp.text.refusals import explain
