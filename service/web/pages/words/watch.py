"""The texts of the page for watching a table."""

from __future__ import annotations

from domain.game import Lang

WATCH: dict[Lang, dict[str, str]] = {
    "en": {
        "open-there": "Open at foldtable",
        "not-begun": "The match begins when every seat is taken.",
        "table": "The table",
        "lost": "The connection is lost; it is tried again.",
    },
    "ja": {
        "open-there": "foldtableで開く",
        "not-begun": "すべての席が埋まると始まります。",
        "table": "卓",
        "lost": "接続が切れました。つなぎなおしています。",
    },
}
