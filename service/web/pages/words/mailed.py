"""The texts of the pages to which links in mails lead."""

from __future__ import annotations

from domain.game import Lang

MAILED: dict[Lang, dict[str, str]] = {
    "en": {
        "confirm": "Confirm your mail address",
        "confirm-help": "After that, mails tell you when it is your turn, as your settings say.",
        "confirm-do": "It is mine",
        "confirm-done": "{email} is confirmed.",
        "recover": "Set a new password",
        "recover-help": "It ends every session and every token of your account.",
        "recover-do": "Set it",
        "recover-done": "Your new password is set. Sign in again: every session and every token has ended.",
        "password": "New password",
        "password-help": "At least {least} characters.",
        "ask-again": "Send a new link",
        "to-settings": "To the settings",
    },
    "ja": {
        "confirm": "メールアドレスの確認",
        "confirm-help": "確認すると、設定に従って手番をそこへお知らせします。",
        "confirm-do": "自分のアドレスです",
        "confirm-done": "{email}を確認しました。",
        "recover": "新しいパスワード",
        "recover-help": "設定すると、ログインもトークンもすべて終了します。",
        "recover-do": "設定する",
        "recover-done": "新しいパスワードを設定しました。ログインもトークンもすべて終了しました。"
        "もう一度ログインしてください。",
        "password": "新しいパスワード",
        "password-help": "{least}文字以上。",
        "ask-again": "新しいリンクを送ってもらう",
        "to-settings": "設定へ",
    },
}
