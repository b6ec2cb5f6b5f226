"""MAGICATIVE マジカティブ: formulas of three schools of magic, and what several of them make together."""

from __future__ import annotations

from functools import partial

from domain import tuning
from domain.game import Game
from domain.games.magicative import bot, rules
from domain.games.magicative.abilities import MOST_LOOKED_AT, MOST_PUT
from domain.games.magicative.components import AWAKENING, CARDS, FORMULA, MOST_OF_A_KIND, SEATS, Options
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.evolve import evolve
from domain.games.magicative.moves import MagicativeMove
from domain.games.magicative.pack import MOST_COPIES, Pack, parse_pack
from domain.games.magicative.scene import PALETTE, STYLE, meant, scene, showcase, touches, ways
from domain.games.magicative.state import EDITIONS, Table, initial
from domain.games.magicative.text import describe, explain, label
from domain.games.magicative.text.cards import names
from domain.games.magicative.text.describe import WORDS
from domain.games.magicative.view import TableView, view
from domain.texts import kinds_in

# The most moves in a match. Hands, formulas and awakenings lose cards only by one discard in each turn and by Past,
# which may put up to 5 more than it takes. A turn draws 2 or more, so it adds at least one card to them. There are at
# most 162: after too many turns there is no card to draw, which ends the match.
#   A turn: the draw if Fate may be used, a swap in two moves, the discard. A formula of three cards takes at most two
#   moves; an awakening of four takes two, and one more to show the card that was taken. Fate: 1, and 7 cards. Past: 1,
#   5 put and 5 taken. Innocent: 2, besides its formula. Once: a draw that ends the match.
MOST_CARDS = len(CARDS) * MOST_COPIES + MOST_OF_A_KIND  # MG-1
TURNS = MOST_CARDS + MOST_PUT + 1
USES = (1 + MOST_LOOKED_AT) + (1 + MOST_PUT + MOST_PUT) + 2
BOUND = 4 * TURNS + 2 * (MOST_CARDS // FORMULA) + 3 * (MOST_CARDS // AWAKENING) + USES + 1  # 922

GAME: Game[Table, MagicativeMove, MagicativeEvent] = Game(
    slug="magicative",
    title={"en": "MAGICATIVE", "ja": "マジカティブ"},
    version=3,
    earlier=((2, partial(initial, edition=EDITIONS[2])),),
    seats=SEATS,
    bound=BOUND,
    Move=MagicativeMove,
    Event=MagicativeEvent,
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
    ways=ways,
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
    meant=meant,
    names=names,
    kinds=kinds_in(WORDS, MagicativeMove),
)
