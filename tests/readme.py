"""The picture in the README: what the command that is named above it prints.

python -m tests.readme            says whether it is so
python -m tests.readme --write    draws it again, after a room's texts have changed
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from tests.written import ROOT, compare

README = ROOT / "README.md"
PICTURE = re.compile(r"(<!-- picture: (?P<command>.*?) -->\n```\n)(?P<shown>.*?)(```\n)", re.DOTALL)


def drawn(text: str) -> str:
    """The README with the picture as it is now."""
    found = PICTURE.search(text)
    assert found, "README.md has a picture, and the command that prints it above it"
    command = found["command"].replace("./foldtable", f"{shlex.quote(sys.executable)} -m")
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    return f"{text[: found.start('shown')]}{done.stdout}{text[found.end('shown') :]}"


if __name__ == "__main__":
    compare("the pictures in the README", lambda _: [(README, drawn(README.read_text(encoding="utf-8")))])
