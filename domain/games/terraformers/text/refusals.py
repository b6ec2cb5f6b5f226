"""Refusals in words, addressed to the seat."""

from __future__ import annotations

from domain.game import Lang, Refusal
from domain.games.terraformers.components import Box
from domain.games.terraformers.text.phrases import WORDS, counted
from domain.refusals import joined, phrase

REFUSALS: dict[Lang, dict[str, str]] = {
    "en": {
        "no-such-planet": "There is no planet {planet}; there is {known}, or a list of cards.",
        "unknown-card": "There is no planet card {name}.",
        "planet-size": "A planet has exactly {cards} different cards.",
        "over": "The match is over.",
        "not-your-turn": "It is not your turn.",
        "action-first": "Choose an action first, then place tips.",
        "tips-first": "You have chosen: place tips there first.",
        "no-tips": "Without tips in hand you can only pass.",
        "box-occupied": "Tips lie on your {box} box.",
        "card-occupied": "Tips lie on {card}.",
        "barred": "Your species bars your {box} box.",
        "no-such-card": "{card} is not on this planet.",
        "TF-19 wrong-kind": "{card} is a species, and no box card to use.",
        "TF-20 wrong-kind": "{card} is a box card, and no species to acquire or guard.",
        "too-weak": "{card} costs {cost}, and all your tips make a power of {power}.",
        "works-on-nobody": "{card} works on no other player: name none.",
        "name-a-player": "{card} works on another player: name one.",
        "not-another-player": "{card} works on another player at this table.",
        "not-yours": "{card} is not yours to guard.",
        "yours": "{card} is yours already: you can guard it.",
        "clings": "You can't let go of {card}.",
        "no-species": "You have no species to put back.",
        "no-copying": "You have no species that copies another.",
        "once-a-turn": "You have named a species this turn.",
        "cannot-pay": "Naming a species costs {price}; you have {tips}.",
        "not-another": "{card} is not another species.",
        "tips": "You can place at least {least} there, and at most {most}.",
    },
    "ja": {
        "no-such-planet": "「{planet}」という惑星はありません。{known}、またはカードの一覧で指定します。",
        "unknown-card": "「{name}」という惑星カードはありません。",
        "planet-size": "惑星は、異なるカードちょうど{cards}枚です。",
        "over": "対局は終了しています。",
        "not-your-turn": "あなたの手番ではありません。",
        "action-first": "まずアクションを選び、それからコマを置きます。",
        "tips-first": "先に、選んだところにコマを置きます。",
        "no-tips": "手元にコマがないので、パスしかできません。",
        "box-occupied": "自分の「{box}」にはコマがあります。",
        "card-occupied": "「{card}」にはコマがあります。",
        "barred": "宇宙種族の効果で、自分の「{box}」は選べません。",
        "no-such-card": "「{card}」はこの惑星にありません。",
        "TF-19 wrong-kind": "「{card}」は宇宙種族で、使えるパワーボックスではありません。",
        "TF-20 wrong-kind": "「{card}」はパワーボックスで、獲得したり守ったりできる宇宙種族ではありません。",
        "too-weak": "「{card}」のコストは{cost}ですが、コマをすべて使ってもパワーは{power}です。",
        "works-on-nobody": "「{card}」は他のプレイヤーを対象としないので、指定できません。",
        "name-a-player": "「{card}」は他のプレイヤーを対象とするので、1人を指定します。",
        "not-another-player": "「{card}」の対象は、この卓の他のプレイヤーです。",
        "not-yours": "「{card}」は自分のものではないので、守れません。",
        "yours": "「{card}」はすでに自分のものです。守ることはできます。",
        "clings": "「{card}」は手放せません。",
        "no-species": "場に戻せる宇宙種族を持っていません。",
        "no-copying": "他の宇宙種族の能力を得る宇宙種族を持っていません。",
        "once-a-turn": "この手番では、もう宇宙種族を指定しました。",
        "cannot-pay": "宇宙種族の指定には{price}が必要ですが、手元には{tips}しかありません。",
        "not-another": "「{card}」は他の宇宙種族ではありません。",
        "tips": "そこに置けるのは{least}以上、{most}個以下です。",
    },
}
"""By code, or by clause and code."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as a sentence. It has each card in both languages, of which this takes one."""
    fields = refusal.fields
    told = joined(refusal, lang)
    if isinstance(card := fields.get("card"), tuple):
        told["card"] = str(card[lang == "ja"])
    if "box" in fields:
        told["box"] = WORDS[lang].box[Box(str(fields["box"]))]
    for field in ("price", "tips", "least"):
        if field in fields:
            told[field] = counted(WORDS[lang].tips, int(str(fields[field])))
    return phrase(REFUSALS[lang], refusal, **told)
