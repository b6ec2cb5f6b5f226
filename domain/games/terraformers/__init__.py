"""Terraformers テラフォーマー: six rounds on a planet of eight cards, with nothing hidden."""

from __future__ import annotations

from domain import tuning
from domain.game import Game
from domain.games.terraformers import bot, rules
from domain.games.terraformers.components import BOXES, PLANET, ROUNDS, Options
from domain.games.terraformers.events import RoundStarted, TerraformersEvent
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.pack import Pack, parse_pack
from domain.games.terraformers.scene import PALETTE, STYLE, meant, scene, showcase, touches
from domain.games.terraformers.state import Table, initial, initial_of_2
from domain.games.terraformers.text import describe, explain, label
from domain.games.terraformers.text.cards import names
from domain.games.terraformers.text.describe import WORDS
from domain.games.terraformers.view import TableView, view
from domain.texts import chapters_in, kinds_in

SEATS = (2, 3, 4)

# The most moves in a round, with any pack. A chosen box or planet card has tips on it, which nothing takes away before
# the round's end, so it is chosen once: 7 boxes for each player and 8 cards, two moves each (the choice and the tips).
# A player can put back a species held at the round's start or acquired since: at most one for each player and one for
# each planet card. Everybody passes once. Each of these turns may begin with naming a species.
CHOSEN = len(BOXES) * max(SEATS) + PLANET  # TF-11: 36
PUT_BACK = max(SEATS) + PLANET  # TF-21, TF-23: 12
TURNS = CHOSEN + PUT_BACK + max(SEATS)  # TF-9: 52
BOUND = ROUNDS * (TURNS + CHOSEN + TURNS)  # TF-6: 840

GAME: Game[Table, TerraformersMove, TerraformersEvent] = Game(
    slug="terraformers",
    title={"en": "Terraformers", "ja": "テラフォーマー"},
    version=3,
    earlier=((2, initial_of_2),),
    seats=SEATS,
    bound=BOUND,
    Move=TerraformersMove,
    Event=TerraformersEvent,
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
    explain=explain,
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
    measure=bot.measure,
    chapter=chapters_in(WORDS, RoundStarted),
    names=names,
    kinds=kinds_in(WORDS, TerraformersMove),
    part="round",
)
