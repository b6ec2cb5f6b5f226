"""What the lobby says."""

from __future__ import annotations

from domain.game import Lang

LOBBY: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Lobby",
        "begin": "Open a match",
        "game": "Game",
        "against": "Against",
        "bots": "bots",
        "people": "people",
        "seats": "Seats",
        "sit": "Sit down",
        "none": "There is no such match.",
        "more": "Older ones",
        "moves": "{moves} moves",
        "all": "All games",
        "status": "Which",
        "any": "all",
        "look": "Show",
    },
    "ja": {
        "title": "ロビー",
        "begin": "マッチを開く",
        "game": "ゲーム",
        "against": "相手",
        "bots": "ボット",
        "people": "人",
        "seats": "席の数",
        "sit": "席につく",
        "none": "該当するマッチはありません。",
        "more": "以前のマッチ",
        "moves": "{moves}手",
        "all": "すべてのゲーム",
        "status": "状態",
        "any": "すべて",
        "look": "表示",
    },
}
