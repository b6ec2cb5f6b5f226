"""The texts about passing seats on."""

from __future__ import annotations

from domain.game import Lang

PASSING: dict[Lang, dict[str, str]] = {
    "en": {
        "pass-on": "Pass my seat on",
        "pass-on-help": "Somebody plays on in your place, as soon as they accept and all other players agree.",
        "pass-learns": "They see everything that your seat has seen, also its hidden cards. You see nothing of it any"
        " more, and can't take it back.",
        "pass-name": "Name, or address of their profile",
        "pass-name-help": "For people you have played with, the name is enough.",
        "pass-player": "Offer them my seat",
        "pass-bot-help": "Or leave it to a bot by agreement: the seat stays yours, and you can take it back. The result"
        " says that all have agreed.",
        "pass-bot": "Bot",
        "pass-to-bot": "Leave it to the bot, if all agree",
        "name-wrong": "You have played with nobody of this name: enter the address of their profile (/players/p_…).",
        "name-twice": "You have played with several of this name: enter the address of the right one's profile"
        " (/players/p_…).",
        "offer-mine": "You would like {name} to play on for you.",
        "offer-theirs": "{by} would like {name} to play on for them.",
        "offer-to-me": "{by} would like you to play on for them, on seat {seat}.",
        "offer-learn": "Once it is yours, you see all that this seat has seen, its hidden cards too.",
        "offer-learns": "Once it is theirs, they see all that this seat has seen, its hidden cards too.",
        "offer-taken": "{name} has accepted.",
        "offer-untaken": "{name} has not answered yet.",
        "offer-agree": "Agree: {names}.",
        "offer-asked": "Still asked: {names}.",
        "offer-waits": "You have accepted. The seat is yours as soon as the others agree.",
        "keep-seat": "Keep my seat after all",
        "agree-offer": "I agree",
        "disagree-offer": "I don't agree any more",
        "take-seat": "Take the seat",
        "decline-seat": "Decline",
        "gone": "somebody who has left",
    },
    "ja": {
        "pass-on": "席を譲る",
        "pass-on-help": "相手が受け、ほかの全員が同意すると、その人があなたの席で続けます。",
        "pass-learns": "相手は、伏せたカードも含めて、この席がこれまでに見たものをすべて見ます。あなたはもう見られず、"
        "席を取り戻すこともできません。",
        "pass-name": "名前、またはプロフィールのアドレス",
        "pass-name-help": "一緒に遊んだことのある人なら名前だけで通じます。",
        "pass-player": "この人に席を申し出る",
        "pass-bot-help": "同意のうえでボットに任せることもできます。席はあなたのもののままで、いつでも戻れます。"
        "全員の同意があったことは結果に残ります。",
        "pass-bot": "ボット",
        "pass-to-bot": "同意を得てボットに任せる",
        "name-wrong": "その名前の人とはまだ遊んでいません。プロフィールのアドレス（/players/p_…）を入力してください。",
        "name-twice": "その名前の人が何人かいます。プロフィールのアドレス（/players/p_…）を入力してください。",
        "offer-mine": "{name}さんに席の続きを頼んでいます。",
        "offer-theirs": "{by}さんが、席の続きを{name}さんに頼んでいます。",
        "offer-to-me": "{by}さんが、席{seat}の続きをあなたに頼んでいます。",
        "offer-learn": "席を受け継ぐと、伏せたカードも含めて、この席がこれまでに見たものがすべて見えます。",
        "offer-learns": "席を受け継いだ人には、伏せたカードも含めて、この席がこれまでに見たものがすべて見えます。",
        "offer-taken": "{name}さんは受けました。",
        "offer-untaken": "{name}さんの返事を待っています。",
        "offer-agree": "同意した人：{names}",
        "offer-asked": "返事を待っている人：{names}",
        "offer-waits": "受けました。ほかの人が同意すればあなたの席になります。",
        "keep-seat": "やはり自分で続ける",
        "agree-offer": "同意する",
        "disagree-offer": "同意を取り消す",
        "take-seat": "席につく",
        "decline-seat": "断る",
        "gone": "退会した人",
    },
}
