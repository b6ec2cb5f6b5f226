"""Three Magic スリーマジック: three players, sixty cards, and spells in the order of the hand."""

from __future__ import annotations

from domain import tuning
from domain.game import Game
from domain.games.three_magic import bot, rules
from domain.games.three_magic.components import DEALS_A_LAP, SEATS, Options
from domain.games.three_magic.events import DealStarted, ThreeMagicEvent
from domain.games.three_magic.evolve import evolve
from domain.games.three_magic.moves import ThreeMagicMove
from domain.games.three_magic.pack import Pack, parse_pack
from domain.games.three_magic.scene import PALETTE, STYLE, meant, scene, showcase, touches
from domain.games.three_magic.state import Table, initial
from domain.games.three_magic.text import describe, explain, label
from domain.games.three_magic.text.cards import names
from domain.games.three_magic.text.describe import WORDS
from domain.games.three_magic.view import TableView, view
from domain.texts import chapters_in, kinds_in

# The most moves in a deal. Each of the wall's 30 cards is drawn once and inserted (1 move). A discard follows each of
# them, and each pledge: at most two by each of three players, so 30 + 6 discards. Claims may open on each discard: two
# answers and the closing. A tsumo or DiscardDrawn takes the place of moves already counted.
MOVES_A_DEAL = 30 + (30 + 6) * (1 + 2 + 1)  # 3M-5, 3M-7, 3M-12, 3M-15
BOUND = 2 * DEALS_A_LAP * MOVES_A_DEAL  # 3M-34: 4 176

GAME: Game[Table, ThreeMagicMove, ThreeMagicEvent] = Game(
    slug="three-magic",
    title={"en": "Three Magic", "ja": "スリーマジック"},
    version=1,
    seats=(SEATS,),
    bound=BOUND,
    Move=ThreeMagicMove,
    Event=ThreeMagicEvent,
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
    secret=rules.secret,
    close=rules.close,
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
    chapter=chapters_in(WORDS, DealStarted),
    names=names,
    kinds=kinds_in(WORDS, ThreeMagicMove),
    part="deal",
)
