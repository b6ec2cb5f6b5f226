"""The sentences of refusals that any match may raise; a game's own texts have the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.game import Game, Lang, Refusal

TEXTS: dict[Lang, dict[str, str]] = {
    "en": {
        "seats": "{title} is played with {wanted} seats, not with {seats}.",
        "not-open": "This match has started: its seats are final.",
        "no-such-seat": "This match has {seats} seats, from 0; there is no seat {seat}.",
        "seat-taken": "Seat {seat} is taken.",
        "seat-free": "Nobody sits on seat {seat}.",
        "nonce": "A nonce is 32 bytes, written as 64 lower-case hexadecimal digits.",
        "match-open": "This match has not started: no move can be made yet.",
        "match-finished": "This match was played to its end: nothing more happens in it.",
        "match-aborted": "This match was broken off: nothing more happens in it.",
        "decision-closed": "That decision is not open. Your open decision is {decision}.",
        "nothing-asked": "That decision is not open. You have no open decision.",
        "not-legal": "There is no move {id} to choose now.",
        "fork-point": "A match can be continued where somebody was asked; at version {version} of {match} nobody was.",
        "match-not-over": "Only a match that is over can be continued in another one: its cards are open.",
        "sealed": "This decision is answered under seal.",
        "answers": "The seats {asked} were asked under seal, and {answered} have answered.",
        "no-such-answer": "The private log of seat {seat} has no such answer.",
        "left-over": "{event} belongs to no move.",
        "clock-set": "This match has its clock already.",
        "clock-terms": "The clock's {name} is at least {least} and at most {most}.",
        "not-sealed": "This decision is answered openly.",
        "deadline-set": "The decision of seat {seat} has its deadline already.",
        "no-deadline": "The decision of seat {seat} has no deadline.",
        "no-moment": "{due} is not a moment: write it as 2024-03-01T12:00:00.000Z.",
        "no-such-version": "The log had no version {version} at which that could be set.",
        "not-later": "{due} is not later than the present deadline.",
        "bank": "The bank of seat {seat} has {left} ms left; it pays at least 1.",
        "not-default": "That is not what the clock plays for seat {seat} there.",
        "paused": "This match is paused: no time runs.",
        "not-paused": "This match is not paused.",
        "length": "A length is at least {least} ms and at most {most}.",
        "window-open": "While answers are under seal nobody can come or go: wait until the last answer is in.",
        "handed-over": "The bot {bot} plays for seat {seat} already.",
        "not-handed-over": "No bot plays for seat {seat}.",
        "bot-name": "{bot} can't be a bot's name.",
        "not-absent": "Seat {seat} was not absent for long enough.",
        "resigned": "Seat {seat} has resigned, which is for good.",
        "not-resigned": "Seat {seat} has not resigned.",
        "too-many-orders": "A seat has {most} standing orders at most, and gives {ever} in a match.",
        "no-such-order": "There is no standing order {order}.",
        "order-size": "An order has 1 to {most} patterns to play; none of its lists is longer than {most}.",
        "order-way": "{of} is not a path to anything that is seen: write names and places with dots between.",
        "order-value": "A number in an order is from -{most} to {most}.",
        "order-relation": "{of} is compared with a word: only = and != are possible.",
        "order-word": "{word} is not a word of this game: an order uses names of its moves, its view and its pieces.",
        "no-such-move": "This game has no move {type}. It has: {known}.",
        "no-such-field": "A move {type} has no field {of}. It has: {known}.",
    },
    "ja": {
        "seats": "{title}は{wanted}席で遊びます。{seats}席では遊べません。",
        "not-open": "このマッチは始まっています。席はもう変わりません。",
        "no-such-seat": "このマッチの席は0から数えて{seats}席です。席{seat}はありません。",
        "seat-taken": "席{seat}は埋まっています。",
        "seat-free": "席{seat}には誰も座っていません。",
        "nonce": "ノンスは32バイトで、小文字の16進数64桁で書きます。",
        "match-open": "このマッチはまだ始まっていないので、手を指せません。",
        "match-finished": "このマッチは終わりまで遊ばれました。もう何も起こりません。",
        "match-aborted": "このマッチは中止されました。もう何も起こりません。",
        "decision-closed": "その決定は受け付けていません。あなたの決定は{decision}です。",
        "nothing-asked": "その決定は受け付けていません。あなたに求められている決定はありません。",
        "not-legal": "いま選べる手に{id}はありません。",
        "fork-point": "{match}のバージョン{version}では誰も手を求められていないので、そこからは続けられません。",
        "match-not-over": "続けられるのは、カードがすべて公開された、終わったマッチだけです。",
        "sealed": "この決定には封をして答えます。",
        "answers": "封をした答えを求められたのは席{asked}、答えたのは席{answered}です。",
        "no-such-answer": "席{seat}の非公開ログにそのような答えはありません。",
        "left-over": "{event}はどの手にも属しません。",
        "clock-set": "このマッチの持ち時間はすでに決まっています。",
        "clock-terms": "持ち時間の{name}は{least}以上{most}以下です。",
        "not-sealed": "この決定には公開で答えます。",
        "deadline-set": "席{seat}の決定の期限はすでに決まっています。",
        "no-deadline": "席{seat}の決定に期限はありません。",
        "no-moment": "{due}は時刻ではありません。2024-03-01T12:00:00.000Zのように書いてください。",
        "no-such-version": "それを決められるバージョン{version}はログにありません。",
        "not-later": "{due}は、いまの期限より後ではありません。",
        "bank": "席{seat}の予備時間の残りは{left}ミリ秒です。使うのは1ミリ秒からです。",
        "not-default": "そこで時計が席{seat}の代わりに選ぶ手ではありません。",
        "paused": "このマッチは中断中で、時間は進みません。",
        "not-paused": "このマッチは中断していません。",
        "length": "長さは{least}ミリ秒以上{most}ミリ秒以下です。",
        "window-open": "封をした答えがそろうまで、席の交代はできません。",
        "handed-over": "席{seat}はすでにボット{bot}が代わっています。",
        "not-handed-over": "席{seat}をボットは代わっていません。",
        "bot-name": "{bot}はボットの名前になりません。",
        "not-absent": "席{seat}の不在はまだ短すぎます。",
        "resigned": "席{seat}は投了しました。取り消せません。",
        "not-resigned": "席{seat}は投了していません。",
        "too-many-orders": "一つの席の予約は{most}件まで、マッチを通して{ever}件までです。",
        "no-such-order": "予約{order}はありません。",
        "order-size": "予約の手の型は1～{most}件です。どの並びも{most}件を超えられません。",
        "order-way": "{of}は見えるものを指していません。名前と位置を点でつないで書いてください。",
        "order-value": "予約の数の絶対値は{most}までです。",
        "order-relation": "{of}は言葉と比べています。同じか同じでないかだけを比べられます。",
        "order-word": "{word}はこのゲームの言葉ではありません。予約には手・盤面・駒の名前を使います。",
        "no-such-move": "このゲームに手{type}はありません。あるのは{known}です。",
        "no-such-field": "手{type}に項目{of}はありません。あるのは{known}です。",
    },
}
"""By language and code: the refusals without a clause of a game's rules."""


def say(game: Game[Any, Any, Any], refusal: Refusal, lang: Lang) -> str:
    """Return the refusal as a sentence: from the game's texts if it has a clause, else from those here."""
    return game.explain(refusal, lang) if refusal.clause else plain(refusal, lang, game.title[lang])


def plain(refusal: Refusal, lang: Lang, title: str = "") -> str:
    """Return a refusal without a clause as a sentence; `title` is the game's, for refused seats."""
    text = TEXTS[lang]["nothing-asked" if refusal.fields.get("decision") == 0 else refusal.code]
    return text.format(title=title, **joined(refusal, lang))


def joined(refusal: Refusal, lang: Lang) -> dict[str, str]:
    """Return the refusal's fields as texts; rows of names or numbers with commas between."""
    comma = "、" if lang == "ja" else ", "
    return {
        name: comma.join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in refusal.fields.items()
    }


def phrase(texts: Mapping[str, str], refusal: Refusal, **words: str) -> str:
    """Return the sentence of a room's table for the refusal, with its fields filled in.

    Shape:   `texts` is by `clause code`, or by `code` alone if a code has one sentence under every clause; `words`
             replace fields (the name of a card in the reader's language).
    """
    text = texts.get(f"{refusal.clause} {refusal.code}") or texts[refusal.code]
    return text.format(**{**refusal.fields, **words})
