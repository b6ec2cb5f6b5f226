"""The words that people write in replies, by how they change the answer beside them."""

from __future__ import annotations

import re

PUNCTUATION = frozenset(".,;:!()[]。、'")
MARKS = frozenset({"#", "no", "nr", "number", "num", "番号", "第"})
"""Words which say that a number follows."""

POLITE = """
please pls plz thanks thank you thx ty ok okay cheers
i i'll i'd i'm my me we let's lets will would like want to take choose pick select play go with for do is be it's it
then the move option choice
よろしく よろしくお願いします よろしくお願いいたします
"""
TAKING_BACK = """
or not no sorry actually rather instead wait oops correction mean meant
または もしくは か やっぱり やはり いや 訂正 訂正します ではなく じゃなくて でなく
"""
_COURTESY = PUNCTUATION | frozenset(POLITE.split())
"""Words that do not change an answer."""

CORRECTIONS = frozenset(TAKING_BACK.split())
"""Words which say that the writer means, or may mean, another number than the one above."""

_OF_NUMBER = re.compile(
    r"(?:番目?|つ目)?(?:の手)?(?:で|を|に)?"
    r"(?:す|お願い(?:し|いたし|致し)ます|します|する|選びます|選択(?:します)?|選ぶ|行きます|いきます|頼みます"
    r"|ください|下さい|よろしく(?:お願い(?:し|いたし|致し)ます)?)?"
)
"""The words that Japanese writers add to a number without changing it: 3です, 3番でお願いします."""

GREETING = 8
"""The most words of a greeting."""

GREETINGS = (
    *("hi", "hello", "hey", "hallo", "dear", "good", "greetings"),
    *("こんにちは", "今日は", "こんばんは", "おはよう", "お世話", "お疲れ", "おつかれ", "いつも", "拝啓"),
)
"""The first words of greetings."""

YES = (
    *("yes", "yep", "yeah", "sure", "accept", "accepted", "join", "ok", "okay", "gladly"),
    *("はい", "参加", "参加します", "参加いたします", "座ります", "着席します", "承諾します", "受けます", "喜んで"),
)
NO = (
    *("no", "nope", "decline", "declined", "refuse", "reject"),
    *("いいえ", "辞退", "辞退します", "辞退いたします", "不参加", "参加しません", "遠慮します", "お断りします"),
)


def is_courtesy(token: str) -> bool:
    """Return whether the word does not change an answer."""
    return token in _COURTESY or (not token.isascii() and bool(_OF_NUMBER.fullmatch(token)))


def is_greeting(token: str) -> bool:
    """Return whether a line that begins with the word is a greeting."""
    return token in GREETINGS or (not token.isascii() and token.startswith(GREETINGS))
