"""`python -m service`: the processes of the service."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import structlog
from environs import EnvError

from replays.commands import Commands, Wrong, conclude, counted, finite, run
from service import config
from service.config import OTHERS, Config
from service.telemetry import exposed, logs


def _stopping() -> threading.Event:
    """Return an event that the signals to end the process set."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _named(context: click.Context, option: click.Parameter, folder: str | None) -> Path | None:
    # an empty text names no folder, as in the environment: Path("") would be the current one
    return Path(folder) if folder else None


_folder = click.option("--data", metavar="PATH", callback=_named, help="The folder of the store; ./data.")
_redis = click.option("--redis", help="The URL of a Redis; without it `up` starts one.")
_port = click.option("--port", type=click.IntRange(0, 65535), help="The port of the web server; 8000.")
_interface = click.option("--host", help="The address of the web server; 127.0.0.1.")


def _host(command: Any) -> Any:
    return _interface(_port(command))


def _data(command: Any) -> Any:
    return _folder(_redis(command))


def _read(**options: Any) -> Config:
    try:
        return config.read(**options)
    except EnvError as error:
        raise Wrong(" ".join(str(error).split())) from error


def _with_redis(settings: Config, *, is_needed: bool = False) -> Config:
    """Return the settings. Raises Wrong for a wrong URL of Redis, without repeating it: it may have a password."""
    # imported only here, since gevent must patch its modules first
    from redis import ConnectionPool

    if is_needed and not settings.redis:
        raise Wrong("set --redis or FOLDTABLE_REDIS to the URL of a Redis; only `up` starts one of its own")
    try:
        if settings.redis:
            if not config.REDIS_URL.fullmatch(settings.redis):
                raise ValueError
            # this reads what its query names, and asks nobody, for however long
            ConnectionPool.from_url(settings.redis, socket_timeout=1, socket_connect_timeout=1).make_connection()
    except (ValueError, TypeError) as error:
        message = "the URL of Redis is not valid: use redis://HOST:PORT/0, rediss:// or unix://"
        raise Wrong(f"{message}; write special characters of a password as %XX") from error
    return settings


logger = structlog.get_logger("service")


@click.group(cls=Commands)
@click.pass_context
def cli(context: click.Context) -> None:
    """The service's processes. FOLDTABLE_HOST, _PORT, _DATA and _REDIS count for options that are left out."""
    level = os.environ.get("FOLDTABLE_LOG", "info")
    if level not in logs.LEVELS:
        raise Wrong(f"FOLDTABLE_LOG is one of {', '.join(logs.LEVELS)}, not {level!r}")
    logs.configure(context.invoked_subcommand or "service", level)
    # the doctor finds them itself, and `up` has said it for its processes
    if context.invoked_subcommand != "doctor" and "FOLDTABLE_HEARTBEAT" not in os.environ:
        for name, do in config.unknown(os.environ):
            logger.warning("no setting has this name, so it has no effect", name=name, do=do)


@cli.command()
@_host
@_data
def up(**said: Any) -> None:
    """Start everything: an embedded Redis, and all processes of the service. Port 0 stands for any free port."""
    from service.run.up import Supervisor

    settings = _with_redis(_read(**said))
    try:
        Supervisor(settings).run(click.echo)
    except OSError as error:
        raise click.ClickException(str(error)) from error


@cli.command()
@_host
@_data
@click.option(
    "--fd", type=click.IntRange(0, 2**31 - 1), help="Serve on this open socket, on which the parent process listens."
)
def web(fd: int | None, **said: Any) -> None:
    """Run a web server. Any number of them may serve on one socket."""
    from service.greenlets import patch

    patch()
    from service.web.server import serve

    serve(_with_redis(_read(**said)), fd)


_url = click.option("--url", envvar="FOLDTABLE_URL", help="The URL of the web process; by default from host and port.")


@cli.command()
@_host
@_data
@_url
def worker(url: str | None, **said: Any) -> None:
    """Play the turns of bots that choose at once, and do what is due, by requests to the web process."""
    _work("worker", url, said)


@cli.command()
@_host
@_data
@_url
def think(url: str | None, **said: Any) -> None:
    """Play the turns of bots that search, by requests to the web process."""
    _work("think", url, said)


def _work(name: str, url: str | None, said: dict[str, Any]) -> None:
    from service.jobs import work

    settings = _with_redis(_read(**said), is_needed=True)
    try:
        config.parse_url(url or "")
    except ValueError as error:
        message = "the URL of the web process is not valid: set --url or FOLDTABLE_URL to http://HOST:PORT"
        raise Wrong(message) from error
    with exposed(name, settings.metrics):
        work(settings, url or settings.own_url, threading.Event(), thinks=name == "think")


@cli.command()
@_host
@_data
def mail(**said: Any) -> None:
    """Send mails, and receive replies. Any number of these processes may run."""
    from service.run.deliver import mail as send

    settings, stop = _with_redis(_read(**said)), _stopping()
    with exposed("mail", settings.metrics):
        send(settings, stop)


@cli.command()
@_data
@click.option("--status", "is_asked", is_flag=True, help="Print how far followers are behind, and what is set aside.")
@click.option(
    "--retry", is_flag=False, flag_value="", metavar="[MATCH]", help="Try a match again that is set aside, or all."
)
def follow(is_asked: bool, retry: str | None, **said: Any) -> None:
    """Follow the log: queue the bots' turns and what is due, count finished matches, and store notices.

    Any number of these processes may run.
    """
    from service.followers import status, try_again
    from service.run import follow as following
    from service.store import open_effects

    config = _read(**said)
    if is_asked or retry is not None:
        # followers run in other processes
        with closing(open_effects(config.store_url)) as store:
            if retry is not None:
                count = try_again(store, retry or None)
                if retry and not count:
                    raise Wrong(f"{retry} is not set aside")
                click.echo(f"{count} to be tried again by the followers; --status shows the result")
            if is_asked:
                click.echo("\n".join(status(store, tuple(following.HANDLERS))))
        return
    stop, settings = _stopping(), _with_redis(config, is_needed=True)
    with exposed("follow", settings.metrics):
        following.follow(settings, stop)


@cli.command()
@_data
def deliver(**said: Any) -> None:
    """Send notices to webhooks. Any number of these processes may run."""
    from service.run.deliver import deliver as send

    settings, stop = _read(**said), _stopping()
    with exposed("deliver", settings.metrics):
        send(settings, stop)


@cli.command("rotate-key")
@_folder
@click.option("--lost", "is_lost", is_flag=True, help="The key file is lost: begin with a key that no other signs.")
@click.option("--keys", type=click.Path(path_type=Path), help="With --lost: the published old keys.")
@click.option(
    "--lead",
    type=click.FloatRange(5, 86_400),
    default=5,
    callback=finite,
    help="Seconds until the new key signs; 5, at most a day.",
)
def rotate_key(is_lost: bool, keys: Path | None, lead: float, **said: Any) -> None:
    """Make a new key for receipts, signed by the present one, and print its name. The service may keep running."""
    from datetime import timedelta

    from service.run.rotate import begin_anew, rotate

    if keys and not is_lost:
        raise Wrong("--keys names the published part of lost keys: it needs --lost too")
    config = _read(**said)
    click.echo((begin_anew(config, keys) if is_lost else rotate(config, lead=timedelta(seconds=lead))).key)


@cli.command()
@_folder
def copy(**said: Any) -> None:
    """Copy the data folder's store to the PostgreSQL of FOLDTABLE_STORE. If interrupted, run it again to continue."""
    from service.run.copy import copy as take_over

    take_over(_read(**said), click.echo)


@cli.command()
@click.argument("to", type=click.Path(path_type=Path))
@_folder
def backup(to: Path, **said: Any) -> None:
    """Copy everything that a service needs into a new folder TO, also while it runs. A backup contains all secrets."""
    from service.run.backup import back_up

    made = back_up(_read(**said), to)
    click.echo(f"{to}: {counted(made.matches, made.events)}, as they were at {made.made}; it contains all secrets")
    if "keys" not in {file.path for file in made.files}:
        click.echo("warning: it has no keys: their file is not there. ./foldtable service doctor tells more", err=True)


@cli.command()
@click.argument("source", metavar="FROM", type=click.Path(path_type=Path))
@_folder
@click.option("--unaudited", "is_trusted", is_flag=True, help="Restore it even if hash chains are broken.")
def restore(source: Path, is_trusted: bool, **said: Any) -> None:
    """Replace the folder's content by a backup; the old content is kept. No service may run on the folder."""
    from service.run.restore import restore as put_back

    done = put_back(source, _read(**said), is_trusted=is_trusted)
    for fault in done.faults:
        click.echo(f"does not hold: {fault}", err=True)
    manifest = done.manifest
    click.echo(f"{counted(manifest.matches, manifest.events)}, as they were at {manifest.made}")
    if done.before:
        click.echo(f"the old content is in {done.before}")
    for lack in done.lacks:
        click.echo(f"warning: {lack}", err=True)


@cli.command()
@_data
@click.option("--all", "is_all", is_flag=True, help="Check the hash chains of all matches, not only of some.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def doctor(context: click.Context, data: Path | None, redis: str | None, is_all: bool, as_json: bool) -> None:
    """Print what is wrong, and what to do. This changes nothing, and prints no secrets.

    Exit code 0: nothing is wrong. 1: something is wrong. 2: the command can't be understood.
    """
    from replays.printing import say_either
    from service.run.doctor import examine, words

    examined = examine(data, redis, is_all=is_all)
    conclude(context, code := 0 if examined.ok else 1)
    say_either(examined, words(examined), as_json=as_json)
    context.exit(code)


@cli.command()
@click.option("--check", is_flag=True, help="Compare it with openapi.yaml; exit code 1 if that is out of date.")
@click.option("--game", metavar="SLUG", help="Include the schemas of this game.")
def openapi(check: bool, game: str | None) -> None:
    """Print the OpenAPI document."""
    from domain.catalogue import Catalogue
    from service.run.openapi import check as compare
    from service.run.openapi import render

    if game is not None and game not in (games := Catalogue().rooms):
        raise Wrong(f"there is no game {game!r}: choose one of {', '.join(games)}")
    if check:
        compare()
    else:
        # UTF-8, as its reader takes it, whatever else is printed as
        click.echo(render(*([game] if game else [])).encode(), nl=False)


def main() -> None:
    """Run the command. New files are only for this user."""
    os.umask(OTHERS)
    run(cli, "service")


if __name__ == "__main__":
    main()
