"""The texts of the terminal viewer."""

from __future__ import annotations

from domain.game import Lang

SAY: dict[Lang, dict[str, str]] = {
    "en": {
        "place": "version {version}/{head} · move {move} · {at}",
        "points": "points {points}",
        "to_act": "to act: seat {seats}",
        "no_table": "The match has not started: there is no table yet.",
        "keys": "←→ event  ↑↓ move  g m go  / search  0-9 s a eyes  L 日本語  ? help  q quit",
        "go": "Version, 1 to {last}",
        "move": "Move, 0 to {last}",
        "find": "Events that say",
        "no_number": "{text!r} is no number from {first} to {last}.",
        "first": "This is the first event.",
        "last": "This is the last event.",
        "found": "{at} of {count} events that say {text!r}: n next, N previous.",
        "not_found": "No event says {text!r}.",
        "no_search": "Nothing is searched for yet: press /.",
        "no_eyes": "Not open here: {whose}. To look from: {open}.",
        "broken": "This view can't be folded: {reason}",
        "changes_on": "Changes are highlighted.",
        "changes_off": "Changes are not highlighted.",
        "seat": "seat {seat}",
        "none": "nobody",
        "all": "all cards",
        "help": """\
Keys

  →  l  space    one event on              ←  h    one event back
  ↓  j           one move on               ↑  k    one move back
  End            the last event            Home    the first event
  g              go to a version           m       go to a move
  /              search the events         n  N    next, previous found
  0 to 9         look from that seat       s       as nobody in particular
  a              all cards open, when the match is over
  PgDn PgUp      scroll the table          d       highlight changes or not
  L              日本語                    ?       this page
  q              quit

A click on an event goes there.""",
    },
    "ja": {
        "place": "版 {version}／{head}・手 {move}・{at}",
        "points": "得点 {points}",
        "to_act": "手番：席 {seats}",
        "no_table": "まだ始まっていないので、卓はない。",
        "keys": "←→ 出来事  ↑↓ 手  g m 移動  / 検索  0-9 s a 視点  L English  ? 説明  q 終了",
        "go": "版（1～{last}）",
        "move": "手（0～{last}）",
        "find": "出来事の検索",
        "no_number": "「{text}」は{first}～{last}の数ではない。",
        "first": "最初の出来事。",
        "last": "最後の出来事。",
        "found": "「{text}」を含む出来事 {at}／{count}。n 次、N 前。",
        "not_found": "「{text}」を含む出来事はない。",
        "no_search": "まだ検索していない。/ を押す。",
        "no_eyes": "ここでは見られない：{whose}。見られるのは：{open}。",
        "broken": "この眺めは読めない：{reason}",
        "changes_on": "変化を強調する。",
        "changes_off": "変化を強調しない。",
        "seat": "席 {seat}",
        "none": "観戦者",
        "all": "すべての札",
        "help": """\
キー

  →  l  空白     次の出来事                ←  h    前の出来事
  ↓  j           次の手                    ↑  k    前の手
  End            最後の出来事              Home    最初の出来事
  g              版へ移動                  m       手へ移動
  /              出来事を検索              n  N    次、前の検索結果
  0～9           その席からの眺め          s       観戦者の眺め
  a              すべて公開（終了後）
  PgDn PgUp      卓をスクロール            d       変化の強調を切り替え
  L              English                   ?       この頁
  q              終了

出来事をクリックしても移動する。""",
    },
}
