"""What the first page says."""

from __future__ import annotations

from domain.game import Lang

HOME: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Tabletop games by mail, for people and bots",
        "lead": "Five Japanese tabletop games that are nowhere else to be played on a screen. Moves may be days apart;"
        " every one is kept, and anybody can replay and check a match, years later.",
        "now": "Being played now",
        "nothing-now": "Nothing is being played at this moment. Begin!",
        "choose": "Choose a game, and you sit at a table against bots",
        "play-it": "Play {game} now",
        "rules-of": "How {game} is played",
        "players": "{least} to {most} players",
        "players-one": "{least} players",
        "look": "Look at all tables",
    },
    "ja": {
        "title": "人とボットのための郵便ボードゲーム",
        "lead": "ほかでは画面で遊べない日本のボードゲームが五つ。一手は数日おきでもかまいません。すべての手が残り、"
        "何年たっても誰でもマッチを再生し検証できます。",
        "now": "いま遊ばれている卓",
        "nothing-now": "いま遊ばれている卓はありません。始めましょう！",
        "choose": "ゲームを選べば、すぐにボットと同じ卓につけます",
        "play-it": "{game}をいま遊ぶ",
        "rules-of": "{game}の遊び方",
        "players": "{least}〜{most}人",
        "players-one": "{least}人",
        "look": "すべての卓を見る",
    },
}
