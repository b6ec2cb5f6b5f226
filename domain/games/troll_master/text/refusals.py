"""Refusals in words. Actions are counted from 1, as they are on the row."""

from __future__ import annotations

from domain.game import Lang, Refusal
from domain.games.troll_master.components import Kind, Magic
from domain.games.troll_master.state import Step
from domain.games.troll_master.text.phrases import WORDS, amount, listed
from domain.refusals import joined, phrase

REFUSALS: dict[Lang, dict[str, str]] = {
    "en": {
        "TM-2 no-such-familiar": "This pack has no familiar {familiar} to lay out.",
        "TM-2 familiars": "Exactly {wanted} different familiars are laid out, not {familiars}.",
        "TM-5 seats": "Troll Master is played by {wanted}, not by {seats}.",
        "no-such-card": "You hold no {card}.",
        "TM-11 no-such-action": "There is no action {action}: the row has actions 1 to {actions}.",
        "TM-11 wrong-icon": "Action {action} takes a {icon} or a crystal.",
        "TM-11 crystal-only": "Action {action} takes a crystal only.",
        "TM-12 not-right": "Your pawn stands on action {pawn} and moves right only, not to action {action}.",
        "TM-13 occupied": "Another pawn stands on action {action}.",
        "TM-14 not-placed": "Place your pawn first: only then can you pass.",
        "TM-22 cannot-pay": "The missing cards cost {price} mana, and you have {mana}.",
        "TM-25 cannot-pay": "That costs {price} mana, and you have {mana}.",
        "TM-25 none-left": "No {familiar} is left in the supply.",
        "TM-25 owned": "You have {familiar} in play already.",
        "TM-25 not-in-supply": "No {familiar} lies in the supply.",
        "TM-25 acquired": "You have acquired a familiar in this action already.",
        "no-such-familiar": "You have no uncovered {familiar}.",
        "TM-26 no-mana": "You have no mana in hand.",
        "TM-26 full": "{familiar} holds {ribbons} at most.",
        "TM-32 over": "The match is over.",
        "TM-35 no-such-ability": "{familiar} has no such ability to use now.",
        "TM-36 cannot-pay": "That ability costs {cost}, and {familiar} has {charges}.",
        "TM-43 no-such-action": "Your chain leads to a free {kind} left of your pawn, not to action {action}.",
        "TM-47 charging-over": "You have used an ability since you charged, and charge no more in this brew.",
        "not-your-turn": "It is not your turn.",
        "wrong-step": "You are to {step}.",
    },
    "ja": {
        "TM-2 no-such-familiar": "このパックに{familiar}という使い魔はありません。",
        "TM-2 familiars": "サプライには異なる使い魔をちょうど{wanted}種置きます。{familiars}種では遊べません。",
        "TM-5 seats": "トロルマスターは{wanted}人で遊びます。{seats}人では遊べません。",
        "no-such-card": "手札に{card}はありません。",
        "TM-11 no-such-action": "アクション{action}はありません。アクションは1から{actions}までです。",
        "TM-11 wrong-icon": "アクション{action}は{icon}か水晶で選びます。",
        "TM-11 crystal-only": "アクション{action}は水晶でしか選べません。",
        "TM-12 not-right": (
            "計画コマはアクション{pawn}にあり、より右にしか動かせません。アクション{action}には動かせません。"
        ),
        "TM-13 occupied": "アクション{action}には他の計画コマがあります。",
        "TM-14 not-placed": "計画コマを置くまではパスできません。",
        "TM-22 cannot-pay": "不足分にはマナ{price}個が要りますが、手元には{mana}個しかありません。",
        "TM-25 cannot-pay": "マナ{price}個が要りますが、手元には{mana}個しかありません。",
        "TM-25 none-left": "サプライの{familiar}はもうありません。",
        "TM-25 owned": "{familiar}はすでに表で持っています。",
        "TM-25 not-in-supply": "サプライに{familiar}はありません。",
        "TM-25 acquired": "このアクションではもう使い魔を獲得しました。",
        "no-such-familiar": "表の使い魔に{familiar}はありません。",
        "TM-26 no-mana": "手元にマナがありません。",
        "TM-26 full": "{familiar}の上に置けるのは{ribbons}までです。",
        "TM-32 over": "対局は終わりました。",
        "TM-35 no-such-ability": "{familiar}に、いま使えるそのような能力はありません。",
        "TM-36 cannot-pay": "その能力には{cost}が要りますが、{familiar}の上には{charges}しかありません。",
        "TM-43 no-such-action": (
            "チェーンの行き先は、計画コマより左で空いている{kind}です。アクション{action}ではありません。"
        ),
        "TM-47 charging-over": "チャージの後に能力を使ったので、この調合ではもうチャージできません。",
        "not-your-turn": "あなたの手番ではありません。",
        "wrong-step": "いまは{step}ところです。",
    },
}
"""By language, then by clause and code; by the code alone if the sentence is the same for every clause."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as one sentence, with a familiar's name in that language if it is known."""
    words = joined(refusal, lang)
    for field, value in refusal.fields.items():
        match field:
            case "cost" | "charges" | "ribbons":
                words[field] = amount(WORDS[lang], "charge", int(str(value)))
            case "wanted" if isinstance(value, tuple):
                words[field] = listed(WORDS[lang], [str(number) for number in value], WORDS[lang].choice)
            case "card" | "icon":
                words[field] = WORDS[lang].magic[Magic(str(value))]
            case "kind":
                words[field] = WORDS[lang].kind[Kind(str(value))]
            case "step":
                words[field] = WORDS[lang].step[Step(str(value))]
            case "ja" if lang == "ja":
                words["familiar"] = str(value)
            case _:
                pass
    return phrase(REFUSALS[lang], refusal, **words)
