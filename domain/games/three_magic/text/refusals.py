"""Refusals in words."""

from __future__ import annotations

from domain.game import Lang, Refusal
from domain.games.three_magic.state import Phase
from domain.refusals import phrase

REFUSALS: dict[Lang, dict[str, str]] = {
    "en": {
        "seats": "Three Magic is played by three.",
        "laps": "A match has 1 or 2 laps.",
        "over": "The match is over.",
        "not-your-turn": "It is not your turn.",
        "wrong-step": "You are to {step}.",
        "no-such-place": "Your hand has places 0 to {places} to insert a card at.",
        "no-such-card": "Your hand has cards 0 to {last}.",
        "pledged": "Who pledged in this deal may not declare reach.",
        "3M-19 cannot-pay": "Reach costs {od} od.",
        "not-ready": "Without that card your hand is not ready.",
        "not-in-reach": "Insert the card you drew, or win with it; then discard.",
        "in-reach": "In reach your hand is frozen: no card goes in, and no pledge is made.",
        "not-winning": "That card does not complete your hand.",
        "not-asked": "You are not asked to claim a discard.",
        "two-pledges": "You have made two pledges in this deal.",
        "3M-15 cannot-pay": "This pledge costs {od} od.",
        "no-spell": "Those two cards make no spell with this discard that you may claim.",
    },
    "ja": {
        "seats": "スリーマジックは3人で遊びます。",
        "laps": "マッチは1周か2周です。",
        "over": "マッチは終わっています。",
        "not-your-turn": "あなたの手番ではありません。",
        "wrong-step": "いまは{step}番です。",
        "no-such-place": "手札に差し込める位置は0から{places}までです。",
        "no-such-card": "手札のカードは0から{last}までです。",
        "pledged": "この試合で誓約をしたので、リーチはできません。",
        "3M-19 cannot-pay": "リーチには{od}オドが必要です。",
        "not-ready": "そのカードを捨てるとテンパイになりません。",
        "not-in-reach": "引いたカードを差し込むか、それで上がってください。捨てるのはその後です。",
        "in-reach": "リーチ中の手札は動かせません。差し込みも誓約もできません。",
        "not-winning": "そのカードでは手札が完成しません。",
        "not-asked": "捨て札を取るかどうかは、あなたには聞かれていません。",
        "two-pledges": "この試合ではもう2回誓約しています。",
        "3M-15 cannot-pay": "この誓約には{od}オドが必要です。",
        "no-spell": "その2枚では、この捨て札を取って呪文にすることはできません。",
    },
}
STEPS: dict[Lang, dict[str, str]] = {
    "en": {
        Phase.DISCARD: "discard",
        Phase.DRAWN: "insert the card you drew, discard it in reach, or win with it",
    },
    "ja": {
        Phase.DISCARD: "捨てる",
        Phase.DRAWN: "引いたカードを差し込むか、リーチ中なら捨てるか、それで上がる",
    },
}
"""What is to be done in a phase."""


def explain(refusal: Refusal, lang: Lang) -> str:
    """A refusal as one sentence."""
    if (step := refusal.fields.get("step")) is not None:
        return phrase(REFUSALS[lang], refusal, step=STEPS[lang][str(step)])
    return phrase(REFUSALS[lang], refusal)
