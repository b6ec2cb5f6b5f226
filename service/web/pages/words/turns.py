"""What is said of what waits for somebody."""

from __future__ import annotations

from domain.game import Lang

TURNS: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "My turns",
        "waits": "Waiting for you",
        "wait-1": "1 match waits for you",
        "wait-n": "{number} matches wait for you",
        "none-wait": "Nothing waits for you. Here you see at once when something does.",
        "due": "by",
        "invited": "You are asked to play",
        "invited-by": "{name} keeps a seat for you.",
        "invited-by-nobody": "A seat is kept for you.",
        "offered": "Seats that are passed on to you",
        "offered-by": "{name} would like you to play on for them, on seat {seat}.",
        "offered-taken": "You have accepted. It is yours as soon as the others agree.",
        "accept": "Accept",
        "decline": "Decline",
        "look": "Look at it",
        "goes-on": "Others are to move",
        "not-begun": "Waiting for players",
        "lately": "Over lately",
        "all-mine": "All matches of mine",
        "nothing-at-all": "You sit at no table yet.",
        "find": "Find one in the lobby",
    },
    "ja": {
        "title": "自分の番",
        "waits": "あなたを待っている卓",
        "wait-1": "待っている卓は1つです",
        "wait-n": "待っている卓は{number}です",
        "none-wait": "いま待っている卓はありません。番が来ればすぐここに現れます。",
        "due": "期限",
        "invited": "招待",
        "invited-by": "{name}さんがあなたの席を用意しています。",
        "invited-by-nobody": "あなたの席が用意されています。",
        "offered": "譲られる席",
        "offered-by": "{name}さんが席{seat}の続きをあなたに頼んでいます。",
        "offered-taken": "受けました。ほかの人が同意すればあなたの席になります。",
        "accept": "受ける",
        "decline": "断る",
        "look": "見る",
        "goes-on": "ほかの人の番",
        "not-begun": "参加者を待っている卓",
        "lately": "最近終わった卓",
        "all-mine": "自分の卓をすべて見る",
        "nothing-at-all": "まだどの卓にもついていません。",
        "find": "ロビーで探す",
    },
}
