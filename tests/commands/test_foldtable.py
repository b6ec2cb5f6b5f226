"""`./foldtable`, from wherever it is typed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "events", "replays", "bots", "service")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The tree as a clone has it, in a folder with a space, without an environment."""
    folder = tmp_path / "my games"
    folder.mkdir()
    shutil.copy2(ROOT / "foldtable", folder)
    for name in PACKAGES:
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture
def built(house: Path) -> Path:
    """The same after `make setup`."""
    (house / ".venv").symlink_to(ROOT / ".venv")
    return house


def typed(command: str | Path, *args: str, at: Path, **more: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FOLDTABLE"))}
    return subprocess.run(
        [str(command), *args], cwd=at, env={**env, **more}, capture_output=True, text=True, check=False, timeout=60
    )


def test_it_runs_the_houses_commands_in_a_folder_with_a_space(built: Path) -> None:
    for command, says in (("service", "rotate-key"), ("replays", "audit"), ("bots", "play")):
        done = typed("./foldtable", command, "--help", at=built)
        assert (done.returncode, done.stderr) == (0, ""), command
        assert done.stdout.startswith(f"Usage: ./foldtable {command} ")
        assert says in done.stdout


@pytest.mark.parametrize("command", ["service", "replays", "bots"])
def test_ctrl_c_while_it_loads_ends_it_in_silence(built: Path, tmp_path: Path, command: str) -> None:
    # each of them loads click: here that presses Ctrl-C
    (tmp_path / "click.py").write_text("import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(60)")
    done = typed("./foldtable", command, "--help", at=built, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_nothing_gets_the_number_of_a_stream_that_was_closed(built: Path, tmp_path: Path) -> None:
    where = "print(*((os.readlink(f'/proc/self/fd/{at}'), os.get_inheritable(at)) for at in (0, 2)))"
    (tmp_path / "click.py").write_text(f"import os; {where}; raise SystemExit")
    done = typed("sh", "-c", "./foldtable service 0<&- 2>&-", at=built, PYTHONPATH=str(tmp_path))
    assert done.stdout == "('/dev/null', True) ('/dev/null', True)\n"


def test_from_another_folder_it_reads_the_files_of_that_one_and_imports_nothing_there(
    built: Path, tmp_path: Path
) -> None:
    here = tmp_path / "elsewhere"
    (here / "replays").mkdir(parents=True)
    (here / "replays" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    (here / "json.py").write_text("raise SystemExit('the wrong one')")
    (here / "match.jsonl").write_text("garbage\n")
    done = typed(built / "foldtable", "replays", "audit", "match.jsonl", at=here)
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.startswith("can't be read: match.jsonl, line 1")


def test_a_link_to_it_finds_the_house(built: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "one").symlink_to("../my games/foldtable")
    (tmp_path / "two").symlink_to(tmp_path / "bin" / "one")
    done = typed(tmp_path / "two", "bots", "play", "nothing", at=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: There is no game 'nothing'; there is magicative")


def test_without_its_packages_it_says_in_one_line_how_to_bring_them(house: Path) -> None:
    done = typed("./foldtable", "replays", "list", at=house)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"foldtable: its Python packages are not installed yet; to install them: make -C '{house}' setup\n"
    )
    half = house / ".venv" / "bin"
    half.mkdir(parents=True)
    (half / "python").symlink_to(ROOT / ".venv" / "bin" / "python")
    assert typed("./foldtable", "replays", "list", at=house).stderr == done.stderr, "nor half of them"


def test_help_lists_its_commands_also_before_the_packages_are_there(house: Path) -> None:
    for words in (("help",), ("--help",), ("-h",)):
        done = typed("./foldtable", *words, at=house)
        assert (done.returncode, done.stderr) == (0, "")
        assert all(f"\n  {name} " in done.stdout for name in ("service", "replays", "bots"))
    assert typed("./foldtable", at=house).returncode == 2


def test_an_unknown_command_is_told_in_one_line(built: Path) -> None:
    done = typed("./foldtable", "reply", at=built)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "foldtable: there is no command 'reply'; there is service, replays, bots, help\n"
