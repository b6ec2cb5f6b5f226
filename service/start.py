"""Starts the command that `./foldtable` was given. Ctrl-C ends it in silence also while its modules are still loading.

This is run as a file, since to import its package would load the first of them.
"""

import os
import runpy
import sys

MODULES = {"bots": "service.run.bots"}
"""The modules of commands that do not bear their names."""

if __name__ == "__main__":
    command, *sys.argv[1:] = sys.argv[1:]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:  # it was closed: else a file or a socket would get its number
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))
    try:
        runpy.run_module(MODULES.get(command, command), run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        sys.exit(130)
