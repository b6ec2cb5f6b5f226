"""A real browser without a window, told what to do over its debugging pipe."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
LAUNCH = """
import os, sys
for at, end in enumerate(sys.argv[1:3], 3):
    os.dup2(int(end), at)
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE = 60
"""Seconds until whatever was waited for does not come any more."""


class Browser:
    """One page; commands and events are those of the Chrome DevTools Protocol."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        theirs, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # the browser reads from 3 and writes to 4; out of the way of these first
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs, theirs_out)]
        self._process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, ends), CHROMIUM, *FLAGS, f"--user-data-dir={folder}"],
            pass_fds=ends,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for end in (theirs, theirs_out, *ends):
            os.close(end)
        self._read = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Have a page."""
        page = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Do something; what comes of it."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self._number:
                assert "error" not in told, told
                result: dict[str, Any] = told["result"]
                return result
            self.events.append(told)

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._read:
            assert select.select([self._in], [], [], max(0, until - time.monotonic()))[0], "the browser is silent"
            part = os.read(self._in, 1 << 20)
            assert part, "the browser has ended"
            self._read += part
        message, _, self._read = self._read.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told

    def open(self, address: str) -> None:
        """Go to a page, and wait until it is there."""
        self.events.clear()
        self.send("Page.navigate", url=address)
        self.waits_for("document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What an expression is in the page, promises kept."""
        done = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def waits_for(self, expression: str) -> None:
        """Wait until it is true in the page."""
        until = time.monotonic() + PATIENCE
        while not self.value(expression):
            assert time.monotonic() < until, expression
            time.sleep(0.05)

    def presses(self, key: str, modifiers: int = 0) -> None:
        """Press a key, by its name."""
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=modifiers, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def looks(self, width: int, height: int, *, is_dark: bool = False) -> None:
        """Have a window of that size, light or dark."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, file: Path, *, is_whole: bool = False) -> None:
        """Save what is to be seen, or all of the page, as PNG."""
        taken = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)
        file.write_bytes(base64.b64decode(taken["data"]))

    @property
    def requests(self) -> list[str]:
        """Addresses that were asked for."""
        return [
            told["params"]["request"]["url"]
            for told in self.events
            if told.get("method") == "Network.requestWillBeSent"
        ]

    @property
    def complaints(self) -> list[dict[str, Any]]:
        """What the page, or the browser about the page, said on the console."""
        heard = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        return [told["params"] for told in self.events if told.get("method") in heard]

    def close(self) -> None:
        """End the browser."""
        os.close(self._out)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser that knows nothing of earlier ones."""
    opened = Browser(folder)
    try:
        opened.begin()
        yield opened
    finally:
        opened.close()
