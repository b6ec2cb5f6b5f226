"""What pages are made of beside their text: style sheets, modules, symbols. All of it is read once.

Addresses hold a digest of all of it, so that browsers keep a file for good, and never an old one beside a new one.
Files are sent packed to whoever can unpack them. Pages are not: beside what only their reader may know they repeat what
an address says, and how well the two pack together would tell whoever listens how alike they are.
"""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, abort, request

HERE = Path(__file__).parent / "static"
REPLAYS = Path(__file__).parents[3] / "replays"

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
"""What is served, by how names end."""

FOR_GOOD = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__, url_prefix="/assets")


@cache
def files() -> dict[str, bytes]:
    """By name: the pages' own, and in `table/` and `player/` those with which tables are drawn and
    matches replayed everywhere."""
    found = {}
    for folder, prefix in ((HERE, ""), (REPLAYS / "table", "table/"), (REPLAYS / "player", "player/")):
        for path in sorted(folder.rglob("*")):
            if path.suffix in KINDS and path.is_file():
                found[prefix + path.relative_to(folder).as_posix()] = path.read_bytes()
    found["verify.mjs"] = (REPLAYS / "verify.mjs").read_bytes()
    return found


@cache
def digest() -> str:
    """Of all of it."""
    whole = sha256()
    for name, data in files().items():
        whole.update(f"{name} {len(data)}\n".encode() + data)
    return whole.hexdigest()[:16]


def address(name: str) -> str:
    """Where a file is to be had. Raises KeyError for one that there is not."""
    if name not in files():
        raise KeyError(name)
    return f"/assets/{digest()}/{name}"


@cache
def packed(name: str) -> bytes | None:
    """The file as gzip has it at its best; None: that is no smaller."""
    data = files()[name]
    small = gzip.compress(data, 9, mtime=0)
    return small if len(small) < len(data) else None


def is_unpacked() -> bool:
    """Whether who asks unpacks gzip, and would not rather have the file as it is."""
    said = request.accept_encodings
    return said.quality("gzip") > 0 and said.quality("gzip") >= _as_it_is()


def _as_it_is() -> float:
    return max((quality for name, quality in request.accept_encodings if name == "identity"), default=0)


@blueprint.get("/<string:of>/<path:name>")
def file(of: str, name: str) -> Response:
    """The file, to be kept for good under the address of today."""
    data = files().get(name)
    if data is None:
        abort(404)
    small = packed(name) if is_unpacked() else None
    answer = Response(data if small is None else small, content_type=KINDS[Path(name).suffix])
    if small is not None:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = FOR_GOOD if of == digest() else "no-cache"
    return answer
