"""Between typed events and their stored bytes. The codec is told the classes; it knows no game.

`public` is exactly what somebody without a seat is told: every hidden field is there as null, or as many nulls as its
tuple is long. So redacted bytes decode as they are, and a hidden top-level field is told by splicing its bytes in at
the end of the object, where the last of two equal keys wins: one pass, no dicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from events import canonical
from events.envelope import EMPTY, Draft, Opening, Secret, readable
from events.store import Brief, Fact

Upcaster = Callable[[dict[str, Any]], tuple[str, int, dict[str, Any]]]
"""An older event's fields (unknowns are None) -> type, schema and fields of its successor."""

Split = Callable[[Any], Iterable[tuple[str, tuple[int, ...], Any]]]
"""An event -> path, readers and value of each of its secrets."""

Conceal = Callable[[Any], Any]
"""An event -> the event as somebody without a seat is told it."""


_DOUBTFUL = re.compile(rb"\d{16}|\d[.eE]")
"""What integers too large and floats have in them. Texts may have it too: then the closer look passes them."""


class UnknownEvent(ValueError):
    """An event of a type and schema that this code has neither a class nor an upcaster for."""


class Unreadable(ValueError):
    """An event whose stored fields are not those of its class."""


class Codec:
    """Encodes and decodes the events of one game and of the match around it."""

    def __init__(
        self,
        classes: Mapping[str, tuple[type[Any], Any]],
        *,
        split: Split,
        conceal: Conceal,
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        """`classes`: stored type name -> (class, the type to decode to, which differs for generic classes)."""
        self._names = {cls: (name, cls.schema) for name, (cls, _) in classes.items()}
        self._decode: dict[str, dict[int, Callable[[bytes], Any]]] = {
            name: {cls.schema: msgspec.json.Decoder(kind).decode} for name, (cls, kind) in classes.items()
        }
        self._again = lru_cache(maxsize=4096)(self._whole)
        self._kinds = {name: kind for name, (_, kind) in classes.items()}
        self._split = split
        self._conceal = conceal
        self._upcasters = dict(upcasters or {})

    def encode(self, event: Any, actor: str, move: int) -> Draft:
        """The event's canonical bytes, public and secret parts apart.

        Raises:  canonical.NotCanonical for what could be written, but never verified.
        """
        name, schema = self._names[type(event)]
        hidden = {path: {"readers": readers, "value": value} for path, readers, value in self._split(event)}
        if hidden:
            public, secret = canonical.encode(self._conceal(event)), canonical.encode(hidden)
        else:
            public, secret = canonical.encode(event), EMPTY
        for part in (public, secret):
            if _DOUBTFUL.search(part):
                canonical.decode(part)
        return Draft(type=name, schema=schema, public=public, secret=secret, actor=actor, move=move)

    def decode(self, name: str, schema: int, public: bytes, secret: bytes = EMPTY) -> Any:
        """The typed event; `secret` is the stored column, or `{}` for the event as everybody is told it."""
        return self.read(name, schema, told(public, secret))

    def decode_all(self, facts: Iterable[Fact], reader: int | None = None) -> list[Any]:
        """Typed events as a seat was told them; None is told everything."""
        facts = facts if isinstance(facts, list) else list(facts)
        decode = self._decode
        try:
            return [decode[name][schema](told(public, secret, reader)) for name, schema, public, secret in facts]
        except (KeyError, msgspec.DecodeError):
            # older events among them, or one that can't be read: one by one, which says which
            return [self.read(name, schema, told(public, secret, reader)) for name, schema, public, secret in facts]

    def decode_briefs(self, briefs: list[Brief], reader: int | None = None) -> list[Any]:
        """The same, as fast as can be: whole logs come through here."""
        decode, again, whole = self._decode, self._again, self._whole
        try:
            return [
                decode[name][1](public)
                if rest is None
                else again(name, public, rest, reader)
                if len(rest) <= SHORT
                else whole(name, public, rest, reader)
                for name, public, rest in briefs
            ]
        except (KeyError, msgspec.DecodeError):
            # older events among them, or one that can't be read: one by one, which says which
            return [whole(name, public, rest, reader) for name, public, rest in briefs]

    def _whole(self, name: str, public: bytes, rest: bytes | str | None, reader: int | None) -> Any:
        """The typed event of a brief. What a seat is told of a short secret is the same each time, and remembered."""
        schema, secret = 1, rest or EMPTY
        if isinstance(secret, str):
            number, _, text = secret.partition(" ")
            schema, secret = int(number), text.encode()
        return self.read(name, schema, told(public, secret, reader))

    def is_current(self, name: str, schema: int) -> bool:
        """Whether events of that type and schema have a class, so that none is brought up to date."""
        return schema in self._decode.get(name, {})

    def read(self, name: str, schema: int, told: bytes) -> Any:
        """The typed event of bytes into which whatever its reader may know has been told."""
        try:
            decode = self._decode[name][schema]
        except KeyError:
            return self._upcast(name, schema, told)
        try:
            return decode(told)
        except msgspec.DecodeError as error:
            raise Unreadable(f"{name}: {error}") from error

    def _upcast(self, name: str, schema: int, told: bytes) -> Any:
        fields = msgspec.json.decode(told)
        while (schema not in self._decode.get(name, {})) and (upcaster := self._upcasters.get((name, schema))):
            name, schema, fields = upcaster(fields)
        if schema not in self._decode.get(name, {}):
            raise UnknownEvent(f"no class and no upcaster for {name}, schema {schema}")
        try:
            return msgspec.convert(fields, self._kinds[name], strict=True)
        except msgspec.ValidationError as error:
            raise Unreadable(f"{name}: {error}") from error


_secrets = msgspec.json.Decoder(dict[str, Secret])


SHORT = 160
"""Bytes of a secret column up to which telling is remembered: a card drawn by a seat is told the same each time."""


def told(public: bytes, secret: bytes, reader: int | None = None) -> bytes:
    """The event's bytes with what a seat may read of the secret column told; None may read everything."""
    if secret == EMPTY:
        return public
    return _told_again(public, secret, reader) if len(secret) <= SHORT else _told(public, secret, reader)


def _told(public: bytes, secret: bytes, reader: int | None) -> bytes:
    secrets = _secrets.decode(secret)
    if array := _array_of(tuple(secrets)):
        name, unknown = array
        # an export need not bring all elements
        if unknown in public:
            values = [
                hidden.value if reader is None or reader in hidden.readers else b"null" for hidden in secrets.values()
            ]
            return b"%b,%b[%b]}" % (public[:-1], name, b",".join(values))
    if reader is not None:
        secrets = readable(secrets, reader)
    return tell(public, secrets)


@lru_cache(maxsize=256)
def _array_of(paths: tuple[str, ...]) -> tuple[bytes, bytes] | None:
    """If these are the elements of one tuple, all of them hidden: its key, and how it stands in the public part."""
    name, _, _ = paths[0].partition(".")
    if paths != tuple(f"{name}.{i}" for i in range(len(paths))):
        return None
    key = b'"%b":' % name.encode()
    return key, b"%b[%b]" % (key, b",".join([b"null"] * len(paths)))


_told_again = lru_cache(maxsize=4096)(_told)


def tell(public: bytes, secrets: Mapping[str, Secret | Opening]) -> bytes:
    """The event's bytes with these secrets told. Not canonical: only for decoding."""
    told = public[:-1]
    for path, hidden in secrets.items():
        if "." in path:
            return _tell_inside(public, secrets)
        told += b',"%b":%b' % (path.encode(), hidden.value)
    return told + b"}"


def _tell_inside(public: bytes, secrets: Mapping[str, Secret | Opening]) -> bytes:
    """The event's bytes with secrets told that lie inside of a field: `move.card`, `answers.1`."""
    fields = msgspec.json.decode(public)
    for path, hidden in secrets.items():
        *outer, last = path.split(".")
        inside = fields
        for key in outer:
            inside = inside[key]
        inside[int(last) if isinstance(inside, list) else last] = hidden.value
    return msgspec.json.encode(fields)
