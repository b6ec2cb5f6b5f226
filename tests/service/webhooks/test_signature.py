"""Signatures are those of Standard Webhooks."""

from __future__ import annotations

import base64
import re

from service.webhooks.sending import fresh_secret, headers, sign

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, MOMENT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
"""The vector that the libraries of Standard Webhooks are tested by."""


def test_id_moment_and_body_are_signed_as_the_vector_says() -> None:
    assert sign(SECRET, ID, MOMENT, BODY) == SIGNATURE
    for other in (("msg_other", MOMENT, BODY), (ID, MOMENT + 1, BODY), (ID, MOMENT, BODY + b" ")):
        assert sign(SECRET, *other) != SIGNATURE


def test_of_two_secrets_each_signs() -> None:
    other = fresh_secret()
    told = headers([other, SECRET], ID, MOMENT, BODY)
    assert told == {
        "webhook-id": ID,
        "webhook-timestamp": str(MOMENT),
        "webhook-signature": f"{sign(other, ID, MOMENT, BODY)} {SIGNATURE}",
    }


def test_a_secret_is_known_for_one_and_has_256_bits() -> None:
    one, other = fresh_secret(), fresh_secret()
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", one)
    assert one != other
    assert len(base64.b64decode(one.removeprefix("whsec_"))) == 32
