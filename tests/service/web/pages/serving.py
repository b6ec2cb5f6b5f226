"""The service with the toy room beside the house's own, as a process.

python -m tests.service.web.pages.serving <folder> <port>
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from service.greenlets import patch

if __name__ == "__main__":
    patch()
    from service.config import Config
    from service.web.server import run
    from service.web.sockets import listen
    from tests.service.house import build

    config = Config(data=Path(sys.argv[1]), port=int(sys.argv[2]), bot_pause=0.0)
    with listen(config) as listener, closing(build(config)) as service:
        run(service, listener)
