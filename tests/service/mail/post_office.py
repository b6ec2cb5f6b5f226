"""A mail server for tests, as a process of its own: what it takes it puts into a folder, a file a mail.

`python -m tests.service.mail.post_office FOLDER`; it says its port. A file `refuse` in the folder holds the answer to
each addressee, a file `hang` has it say nothing.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from time import time_ns
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session


class Shelf:
    """Where mails are put."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        while (self._folder / "hang").exists():
            await asyncio.sleep(0.05)
        refuse = self._folder / "refuse"
        if refuse.exists():
            return refuse.read_text()
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content: Any = envelope.content
        self._count += 1
        name = f"{time_ns()}-{self._count}"
        file = self._folder / f".{name}"
        head = f"X-Envelope-From: {envelope.mail_from}\r\nX-Envelope-To: {envelope.rcpt_tos[0]}\r\n"
        file.write_bytes(head.encode() + bytes(content))
        os.rename(file, self._folder / f"{name}.eml")
        return "250 ok"


async def main(folder: Path) -> None:
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(Shelf(folder), hostname="post.test", enable_SMTPUTF8=True), "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
