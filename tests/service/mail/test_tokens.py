"""What stands in addresses and links: read as it was made, for good, and nothing else is."""

from __future__ import annotations

from base64 import b32decode, b32encode

import pytest

from service.mail.situation import INVITED, MailTokens
from service.signing import NotOurs, Signer

MATCH, ANN = "m_abcdefghijklmnop", "p_qrstuvwxyz234567"
TOKENS = MailTokens(Signer("0123456789abcdef0123456789abcdef"))
"""By a secret that is the same in each run."""

REPLY = "abcdefghijklmnopaeaaaajmpympon5shvhrfnh56zaptba3zgoci"
INVITATION = "abcdefghijklmnopaeaaaaaaga3t335whgit776ngexppoxwco36k"
BOUNCE = "qrstuvwxyz2345676elhfjq7ubeg7ltg2advypb5geybg2y"


def read(text: str, player: str | None = ANN) -> tuple[str, int, int, str]:
    found, whose = TOKENS.read_reply(text, lambda _: () if player is None else (player,))
    return found.match, found.seat, found.decision, whose


def changed(text: str) -> list[str]:
    """The text with each of its signs another one, and shorter and longer ones."""
    others = [text[:at] + ("a" if text[at] != "a" else "b") + text[at + 1 :] for at in range(len(text))]
    return [*others, text[:-1], text[:-8], f"{text}a", f"{text}aaaaaaaa", f"{text}=", "", "\u00df", "1"]


def test_addresses_of_mails_that_were_sent_by_an_older_version_are_good() -> None:
    assert TOKENS.reply(ANN, MATCH, 1, 300, ["a", "b"]) == REPLY
    assert TOKENS.reply(ANN, MATCH, 1, INVITED, ["accept", "decline"]) == INVITATION
    assert TOKENS.bounce(ANN, "Ann@people.test") == BOUNCE
    assert TOKENS.name("turn", MATCH, 1) == "a2416737be9849a60be92034e1d13b44", (
        "a mail that is sent again is known by its name"
    )


def test_an_address_stands_for_a_decision_of_a_player_or_for_the_address_mails_come_back_from() -> None:
    assert read(REPLY) == read(REPLY.upper()) == (MATCH, 1, 300, ANN)
    for other in (None, "p_aaaaaaaaaaaaaaaa"):
        with pytest.raises(NotOurs):
            read(REPLY, other)
    player, is_sent_to = TOKENS.read_bounce(BOUNCE)
    assert player == ANN
    assert [is_sent_to(one) for one in ("ann@people.test", "ANN@people.test", "eve@people.test")] == [True, True, False]


def test_no_other_text_is_an_address() -> None:
    for text in (*changed(REPLY), BOUNCE):
        with pytest.raises(NotOurs):
            read(text)
    for text in (*changed(BOUNCE), REPLY):
        with pytest.raises(NotOurs):
            TOKENS.read_bounce(text)


def test_two_texts_of_the_same_bytes_are_not_both_an_address() -> None:
    def unpacked(text: str) -> bytes:
        return b32decode(text.upper() + "=" * (-len(text) % 8))

    others = (REPLY[:-1] + sign for sign in "abcdefghijklmnopqrstuvwxyz234567" if sign != REPLY[-1])
    spare = next(text for text in others if unpacked(text) == unpacked(REPLY))
    with pytest.raises(NotOurs):
        read(spare)


@pytest.mark.parametrize(
    "id",
    [
        *("", "m_", "m_abc", "abcdefghijklmnop", "m_ABCDEFGHIJKLMNOP", "m_abcdefghijklmno1"),
        *(f"m_{b32encode(bytes(length)).decode().lower()}" for length in (5, 15)),
    ],
)
def test_of_ids_that_are_none_of_ours_no_address_is_made(id: str) -> None:
    assert TOKENS.reply(ANN, id, 1, 300, ["a"]) is None
    assert TOKENS.bounce(id, "ann@people.test") is None


@pytest.mark.parametrize(("seat", "decision"), [(256, 300), (-1, 300), (1, 2**32), (1, -1)])
def test_of_a_seat_or_a_decision_beyond_all_no_address_is_made(seat: int, decision: int) -> None:
    assert TOKENS.reply(ANN, MATCH, seat, decision, ["a"]) is None


def test_a_link_that_ends_mails_is_for_a_player_and_a_match() -> None:
    for match in (MATCH, ""):
        assert TOKENS.read_unsubscribe(TOKENS.unsubscribe(ANN, match)) == (ANN, match)
