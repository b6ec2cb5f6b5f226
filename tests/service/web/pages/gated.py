"""The service as a process, whose pictures are drawn when a file is there that says so; each is counted.

python -m tests.service.web.pages.gated serve <folder> <port>
"""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event

from service.greenlets import patch

COUNTED, OPEN = "drawn", "open"
"""In the folder: a line for each picture that was begun, and what opens the gate."""


def draw(folder: Path) -> None:
    """As `replays.table.picture.PROGRAM`, behind the gate."""
    from replays.table.picture import DRAW

    with (folder / COUNTED).open("a") as file:
        file.write("one\n")
    while not (folder / OPEN).exists():
        Event().wait(0.01)
    exec(DRAW)


def serve(folder: Path, port: int) -> None:
    """One web process."""
    from contextlib import closing

    from replays.table import picture
    from service.config import Config
    from service.web.server import run
    from service.web.sockets import listen
    from tests.service.house import build

    picture.PROGRAM = (sys.executable, "-m", "tests.service.web.pages.gated", str(folder))
    config = Config(data=folder / "data", port=port, bot_pause=0.0)
    with listen(config) as listener, closing(build(config)) as service:
        run(service, listener)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        patch()
        serve(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        draw(Path(sys.argv[1]))
