"""The texts of a player's page."""

from __future__ import annotations

from domain.game import Lang

PEOPLE: dict[Lang, dict[str, str]] = {
    "en": {
        "human": "player",
        "bot-account": "bot",
        "owned": "made by",
        "since": "here since",
        "its-you": "This is how others see you.",
        "ask": "Invite to a match",
        "results": "Results",
        "results-help": "Of public matches that were played to their end. (+1): won together with others.",
        "game": "Game",
        "seats": "Seats",
        "matches": "Matches",
        "won": "Won",
        "first": "First place",
        "points": "Points, on average",
        "none-yet": "No match is over yet.",
        "rivals": "Played with",
        "times": "{number} matches",
        "time": "1 match",
        "now": "Playing now",
        "over": "Played",
        "older": "Older ones",
    },
    "ja": {
        "human": "プレイヤー",
        "bot-account": "ボット",
        "owned": "作成者",
        "since": "登録",
        "its-you": "ほかの人にはこのように見えます。",
        "ask": "マッチに誘う",
        "results": "成績",
        "results-help": "最後まで遊ばれた公開マッチのみ。（+1）は他の人と分け合った勝ち。",
        "game": "ゲーム",
        "seats": "人数",
        "matches": "マッチ",
        "won": "勝ち",
        "first": "1位の割合",
        "points": "平均点",
        "none-yet": "終わったマッチはまだありません。",
        "rivals": "一緒に遊んだ人",
        "times": "{number}回",
        "time": "1回",
        "now": "対局中",
        "over": "終わったマッチ",
        "older": "以前のマッチ",
    },
}
