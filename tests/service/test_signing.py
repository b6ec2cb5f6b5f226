"""What the service hands out and takes back."""

from __future__ import annotations

import pytest

from service.signing import NotOurs, Signer

SECRET, OTHER = "a" * 32, "b" * 32
VALUE = {"seat": 1, "names": ["ä", None]}


def test_what_was_signed_is_read_by_whoever_has_the_secret() -> None:
    assert Signer(SECRET).read("reply", Signer(SECRET).sign("reply", VALUE)) == VALUE
    assert Signer(SECRET).sign("reply", VALUE) == Signer(SECRET).sign("reply", VALUE)


def test_what_was_sealed_is_read_and_never_twice_the_same() -> None:
    one, other = (Signer(SECRET).seal("cursor", VALUE) for _ in range(2))
    assert one != other
    assert "=" not in one
    assert Signer(SECRET).unseal("cursor", one) == Signer(SECRET).unseal("cursor", other) == VALUE


def test_nonsense_or_a_sign_by_another_secret_or_for_another_purpose_is_worth_nothing() -> None:
    signer = Signer(SECRET)
    signed, sealed = signer.sign("reply", VALUE), signer.seal("reply", VALUE)
    for secret, purpose, texts in (
        (OTHER, "reply", (signed, sealed)),
        (SECRET, "cursor", (signed, sealed)),
        (SECRET, "reply", ("", ".", "a.b", "ä", "\0", "A" * 10_000)),
    ):
        for text in texts:
            for take in (Signer(secret).read, Signer(secret).unseal):
                with pytest.raises(NotOurs):
                    take(purpose, text)


def test_every_change_of_a_sign_is_noticed() -> None:
    signer = Signer(SECRET)
    for make, take in ((signer.sign, signer.read), (signer.seal, signer.unseal)):
        text = make("reply", VALUE)
        for place, sign in enumerate(text[:-1]):
            changed = f"{text[:place]}{'A' if sign != 'A' else 'B'}{text[place + 1 :]}"
            with pytest.raises(NotOurs):
                take("reply", changed)
