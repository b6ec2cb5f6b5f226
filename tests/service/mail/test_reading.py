"""How replies are read: as people write them, and never by a guess."""

from __future__ import annotations

import pytest

from service.mail import reading
from service.mail.reading import Meant, meant

MOVES = (("a-1", "Alpha"), ("b-2", "Beta: x"), ("c", "Draw a card"), ("d", "Pass"))
THIRD, LAST = "c", "d"

QUOTED = "\n\nOn Mon, 3 Nov 2026 at 12:00, Foldtable <play+x@play.test>\nwrote:\n> 1. Alpha\n> 4. Pass\n"
QUOTED_JA = "\n\n2026年11月3日(火) 12:00 Foldtable <play+x@play.test>:\n> 1. Alpha\n> 4. Pass\n"
OUTLOOK = (
    "\n\n________________________________\nFrom: Foldtable\nSent: Monday\nSubject: Your turn\n\n1. Alpha\n4. Pass\n"
)
UNMARKED = "\n\nOn Monday Foldtable wrote:\n\nYour moves:\n1. Alpha\n4. Pass\n"

PLAIN = [
    *("3", "3.", "3)", "(3)", "[3]", "#3", "3!", "3,", " 3 ", "03", "0000000003", "\n\n3\n", "３", "③", "⑶"),
    *("3️⃣", "３．", "٣"),
    *("\ufeff3", "\u200b3", "3\u200b", "\u200d3", "\u20603", "\xa03", "\u20033\u3000", "\xad3", "\u200e3\u200f"),
    *("\u202a3\u202c", "\u2066\u20693", "\u180e3", "3\ufe0f", "\u034f3", "\u28003", "\u200b\n\u200b3"),
    *("*3*", "**3**", "_3_", "`3`", '"3"', "'3'", "“3”", "「3」", "『３』", "~3~", "*3.*", "**#3**"),
    *("3 please", "3, please", "3 please!", "3, thanks", "3. Thank you!", "please 3"),
    *("No. 3", "No 3", "no.3", "№3", "Nr. 3", "Number 3", "number: 3", "Move 3", "Option 3", "I take 3", "I'll take 3"),
    *("I choose number 3, thanks.", "I’d like 3", "It's 3", "Let's go with 3", "ok 3"),
    *("My move is 3.", "I pick option 3."),
    *("3です", "3です。", "３です", "3番", "3番です。", "3番で", "3番でお願いします", "3でお願いします。"),
    *("3にします", "3番を選びます"),
    *("第3番", "番号3", "番号：3", "3番目", "3を選択します", "3、お願いします", "３番でお願いいたします。"),
    *("3番の手で", "「3番」です"),
    *("c", "draw a card", "Draw a card.", "*Draw a card*", "Draw a card please", "Draw\u200b a card", "draw  a   card"),
    *("3. Draw a card", "3 Draw a card", "3: Draw a card", "3 - Draw a card", "3. Draw"),
    *("3) draw a card, please", "３．Draw a card"),
]

GREETED = [
    *("Hi,\n3", "Hi\n\n3", "Hello Foldtable,\n3 please", "Hey!\n#3", "Good morning!\n\n3", "Dear all,\n3\nYours, Ann"),
    *("こんにちは。\n3", "おはようございます！\n\n３番です", "お世話になっております。\n3でお願いします。"),
    *("お疲れ様です。田中です。\n3",),
    *("Hi\u200b,\n\u200b3", "*Hi,*\n*3*", "Hi Passepartout,\n3", "Hello to all of you at the table,\n3"),
]

BELOW = [
    *(f"3{QUOTED}", f"Hi,\n3\n\nAnn{QUOTED}", "3\n-- \nAnn, 4 Main Street\n4"),
    *(f"3{OUTLOOK}", f"3{UNMARKED}", f"3です{QUOTED_JA}"),
    *(f"{QUOTED}\n3", f"{QUOTED_JA}\n3番\n-- \nAnn", f"{QUOTED}\n#3\n\n-- \n4"),
    *("3\nSent from my phone", "3\n\nThanks,\nAnn"),
    *("3\nTel. 030 1234567", "3\n\nSee you in 2 weeks!"),
    *("3\n-----Original Message-----\n4", "> 4\n\n3", "> 4\n3", f"Hello,{QUOTED}\n3"),
    *("3\n3", "3\nDraw a card", "3\n\n差出人: Foldtable\n4"),
]  # fmt: skip


@pytest.mark.parametrize("said", [*PLAIN, *GREETED, *BELOW])
def test_a_move_is_read_as_people_write_it(said: str) -> None:
    assert meant(said, MOVES).id == THIRD


@pytest.mark.parametrize("number", range(1, len(MOVES) + 1))
def test_each_number_of_the_list_is_its_move_with_and_without_its_words(number: int) -> None:
    id, text = MOVES[number - 1]
    assert meant(str(number), MOVES).id == meant(f"{number}. {text}", MOVES).id == id


ASKED_BACK = [
    *("3 or 4", "3 4", "3/4", "3,4", "3, 4", "3-4", "3.4", "3..4"),
    *("3 and 4", "3&4", "3か4", "3または4", "3、4", "3番か4番", "3 3"),
    *("1 or so", "not 3", "3?", "3 ?", "3 or so", "3 I think", "maybe 3", "perhaps 3"),
    *("anything but 3", "don't take 3", "3ではない", "3は嫌です"),
    *("-3", "+3", "<3", "3%", "3x", "3rd", "b3", "3:30", "$3", "1/3", "3^2", "3 days off", "3. Pass", "4. Draw a card"),
    *("Hi 3", "Hi, 3", "Hello 3,", "Hi Player 3,\n4", "Hello 4!"),
    *("こんにちは3", "3さん、こんにちは", "No, 3", "3 no 4"),
    *("3\n4", "3\nor 4", "3\n\nno, 4", "3\nSorry, 4", "3\nPass"),
    *("3\nやっぱり4", "3\n訂正：4", "4\n#3", "Pass\n3", "3\n4 please"),
    *("3 Pass", "Pass 3", "Draw a card\n4. Pass", "Hi, pass\n3"),
    *("highest\n3", "Pass, thanks!\n\n3", "I thought about it.\n3", "Am 3. November verreist\n3 Tage"),
    *(f"3 or 4{QUOTED}", f"3\n4{QUOTED}", f"Hi 3,{QUOTED_JA}"),
]  # fmt: skip


@pytest.mark.parametrize("said", ASKED_BACK)
def test_what_could_mean_two_things_means_none_and_is_asked_back(said: str) -> None:
    found = meant(said, MOVES)
    assert (found.id, found.is_unclear) == (None, True)


NOTHING = [
    *("5", "0", "00", "0. Pass", "5. Pass", "99999", "12345678901", "No. 5", "I like cheese", "x", "?", "..."),
    *("10", "三", "5です", "-9"),
    *("I am away until Monday.", "ただいま不在にしております。"),
]


@pytest.mark.parametrize("said", NOTHING)
def test_what_names_no_move_means_none(said: str) -> None:
    assert meant(said, MOVES) == Meant(said, None)


EMPTY = ["", "\n \n", "\u200b\n\ufeff", "-- \nAnn", "Hi,", "Hello!\n\n-- \nAnn", OUTLOOK, QUOTED]
EMPTY += ["From: x\nSent: y\n3", "差出人: x\n3", "-----Original Message-----\n1"]


@pytest.mark.parametrize("said", EMPTY)
def test_a_reply_that_says_nothing_says_nothing(said: str) -> None:
    assert meant(said, MOVES) == Meant("", None)


def test_a_number_that_another_move_is_called_by_is_asked_back_unless_it_is_marked() -> None:
    moves = (("bid-2", "2"), ("bid-3", "3"), ("take-1", "Take 1"))
    for said in ("2", "Take 1", "２", "*2*"):
        assert meant(said, moves) == Meant(meant(said, moves).line, None, is_unclear=True), said
    assert meant("#2", moves).id == meant("No. 2", moves).id == meant("2番", moves).id == "bid-3"
    called = (("a", "2番"), ("b", "Beta"), ("c", "#2"), ("d", "No. 2"))
    assert meant("#2", called).id == meant("No. 2", called).id == meant("2番", called).id == "b"
    assert meant("bid-2", moves).id == "bid-2"
    assert meant("3", (("bid-2", "2"), ("bid-4", "4"), ("bid-3", "3"))).id == "bid-3", "both mean the same"


SEAT = (("accept", "Take the seat"), ("decline", "Decline"))
ALSO = {**dict.fromkeys(reading.YES, "accept"), **dict.fromkeys(reading.NO, "decline")}


ANSWERS = {
    "accept": [
        *("yes", "Yes!", "yes please", "YES, thanks.", "1", "#1", "ok", "I accept", "sure", "no 1"),
        *("はい", "はい。", "はい、参加します。", "参加します", "１", "はい、お願いします", "喜んで"),
        *("Hi,\nyes", f"yes{QUOTED}", "Take the seat", "*Yes*", "\u200byes", "ok 1"),
    ],
    "decline": ["no", "No, thanks", "no thank you!", "2", "decline", "いいえ", "辞退します。", "No. 2"],
    None: [
        *("yes no", "yes or no", "not yes", "yes?", "maybe", "yes 2", "ok 2", "参加？", "no problem", "Hi, yes"),
        *("yes\nno", "はい\nいいえ", "yes, but not now", "3", "yes 3", "いいえ、はい"),
    ],
}


@pytest.mark.parametrize(("said", "id"), [(said, id) for id, rows in ANSWERS.items() for said in rows])
def test_an_invitation_is_answered_in_words_or_by_number(said: str, id: str | None) -> None:
    assert meant(said, SEAT, ALSO).id == id


AWAY = [
    "Hi,\n\nI am out of the office until December 3 and will have limited access to email.\n"
    "For urgent matters call +49 30 1234567.\n\nBest,\nAnn\n",
    "3 people cover for me: see the list.\n\n____________\nFrom: Foldtable\nSent: Monday\n\nYour moves:\n1. one\n",
    "お世話になっております。\n\nただいま夏季休暇をいただいております。\n8月16日以降に順次ご返信いたします。\n"
    "お急ぎの場合は03-1234-5678までご連絡ください。\n\n田中\n",
]


@pytest.mark.parametrize("said", AWAY, ids=["gmail", "exchange", "japanese"])
def test_an_automatic_reply_that_only_its_text_shows_names_no_move_and_no_answer(said: str) -> None:
    moves = [(f"m-{number}", f"Move {number}") for number in range(1, 20)]
    assert (meant(said, moves).id, meant(said, SEAT, ALSO).id) == (None, None)


@pytest.mark.parametrize("greeting", ["Hi?", "Hello to all of you at the big table,", "こんにちは、パス"])
def test_what_asks_or_is_long_or_names_a_move_is_no_greeting(greeting: str) -> None:
    moves = (("draw", "引く"), ("pass", "パス"))
    assert meant("こんにちは、\n1", moves).id == "draw"
    assert meant(f"{greeting}\n1", moves).id is None


def test_what_says_yes_or_no_beside_other_words_is_asked_back() -> None:
    assert meant("yes, but not now", SEAT, ALSO) == Meant("yes, but not now", None, is_unclear=True)
    assert meant("but not now", SEAT, ALSO) == Meant("but not now", None)


OTHERS = "as I said\n"


@pytest.mark.parametrize(
    ("within", "beyond"),
    [
        ((f"{' ' * 299}3", THIRD), (f"{' ' * 300}3", None)),
        (("\n" * 1999 + "3", THIRD), ("\n" * 2000 + "3", None)),
        ((f"3\n{OTHERS * 10}4", None), (f"3\n{OTHERS * 11}4", THIRD)),
        (("On Monday\nat noon Foldtable\nwrote:\n> 4\n\n3", THIRD), ("On Monday\nat noon\nI\nwrote:\n> 4\n\n3", None)),
    ],
    ids=["signs of a line", "lines", "lines of one's own", "lines before a quotation"],
)
def test_so_much_of_a_reply_is_looked_at_and_no_more(
    within: tuple[str, str | None], beyond: tuple[str, str | None]
) -> None:
    for said, id in (within, beyond):
        assert meant(said, MOVES).id == id
