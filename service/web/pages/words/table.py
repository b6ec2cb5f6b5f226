"""What is said at a table."""

from __future__ import annotations

from domain.game import Lang

TABLE: dict[Lang, dict[str, str]] = {
    "en": {
        "table": "The table",
        "moves": "Your moves",
        "move": "Make this move",
        "wait": "The others are to move.",
        "over": "The match is over.",
        "not-begun": "The match begins when every seat is taken.",
        "sit": "Sit down",
        "log": "What has happened",
    },
    "ja": {
        "table": "卓",
        "moves": "選べる手",
        "move": "この手にする",
        "wait": "ほかの人の番です。",
        "over": "マッチは終了しました。",
        "not-begun": "すべての席が埋まると始まります。",
        "sit": "席につく",
        "log": "これまでの出来事",
    },
}
