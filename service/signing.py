"""Random tokens, digests, and signed and encrypted texts, by a secret that all processes of the service share.

So a link in a mail, a reply address or a cursor is a value that the service gives out and reads again later, and
nothing of it is stored. Each text is made for one purpose, and is not valid for another.
"""

from __future__ import annotations

import base64
import secrets
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from itsdangerous import BadData, URLSafeSerializer


def fresh_token() -> str:
    """Return a token of 256 random bits, which nobody can guess."""
    return secrets.token_urlsafe(32)


def digest(text: str | bytes) -> str:
    """Return the SHA-256 in hexadecimal, which is stored in place of tokens, keys and bodies."""
    return sha256(text.encode() if isinstance(text, str) else text).hexdigest()


class NotOurs(ValueError):
    """The text was not made here, or not for this purpose, or was changed."""


class Signer:
    """Makes and reads these texts. Values can be anything that JSON can represent."""

    def __init__(self, secret: str) -> None:
        """`secret`: 32 visible ASCII characters or more."""
        self._secret = secret
        self._fernet = cache(self._fernet_of)

    def sign(self, purpose: str, value: Any) -> str:
        """Return the value as a signed text of letters, digits, `-`, `_` and `.`, which everybody can read.

        The text is the same each time.
        """
        return self._serializer(purpose).dumps(value)

    def read(self, purpose: str, text: str) -> Any:
        """Return the value that was signed. Raises NotOurs."""
        try:
            return self._serializer(purpose).loads(text)
        except BadData as error:
            raise NotOurs(purpose) from error

    def seal(self, purpose: str, value: Any) -> str:
        """Return the value as an encrypted text, a different one each time. Only its length says something about it."""
        return self._fernet(purpose).encrypt(msgspec.json.encode(value)).decode("ascii").rstrip("=")

    def unseal(self, purpose: str, text: str) -> Any:
        """Return the value that was encrypted. Raises NotOurs."""
        try:
            padded = (text + "=" * (-len(text) % 4)).encode("ascii")
            return msgspec.json.decode(self._fernet(purpose).decrypt(padded))
        except (InvalidToken, UnicodeEncodeError) as error:
            raise NotOurs(purpose) from error

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt=purpose, signer_kwargs={"digest_method": sha256})

    def _fernet_of(self, purpose: str) -> Fernet:
        key = HKDF(SHA256(), 32, b"foldtable", purpose.encode()).derive(self._secret.encode())
        return Fernet(base64.urlsafe_b64encode(key))
