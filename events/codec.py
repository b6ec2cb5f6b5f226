"""Translates between typed events and their stored bytes. It is given the classes, and knows no game.

`public` is exactly what a reader without a seat gets: every hidden field is null, or a list of as many nulls as its
tuple is long. So redacted bytes can be decoded as they are. A hidden top-level field is shown by adding its bytes at
the end of the object, since of two equal keys the last one counts: one pass, no dicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from events import chain
from events.chain import EMPTY, Draft, Opening, Secret, Shown, read_secrets, readable
from events.store import Brief, Fact, briefs_of

Upcaster = Callable[[dict[str, Any]], tuple[str, int, dict[str, Any]]]
"""Takes an older event's fields (unknown ones are None); returns type, schema and fields of its successor."""

Split = Callable[[Any], Iterable[tuple[str, tuple[int, ...], Any]]]
"""Takes an event; returns path, readers and value of each of its secrets."""

Conceal = Callable[[Any], Any]
"""Takes an event; returns it as a reader without a seat gets it."""


_DOUBTFUL = re.compile(rb"\d{16}|\d[.eE]")
"""Matches bytes that may hold a float or too large an integer. A text may match too; then `canonical` accepts it."""


class UnknownEvent(ValueError):
    """An event whose type and schema have neither a class nor an upcaster in this code."""


class Unreadable(ValueError):
    """An event whose stored fields do not fit its class."""


class Codec:
    """The codec of one game's events and of the events of the match around it."""

    def __init__(
        self,
        classes: Mapping[str, tuple[type[Any], Any]],
        *,
        split: Split,
        conceal: Conceal,
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        """Make a codec. `classes`: stored type name -> (class, type to decode to; for generic classes they differ)."""
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
        """Return the event's canonical bytes: see `encode_all`."""
        return self.encode_all([(event, actor, move)])[0]

    def encode_all(self, entries: Iterable[tuple[Any, str, int]]) -> tuple[Draft, ...]:
        """Return the canonical bytes of events, the public and the secret part apart.

        Shape:   each entry has the event, its actor, and the number of its move.
        Raises:  chain.NotCanonical for a value that nobody could verify later.
        """
        parted, drafts = [(*self._parted(event), actor, move) for event, actor, move in entries], []
        for (name, schema), shown, hidden, actor, move in parted:
            public, secret = chain.encode_canonical(shown), chain.encode_canonical(hidden) if hidden else EMPTY
            for part in (public, secret):
                if _DOUBTFUL.search(part):
                    chain.decode_canonical(part)
            drafts.append(Draft(type=name, schema=schema, public=public, secret=secret, actor=actor, move=move))
        return tuple(drafts)

    def _parted(self, event: Any) -> tuple[tuple[str, int], Any, dict[str, Any]]:
        """Return the event's name and schema, the event as everybody gets it, and what that leaves out."""
        hidden = {path: {"readers": readers, "value": value} for path, readers, value in self._split(event)}
        return self._names[type(event)], self._conceal(event) if hidden else event, hidden

    def decode(self, name: str, schema: int, public: bytes, secret: bytes = EMPTY) -> Any:
        """Return the typed event; `secret` is the stored column, or `{}` for the event as everybody gets it."""
        return self.read(name, schema, told(public, secret))

    def decode_all(self, facts: Iterable[Fact], reader: int | None = None) -> list[Any]:
        """Return the typed events as the seat `reader` gets them; for None with all secrets."""
        return self.decode_briefs(briefs_of(facts), reader)

    def decode_briefs(self, briefs: list[Brief], reader: int | None = None) -> list[Any]:
        """Do what `decode_all` does, as fast as possible: whole logs are read this way."""
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
            # an older event, or one that can't be read: decode one by one, to name the one that fails
            return [whole(name, public, rest, reader) for name, public, rest in briefs]

    def _whole(self, name: str, public: bytes, rest: bytes | str | None, reader: int | None) -> Any:
        """Return the typed event of a brief. `_again` remembers the results for short secrets, which repeat."""
        schema, secret = 1, rest or EMPTY
        if isinstance(secret, str):
            number, _, text = secret.partition(" ")
            schema, secret = int(number), text.encode()
        return self.read(name, schema, told(public, secret, reader))

    def is_current(self, name: str, schema: int) -> bool:
        """Return whether events of that type and schema have a class, so that they need no upcaster."""
        return schema in self._decode.get(name, {})

    def read(self, name: str, schema: int, told: bytes) -> Any:
        """Return the typed event of bytes that already contain what their reader may know. Raises Unreadable."""
        try:
            decode = self._decode[name][schema]
        except KeyError:
            return self._upcast(name, schema, told)
        try:
            return decode(told)
        except msgspec.DecodeError as error:
            raise Unreadable(f"{name}: {error}") from error

    def read_all(self, events: Iterable[Shown]) -> list[Any]:
        """Return the typed events as their reader was shown them."""
        read = []
        for event in events:
            told = tell(bytes(event.public), event.secret) if event.secret else bytes(event.public)
            read.append(self.read(event.type, event.schema, told))
        return read

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


SHORT = 160
"""The most bytes of a secret column that is remembered with its result: the same short ones come often."""


def told(public: bytes, secret: bytes, reader: int | None = None) -> bytes:
    """Return the event's bytes with those secrets filled in that the seat may read; None may read all."""
    if secret == EMPTY:
        return public
    return _told_again(public, secret, reader) if len(secret) <= SHORT else _told(public, secret, reader)


def _told(public: bytes, secret: bytes, reader: int | None) -> bytes:
    secrets = read_secrets(secret)
    if array := _array_of(tuple(secrets)):
        name, unknown = array
        # an export may leave out some elements
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
    """Return key and public bytes of a tuple, if these are its elements' paths and all are hidden; else None."""
    name, _, _ = paths[0].partition(".")
    if paths != tuple(f"{name}.{i}" for i in range(len(paths))):
        return None
    key = b'"%b":' % name.encode()
    return key, b"%b[%b]" % (key, b",".join([b"null"] * len(paths)))


_told_again = lru_cache(maxsize=4096)(_told)


def tell(public: bytes, secrets: Mapping[str, Secret | Opening]) -> bytes:
    """Return the event's bytes with these secrets filled in. They are not canonical: only for decoding."""
    body = public[:-1]
    for path, hidden in secrets.items():
        if "." in path:
            return _tell_inside(public, secrets)
        body += b',"%b":%b' % (path.encode(), hidden.value)
    return body + b"}"


def _tell_inside(public: bytes, secrets: Mapping[str, Secret | Opening]) -> bytes:
    """Do what `tell` does where some secrets lie inside a field: `move.card`, `answers.1`."""
    fields = msgspec.json.decode(public)
    for path, hidden in secrets.items():
        *outer, last = path.split(".")
        inside = fields
        for key in outer:
            inside = inside[key]
        inside[int(last) if isinstance(inside, list) else last] = hidden.value
    return msgspec.json.encode(fields)
