"""The headers of a request, read strictly: what two readers could take for different requests is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO

LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*\r?\n")
NUMBER = re.compile(r"[0-9]{1,18}")
APART = {"CONTENT_TYPE", "CONTENT_LENGTH"}


class Headers:
    """By their names in lower case; those that came more than once are joined by commas."""

    status = ""
    """Nothing is wrong with them: what is wrong was raised."""

    def __init__(self, values: dict[str, str]) -> None:
        self._values = values

    @classmethod
    def read(cls, source: BytesIO) -> Headers:
        """All up to the empty line. Raises ValueError."""
        values: dict[str, str] = {}
        while (line := source.readline()) not in {b"\r\n", b"\n", b""}:
            found = LINE.fullmatch(line.decode("latin-1"))
            if found is None:
                raise ValueError("a line that is no header")
            name, value = found[1].lower(), found[2]
            if name not in values:
                values[name] = value
            elif name != "content-length":
                values[name] += f"; {value}" if name == "cookie" else f",{value}"
            elif values[name] != value:
                raise ValueError("two lengths")
        if not NUMBER.fullmatch(values.get("content-length", "0")):
            raise ValueError("a length that is no number")
        if values.get("transfer-encoding", "chunked").lower() != "chunked":
            raise ValueError("an encoding that is not known")
        return cls(values)

    def get(self, name: str, default: str | None = None) -> str | None:
        """The value of a header."""
        return self._values.get(name.lower(), default)

    getheader = get

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    @property
    def typeheader(self) -> str | None:
        """Of the body."""
        return self._values.get("content-type")

    def for_environ(self) -> Iterator[tuple[str, str]]:
        """As WSGI names them. Those with an underscore would pass for others, and are passed over."""
        for name, value in self._values.items():
            if "_" not in name and (key := name.replace("-", "_").upper()) not in APART:
                yield f"HTTP_{key}", value
