"""Troll Master トロルマスター: magicians plan with secret cards, brew mana and summon familiars."""

from __future__ import annotations

from domain import tuning
from domain.game import Game
from domain.games.troll_master import bot, rules
from domain.games.troll_master.abilities import RIBBONS
from domain.games.troll_master.components import ACTIONS, FAMILIAR_COPIES, ROUNDS, SEATS, SUPPLY, Options
from domain.games.troll_master.events import RoundStarted, TrollMasterEvent
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.moves import TrollMasterMove
from domain.games.troll_master.pack import Pack, parse_pack
from domain.games.troll_master.scene import PALETTE, STYLE, meant, scene, showcase, touches
from domain.games.troll_master.state import Table, initial
from domain.games.troll_master.text import describe, explain, label
from domain.games.troll_master.text.cards import names
from domain.games.troll_master.text.describe import WORDS
from domain.games.troll_master.view import TableView, view
from domain.texts import chapters_in, kinds_in

# The most moves in a round. The 20 familiars and 5 black cats hold at most 9 charges each, and the 11 of one seat at
# most 99. Every ability that a seat uses costs at least one charge, except a chain.
#   The broom: draw and discard, 2. Planning: a turn ends with one of at most 10 reveals or 5 passes. At its beginning
#   each of the seat's 11 familiars may draw, each with a discard. Then the seat may pay for 99 abilities, each perhaps
#   with a discard.
#   Actions: the rightmost pawn's action is next, and a chain takes that pawn to the left, so that each of the 14 is
#   reached at most once. The moves at one action: act or pass, use up every charge, charge a seat's familiars again by
#   hand and use up those charges, acquire a familiar, end the action, two for a chain, and the answers of 4 defenders.
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
    style=STYLE,
    showcase=showcase,
    imagine=bot.imagine,
    evaluate=bot.evaluate,
    terms=bot.terms,
    progress=bot.progress,
    tuning=tuning.read(bot.__name__),
    explain=explain,
    measure=bot.measure,
    chapter=chapters_in(WORDS, RoundStarted),
    names=names,
    kinds=kinds_in(WORDS, TrollMasterMove),
    part="round",
)
