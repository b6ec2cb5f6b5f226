"""The files of pages: style sheets, scripts and pictures. All of them are read once.

Their paths contain a digest of all files, so that browsers can keep a file for ever, and never use an old file with a
new one. Files are compressed for clients that accept it. Pages are not: they contain secrets beside text from the
request's URL, and the compressed length would show how similar the two are.
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
}
"""The content types of the files that are served, by suffix."""

FOR_GOOD = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__, url_prefix="/assets")


@cache
def files() -> dict[str, bytes]:
    """Return the files by name: the pages' own, and those of the table (`table/`) and the player (`player/`)."""
    contents = {}
    for folder, prefix in ((HERE, ""), (REPLAYS / "table", "table/"), (REPLAYS / "player", "player/")):
        for path in sorted(folder.rglob("*")):
            if path.suffix in KINDS and path.is_file():
                contents[prefix + path.relative_to(folder).as_posix()] = path.read_bytes()
    contents["verify.mjs"] = (REPLAYS / "verify.mjs").read_bytes()
    return contents


@cache
def digest() -> str:
    """Return a digest of all files."""
    whole = sha256()
    for name, data in files().items():
        whole.update(f"{name} {len(data)}\n".encode() + data)
    return whole.hexdigest()[:16]


@cache
def addresses() -> dict[str, str]:
    """Return the paths of the files by name."""
    return {name: f"/assets/{digest()}/{name}" for name in files()}


@cache
def packed(name: str) -> bytes | None:
    """Return the file compressed by gzip; None if that is not smaller."""
    data = files()[name]
    small = gzip.compress(data, 9, mtime=0)
    return small if len(small) < len(data) else None


def may_pack() -> bool:
    """Return whether the client accepts gzip, and does not prefer the uncompressed file."""
    encodings = request.accept_encodings
    identity = max((quality for name, quality in encodings if name == "identity"), default=0)
    return 0 < encodings.quality("gzip") >= identity


def answer(plain: bytes, small: bytes | None, kind: str, cache: str) -> Response:
    """Return an answer with the bytes of this content type, in their compressed form if there is one to be sent."""
    headers = {"Vary": "Accept-Encoding", "Cache-Control": cache}
    if small is None or not may_pack():
        return Response(plain, headers=headers, content_type=kind)
    return Response(small, headers={**headers, "Content-Encoding": "gzip"}, content_type=kind)


@blueprint.get("/<string:of>/<path:name>")
def file(of: str, name: str) -> Response:
    """Return a file; under the present digest, browsers may keep it for ever."""
    data = files().get(name)
    if data is None:
        abort(404)
    return answer(data, packed(name), KINDS[Path(name).suffix], FOR_GOOD if of == digest() else "no-cache")
