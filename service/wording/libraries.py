"""The error sentences of the libraries that read bodies and queries, and of our own checks, in Japanese."""

from __future__ import annotations

import re

SENTENCES = {
    # marshmallow
    "Missing data for required field.": "必須の項目です。",
    "Field may not be null.": "nullにはできません。",
    "Unknown field.": "知らない項目です。",
    "Invalid value.": "正しくない値です。",
    "Invalid type.": "正しくない型です。",
    "Invalid input type.": "正しくない型です。",
    "Not a valid string.": "文字列ではありません。",
    "Not a valid utf-8 string.": "UTF-8の文字列ではありません。",
    "Not a valid integer.": "整数ではありません。",
    "Number too large.": "数が大きすぎます。",
    "Not a valid boolean.": "真偽値ではありません。",
    "Not a valid integer, text or truth value.": "整数・文字列・真偽値のどれでもありません。",
    "Not a valid list.": "リストではありません。",
    "Not a valid mapping type.": "オブジェクトではありません。",
    "Not a valid email address.": "メールアドレスではありません。",
    "Not a valid datetime.": "日時ではありません。",
    "Not a valid aware datetime.": "時差の付いた日時ではありません。",
    "String does not match expected pattern.": "文字列が決まった形になっていません。",
    "Must be one of: {choices}.": "次のどれかです：{choices}。",
    "Length must be between {least} and {most}.": "長さは{least}～{most}です。",
    "Longer than maximum length {most}.": "長さは{most}までです。",
    "Shorter than minimum length {least}.": "長さは{least}からです。",
    "Must be greater than or equal to {least} and less than or equal to {most}.": "{least}以上{most}以下です。",
    "Must be greater than or equal to {least}.": "{least}以上です。",
    "Must be less than or equal to {most}.": "{most}以下です。",
    # ours
    "Send bot or player, or null for the whole seat.": "botかplayer、または全体の代わりにnullを指定してください。",
    "Send preset or allowance.": "presetかallowanceを指定してください。",
    "Write a duration like P3D, PT12H or P1DT30M.": "長さはP3D、PT12H、P1DT30Mのように書いてください。",
    "From {least} to {most}.": "{least}以上{most}以下です。",
    "A message needs visible characters.": "発言には目に見える文字が要ります。",
    "A message has {most} lines at most.": "発言は{most}行までです。",
    "A message can't contain control characters or characters that show nothing.": "発言に使えない文字があります。",
    "Name the player too.": "どのプレイヤーのことか指定してください。",
    "Send either bot or player.": "botかplayerのどちらかを指定してください。",
    "Send either id or move.": "idかmoveのどちらかを指定してください。",
    "A URL has at most {most} visible ASCII characters.": "URLは目に見えるASCII文字{most}字までです。",
    "Say https://HOST/PATH.": "https://HOST/PATHの形で指定してください。",
    "A URL names no user, and no zone.": "URLにユーザー名やゾーンは入れられません。",
    "A port is 1 to 65535.": "ポートは1～65535です。",
    "This address is not one that everybody can reach.": "このアドレスは誰もが届く場所ではありません。",
    "A name needs visible characters.": "名前には目に見える文字が要ります。",
    "A name can't contain {char} at this place.": "名前のその位置に{char}は使えません。",
    "A name must have one direction of writing.": "名前は一方向に書きます。",
    "A letter can have {most} marks at most, and a mark needs a letter.": "記号は文字に付き、1文字に{most}個までです。",
    "This password is too easy to guess.": "このパスワードは真っ先に試されます。",
    "A password can't contain control characters.": "パスワードに制御文字は使えません。",
    "A login can't contain @ or begin with p_.": "ログイン名に@は使えず、p_で始めることもできません。",
    "A login must be one word of letters, digits and signs.": "ログイン名は文字と数字と記号の一語です。",
    # msgspec
    "Expected `{wanted}`, got `{got}`": "`{wanted}`のはずが`{got}`でした",
    "Expected `{kind}` of length {least} to {most}, got {got}": "`{kind}`の長さは{least}～{most}のはずが{got}でした",
    "Expected `{kind}` of length {wanted}, got {got}": "`{kind}`の長さは{wanted}のはずが{got}でした",
    "Expected `{kind}` of length {order} {bound}": "`{kind}`の長さは{order} {bound}です",
    "Expected `{kind}` {order} {bound}": "`{kind}`は{order} {bound}です",
    "Object contains unknown field `{name}`": "知らない項目`{name}`があります",
    "Object missing required field `{name}`": "必須の項目`{name}`がありません",
    "Invalid value {value}": "正しくない値{value}です",
    "Invalid enum value {value}": "正しくない値{value}です",
    "Integer value out of range": "整数が大きすぎます",
    "Number out of range": "数が大きすぎます",
    "Input data was truncated": "途中で終わっています",
    "JSON is malformed: {what} (byte {place})": "JSONの書き方が正しくありません（{place}バイト目）",
    "'utf-8' codec can't decode {what}": "UTF-8ではありません",
    "int too big to convert": "整数が大きすぎます",
}
"""English patterns and their Japanese; the first that fits is used, and fills in the fields in braces."""

_PLACE = re.compile(r"(.*) - at `(.*)`", re.DOTALL)


def _pattern(english: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(english)), re.DOTALL)


_known = [(_pattern(english), japanese) for english, japanese in SENTENCES.items()]


def in_japanese(sentence: str) -> str:
    """Return the sentence in Japanese; unchanged if there is no translation."""
    if (placed := _PLACE.fullmatch(sentence)) is not None:
        return f"{in_japanese(placed[1])}（`{placed[2]}`）"
    for pattern, japanese in _known:
        if (match := pattern.fullmatch(sentence)) is not None:
            return japanese.format(**match.groupdict())
    return sentence
