"""The texts of the first page."""

from __future__ import annotations

from domain.game import Lang

HOME: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Tabletop games by mail, for people and bots",
        "lead": "Five Japanese tabletop games that you can't play on a screen anywhere else. Play in one sitting"
        " against bots, or over days with people: every move is kept, and anybody can replay and check a match, years"
        " later.",
        "begin": "Choose a game",
        "begin-help": "One click, and you sit at a table as a guest. Nothing to fill in.",
        "or-sign-in": "Sign in, or sign up",
        "how-it": "How it is played",
        "now": "Being played now: {game}",
        "filmed": "A match of bots: {game}",
        "watch-it": "Watch this table",
        "rules-it": "How {game} is played",
        "pause": "Pause",
        "go-on": "Go on",
        "look": "All tables",
        "yours": "It is your turn at {count} tables",
        "yours-one": "It is your turn at a table",
    },
    "ja": {
        "title": "人とボットのための郵便ボードゲーム",
        "lead": "ほかでは画面で遊べない日本のボードゲームが五つ。ボットとなら一息に、人となら何日かけても。"
        "すべての手が残り、何年たっても誰でもマッチを再生し検証できます。",
        "begin": "ゲームを選ぶ",
        "begin-help": "押せばすぐ、ゲストとして卓につけます。入力はいりません。",
        "or-sign-in": "ログイン・登録",
        "how-it": "遊び方",
        "now": "いま遊ばれている卓：{game}",
        "filmed": "ボットどうしの対局：{game}",
        "watch-it": "この卓を観戦する",
        "rules-it": "{game}の遊び方",
        "pause": "止める",
        "go-on": "続ける",
        "look": "すべての卓",
        "yours": "{count}卓であなたの番です",
        "yours-one": "あなたの番の卓があります",
    },
}
