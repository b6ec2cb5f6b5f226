"""The texts for signing in and up."""

from __future__ import annotations

from domain.game import Lang

SIGN_IN: dict[Lang, dict[str, str]] = {
    "en": {
        "title": "Sign in",
        "login": "Login name or mail address",
        "password": "Password",
        "forgotten": "Password forgotten?",
        "new": "New here?",
        "guest-help": "You are at a table at once. Set a login name and a password later, and the account stays yours.",
        "or": "or make an account:",
        "name": "Name",
        "name-help": "As others see you.",
        "new-login": "Login name",
        "login-help": "By which you sign in, together with the password: nobody else sees it. Without both, only this"
        " browser knows you.",
        "password-help": "At least {least} characters.",
        "email": "Mail address",
        "email-help": "To be told when it is your turn, and if you forget the password. Nobody else sees it.",
        "sign-up": "Sign up",
        "pass": "Invitation code",
        "guest-name": "Guest {number}",
        "sign-up-closed": "Nobody can sign up here at the moment.",
        "recover": "A new password",
        "recover-help": "Enter your confirmed mail address. A link is sent to it, which works for an hour.",
        "recover-do": "Send the link",
        "recover-sent": "If {email} is the confirmed address of an account, a mail is on its way there.",
    },
    "ja": {
        "title": "ログイン",
        "login": "ログイン名またはメールアドレス",
        "password": "パスワード",
        "forgotten": "パスワードを忘れた方",
        "new": "はじめての方",
        "guest-help": "すぐに卓につけます。あとでログイン名とパスワードを決めれば、アカウントはそのまま残ります。",
        "or": "またはアカウントを作る：",
        "name": "名前",
        "name-help": "ほかの人に見える名前です。",
        "new-login": "ログイン名",
        "login-help": "パスワードとともにログインに使います。ほかの人には見えません。"
        "どちらもなければ、このブラウザーだけで遊べます。",
        "password-help": "{least}文字以上。",
        "email": "メールアドレス",
        "email-help": "手番のお知らせと、パスワードを忘れたときに使います。ほかの人には見えません。",
        "sign-up": "登録する",
        "pass": "招待コード",
        "guest-name": "ゲスト{number}",
        "sign-up-closed": "いまは登録を受け付けていません。",
        "recover": "新しいパスワード",
        "recover-help": "確認済みのメールアドレスを入力してください。1時間有効なリンクを送ります。",
        "recover-do": "リンクを送る",
        "recover-sent": "{email}が確認済みのアドレスであれば、そこへメールを送りました。",
    },
}
