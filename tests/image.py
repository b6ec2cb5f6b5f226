"""Make the image without a container engine, and run it: `make image-steps`.

    python -m tests.image                  in a bare Debian that debootstrap makes now (root, some minutes)
    python -m tests.image --debian FOLDER  in a copy of one that is there already

The steps are read from the Dockerfile and run one after the other with chroot, in an empty environment. Debian 12 with
its own Python 3.11 stands in for the images of Python: those, and the engine, are what is not tried. What came of it
then runs as compose.yaml says: the root read-only, by the user that the Dockerfile names, without capabilities, in a
network of its own, and is asked by the Dockerfile's health check.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic

import click

from tests import dockerfile
from tests.dockerfile import Stage, Step

ROOT = dockerfile.ROOT
PACKAGES = "ca-certificates,python3,python3-venv"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE = 60.0
"""Seconds until the health check must hold."""

KEPT_OUT = shutil.ignore_patterns("__pycache__")

RUN = """
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
ip link set lo up
exec chroot "$root" "$@"
"""


class Failed(click.ClickException):
    """A step did not do what it is to do."""


@click.command()
@click.option("--debian", type=click.Path(path_type=Path, exists=True), default=None, help="A root of debootstrap's.")
@click.option("--mirror", default="http://deb.debian.org/debian", show_default=True, help="Where Debian is taken from.")
def main(debian: Path | None, mirror: str) -> None:
    """Make the image in a bare Debian root and run it there."""
    if os.geteuid() != 0:
        raise Failed("only root can do that: it mounts and changes roots")
    with tempfile.TemporaryDirectory(prefix="foldtable-image-") as folder:
        bare = debian or bootstrapped(Path(folder) / "bare", mirror)
        made: dict[str, Path] = {}
        stages = dockerfile.stages(dockerfile.FILE.read_text(encoding="utf-8"))
        root = Path()
        for number, stage in enumerate(stages):
            tell(f"stage {stage.name or number}, on {bare} for {stage.image}")
            root = made[stage.name] = Path(folder) / f"stage-{number}"
            begin(bare, root)
            for step in stage.steps:
                take(step, stage, root, made)
        try_out(stages[-1], root, Path(folder) / "data")
    tell("all steps done, and what came of them runs")


def tell(what: str) -> None:
    click.echo(f"image: {what}")


def bootstrapped(root: Path, mirror: str) -> Path:
    """A bare Debian with Python."""
    if shutil.which("debootstrap") is None:
        raise Failed("debootstrap is needed: apt-get install debootstrap")
    tell("debootstrap")
    run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(root), mirror])
    return root


def begin(bare: Path, root: Path) -> None:
    """A root to make a stage in: with this machine's way to the network, and the name that Python has in its images."""
    run(["cp", "-a", "--reflink=auto", str(bare), str(root)])
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt", "etc/pip.conf"):
        if (Path("/") / name).is_file():
            (root / name).unlink(missing_ok=True)
            shutil.copy(Path("/") / name, root / name)
    (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")


def take(step: Step, stage: Stage, root: Path, made: dict[str, Path]) -> None:
    """One step of the Dockerfile. Raises Failed."""
    if step.word == "RUN":
        tell(f"RUN {step.said}")
        variables = [f"PATH={PATH}", "HOME=/root"]
        run(["chroot", str(root), "/usr/bin/env", "-i", *variables, "sh", "-euc", step.said])
    elif step.word == "COPY":
        tell(f"COPY {step.said}")
        source, target = step.said.split()
        origin = made[step.flags["from"]] / source.lstrip("/") if "from" in step.flags else ROOT / source
        aim = root / target.lstrip("/")
        aim.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, aim, symlinks=True, ignore=None if "from" in step.flags else KEPT_OUT)
        else:
            shutil.copy(origin, aim)
    elif step.word not in {"ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}:
        raise Failed(f"there is no step {step.word} here: {stage.image}")


def run(command: list[str]) -> None:
    """Run it. Raises Failed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{shlex.join(command)}: exit code {done.returncode}\n{done.stdout[-3000:]}")


def inside(stage: Stage, command: list[str]) -> list[str]:
    """The command as the image runs it: by its user, in its folder, with its variables and nothing else."""
    user, group = owner(stage)
    variables = [f"{name}={value}" for name, value in dockerfile.environment(stage).items()]
    as_user = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs"]
    capabilities = ["--inh-caps=-all", "--bounding-set=-all"]
    at = stage.last("WORKDIR").said
    return [*as_user, *capabilities, "/usr/bin/env", "-i", f"--chdir={at}", *variables, *command]


@contextmanager
def started(stage: Stage, root: Path, data: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The image's command in a network and a table of mounts of its own, and the id of its process."""
    script = f"root={shlex.quote(str(root))} data={shlex.quote(str(data))}\n{RUN}"
    apart = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-euc", script, "sh"]
    process = subprocess.Popen([*apart, *inside(stage, stage.last("CMD").listed)], cwd="/")
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        end = monotonic() + PATIENCE
        while not (found := children.read_text().split()) and monotonic() < end:
            Event().wait(0.05)
        yield process, int(found[0])
    finally:
        process.kill()
        process.wait()


def try_out(stage: Stage, root: Path, data: Path) -> None:
    """Run what was made, and see that it keeps what is promised of it. Raises Failed."""
    user, group = owner(stage)
    data.mkdir(mode=0o700)
    os.chown(data, user, group)
    with started(stage, root, data) as (process, pid):
        ask = ["nsenter", f"--target={pid}", "--mount", "--net", "--pid", f"--root=/proc/{pid}/root"]

        def does(*command: str) -> bool:
            done = subprocess.run([*ask, *inside(stage, list(command))], capture_output=True, check=False, cwd="/")
            return done.returncode == 0

        check = stage.last("HEALTHCHECK").listed
        end = monotonic() + PATIENCE
        while not (healthy := does(*check)) and monotonic() < end and process.poll() is None:
            Event().wait(0.2)
        held("its health check holds", healthy)
        held(f"it runs as user {user}", all(Path(f"/proc/{pid}").stat().st_uid == user for pid in of(pid)))
        held("its root can't be written", not does("touch", "/srv/foldtable/x") and not does("touch", "/x"))
        held("nor what it is made of", not does("touch", "/srv/foldtable/service/x.py"))
        held("it can write where it keeps its data", (data / "foldtable.db").is_file())
        for module in ("pytest", "hypothesis", "mypy", "ruff"):
            held(f"there is no {module}", not does("python", "-c", f"import {module}"))
        os.kill(pid, signal.SIGTERM)
        held("it ends when it is told to", process.wait(PATIENCE) == 0)


def owner(stage: Stage) -> tuple[int, int]:
    """User and group, by number."""
    user, _, group = stage.last("USER").said.partition(":")
    return int(user), int(group)


def of(pid: int) -> list[int]:
    """The process and those that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in of(int(child)))]


def held(what: str, is_so: bool) -> None:
    """Say that it holds. Raises Failed."""
    if not is_so:
        raise Failed(f"not so: {what}")
    tell(f"ok: {what}")


if __name__ == "__main__":
    sys.exit(main())
