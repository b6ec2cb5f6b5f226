"""What the service hands out and takes back: signed, or also sealed, by a secret that all of its processes share.

A link in a mail, a reply address or a place in a stream is so a value of the service's own, of which nothing is kept
until it comes back. Each is made for a purpose, and is worth nothing for another one.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from itsdangerous import BadData, URLSafeSerializer


class NotOurs(ValueError):
    """The text was not made here, not for this purpose, or was changed."""


class Signer:
    """Makes and reads such texts. Values are what JSON can tell."""

    def __init__(self, secret: str) -> None:
        """`secret`: 32 visible ASCII characters or more."""
        self._secret = secret
        self._fernet = cache(self._fernet_of)

    def sign(self, purpose: str, value: Any) -> str:
        """The value, for everybody to read, in letters, digits, `-`, `_` and `.`: the same text for the same value."""
        return self._serializer(purpose).dumps(value)

    def read(self, purpose: str, text: str) -> Any:
        """The value that was signed. Raises NotOurs."""
        try:
            return self._serializer(purpose).loads(text)
        except BadData as error:
            raise NotOurs(purpose) from error

    def seal(self, purpose: str, value: Any) -> str:
        """The value, for nobody else to read: another text each time, of which only the length tells something."""
        return self._fernet(purpose).encrypt(msgspec.json.encode(value)).decode("ascii").rstrip("=")

    def unseal(self, purpose: str, text: str) -> Any:
        """The value that was sealed. Raises NotOurs."""
        try:
            padded = (text + "=" * (-len(text) % 4)).encode("ascii")
            return msgspec.json.decode(self._fernet(purpose).decrypt(padded))
        except (InvalidToken, UnicodeEncodeError) as error:
            raise NotOurs(purpose) from error

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(self._secret, salt=purpose, signer_kwargs={"digest_method": hashlib.sha256})

    def _fernet_of(self, purpose: str) -> Fernet:
        key = HKDF(SHA256(), 32, b"foldtable", purpose.encode()).derive(self._secret.encode())
        return Fernet(base64.urlsafe_b64encode(key))
