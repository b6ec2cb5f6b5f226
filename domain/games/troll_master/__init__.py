"""Troll Master トロルマスター: magicians plan by secret cards, brew mana and summon familiars."""

from __future__ import annotations

from domain.game import Game
from domain.games.troll_master import bot, rules
from domain.games.troll_master.abilities import RIBBONS
from domain.games.troll_master.components import ACTIONS, FAMILIAR_COPIES, ROUNDS, SEATS, SUPPLY, Options
from domain.games.troll_master.events import TrollMasterEvent
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.pack import Pack, parse_pack
from domain.games.troll_master.state import Table, initial
from domain.games.troll_master.text import describe, draw
from domain.games.troll_master.view import view

# The most moves of a round. 20 familiars and 5 black cats hold at most 9 charges each, and every ability that is used,
# but for a chain, costs one or more.
#   The broom: draw and discard, 2. Planning: each of at most 10 hand cards is revealed once, 5 seats pass, and each
#   charge pays for one ability at most, perhaps with a discard.
#   Actions: the next one is that of the rightmost pawn, and a chained pawn goes left of it, so that each of the 14 is
#   reached once at most. Of each: act or pass, every charge used up, a seat's familiars (11 at most) charged again by
#   hand, the move that ends the action, two for a chain, and an answer of each of 4 defenders.
CHARGES = (SUPPLY * FAMILIAR_COPIES + max(SEATS)) * RIBBONS  # 225
MOVES_AN_ACTION = 1 + CHARGES + (SUPPLY + 1) * RIBBONS + 1 + 2 + 4  # 332
MOVES_A_ROUND = 2 + 10 + 5 + 2 * CHARGES + ACTIONS * MOVES_AN_ACTION  # 5 115
BOUND = ROUNDS * MOVES_A_ROUND  # TM-34: 204 600

GAME: Game[Table, TrollMasterMove, TrollMasterEvent] = Game(
    slug="troll-master",
    title={"en": "Troll Master", "ja": "トロルマスター"},
    version=1,
    seats=SEATS,
    bound=BOUND,
    Move=TrollMasterMove,
    Event=TrollMasterEvent,
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
    secret=rules.secret,
    close=rules.close,
    default=rules.default,
    view=view,
    standing=rules.standing,
    describe=describe,
    draw=draw,
    imagine=bot.imagine,
    evaluate=bot.evaluate,
    measure=bot.measure,
)
