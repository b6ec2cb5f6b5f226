"""What is said to who signs in."""

from __future__ import annotations

from domain.game import Lang

SIGNING: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Sign in",
        "login": "Name or mail address",
        "password": "Password",
        "new": "New here",
        "name": "Name",
        "name-help": "As others see you.",
        "login-help": "By which you sign in, together with the password. Without both you play as a guest, in this"
        " browser.",
        "password-help": "At least {least} characters.",
        "email": "Mail address",
        "email-help": "To be told when it is your turn, and if you forget the password. Nobody else sees it.",
        "sign-up": "Sign up",
        "pass": "Invitation",
        "guest-name": "Guest {number}",
        "sign-up-closed": "Nobody can sign up here at the moment.",
    },
    "ja": {
        "title": "ログイン",
        "login": "名前またはメールアドレス",
        "password": "パスワード",
        "new": "はじめての方",
        "name": "名前",
        "name-help": "ほかの人に見える名前です。",
        "login-help": "パスワードとともにログインに使います。どちらもなければ、このブラウザーでゲストとして遊びます。",
        "password-help": "{least}文字以上。",
        "email": "メールアドレス",
        "email-help": "手番のお知らせと、パスワードを忘れたときに使います。ほかの人には見えません。",
        "sign-up": "登録する",
        "pass": "招待コード",
        "guest-name": "ゲスト{number}",
        "sign-up-closed": "いまは登録を受け付けていません。",
    },
}
