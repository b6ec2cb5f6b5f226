"""Words in which people write replies, by what they do to the answer beside them."""

from __future__ import annotations

import re

PUNCTUATION = frozenset(".,;:!()[]。、'")
MARKS = frozenset({"#", "no", "nr", "number", "num", "番号", "第"})
"""Say that what follows is a number."""

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
"""Add nothing to an answer."""

CORRECTIONS = frozenset(TAKING_BACK.split())
"""Say that another number is meant than the one above, or perhaps."""

_OF_NUMBER = re.compile(
    r"(?:番目?|つ目)?(?:の手)?(?:で|を|に)?"
    r"(?:す|お願い(?:し|いたし|致し)ます|します|する|選びます|選択(?:します)?|選ぶ|行きます|いきます|頼みます"
    r"|ください|下さい|よろしく(?:お願い(?:し|いたし|致し)ます)?)?"
)
"""What Japanese hangs on a number without changing it: 3です, 3番でお願いします."""

GREETING = 8
"""Words of a greeting, at most."""

GREETINGS = (
    *("hi", "hello", "hey", "hallo", "dear", "good", "greetings"),
    *("こんにちは", "今日は", "こんばんは", "おはよう", "お世話", "お疲れ", "おつかれ", "いつも", "拝啓"),
)
"""How greetings begin."""

YES = (
    *("yes", "yep", "yeah", "sure", "accept", "accepted", "join", "ok", "okay", "gladly"),
    *("はい", "参加", "参加します", "参加いたします", "座ります", "着席します", "承諾します", "受けます", "喜んで"),
)
NO = (
    *("no", "nope", "decline", "declined", "refuse", "reject"),
    *("いいえ", "辞退", "辞退します", "辞退いたします", "不参加", "参加しません", "遠慮します", "お断りします"),
)


def is_courtesy(token: str) -> bool:
    """Whether the word adds nothing to an answer."""
    return token in _COURTESY or (not token.isascii() and bool(_OF_NUMBER.fullmatch(token)))


def is_greeting(token: str) -> bool:
    """Whether a line that begins with the word greets somebody."""
    return token in GREETINGS or (not token.isascii() and token.startswith(GREETINGS))
