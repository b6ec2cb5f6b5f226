"""TTMP, The Test of Magic Power: stones are drawn on triples, and a last roll decides who passes."""

from __future__ import annotations

from domain import tuning
from domain.game import Game
from domain.games.ttmp import bot, rules
from domain.games.ttmp.components import CARDS, LEVELS, ROUNDS, SEATS, TURNS, Options
from domain.games.ttmp.events import RoundBegan, TtmpEvent
from domain.games.ttmp.evolve import evolve
from domain.games.ttmp.moves import TtmpMove
from domain.games.ttmp.pack import Pack, parse_pack
from domain.games.ttmp.scene import PALETTE, STYLE, meant, scene, showcase, touches
from domain.games.ttmp.state import Table, initial
from domain.games.ttmp.text import describe, explain, label
from domain.games.ttmp.text.cards import names
from domain.games.ttmp.text.describe import WORDS
from domain.games.ttmp.view import TableView, view
from domain.texts import chapters_in, kinds_in

# The most moves in a turn. Every card used was in hand when the turn began, or was drawn in it: at most all 20, and one
# of them again if a refilled deck gives it back. One move each for the dice action, the draw of a card and the discard
# before it, the draw of a stone and the discard before it, the summoning, the turn change and stocking.
MOVES_A_TURN = len(LEVELS) * CARDS + 1 + 1 + 2 + 2 + 1 + 2  # TT-7 to TT-11, TT-23: 29
# When a round begins, a hand is at most one card too large: two cards came from the stock, and a seat with as many
# stones as the limit has left. In `kind` nothing is stocked.
MOVES_A_START = max(SEATS)  # TT-3, TT-11, TT-12: 4
BOUND = ROUNDS * (TURNS * MOVES_A_TURN + MOVES_A_START)  # TT-14: 41 808

GAME: Game[Table, TtmpMove, TtmpEvent] = Game(
    slug="ttmp",
    title={"en": "TTMP, The Test of Magic Power", "ja": "TTMP（The Test of Magic Power）"},
    version=1,
    seats=SEATS,
    bound=BOUND,
    Move=TtmpMove,
    Event=TtmpEvent,
    View=TableView,
    Options=Options,
    Pack=Pack,
    parse_pack=parse_pack,
    check_options=rules.check_options,
    initial=initial,
    setup=rules.setup,
    to_act=rules.to_act,
    legal=rules.legal,
    decide=rules.decide,
    evolve=evolve,
    forced=rules.forced,
    default=bot.default,
    view=view,
    standing=rules.standing,
    describe=describe,
    label=label,
    scene=scene,
    touches=touches,
    meant=meant,
    palette=PALETTE,
    style=STYLE,
    showcase=showcase,
    explain=explain,
    imagine=bot.imagine,
    evaluate=bot.evaluate,
    terms=bot.terms,
    progress=bot.progress,
    tuning=tuning.read(bot.__name__),
    measure=bot.measure,
    chapter=chapters_in(WORDS, RoundBegan),
    names=names,
    kinds=kinds_in(WORDS, TtmpMove),
    never=rules.never,
    part="round",
)
