"""Events, moves and refusals in words."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from domain.game import Lang, Refusal, Seat
from domain.refusals import phrase
from domain.secrecy import without
from tests.toy.high_card.events import RoundStarted
from tests.toy.high_card.moves import HighCardMove, SetAside
from tests.toy.high_card.state import Table

ENGLISH = {
    "RoundStarted": "Round {round} begins; everybody puts {ante} into the pot.",
    "Shuffled": "The deck is shuffled: {cards}.",
    "Dealt": "Seat {seat} is dealt {cards}.",
    "CardSetAside": "Seat {seat} sets {card} aside.",
    "RaisesOpened": "Raises are open; asked: {asked}.",
    "Raised": "Seat {seat} shows a pair of {rank} and puts {chips} into the pot.",
    "RaisesClosed": "Raises are closed.",
    "DieRolled": "Seat {seat} rolls {pips}.",
    "CardsTurned": "The cards set aside are turned up: {cards}.",
    "PotShared": "{winners} take {chips} each.",
    "GameEnded": "The game is over. Points: {points}; places: {ranking}.",
    "SetAside": "Set {card} aside",
    "Raise": "Raise",
    "Pass": "Pass",
    "Roll": "Roll the die",
}
JAPANESE = {
    "RoundStarted": "第{round}ラウンド。全員が{ante}枚ずつポットに置く。",
    "Shuffled": "山札を切った：{cards}。",
    "Dealt": "席{seat}に{cards}が配られた。",
    "CardSetAside": "席{seat}が{card}を伏せた。",
    "RaisesOpened": "レイズを受け付ける。対象：{asked}。",
    "Raised": "席{seat}が{rank}のペアを見せ、{chips}枚をポットに置いた。",
    "RaisesClosed": "レイズを締め切った。",
    "DieRolled": "席{seat}の目は{pips}。",
    "CardsTurned": "伏せた札を開けた：{cards}。",
    "PotShared": "{winners}が{chips}枚ずつ取った。",
    "GameEnded": "ゲーム終了。得点：{points}、順位：{ranking}。",
    "SetAside": "{card}を伏せる",
    "Raise": "レイズ",
    "Pass": "パス",
    "Roll": "サイコロを振る",
}
TEXTS = {"en": ENGLISH, "ja": JAPANESE}
REFUSALS = {
    "en": {
        "rounds": "A game lasts 1 to {most} rounds, not {rounds}.",
        "stake": "A stake of {stake} might not last for {rounds} rounds.",
        "deck": "A deck of {cards} cards is too small for {seats} seats.",
        "not-to-act": "Seat {seat} is not to act.",
        "no-raises": "Raises are not open.",
        "no-dice": "It is not the time to roll.",
        "nothing-to-set-aside": "Everybody has set a card aside.",
        "not-in-hand": "That card is not in the hand.",
    },
    "ja": {
        "rounds": "ゲームは1から{most}ラウンドです。{rounds}ラウンドでは遊べません。",
        "stake": "持ち点{stake}では{rounds}ラウンドもたないかもしれません。",
        "deck": "{cards}枚の山札は{seats}席には足りません。",
        "not-to-act": "席{seat}の番ではありません。",
        "no-raises": "レイズは受け付けていません。",
        "no-dice": "サイコロを振る時ではありません。",
        "nothing-to-set-aside": "全員が札を伏せました。",
        "not-in-hand": "その札は手札にありません。",
    },
}
LABELS = {
    "en": {
        "SetAside": "Set {card} aside",
        "pair": "Set {card} aside, which leaves a pair of {rank}",
        "Raise": "Show the pair of {rank} and pay {price} of your {chips} chips, for {bonus} more on your sum",
        "Pass": "Pass, and keep the pair of {rank} to yourself",
        "Roll": "Roll the die",
    },
    "ja": {
        "SetAside": "{card}を伏せる",
        "pair": "{card}を伏せて、{rank}のペアを残す",
        "Raise": "{rank}のペアを見せ、持ち点{chips}から{price}を払い、合計に{bonus}を加える",
        "Pass": "{rank}のペアを見せずにパスする",
        "Roll": "サイコロを振る",
    },
}
UNKNOWN = "?"


def describe(told: Any, lang: Lang) -> str:
    """An event or a move in one sentence."""
    name = type(told).__name__
    return TEXTS[lang][name].format_map({key: _word(key, value, lang) for key, value in asdict(told).items()})


def _word(key: str, value: Any, lang: Lang) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, tuple):
        seats = key == "winners"
        return " ".join(_word("seat" if seats else key, one, lang) for one in value)
    return str(value)


def label(seen: Table, seat: Seat, move: HighCardMove, lang: Lang) -> str:
    """What a legal move comes to here, in one line for the seat that may choose it."""
    place, pack, texts = seen.places[seat], seen.pack, LABELS[lang]
    if not isinstance(move, SetAside):
        price = {"price": pack.raise_, "chips": place.chips, "bonus": pack.bonus}
        return texts[type(move).__name__].format(rank=place.hand[0], **price)
    left = without(place.hand, move.card)
    return texts["pair" if left[0] == left[1] else "SetAside"].format(card=move.card, rank=left[0])


def explain(refusal: Refusal, lang: Lang) -> str:
    """A refusal in words."""
    return phrase(REFUSALS[lang], refusal)


def chapter(event: Any, lang: Lang) -> str | None:
    """A round, where one begins."""
    if not isinstance(event, RoundStarted):
        return None
    return f"第{event.round}ラウンド" if lang == "ja" else f"Round {event.round}"
