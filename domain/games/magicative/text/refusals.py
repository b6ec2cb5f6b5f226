"""Refusals in words, addressed to the seat that is refused."""

from __future__ import annotations

from collections.abc import Callable

from domain.game import Field, Lang, Refusal
from domain.games.magicative.components import KINDS, Artefact, School
from domain.games.magicative.state import Step
from domain.games.magicative.text.phrases import WORDS, card_name, seat_name
from domain.games.magicative.text.words import Words
from domain.refusals import phrase

REFUSALS: dict[Lang, dict[str, str]] = {
    "en": {
        "seats": "MAGICATIVE is played by {least} to {most} players, not by {seats}.",
        "not-your-turn": "It is not your turn, but that of {seat}.",
        "wrong-step": "You are to {step}.",
        "not-in-hand": "Your hand does not hold {card}.",
        "must-discard": "A turn ends with a discard while you hold a card; cards in your hand: {held}.",
        "swapped": "You have swapped in this turn, and may do so once a turn.",
        "no-discard": "{seat} has no discard to swap with.",
        "no-card": "You hold no card to swap.",
        "MG-9 no-formula": "{numbers} is no formula: that is {cards} numbers in a row, or {cards} equal ones.",
        "MG-9 not-in-hand": "Your hand does not hold the cards of {school} {numbers}.",
        "MG-10 no-formula": "Your hand makes no formula of {school} with an innocent in it.",
        "declared": "You are to fix a formula of {school} with an innocent in it, as you have announced.",
        "undeclared": "First announce that you will fix a formula of {school} with innocents.",
        "all-innocent": "At most {most} cards of a formula are innocents, not {innocents}.",
        "declared-as": "Innocents are declared as numbers of the formula, ascending: of {numbers} not {innocents}.",
        "innocent": "Innocents don't awaken.",
        "MG-11 not-in-hand": "Your hand does not hold {wanted} of {card}.",
        "used-one": "You have used {artefact}, and nobody uses two artefacts.",
        "taken": "Another player has used {artefact}.",
        "draw-first": "Before the draw only Fate may be used, not {artefact}.",
        "no-deck": "There is no card left in the deck to look at, and no discard to make a new deck of.",
        "too-few-cards": "Past puts {wanted} cards of your hand into your row; cards in your hand: {held}.",
        "nothing-to-imitate": "No card of your hand would make a formula by counting as innocent.",
        "last-card": "One card is left, and lies below the others.",
        "no-such-card": "Say which card lies next from the top.",
        "not-looked-at": "The cards that you have still to put back hold no {card}.",
        "not-last": "Say which card lies next; cards that you have still to put back: {left}.",
        "not-another": "Take one of the other cards of your row, from the left {least} to {most}, not {at}.",
        "MG-15 no-formula": "No formula can be fixed with {card} of your hand counting as innocent.",
        "nothing-to-show": "You hold no aptitude card that is not shown.",
        "no-aptitude": "You have no aptitude card {at}; aptitude cards that you have taken: {taken}.",
        "shown": "Your aptitude card {at} is shown already.",
        "only-one": "You hold one aptitude card that is not shown: show all.",
        "over": "The match is over.",
    },
    "ja": {
        "seats": "マジカティブは{least}人から{most}人で遊びます。{seats}人では遊べません。",
        "not-your-turn": "あなたの手番ではありません。いまは{seat}の手番です。",
        "wrong-step": "いまは{step}ところです。",
        "not-in-hand": "手札に{card}はありません。",
        "must-discard": "手札が{held}枚あるので、1枚捨てて手番を終えます。",
        "swapped": "この手番の交換は済んでいます。",
        "no-discard": "{seat}には交換できる捨て札がありません。",
        "no-card": "交換に出す手札がありません。",
        "MG-9 no-formula": "{numbers}は魔法式になりません。魔法式は{cards}枚の連番か、同じ数字{cards}枚です。",
        "MG-9 not-in-hand": "{school}{numbers}に必要なカードが手札にそろっていません。",
        "MG-10 no-formula": "手札では、無垢を含む{school}の魔法式を作れません。",
        "declared": "宣言したとおり、無垢を含む{school}の魔法式を確定してください。",
        "undeclared": "無垢を使うなら、まず{school}の魔法式を確定すると宣言してください。",
        "all-innocent": "魔法式に使える無垢は{most}枚までです。{innocents}枚は使えません。",
        "declared-as": "無垢は魔法式の数字として、小さい順に宣言します。{numbers}で{innocents}とは宣言できません。",
        "innocent": "無垢では魔力覚醒できません。",
        "MG-11 not-in-hand": "手札に{card}が{wanted}枚ありません。",
        "used-one": "すでに{artefact}を使っています。三賢者の魔具は1人1つまでです。",
        "taken": "{artefact}は他のプレイヤーが使いました。",
        "draw-first": "引く前に使えるのは運命の調整だけです。{artefact}は使えません。",
        "no-deck": "山札が尽き、新しい山札にする捨て札もないので、見るカードがありません。",
        "too-few-cards": "過去の改変では手札{wanted}枚を差し込みます。手札は{held}枚しかありません。",
        "nothing-to-imitate": "無垢として使えば魔法式になる手札がありません。",
        "last-card": "残りは1枚で、他のカードの下に置かれます。",
        "no-such-card": "次に置くカードを選んでください。",
        "not-looked-at": "これから戻すカードの中に{card}はありません。",
        "not-last": "戻すカードがまだ{left}枚あります。次に置くカードを選んでください。",
        "not-another": "取れるのは自分の列の他のカード、左から{least}枚目から{most}枚目です。{at}枚目は取れません。",
        "MG-15 no-formula": "手札の{card}を無垢として使っても、魔法式を確定できません。",
        "nothing-to-show": "公開していない適性カードはありません。",
        "no-aptitude": "{at}枚目の適性カードはありません。取った適性カードは{taken}枚です。",
        "shown": "{at}枚目の適性カードは公開済みです。",
        "only-one": "公開していない適性カードは1枚だけなので、全て公開してください。",
        "over": "ゲームは終わりました。",
    },
}
"""By language and code, or clause and code."""

WANTED: dict[Lang, dict[str, str]] = {
    "en": {
        Step.START: "draw, or use Fate if nobody has",
        Step.TURN: "do something of your turn, or discard a card to end it",
        Step.SWAP: "name the hand card that you give",
        Step.FORMULA: "name the formula, with its innocents",
        Step.SHOWING: "show aptitude cards, or draw",
        Step.APTITUDE: "choose the school of an aptitude card",
        Step.ARRANGE: "say which card lies next from the top",
        Step.PUT: "name a hand card that goes into your row",
        Step.TAKE: "take a card of your row",
        Step.IMITATE: "name the hand card that counts as innocent",
        Step.DECLARE: "name the school of the formula with that innocent",
    },
    "ja": {
        Step.START: "引くか、残っていれば運命の調整を使う",
        Step.TURN: "手番の行動をするか、1枚捨てて手番を終える",
        Step.SWAP: "交換に出す手札を選ぶ",
        Step.FORMULA: "魔法式と、無垢が表す数字を選ぶ",
        Step.SHOWING: "適性カードを公開するか、引く",
        Step.APTITUDE: "適性カードの術を選ぶ",
        Step.ARRANGE: "山札の次に置くカードを選ぶ",
        Step.PUT: "列に差し込む手札を選ぶ",
        Step.TAKE: "列から取るカードを選ぶ",
        Step.IMITATE: "無垢として使う手札を選ぶ",
        Step.DECLARE: "その無垢を使う魔法式の術を選ぶ",
    },
}
"""By language and step: what a seat is to do."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as a sentence."""
    words = WORDS[lang]
    fields = {name: say(words, value) for name, value in refusal.fields.items() if (say := SAY.get(name)) is not None}
    places = PLACES.get(refusal.code, ())
    fields |= {name: str(at + 1) for name, at in refusal.fields.items() if name in places and isinstance(at, int)}
    if refusal.code == "wrong-step":
        fields["step"] = WANTED[lang][str(refusal.fields["step"])]
    text = phrase(REFUSALS[lang], refusal, **fields)
    return text[:1].upper() + text[1:]


def _card(words: Words, card: Field) -> str:
    """Return the card's name; if it is no card, the value as it was given."""
    return card_name(words, card) if isinstance(card, int) and card in KINDS else str(card)


def _numbers(words: Words, numbers: Field) -> str:
    return "-".join(map(str, numbers)) if isinstance(numbers, tuple) else str(numbers)


PLACES = {"not-another": ("at", "least", "most"), "no-aptitude": ("at",), "shown": ("at",)}
"""By code: the fields that are places from 0, which people count from 1."""

SAY: dict[str, Callable[[Words, Field], str]] = {
    "card": _card,
    "numbers": _numbers,
    "innocents": _numbers,
    "school": lambda words, school: words.school[School(str(school))],
    "artefact": lambda words, artefact: words.artefact[Artefact(str(artefact))],
    "seat": lambda words, seat: seat_name(words, seat) if isinstance(seat, int) else str(seat),
}
"""The fields that are names, with the function that returns their words."""
