"""The group of the commands of `python -m replays`: whoever reads their output may stop, and a disk may be full."""

from __future__ import annotations

import errno
import os
import select
import sys
from io import TextIOWrapper
from math import isnan
from typing import Any, NoReturn

import click

from events.store import StoreError

STDOUT = 1
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EIO}
"""The errors of a file that takes no more output."""


class Wrong(click.ClickException):
    """The request can't be carried out: one line, exit code 2."""

    exit_code = 2


def finite(context: click.Context, option: click.Parameter, number: float) -> float:
    """Return the number. Raises BadParameter for nan, which click allows in every range."""
    if isnan(number):
        raise click.BadParameter("nan is no number.", context, option)
    return number


def counted(matches: int, events: int) -> str:
    """Return how many matches and events there are, in words."""
    return f"{matches} {'match' if matches == 1 else 'matches'}, {events} {'event' if events == 1 else 'events'}"


_CODE = "foldtable.code"
"""The name of the exit code among what the contexts of a command share."""


def conclude(context: click.Context, code: int) -> None:
    """Note the code with which the command will end, before it prints: it is the same for a reader who leaves."""
    context.meta[_CODE] = code


class Commands(click.Group):
    """A group of commands whose output may be cut off."""

    def invoke(self, ctx: click.Context) -> Any:
        """See `click.Group`. An error of a file or a store becomes one line: raises ClickException."""
        for stream in (sys.stdout, sys.stderr):
            # a terminal without Japanese letters shows "?" in their place
            if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # the reader closed the pipe: don't flush what is left
            if _is_left():
                os._exit(ctx.meta.get(_CODE, 0))
            raise
        except StoreError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            if error.filename is not None:
                raise Wrong(f"{os.fsdecode(error.filename)}: {error.strerror}") from error
            if error.errno not in FULL:
                raise
            _let_go()
            raise Wrong(f"the output can't be written: {error.strerror}") from error


def run(group: click.Group, name: str) -> NoReturn:
    """Run the command that was typed. An error is printed as one line."""
    try:
        code = group(prog_name=f"./foldtable {name}", standalone_mode=False)
    except click.ClickException as error:
        # imported late, since the processes of the service need little else of it
        from replays.printing import plain

        # where nothing was asked for the message is what there is
        is_help, message = isinstance(error, click.exceptions.NoArgsIsHelpError), error.format_message()
        click.echo(message if is_help else f"error: {plain(message)}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(code)


def _is_left() -> bool:
    """Return whether nobody reads the output any more; the pipe that broke may be another one."""
    poll = select.poll()
    poll.register(STDOUT, 0)
    return any(ready & select.POLLERR for _, ready in poll.poll(0))


def _let_go() -> None:
    """Discard the output that could not be written, so that the process doesn't try again as it ends."""
    if sys.stdout is sys.__stdout__:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, STDOUT)
        os.close(nothing)
