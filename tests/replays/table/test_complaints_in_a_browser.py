"""What goes wrong on a page is heard, whatever it is: nothing of it passes by a test that doesn't ask."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from tests import logs
from tests.browser import PATIENCE, Browser, wrong
from tests.replays.table.served import Opened

pytestmark = pytest.mark.browser

WRONG = {
    "console.warn('hm')": "warning: hm",
    "console.error('no')": "error: no",
    "setTimeout(() => { throw new Error('lost') })": "Error: lost",
    "Promise.reject(new Error('broken'))": "Error: broken",
    "fetch('/missing')": "the server responded with a status of 404",
    "fetch('/gone').catch(() => {})": "net::ERR_CONNECTION_REFUSED",
    "document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.2:9/' }))": "Content Security Policy",
}


def hears(page: Browser, text: str) -> None:
    """Wait until that was said: nobody promises how soon an answer comes that is none."""
    end = monotonic() + PATIENCE
    while text not in "\n".join(page.complaints):
        assert monotonic() < end, page.complaints
        # each kind of complaint is an event of its own, and Playwright hears them while it waits
        page.page.wait_for_timeout(20)


@pytest.mark.parametrize("deed", WRONG)
def test_what_goes_wrong_is_heard_and_fails_a_test_that_does_not_take_it(opened: Opened, deed: str) -> None:
    page = opened()
    page.page.route("**/gone", lambda route: route.abort("connectionrefused"))
    assert wrong() == []
    page.value(f"{{ {deed} }}; 0")
    hears(page, WRONG[deed])
    page.requests.clear()
    assert WRONG[deed] in "\n".join(wrong()), "as the fixture asks after each test"
    page.forgives(WRONG[deed])
    page.value(f"{{ {deed} }}; new Promise(done => setTimeout(done, 100))")
    assert not [one for one in page.take() if WRONG[deed] in one]
    page.requests.clear()


def test_what_a_service_said_last_is_at_hand_until_the_next_test(tmp_path: Path) -> None:
    def mine() -> list[tuple[str, str]]:
        return [one for one in logs.ends() if str(tmp_path) in one[0]]

    with logs.kept(tmp_path / "service.log") as log:
        log.write(b"".join(b"line %d\n" % number for number in range(100)))
        log.flush()
        ((name, text),) = mine()
        assert name.endswith("of 100 lines the last")
        assert text.splitlines()[-1] == "line 99"
        assert len(text.splitlines()) == logs.LINES
    assert mine(), "it ended in this test, which may yet fail"
    logs.forget()
    assert not mine()
