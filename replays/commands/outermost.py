"""What stands around all commands of a command line: whoever reads what they print may stop, and a disk may be full."""

from __future__ import annotations

import errno
import os
import select
import sys
from typing import Any

import click

STDOUT = 1
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EIO}
"""What becomes of what is printed into a file that takes no more."""


class Failed(click.ClickException):
    """A file can't be read or written: one line, exit code 2."""

    exit_code = 2


class Commands(click.Group):
    """A group of commands whose output may be cut off."""

    def invoke(self, ctx: click.Context) -> Any:
        """See `click.Group`; what is wrong with a file is told in one line. Raises Failed."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # whoever reads has seen enough; nothing is left to be flushed into the pipe
            if _is_left():
                os._exit(0)
            raise
        except OSError as error:
            if error.filename is not None:
                raise Failed(f"{os.fsdecode(error.filename)}: {error.strerror}") from error
            if error.errno not in FULL:
                raise
            _let_go()
            raise Failed(f"what is told can't be written: {error.strerror}") from error


def _is_left() -> bool:
    """Whether nobody reads any more what is printed: the pipe that broke may be another one."""
    poll = select.poll()
    poll.register(STDOUT, 0)
    return any(found & select.POLLERR for _, found in poll.poll(0))


def _let_go() -> None:
    """What could not be printed is not tried again as the process ends."""
    if sys.stdout is sys.__stdout__:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, STDOUT)
        os.close(nothing)
