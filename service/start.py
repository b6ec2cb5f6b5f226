"""Starts the command that `./foldtable` was given. Ctrl-C ends it in silence also while its modules are still loading.

This is run as a file, since to import its package would load the first of them.
"""

from __future__ import annotations

import runpy
import sys

MODULES = {"bots": "service.run.bots"}
"""The modules of commands that do not bear their names."""

if __name__ == "__main__":
    command, *sys.argv[1:] = sys.argv[1:]
    try:
        runpy.run_module(MODULES.get(command, command), run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        sys.exit(130)
