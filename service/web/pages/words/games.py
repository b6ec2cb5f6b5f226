"""What the pages of games say, and by what line a game is known."""

from __future__ import annotations

from domain.game import Lang

GAMES: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Games",
        "lead": "Each is explained in two minutes, and a click from being played.",
        "players": "{least} to {most} players",
        "players-one": "{least} players",
        "how": "How it is played",
        "play-it": "Play {game}",
        "against-bots": "Play against bots",
        "with-people": "Open a table for people",
        "seats": "Players at the table",
        "rules": "Rules",
        "rules-of": "The rules of {game}, by clause",
        "all-rules": "All the rules, by clause",
        "contents": "Contents",
        "packs": "Cards",
        "cards-of": "All cards of the pack {pack}",
        "pack-title": "{game}: the pack {pack}",
        "look-closer": "Everything that the pack prints. Point at a card, or touch it, to read it.",
        "as-file": "The pack as a file",
        "back-to": "{game}: how it is played",
        "counted": "Played here",
        "counted-row": "{matches} with {seats} players, {moves} moves each on average",
        "not-counted": "No public match was finished here yet.",
        "minutes": "{minutes} minutes",
        "lobby-of": "Tables of {game}",
    },
    "ja": {
        "title": "ゲーム",
        "lead": "どれも二分で分かり、すぐに遊べます。",
        "players": "{least}〜{most}人",
        "players-one": "{least}人",
        "how": "遊び方",
        "play-it": "{game}を遊ぶ",
        "against-bots": "ボットと遊ぶ",
        "with-people": "人を待つ卓を開く",
        "seats": "卓の人数",
        "rules": "ルール",
        "rules-of": "{game}：条項ごとのルール",
        "all-rules": "条項ごとの全ルール",
        "contents": "目次",
        "packs": "カード",
        "cards-of": "パック{pack}の全カード",
        "pack-title": "{game}：パック{pack}",
        "look-closer": "パックに印刷されているすべて。カードを指すか触れると読めます。",
        "as-file": "パックのファイル",
        "back-to": "{game}の遊び方",
        "counted": "ここでの対局",
        "counted-row": "{seats}人：{matches}局、平均{moves}手",
        "not-counted": "終わった公開の対局はまだありません。",
        "minutes": "{minutes}分",
        "lobby-of": "{game}の卓",
    },
}

PITCH: dict[Lang, dict[str, dict[str, str]]] = {
    "en": {
        "three-magic": {
            "pitch": "A hand that may never be sorted, and spells that must stand in it as they fall.",
            "minutes": "30",
        },
        "ttmp": {
            "pitch": "Three dice that everybody shares, cards that bend them, and one last roll that says who passes.",
            "minutes": "20",
        },
        "magicative": {
            "pitch": "Formulas of three cards; what they make together is worth more than they are.",
            "minutes": "25",
        },
        "troll-master": {
            "pitch": "Guess what the others will brew, and train a black cat up to a troll.",
            "minutes": "45",
        },
        "terraformers": {
            "pitch": "One planet, six rounds, nothing hidden: grow the city no faster than its air.",
            "minutes": "40",
        },
    },
    "ja": {
        "three-magic": {"pitch": "並べ替えてはいけない手札に、並び順どおりの呪文を。", "minutes": "30"},
        "ttmp": {
            "pitch": "三つのダイスはみんなのもの。カードで目を変え、最後の一振りで合否が決まる。",
            "minutes": "20",
        },
        "magicative": {"pitch": "三枚で一つの魔法式。式と式が組になると、点は一気に伸びる。", "minutes": "25"},
        "troll-master": {"pitch": "皆の企みを読み、一匹の黒猫をトロルにまで育てあげる。", "minutes": "45"},
        "terraformers": {"pitch": "惑星ひとつ、6ラウンド、隠しごとなし。都市は、空気が足りるだけ。", "minutes": "40"},
    },
}
"""By game: a line that makes one want to play it, and how long that takes who does not play by mail."""
