"""Between typed events and their stored bytes. The codec is told the classes; it knows no game.

`public` is exactly what somebody without a seat is told: every hidden field is there as null, or as many nulls as its
tuple is long. So redacted bytes decode as they are, and a hidden top-level field is told by splicing its bytes in at
the end of the object, where the last of two equal keys wins: one pass, no dicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from events import canonical
from events.envelope import Draft, Opening, Secret

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
            public, secret = canonical.encode(event), b"{}"
        for part in (public, secret):
            if not part.isascii() or _DOUBTFUL.search(part):
                canonical.decode(part)
        return Draft(type=name, schema=schema, public=public, secret=secret, actor=actor, move=move)

    def decode(self, name: str, schema: int, public: bytes, secret: bytes = b"{}") -> Any:
        """The typed event; `secret` is the stored column, or `{}` for the event as everybody is told it."""
        if len(secret) > 2:
            public = tell(public, _secrets.decode(secret))
        # what `read` does, without calling it: whole logs come through here
        try:
            return self._decode[name][schema](public)
        except (KeyError, msgspec.DecodeError):
            return self.read(name, schema, public)

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


def tell(public: bytes, secrets: Mapping[str, Secret | Opening]) -> bytes:
    """The event's bytes with these secrets told. Not canonical: only for decoding."""
    told = public[:-1]
    for path, hidden in secrets.items():
        if "." in path:
            return _tell_inside(public, secrets)
        told += b',"%b":%b' % (path.encode(), hidden.value)
    return told + b"}"


def _tell_inside(public: bytes, secrets: Mapping[str, Secret | Opening]) -> bytes:
    """The same for secrets inside of a field: `move.card`, `answers.1`."""
    fields = msgspec.json.decode(public)
    for path, hidden in secrets.items():
        *outer, last = path.split(".")
        inside = fields
        for key in outer:
            inside = inside[key]
        inside[int(last) if isinstance(inside, list) else last] = hidden.value
    return msgspec.json.encode(fields)
