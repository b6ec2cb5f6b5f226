"""Troll Master トロルマスター: magicians plan by secret cards, brew mana and summon familiars."""

from __future__ import annotations

from domain.game import Game
from domain.games.troll_master import bot, rules
from domain.games.troll_master.abilities import RIBBONS
from domain.games.troll_master.chapters import chapter
from domain.games.troll_master.components import ACTIONS, FAMILIAR_COPIES, ROUNDS, SEATS, SUPPLY, Options
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.pack import Pack, parse_pack
from domain.games.troll_master.scene import PALETTE, meant, scene, showcase, touches
from domain.games.troll_master.state import Table, initial
from domain.games.troll_master.text import describe, explain, label
from domain.games.troll_master.text.names import names
from domain.games.troll_master.view import TableView, view

# The most moves of a round. 20 familiars and 5 black cats hold at most 9 charges each, a seat's 11 at most 99, and
# every ability that is used, but for a chain, costs one or more.
#   The broom: draw and discard, 2. Planning: a turn ends with one of at most 10 reveals or 5 passes. When it begins, at
#   most each of the seat's 11 familiars draws, which is a discard, and then it may pay for 99 abilities, perhaps each
#   with a discard.
#   Actions: the next one is that of the rightmost pawn, and a chained pawn goes left of it, so that each of the 14 is
#   reached once at most. Of each: act or pass, every charge used up, a seat's familiars charged again by hand and those
#   charges used up too, a familiar acquired, the move that ends the action, two for a chain, and an answer of each of 4
#   defenders.
CHARGES = (SUPPLY * FAMILIAR_COPIES + max(SEATS)) * RIBBONS  # 225
OWN = (SUPPLY + 1) * RIBBONS  # 99
MOVES_A_TURN = 1 + (SUPPLY + 1) + 2 * OWN  # 210
MOVES_AN_ACTION = 1 + CHARGES + 2 * OWN + 1 + 1 + 2 + 4  # 432
MOVES_A_ROUND = 2 + (10 + 5) * MOVES_A_TURN + ACTIONS * MOVES_AN_ACTION  # 9 200
BOUND = ROUNDS * MOVES_A_ROUND  # TM-34: 368 000

GAME: Game[Table, TrollMasterMove, TrollMasterEvent] = Game(
    slug="troll-master",
    title={"en": "Troll Master", "ja": "トロルマスター"},
    version=2,
    seats=SEATS,
    bound=BOUND,
    Move=TrollMasterMove,
    Event=TrollMasterEvent,
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
    showcase=showcase,
    imagine=bot.imagine,
    evaluate=bot.evaluate,
    explain=explain,
    measure=bot.measure,
    chapter=chapter,
    names=names,
)
