"""Refusals in words."""

from __future__ import annotations

from domain.game import Lang, Refusal
from domain.games.ttmp.state import Step
from domain.refusals import phrase

REFUSALS: dict[Lang, dict[str, str]] = {
    "en": {
        "seats": "TTMP is played by two, three or four.",
        "mode-twice": "Name each mode once.",
        "knockout-alone": "The mode knockout is played alone: leave out the others.",
        "hard-and-ranking": "With ranking nobody has to pass: leave out hard, or ranking.",
        "over": "The match is over.",
        "not-your-turn": "It is seat {seat} that is to act.",
        "wrong-step": "You are to {step}.",
        "no-such-die": "The dice show {dice}: name one of them.",
        "TT-11 no-such-card": "Name a magic card of your hand, and its level.",
        "no-draw": "In this turn you may draw no magic card any more.",
        "dice": "The dice do not allow to draw that: two equal for level 1, a run for level 2.",
        "no-cards": "That deck is empty, and no discards lie beside it.",
        "no-stones": "The deck of stones is empty: say from which seat you take one.",
        "no-triple": "A stone is drawn on a triple, after a dice action.",
        "not-from-there": "From that seat no stone can be taken now.",
        "nothing-there": "There are no stones to mix with.",
        "no-use": "After this roll, or rolling nothing, no magic card may be used.",
        "no-such-use": "{card} can't be used so on these dice.",
        "TT-7 no-such-card": "You hold no such magic card.",
        "no-such-dice": "The dice show {dice}: name one to three of them.",
    },
    "ja": {
        "seats": "TTMPは2人から4人で遊びます。",
        "mode-twice": "同じモードは一度だけ指定してください。",
        "knockout-alone": "勝ち抜けモードは他のモードと一緒には遊べません。",
        "hard-and-ranking": "順位確定モードに合格はありません。ハードモードか順位確定モードを外してください。",
        "over": "マッチは終わっています。",
        "not-your-turn": "いまは席{seat}の番です。",
        "wrong-step": "いまは{step}番です。",
        "no-such-die": "ダイスの目は{dice}です。その中から1個を選んでください。",
        "TT-11 no-such-card": "手札のMgと、そのLvを選んでください。",
        "no-draw": "この手番ではもうMgを引けません。",
        "dice": "この目では引けません。Lv1は同じ目2個、Lv2は連番が必要です。",
        "no-cards": "その山札は空で、捨て札もありません。",
        "no-stones": "Msの山札は空です。どの席から引くかを選んでください。",
        "no-triple": "Msを引けるのは、ダイスアクションの後に3個の目がそろったときです。",
        "not-from-there": "いまその席からMsは引けません。",
        "nothing-there": "混ぜる相手のMsがありません。",
        "no-use": "このロールの後、または振らなかったときは、Mgを使えません。",
        "no-such-use": "このダイスに{card}をそのようには使えません。",
        "TT-7 no-such-card": "そのMgは手札にありません。",
        "no-such-dice": "ダイスの目は{dice}です。その中から1個から3個を選んでください。",
    },
}
STEPS: dict[Lang, dict[str, str]] = {
    "en": {
        Step.ACTION: "use a magic card, or choose a dice action",
        Step.AFTER: "draw or use magic cards as your dice action allows, or begin the turn change",
        Step.STOCK: "set a magic card aside, or nothing",
        Step.DISCARD: "discard a magic card before you draw",
        Step.LIMIT: "discard a magic card: your hand is over its limit",
        Step.SUMMON: "say with which stones you mix the summoning stone",
    },
    "ja": {
        Step.ACTION: "Mgを使うか、ダイスアクションを選ぶ",
        Step.AFTER: "ダイスアクションに応じて引くかMgを使うか、手番交代をする",
        Step.STOCK: "Mgをストックするか、しないかを選ぶ",
        Step.DISCARD: "引く前にMgを1枚捨てる",
        Step.LIMIT: "上限を超えた手札のMgを捨てる",
        Step.SUMMON: "召喚のMsをどのMsに混ぜるかを選ぶ",
    },
}
"""What is to be done in a step."""
COMMA = {"en": ", ", "ja": "、"}


def explain(refusal: Refusal, lang: Lang) -> str:
    """A refusal as one sentence."""
    words = {}
    for name, value in refusal.fields.items():
        if name == "step":
            words[name] = STEPS[lang][str(value)]
        elif name == "card" and isinstance(value, tuple):
            words[name] = str(value[lang == "ja"])
        elif isinstance(value, tuple):
            words[name] = COMMA[lang].join(map(str, value))
    return phrase(REFUSALS[lang], refusal, **words)
