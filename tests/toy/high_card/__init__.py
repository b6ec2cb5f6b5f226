"""High Card: the smallest game that uses everything the frame can do. RULES.md tells its rules."""

from __future__ import annotations

from domain.game import Game
from domain.texts import chapters_in, kinds_in
from tests.toy.high_card import bot, rules, scene, text
from tests.toy.high_card.components import Options
from tests.toy.high_card.events import HighCardEvent, RoundStarted
from tests.toy.high_card.evolve import evolve
from tests.toy.high_card.moves import HighCardMove
from tests.toy.high_card.pack import Pack, parse_pack
from tests.toy.high_card.state import Table, initial
from tests.toy.high_card.view import TableView, view

GAME: Game[Table, HighCardMove, HighCardEvent] = Game(
    slug="high-card",
    title={"en": "High Card", "ja": "ハイカード"},
    version=1,
    seats=(2, 3, 4),
    bound=39,  # 3 rounds of 4 cards set aside, 4 answers under seal and their closing, 4 dice
    Move=HighCardMove,
    Event=HighCardEvent,
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
    describe=text.describe,
    label=text.label,
    scene=scene.scene,
    touches=scene.touches,
    meant=scene.meant,
    palette=scene.PALETTE,
    explain=text.explain,
    imagine=bot.imagine,
    evaluate=bot.evaluate,
    chapter=chapters_in(text.WORDS, RoundStarted),
    kinds=kinds_in(text.WORDS, HighCardMove),
    part="round",
)
