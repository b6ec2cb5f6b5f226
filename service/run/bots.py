"""The commands of bots as `./foldtable bots` runs them, which can save matches in a folder."""

from __future__ import annotations

import gc

from bots.__main__ import main
from service.run.saving import saving

if __name__ == "__main__":
    # matches make no reference cycles, and looking for them would take a twentieth of the time
    gc.set_threshold(100_000)
    main(saving)
