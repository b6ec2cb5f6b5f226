"""The commands of bots as `./foldtable bots` runs them: with a folder to save matches in."""

from __future__ import annotations

import gc

from bots.__main__ import main
from service.run.saving import saving

if __name__ == "__main__":
    # values refer to no cycle: a collector that looks for cycles in every match finds none, for a twentieth of the time
    gc.set_threshold(100_000)
    main(saving)
