"""The texts of the replay page; the player has its own."""

from __future__ import annotations

from domain.game import Lang

REPLAY: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Replay",
        "at": "Event {version} of {head}",
        "back": "Back",
        "on": "On",
        "first": "To the beginning",
        "last": "To the end",
        "now": "So far: the match is still being played.",
        "to-table": "To the table",
        "no-table": "There is no table yet: the match has not started.",
        "fork": "What if?",
        "fork-about": "Go on from this moment yourself, with the same hidden cards and bots on the other seats. It"
        " becomes a match of its own.",
        "fork-seat": "Play as",
        "fork-go": "Go on from here",
        "proof": "Can it be trusted?",
        "proof-about": "Your browser can check the whole log of this match by itself: that nothing was changed, left"
        " out or put in, and whose keys have signed it.",
        "proof-go": "Check it in this page",
        "proof-plain": "Download the log, and check it with `python -m replays audit`.",
        "take": "Download the log",
        "evidence": "Download your evidence",
        "evidence-about": "This browser holds the nonce with which you sat down, and the receipts for your moves. An"
        " audit compares them with the log.",
        "about": "About this match",
        "match": "Match",
        "rules": "Rules",
        "rules-of": "version {version}",
        "pack": "Pack",
        "opened": "Opened",
        "ended": "Last event",
        "forked": "Continues",
        "forked-of": "version {version} of {match}",
    },
    "ja": {
        "title": "リプレイ",
        "at": "出来事{version}／{head}",
        "back": "戻る",
        "on": "進む",
        "first": "最初へ",
        "last": "最後へ",
        "now": "ここまでの経過です。対局はまだ続いています。",
        "to-table": "卓へ",
        "no-table": "対局が始まっていないので、卓はまだありません。",
        "fork": "もしここで別の手なら？",
        "fork-about": "この場面から、伏せられたカードもそのままに、自分で続きを遊べます。ほかの席にはボットがつき、"
        "別の新しいマッチになります。",
        "fork-seat": "遊ぶ席",
        "fork-go": "ここから続ける",
        "proof": "信じてよいか",
        "proof-about": "このマッチの記録全体を、ブラウザー自身が確かめられます。書き換えも抜けも付け足しもないこと、"
        "誰の鍵で署名されたかが分かります。",
        "proof-go": "このページで検証する",
        "proof-plain": "記録を書き出して、手元で`python -m replays audit`により検証できます。",
        "take": "記録を書き出す",
        "evidence": "あなたの証拠を書き出す",
        "evidence-about": "このブラウザーには、席につくときに出したノンスと、手の受領証があります。"
        "監査では記録と突き合わせられます。",
        "about": "このマッチについて",
        "match": "マッチ",
        "rules": "規則",
        "rules-of": "第{version}版",
        "pack": "パック",
        "opened": "開始",
        "ended": "最後の出来事",
        "forked": "分岐元",
        "forked-of": "{match}の版{version}",
    },
}
