"""`python -m service`: the processes of the service."""

from __future__ import annotations

import os
import re
import signal
import sys
from math import isnan
from pathlib import Path
from threading import Event
from typing import Any

import click
from environs import EnvError

from replays.commands.outermost import Commands
from service import config
from service.config import OTHERS, Config
from service.telemetry import exposed, logs

LEAD = click.FloatRange(5, 86_400)
"""Seconds, as a new key is announced ahead of its first receipt."""


class Wrong(click.ClickException):
    """What was asked for can't be done: one line, exit code 2."""

    exit_code = 2


class Refused(click.ClickException):
    """The service can't run: one line, "" when it has been told."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code if 0 < code < 256 else 1


def _host(command: Any) -> Any:
    ports = click.IntRange(0, 65535)
    command = click.option("--port", type=ports, default=None, help="Where to listen; 8000.")(command)
    return click.option("--host", default=None, help="Where to listen; 127.0.0.1.")(command)


def _data(command: Any) -> Any:
    return _folder(
        click.option("--redis", default=None, help="URL of a Redis; `up` starts one when none is named.")(command)
    )


def _folder(command: Any) -> Any:
    folder = click.Path(path_type=Path, file_okay=True)
    return click.option("--data", type=folder, default=None, help="The folder of the store; ./data.")(command)


def _finite(context: click.Context, option: click.Parameter, said: float) -> float:
    """The number. Raises BadParameter for what is none, which lies in every range."""
    if isnan(said):
        raise click.BadParameter("nan is no number.", context, option)
    return said


def _read(**said: Any) -> Config:
    try:
        return config.read(**said)
    except EnvError as error:
        raise Wrong(" ".join(str(error).split())) from error


@click.group(cls=Commands)
@click.pass_context
def cli(context: click.Context) -> None:
    """The service's processes. What an option says can be said by FOLDTABLE_HOST, _PORT, _DATA, _REDIS too."""
    level = os.environ.get("FOLDTABLE_LOG", "info")
    if level not in logs.LEVELS:
        raise Wrong(f"FOLDTABLE_LOG is one of {', '.join(logs.LEVELS)}, not {level!r}")
    logs.configure(context.invoked_subcommand or "service", level)


@cli.command()
@_host
@_data
def up(**said: Any) -> None:
    """Start everything: embedded Redis, web, sweep, worker. Port 0 is any free port."""
    from service.run.up import CannotStart, Supervisor

    settings = _check_redis(_read(**said))
    try:
        Supervisor(settings).run(click.echo)
    except CannotStart as error:
        raise Refused(str(error), error.code) from error
    except OSError as error:
        raise Refused(str(error), 1) from error


@cli.command()
@_host
@_data
@click.option(
    "--fd",
    type=click.IntRange(0, 2**31 - 1),
    default=None,
    help="Serve on this open socket, which whoever starts us listens on.",
)
def web(fd: int | None, **said: Any) -> None:
    """The web server. Any number of them may serve on one socket."""
    from service.greenlets import patch

    patch()
    from service.web.server import serve

    serve(_check_redis(_read(**said)), fd)


@cli.command()
@_host
@_data
@click.option("--url", envvar="FOLDTABLE_URL", default=None, help="The web process's; by default from host and port.")
def worker(url: str | None, **said: Any) -> None:
    """Plays the bots' turns, through the web process's door."""
    from service.bots import job, work

    settings = _redis_of(_read(**said))
    if url and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", url):
        raise Wrong("what names the web process is no URL of one: say http://HOST:PORT by --url or FOLDTABLE_URL")
    try:
        with exposed("worker", settings.metrics):
            work(settings, url or job.url_of(settings), Event())
    except ValueError as error:
        raise Wrong(str(error)) from error


@cli.command()
@_host
@_data
def mail(**said: Any) -> None:
    """Sends mails, and takes replies in. Any number may run."""
    from service.run import mail as mailing
    from service.run.deliver import LoopEnded

    settings = _check_redis(_read(**said))
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with exposed("mail", settings.metrics):
            mailing.mail(settings, stop)
    except mailing.CannotMail as error:
        raise Refused(str(error), 1) from error
    except LoopEnded as error:
        raise Refused(str(error), 1) from error


@cli.command()
@_data
@click.option("--status", "is_asked", is_flag=True, help="Say how far followers are behind, and what is set aside.")
@click.option(
    "--retry", is_flag=False, flag_value="", metavar="[MATCH]", help="Try again what is set aside, or a match."
)
def follow(is_asked: bool, retry: str | None, **said: Any) -> None:
    """Follows the log: has the bots' turns enqueued, and counts finished matches. Any number may run."""
    from service.run import follow as following

    config = _read(**said)
    if is_asked or retry is not None:
        _tell_followers(config, is_asked, retry)
        return
    stop = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    settings = _redis_of(config)
    try:
        with exposed("follow", settings.metrics):
            following.follow(settings, stop)
    except ValueError as error:
        raise Wrong(str(error)) from error
    except following.FollowerEnded as error:
        raise Refused("", 1) from error


@cli.command()
@_data
def deliver(**said: Any) -> None:
    """Delivers to webhooks. Any number may run."""
    from events.store import StoreError
    from service.run import deliver as delivering

    settings, stop = _read(**said), Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with exposed("deliver", settings.metrics):
            delivering.deliver(settings, stop)
    except (StoreError, delivering.LoopEnded) as error:
        raise Refused(str(error), 1) from error


def _tell_followers(config: Config, is_asked: bool, retry: str | None) -> None:
    """What is asked of followers that run elsewhere."""
    from events.store import StoreError
    from service.run import follow

    try:
        if retry is not None:
            found = follow.try_again(config, retry or None)
            if retry and not found:
                raise Wrong(f"{retry} is not set aside")
            click.echo(f"{found} to be tried again by whoever follows; --status tells what came of it")
        if is_asked:
            follow.tell(config, click.echo)
    except StoreError as error:
        raise Refused(str(error), 1) from error


def _redis_of(settings: Config) -> Config:
    if not settings.redis:
        raise Wrong("name a Redis by --redis or FOLDTABLE_REDIS; `up` starts one of its own")
    return _check_redis(settings)


def _check_redis(settings: Config) -> Config:
    """The settings. Raises Wrong when what names the Redis is no URL of one; it may hold a password."""
    # not before gevent has patched what it imports
    from redis.connection import parse_url

    try:
        if settings.redis:
            parse_url(settings.redis)
    except ValueError as error:
        raise Wrong("what names the Redis is no URL of one: say redis://HOST:PORT/0, rediss:// or unix://") from error
    return settings


@cli.command("rotate-key")
@_folder
@click.option("--lost", "is_lost", is_flag=True, help="The file of keys is lost: begin anew, signed by nobody before.")
@click.option("--keys", type=click.Path(path_type=Path), default=None, help="With --lost: what was published of them.")
@click.option(
    "--lead", type=LEAD, default=5, callback=_finite, help="Seconds until the old key signs no more; 5, a day at most."
)
def rotate_key(is_lost: bool, keys: Path | None, lead: float, **said: Any) -> None:
    """Make a new key to sign receipts, signed by the one before it, and print its name. The service may run on."""
    from datetime import timedelta

    from events.store import StoreUnusable
    from service.run.rotate import begin_anew, rotate

    if keys and not is_lost:
        raise Wrong("--keys tells what was published of keys that are lost: say --lost too")
    try:
        config = _read(**said)
        click.echo((begin_anew(config, keys) if is_lost else rotate(config, lead=timedelta(seconds=lead))).key)
    except StoreUnusable as error:
        raise Refused(str(error), 1) from error


@cli.command()
@_folder
def copy(**said: Any) -> None:
    """Copy the data folder's store into the one on PostgreSQL that FOLDTABLE_STORE names. Begun again, it goes on."""
    from events.store import StoreError
    from service.run.copy import copy as take_over

    try:
        take_over(_read(**said), click.echo)
    except StoreError as error:
        raise Refused(str(error), 1) from error


@cli.command()
@click.argument("to", type=click.Path(path_type=Path))
@_folder
def backup(to: Path, **said: Any) -> None:
    """Copy everything that a service needs into a new folder TO, also while it runs: a backup holds every secret."""
    from events.store import StoreUnusable
    from service.run.backup import BackupError, back_up

    try:
        made = back_up(_read(**said), to)
    except (BackupError, StoreUnusable) as error:
        raise Refused(str(error), 1) from error
    click.echo(
        f"{to}: {made.matches} matches, {made.events} events, as they were at {made.made}; it holds every secret"
    )


@cli.command()
@click.argument("source", metavar="FROM", type=click.Path(path_type=Path))
@_folder
@click.option("--unaudited", "is_trusted", is_flag=True, help="Take it even if chains don't hold.")
def restore(source: Path, is_trusted: bool, **said: Any) -> None:
    """Put a backup in the place of what lies in the folder, which is kept aside. No service may run on it."""
    from events.store import StoreUnusable
    from service.run.backup import BackupError
    from service.run.restore import restore as put_back

    try:
        done = put_back(source, _read(**said), is_trusted=is_trusted)
    except (BackupError, StoreUnusable) as error:
        raise Refused(str(error), 1) from error
    for fault in done.faults:
        click.echo(f"does not hold: {fault}", err=True)
    found = done.manifest
    click.echo(f"{found.matches} matches, {found.events} events, as they were at {found.made}")
    if done.before:
        click.echo(f"what was there before lies in {done.before}")


@cli.command()
@_data
@click.option("--all", "is_all", is_flag=True, help="Check the chains of all matches, not of some.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def doctor(context: click.Context, data: Path | None, redis: str | None, is_all: bool, as_json: bool) -> None:
    """Say what is wrong, and what to do. It changes nothing, and tells no secret.

    Exit code 0: nothing is wrong. 1: something is. 2: it was asked wrongly.
    """
    from replays.printing import say, say_json
    from service.run.doctor import examine, words

    examined = examine(data, redis, is_all=is_all)
    if as_json:
        say_json(examined)
    else:
        say(words(examined))
    context.exit(0 if examined.ok else 1)


@cli.command()
@click.option("--check", is_flag=True, help="Compare it with openapi.yaml; exit code 1 when that is stale.")
@click.option("--game", metavar="SLUG", help="With the shapes of this game.")
def openapi(check: bool, game: str | None) -> None:
    """Print the OpenAPI document."""
    from domain.catalogue import Catalogue
    from service.run.openapi import check as compare
    from service.run.openapi import render

    if game is not None and game not in (games := Catalogue().rooms):
        raise Wrong(f"there is no game {game!r}: {', '.join(games)}")
    if check:
        compare()
    else:
        click.echo(render(*([game] if game else [])), nl=False)


def main() -> None:
    """Run the command; what goes wrong is told in one line, and what is made is for this user alone."""
    os.umask(OTHERS)
    try:
        code = cli(prog_name="./foldtable service", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        # nothing was asked for: what there is
        click.echo(error.format_message(), err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        if message := error.format_message():
            click.echo(f"error: {message}", err=True)
        sys.exit(error.code if isinstance(error, Refused) else error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    sys.exit(code)


if __name__ == "__main__":
    main()
