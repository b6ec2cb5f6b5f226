"""`service mail` as an operator runs it: real processes, some of which are killed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from events import stores
from events.store import Statement
from tests.ports import free_port
from tests.service.mail.mailbox import Mailbox, PostOffice, moves_of, text_of
from tests.service.run.backups import service
from tests.service.run.callers import Caller
from tests.service.run.uprun import TREE, Up, environment, running, until, up

pytestmark = pytest.mark.faults


class Table:
    """A match, and two who play it by mail."""

    def __init__(self, service: Up, office: PostOffice, port: int) -> None:
        self.people, self.boxes = [], []
        for number in range(2):
            address = f"player{number}@people.test"
            self.people.append(Caller(service.url, f"Player {number}", email=address))
            self.boxes.append(Mailbox(office, address, port))
            token = re.search(r"token=(\S+)", text_of(self.boxes[-1].next("Confirm your address")))
            assert token is not None
            self.people[-1].post("/email/confirmation", {"token": token[1]})
        self.match = self.people[0].post("/matches", {"game": "terraformers", "seats": [None, None]})["id"]
        for one in self.people:
            one.post(f"/matches/{self.match}/seats")

    def close(self) -> None:
        for one in self.people:
            one.close()

    def turn(self) -> None:
        """Whoever is written to next replies."""

        def look() -> bool:
            for box in self.boxes:
                for mail in box.unread():
                    if "Your turn" in str(mail["Subject"]):
                        assert box.reply(mail, str(len(moves_of(mail)))) == (250, "2.0.0 ok")
                        return True
            return False

        until(look, "a turn by mail")


@contextmanager
def beside(data: Path, said: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """One more that mails, beside that of `up`."""
    command = [sys.executable, "-m", "service", "mail", "--data", str(data)]
    with subprocess.Popen(command, cwd=TREE, env=environment() | said, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def test_up_sends_and_listens_and_a_killed_process_costs_no_move(tmp_path: Path, office: PostOffice) -> None:
    port = free_port()
    data = tmp_path / "data"
    said = {
        "FOLDTABLE_SMTP": office.url,
        "FOLDTABLE_MAIL_FROM": "table@play.test",
        "FOLDTABLE_MAIL_DOMAIN": "play.test",
        "FOLDTABLE_MAIL_LISTEN": f"127.0.0.1:{port}",
        "FOLDTABLE_MAIL_AFTER": "0",
        "FOLDTABLE_PUBLIC_URL": "https://play.test",
    }
    with up(data, said=said) as everything, beside(data, said | {"FOLDTABLE_MAIL_LISTEN": ""}) as other:
        # whoever sends the first mails may be the one that does not listen
        until(lambda: _listens(port), "it listens")
        with closing(Table(everything, office, port)) as table:
            for number in range(8):
                table.turn()
                if number == 3:
                    (first,) = set(running(data, "service mail")) - {other.pid}
                    _kill_with_no_mail_in_hand(first, f"sqlite:{data / 'foldtable.db'}")
                    until(partial(_are_two, data, first), "another one runs")
                    until(lambda: _listens(port), "another one listens")
            assert table.people[0].get(f"/matches/{table.match}")["version"] > 8
        named = [str(mail["Message-ID"]) for mail in office.mails()]
        assert len(named) == len(set(named)), "each was sent once"
        assert everything.stop() == 0


def _kill_with_no_mail_in_hand(pid: int, url: str) -> None:
    """Else that mail would be sent a minute and a half later only, and no turn be by mail until then."""
    with closing(stores.open_to_read(url)) as store:

        def is_idle() -> bool:
            os.kill(pid, signal.SIGSTOP)
            until(lambda: "State:\tT" in Path(f"/proc/{pid}/status").read_text(), "it is stopped")
            if not store.find(Statement("SELECT 1 FROM deliveries WHERE tries > 0 AND status = 'waiting'")):
                return True
            os.kill(pid, signal.SIGCONT)
            return False

        until(is_idle, "no mail is in hand")
    os.kill(pid, signal.SIGKILL)


def _are_two(data: Path, gone: int) -> bool:
    return len(set(running(data, "service mail")) - {gone}) == 2


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
            return line.recv(10).startswith(b"220")
    except OSError:
        return False


def test_without_a_server_it_says_what_is_missing(tmp_path: Path) -> None:
    done = service("mail", "--data", tmp_path / "data")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "error: name a server and a sender: FOLDTABLE_SMTP and FOLDTABLE_MAIL_FROM"
