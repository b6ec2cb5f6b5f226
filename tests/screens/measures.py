"""What can be measured of a page in sight: what is too wide, too small, too heavy, complained of, or from elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tests.browser import Browser

SMALLEST = 11
"""Pixels that a letter is high at least."""

HEAVIEST = 250 * 1024
"""Bytes of a page with all that it asks for, as they come over the wire."""

TOO_WIDE = """(() => {
    const wide = document.documentElement.clientWidth
    if (document.scrollingElement.scrollWidth <= wide) return []
    const named = one => `${one.tagName.toLowerCase()}${one.id && '#' + one.id}.${[...one.classList].join('.')}`
    const out = [...document.body.querySelectorAll('*')].filter(one => one.getBoundingClientRect().right > wide + 1)
    return [document.scrollingElement.scrollWidth, ...out.slice(0, 8).map(named)]
})()"""
"""What is wider than the screen, after how wide the page is."""

TOO_SMALL = """(least => {
    const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const one = walker.currentNode.parentElement
        if (!walker.currentNode.data.trim() || one.closest('script, style, noscript, [aria-hidden=true]')) continue
        const box = one.getBoundingClientRect(), style = getComputedStyle(one)
        if (box.width < 2 || box.height < 2 || style.visibility === 'hidden') continue
        // where a table is drawn smaller as a whole, so are its letters
        const scale = one.offsetWidth ? box.width / one.offsetWidth : 1
        const size = parseFloat(style.fontSize) * Math.min(1, scale)
        if (size >= least - 0.05) continue
        found.add(`${one.closest('[class]')?.className} "${one.textContent.trim().slice(0, 30)}" ${size.toFixed(1)}`)
    }
    return [...found]
})(%s)"""

IN_THE_WAY = """((most, share) => {
    const found = new Set()
    const shown = one => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 2
    const called = one => `${one.tagName.toLowerCase()}.${[...one.classList].slice(0, 3).join('.')} "${
        (one.getAttribute('aria-label') ?? one.textContent).trim().replace(/[ \\n]+/g, ' ').slice(0, 30)}"`
    const holds = (one, other) => one.contains(other) || other.contains(one)
    // rolled out of sight in a list of its own
    const isRolled = one => {
        const { top, bottom } = one.getBoundingClientRect()
        for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
            if (!['auto', 'scroll'].includes(getComputedStyle(at).overflowY)) continue
            const box = at.getBoundingClientRect()
            if (top < box.top - 1 || bottom > box.bottom + 1) return true
        }
        return false
    }
    const stuck = one => one.closest('details:not([open]), .details') || isStuck(one) || isRolled(one)
    const isStuck = one => {
        for (let at = one; at; at = at.parentElement) {
            if (['sticky', 'fixed'].includes(getComputedStyle(at).position)) return true
        }
        return false
    }
    // things lie beside each other; what is spread as a fan or a pile, or lies on another, overlaps as it should
    const common = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
        * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
    const apart = (many, most) => {
        const boxes = many.filter(one => shown(one) && !stuck(one)).map(one => [one, one.getBoundingClientRect()])
        for (const [i, [one, a]] of boxes.entries()) {
            for (const [other, b] of boxes.slice(i + 1)) {
                if (holds(one, other)) continue
                const least = Math.min(a.width * a.height, b.width * b.height)
                if (common(a, b) > most * least) found.add(`${called(one)} overlaps ${called(other)}`)
            }
        }
    }
    apart([...document.querySelectorAll('.zone')], 0.02)
    apart([...document.querySelectorAll('.zone:not(.backs, .zone-pile) > .pieces > .piece > .face')], share)
    const touched = '.actions, button:not(.face, .zone-touch), a.button, input:not([type=hidden])'
    apart([...document.querySelectorAll(touched)], 0.02)
    // what is written stays in its box
    for (const box of document.querySelectorAll('.face, button, a.button, .tag, .chip')) {
        if (!shown(box) || box.closest('[aria-hidden=true], .details')) continue
        const outer = box.getBoundingClientRect()
        const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
            const at = walker.currentNode.parentElement
            const isAtEdge = at.closest('.face') && at.closest('.unseen, .count, .tag')
            if (!walker.currentNode.data.trim() || isAtEdge || !shown(at)) continue
            const range = document.createRange()
            range.selectNodeContents(walker.currentNode)
            const inner = range.getBoundingClientRect()
            if (inner.left < outer.left - 1 || inner.right > outer.right + 1) found.add(`${called(box)} is cut`)
        }
    }
    // how many of a card there are hides nothing that is printed on it
    for (const count of document.querySelectorAll('.face > .count')) {
        const [at, ...under] = [count, ...count.parentElement.querySelectorAll('.fact b, .name')]
            .filter(shown).map(one => one.getBoundingClientRect())
        if (under.some(one => common(at, one) > 2)) found.add(`${called(count.parentElement)} lies under its count`)
    }
    // and a word of its name goes on in the next line after a hyphen only
    for (const name of document.querySelectorAll('.face > .name')) {
        const text = [...name.childNodes].find(one => one.nodeType === Node.TEXT_NODE && one.data.trim()), tops = []
        for (let at = 0; at < (shown(name) ? text?.length ?? 0 : 0); at += 1) {
            const range = document.createRange()
            range.setStart(text, at)
            range.setEnd(text, at + 1)
            tops.push(/[A-Za-z]/.test(text.data[at]) ? [...range.getClientRects()].at(-1)?.top ?? null : null)
        }
        const isBroken = (top, at) => at && ![top, tops[at - 1]].includes(null) && Math.abs(top - tops[at - 1]) > 4
        if (tops.some(isBroken)) found.add(`${called(name.parentElement)} is broken within a word`)
    }
    // what stays in sight leaves the rest of a phone's screen to what it belongs to
    for (const one of document.querySelectorAll('main *')) {
        const isLong = innerWidth < 600 && one.offsetHeight > innerHeight * most
        if (isLong && ['sticky', 'fixed'].includes(getComputedStyle(one).position) && shown(one)) {
            found.add(`${called(one)} takes ${Math.round(one.offsetHeight / innerHeight * 100)} %% of the screen`)
        }
    }
    // and one's own is what a player sees first
    const own = document.querySelector('#match:not(:has(.ended)) .near :is(.zone-hand, .zone-grid)')
    const isTop = scrollY === 0 && own && shown(own)
    if (isTop && own.getBoundingClientRect().top > innerHeight * 0.75) found.add(`${called(own)} is far below`)
    return [...found]
})(%s, %s)"""
"""What overlaps, what is written out of its box or badly broken, what hides too much of the screen, and one's own out
of sight.
"""

WATCHED = """window.shifts = []
window.shifting = new PerformanceObserver(list => shifts.push(...list.getEntries()))
shifting.observe({ type: 'layout-shift', buffered: true })"""
"""Notes from the beginning of a page on what is moved by itself."""

MOVED = """(most => {
    const told = node => {
        const one = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement
        return one ? `${one.tagName.toLowerCase()}${one.id && '#' + one.id}.${[...one.classList].join('.')}` : 'gone'
    }
    const from = ({ node, previousRect, currentRect }) =>
        `${told(node)} from ${previousRect.x}, ${previousRect.y} to ${currentRect.x}, ${currentRect.y}`
    // what was out of sight and has come into it is where it first is seen
    const wasSeen = ({ previousRect }) => previousRect.height > 0
    const counts = one => one.value > most && one.startTime < (window.left ?? Infinity) && one.sources.some(wasSeen)
    return [...shifts, ...shifting.takeRecords()].filter(counts)
        .map(one => `${one.value.toFixed(2)}: ${one.sources.filter(wasSeen).map(from).join('; ')}`)
})(%s)"""
"""What was seen in one place and then in another before anybody scrolled, and over what part of the screen it moved."""

MEASURES = {
    "too wide": TOO_WIDE,
    "too small": TOO_SMALL % SMALLEST,
    # that one bar may hide of the screen for good, and that may lie of a piece under the next one of a hand
    "in the way": IN_THE_WAY % (0.2, 0.2),
    # of the screen, that something may have moved over by itself: a line that turns out longer than it was
    "moved": MOVED % 0.05,
}
"""What finds in a page what is wrong with it: what is wider than the screen; texts that nobody can read; what lies over
a piece or a button, is cut by its box or broken within a word, stays over a large part of the screen, or is one's own
and far below; and what did not stay where it was first shown.
"""


class Scales:
    """What a page weighs that comes over the wire to a browser that has kept nothing.

    What the browser did keep is weighed as it came when it was first asked for.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._addresses: dict[str, str] = {}
        self._weights: dict[str, float] = {}
        browser.send("Network.enable")
        browser.cdp.on("Network.requestWillBeSent", self._asked)
        browser.cdp.on("Network.loadingFinished", self._came)
        browser.page.add_init_script(WATCHED)

    def _asked(self, told: dict[str, Any]) -> None:
        self._addresses[told["requestId"]] = told["request"]["url"]

    def _came(self, told: dict[str, Any]) -> None:
        address = self._addresses.get(told["requestId"], "")
        self._weights[address] = max(self._weights.get(address, 0), told["encodedDataLength"])

    def empty(self) -> None:
        """Weigh the page that is asked for next."""
        self._addresses.clear()

    @property
    def weight(self) -> int:
        """Bytes of all that was asked for since, heads among them."""
        self._browser.value("0")
        return int(sum(self._weights.get(address, 0) for address in set(self._addresses.values())))


def from_elsewhere(browser: Browser, url: str) -> list[str]:
    """Addresses outside the service that were asked for."""
    here = urlsplit(url).netloc
    own = ("data:", "blob:", "about:")
    return [one for one in browser.requests if urlsplit(one).netloc != here and not one.startswith(own)]


def complaints(browser: Browser, *, of_status: int = 0) -> list[str]:
    """What went wrong, breaches of the policy among it. `of_status`: with which the page was to come."""
    return [one for one in browser.take() if not of_status or f"status of {of_status}" not in one]
