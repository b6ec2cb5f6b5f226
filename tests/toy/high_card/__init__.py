"""High Card: the smallest game that uses everything the frame can do. RULES.md tells its rules."""

from __future__ import annotations

from domain.game import Game
from tests.toy.high_card import bot, rules, state, text
from tests.toy.high_card.components import Options, Pack, check_options, parse_pack
from tests.toy.high_card.events import HighCardEvent
from tests.toy.high_card.moves import HighCardMove
from tests.toy.high_card.state import Table

GAME: Game[Table, HighCardMove, HighCardEvent] = Game(
    slug="high-card",
    title={"en": "High Card", "ja": "ハイカード"},
    version=1,
    seats=(2, 3, 4),
    bound=39,  # 3 rounds of 4 cards set aside, 4 answers under seal and their closing, 4 dice
    Move=HighCardMove,
    Event=HighCardEvent,
    Options=Options,
    Pack=Pack,
    parse_pack=parse_pack,
    check_options=check_options,
    initial=state.initial,
    setup=rules.setup,
    to_act=rules.to_act,
    legal=rules.legal,
    decide=rules.decide,
    evolve=state.evolve,
    forced=rules.forced,
    secret=rules.secret,
    close=rules.close,
    default=rules.default,
    view=text.view,
    standing=rules.standing,
    describe=text.describe,
    label=text.label,
    draw=text.draw,
    explain=text.explain,
    imagine=bot.imagine,
    evaluate=bot.evaluate,
)
