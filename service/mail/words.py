"""The sentences of mails, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from domain.game import Lang

ENGLISH = {
    "feed": "Your turns at Foldtable",
    "subject-turn": "Your turn: {game} ({others})",
    "subject-reminder": "Time is running out: {game} ({others})",
    "subject-started": "It begins: {game} ({others})",
    "subject-finished": "It is over: {game} ({others})",
    "subject-aborted": "Broken off: {game} ({others})",
    "subject-invited": "You are invited: {game}",
    "subject-digest": "Your tables: {count}",
    "subject-answer": "Re: {game} ({others})",
    "subject-answer-bare": "Re: {game}",
    "subject-confirm": "Confirm your address",
    "subject-recover": "A new password",
    "subject-address-changed": "Your address was changed",
    "subject-password-changed": "Your password was changed",
    "turn": "It is your turn in {game}. You are {me}.",
    "reminder": "Most of your time is used up, and {game} still waits for you. You are {me}.",
    "sealed": "Your answer goes under seal: until the window closes nobody learns what you answered, or that you were"
    " asked.",
    "due": "Answer by {due}.",
    "due-zone": 'That is told in UTC. To be told by your own clocks, reply with a line like "zone Europe/Berlin".',
    "since": "Since your last move",
    "earlier": "({count} more before that)",
    "table": "The table",
    "moves": "Your moves",
    "how": "To move, reply to this mail with the number of your move as the first line.",
    "how-digest": "To move, mail the number of your move to {to}",
    "how-elsewhere": "Mails can't be answered here: move by {url}",
    "where": "Version {version}, {hash}",
    "match": "Match: {url}",
    "started": "All seats of {game} are taken: {names}. You are {me}.",
    "finished": "{game} was played to its end.",
    "place": "{place}. {name}: {points}",
    "aborted": "{game} was broken off.",
    "audit": "All cards are open now. Whoever wants to check that nobody was cheated downloads the log and audits it:",
    "audit-how": "curl -o {match}.jsonl {url}/export\n./foldtable replays audit {match}.jsonl",
    "invited": "{by} keeps a seat for you in {game} (seat {seat}).",
    "invited-nobody": "A seat is kept for you in {game} (seat {seat}).",
    "invited-accept": "Take the seat",
    "invited-decline": "Decline",
    "invited-how": 'Reply with "yes" (or 1) to take the seat, or with "no" (or 2) to decline.',
    "invited-nonce": "Your reply brings a nonce to the match's chance, made of its Message-ID and of the lines that you"
    " write: you may add lines of your own below the first.",
    "invited-digest": 'To answer, mail "yes" or "no" to {to}',
    "invited-elsewhere": "Take the seat, or decline, on the page of the match:",
    "digest": "These tables wait for you.",
    "digest-none": "No table waits for you.",
    "digest-news": "What else has happened",
    "answer-moved": "Your move was made: {move}",
    "answer-sealed": "Your answer lies under seal: {move}",
    "answer-unread": 'There is no such move: "{said}". Reply with a number from 1 to {most} as the first line, and'
    " nothing else in it. Nothing was changed.",
    "answer-empty": "Your mail says nothing that could be a move. Reply with the number of your move as the first line."
    " Nothing was changed.",
    "answer-unclear": 'Your reply "{said}" could be read in more than one way, and no move was guessed. Reply with one'
    " number from 1 to {most} as the first line, and nothing else in it. Nothing was changed.",
    "asked-once": "You are asked back once for each decision. If your next reply can't be read either, use the page of"
    " the match.",
    "answer-several": "Your mail went to reply addresses of several decisions, so it answers none of them. Reply to"
    " each mail by itself. Nothing was changed.",
    "answer-already": "You sit there already. Nothing was changed.",
    "answer-begun": "That match has begun without you, or is over. Nothing was changed.",
    "answer-seated": "You have taken your seat.",
    "seated-nonce": "Your nonce is {nonce}, the SHA-256 of these lines of your mail, joined by line feeds, its"
    " Message-ID first:\n{made_of}",
    "seated-no-nonce": "Your mail had no Message-ID, so it brought no nonce.",
    "answer-declined": "You have declined. No seat is kept for you any more.",
    "answer-zone": "Times are told by the clocks of {zone} from now on.",
    "answer-closed": "That decision is no longer open: it was answered before, or time has answered it. Nothing was"
    " changed.",
    "answer-renumbered": "The moves are others now than those that were numbered in that mail. Nothing was changed;"
    " here they are anew.",
    "answer-refused": "The rules refuse it: {why} Nothing was changed.",
    "answer-over": "That match is over. Nothing was changed.",
    "answer-stranger": "A mail with your reply address came from {sender}, which is not the address that you have"
    " confirmed. Nothing was changed. If that was you, write from your own address; if not, somebody has one of your"
    " mails.",
    "answer-later": "Your move could not be made now. Nothing was changed; please send it again.",
    "receipt": "Receipt for {stream}, version {version}, attached: {file}. Keep it for an audit:"
    " ./foldtable replays audit LOG --receipt {file}",
    "confirm": "Somebody, probably you, has given this address for an account here. If it was you, open this link:",
    "confirm-else": "If it was not you, do nothing: nothing more will come.",
    "recover": "Somebody, probably you, wants a new password for the account of this address. If it was you, use this"
    " link within an hour:",
    "recover-else": "If it was not you, do nothing: your password stays.",
    "password-changed": "The password of your account is another one now. If that was not you, ask for a new one, and"
    " tell the operator.",
    "address-changed": "The address of your account is another one now, and nothing more is sent to this one. If it was"
    " not you, tell the operator.",
    "page-match": "Do you want no more mails of this match?",
    "page-all": "Do you want no more mails at all?",
    "page-quit": "No more mails",
    "page-done": "No more mails will come.",
    "quit-match": "No more mails of this match: {url}",
    "quit-all": "No more mails at all: {url}",
    "seat": "seat {seat}",
}

JAPANESE = {
    "feed": "Foldtableの手番",
    "subject-turn": "あなたの番です：{game}（{others}）",
    "subject-reminder": "残り時間がわずかです：{game}（{others}）",
    "subject-started": "始まりました：{game}（{others}）",
    "subject-finished": "終わりました：{game}（{others}）",
    "subject-aborted": "打ち切られました：{game}（{others}）",
    "subject-invited": "招待されています：{game}",
    "subject-digest": "あなたの卓：{count}",
    "subject-answer": "Re: {game}（{others}）",
    "subject-answer-bare": "Re: {game}",
    "subject-confirm": "アドレスの確認",
    "subject-recover": "新しいパスワード",
    "subject-address-changed": "アドレスが変わりました",
    "subject-password-changed": "パスワードが変わりました",
    "turn": "{game}であなたの番です。あなたは{me}です。",
    "reminder": "持ち時間の大半が過ぎましたが、{game}はまだあなたを待っています。あなたは{me}です。",
    "sealed": "答えは封印されます。締め切られるまで、何と答えたかも、尋ねられたことも、誰にも分かりません。",
    "due": "期限：{due}",
    "due-zone": "時刻はUTCです。お住まいの時刻で知りたいときは「タイムゾーン Asia/Tokyo」のように"
    "書いて返信してください。",
    "since": "前回のあなたの手から",
    "earlier": "（その前に{count}件）",
    "table": "卓",
    "moves": "選べる手",
    "how": "このメールに、選ぶ手の番号を最初の行に書いて返信してください。",
    "how-digest": "手を選ぶには、番号を書いたメールをこちらへ：{to}",
    "how-elsewhere": "ここではメールに返信できません。こちらで手を選んでください：{url}",
    "where": "バージョン{version}、{hash}",
    "match": "マッチ：{url}",
    "started": "{game}の席がすべて埋まりました：{names}。あなたは{me}です。",
    "finished": "{game}は最後まで遊ばれました。",
    "place": "{place}位　{name}：{points}",
    "aborted": "{game}は打ち切られました。",
    "audit": "すべてのカードが公開されました。不正がなかったかは、ログをダウンロードして誰でも検証できます：",
    "audit-how": "curl -o {match}.jsonl {url}/export\n./foldtable replays audit {match}.jsonl",
    "invited": "{by}さんが{game}の席をあなたのために取っています（席{seat}）。",
    "invited-nobody": "{game}の席があなたのために取ってあります（席{seat}）。",
    "invited-accept": "席に着く",
    "invited-decline": "辞退する",
    "invited-how": "席に着くには「はい」（または1）、辞退するには「いいえ」（または2）と書いて返信してください。",
    "invited-nonce": "返信のMessage-IDとあなたの書いた行から、このマッチの乱数に加わるナンスが作られます。"
    "最初の行の下に好きな行を書き足せます。",
    "invited-digest": "「はい」か「いいえ」と書いたメールをこちらへ：{to}",
    "invited-elsewhere": "席に着くか辞退するかは、マッチのページでどうぞ：",
    "digest": "次の卓があなたを待っています。",
    "digest-none": "あなたを待っている卓はありません。",
    "digest-news": "ほかの出来事",
    "answer-moved": "手を受けつけました：{move}",
    "answer-sealed": "答えを封印しました：{move}",
    "answer-unread": "そのような手はありません：「{said}」。最初の行に1～{most}の番号だけを書いて返信してください。"
    "何も変わっていません。",
    "answer-empty": "メールに手と読めるものがありません。最初の行に番号を書いて返信してください。"
    "何も変わっていません。",
    "answer-unclear": "「{said}」は何通りかに読めるため、どの手も選びませんでした。"
    "最初の行に1～{most}の番号を一つだけ書いて返信してください。何も変わっていません。",
    "asked-once": "聞き返すのは一つの決定につき一度だけです。次の返信も読めなかったときは、"
    "マッチのページをお使いください。",
    "answer-several": "メールが複数の決定の返信アドレスに宛てられているため、どれの答えにもなりません。"
    "一通ずつ返信してください。何も変わっていません。",
    "answer-already": "すでに席に着いています。何も変わっていません。",
    "answer-begun": "そのマッチはすでに始まったか、終わっています。何も変わっていません。",
    "answer-seated": "席に着きました。",
    "seated-nonce": "あなたのナンスは{nonce}です。Message-IDを先頭に、"
    "あなたのメールの次の行を改行でつないだもののSHA-256です：\n{made_of}",
    "seated-no-nonce": "メールにMessage-IDがないため、ナンスはありません。",
    "answer-declined": "辞退しました。席はもう取ってありません。",
    "answer-zone": "これから時刻を{zone}の時計でお知らせします。",
    "answer-closed": "その決定はもう開いていません。すでに答えたか、時間切れになりました。何も変わっていません。",
    "answer-renumbered": "そのメールで番号を付けた手から、選べる手が変わりました。何も変わっていません。"
    "新しい一覧です。",
    "answer-refused": "ルールにより認められません：{why} 何も変わっていません。",
    "answer-over": "そのマッチは終わっています。何も変わっていません。",
    "answer-stranger": "あなたの返信アドレスへのメールが{sender}から届きましたが、確認済みのアドレスではありません。"
    "何も変わっていません。ご本人なら確認済みのアドレスから送ってください。そうでなければ、誰かがあなたのメールを持って"
    "います。",
    "answer-later": "今は手を指せませんでした。何も変わっていません。もう一度送ってください。",
    "receipt": "{stream}、バージョン{version}のレシートを添付しました：{file}。検証のために保存してください："
    "./foldtable replays audit LOG --receipt {file}",
    "confirm": "どなたか（おそらくあなた）が、このアドレスをここのアカウントに登録しました。あなたなら、"
    "次のリンクを開いてください：",
    "confirm-else": "心当たりがなければ、何もしないでください。もうメールは届きません。",
    "recover": "どなたか（おそらくあなた）が、このアドレスのアカウントの新しいパスワードを求めています。"
    "あなたなら、1時間以内に次のリンクを使ってください：",
    "recover-else": "心当たりがなければ、何もしないでください。パスワードはそのままです。",
    "password-changed": "アカウントのパスワードが変わりました。心当たりがなければ、"
    "新しいパスワードを求め、運営者に知らせてください。",
    "address-changed": "アカウントのアドレスが変わり、このアドレスにはもう何も送られません。"
    "心当たりがなければ、運営者に知らせてください。",
    "page-match": "このマッチのメールを止めますか？",
    "page-all": "すべてのメールを止めますか？",
    "page-quit": "メールを止める",
    "page-done": "もうメールは届きません。",
    "quit-match": "このマッチのメールを止める：{url}",
    "quit-all": "すべてのメールを止める：{url}",
    "seat": "席{seat}",
}

TEXTS: Mapping[Lang, Mapping[str, str]] = {"en": ENGLISH, "ja": JAPANESE}
COMMA: Mapping[Lang, str] = {"en": ", ", "ja": "、"}


def word(code: str, lang: Lang, **fields: object) -> str:
    """Return the sentence in that language, with its fields filled in."""
    return TEXTS[lang][code].format(**fields)
