// @ts-check
// What is new to a player, and how many turns wait for them. One page of a browser, the one that was shown last,
// listens for all of them: a stream for each page would soon use up the browser's connections.

import { follow } from './follow.js'

const SOON = 1000
const AGAIN = 10_000
/** Milliseconds in which news is gathered before turns are counted, and after which a stream that ended begins anew. */

/**
 * What a page is told: `turns` is how many wait, if they were counted; `isNew` whether something has happened.
 * @typedef {{ turns?: number, isNew?: boolean }} News
 */

/**
 * Listen for what is new until the page is left.
 * @param {string} player the reader's id
 * @param {(news: News) => void} onNews
 */
export function hear(player, onNews) {
  const name = `foldtable.news.${player}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onNews(data)
  /**
   * @param {News} news
   * @param {boolean} isFirst whether the stream has just begun: this page may be older
   */
  const tell = (news, isFirst = false) => {
    onNews(isFirst ? { ...news, isNew: true } : news)
    channel.postMessage(news)
  }
  let stop = () => {}
  let isHeld = false
  let waiting = new AbortController()
  /** @returns {Promise<void>} */
  const hold = () => new Promise(done => {
    const close = listen(tell)
    isHeld = true
    stop = () => {
      isHeld = false
      close()
      done()
    }
  })
  /** @param {boolean} isInSight whether the page is visible, and takes the stream from any other page */
  const take = isInSight => {
    waiting.abort()
    const mine = waiting = new AbortController()
    // browsers have locks only with https: without them each page listens while it is visible
    if (!navigator.locks) return void (isInSight && hold())
    navigator.locks.request(name, isInSight ? { steal: true } : { signal: mine.signal }, hold).catch(() => {
      if (mine.signal.aborted) return
      stop()
      take(false)
    })
  }
  const look = () => {
    if (document.hidden) return void (navigator.locks || stop())
    if (!isHeld) take(true)
  }
  document.addEventListener('visibilitychange', look)
  addEventListener('pagehide', () => {
    document.removeEventListener('visibilitychange', look)
    waiting.abort()
    stop()
    channel.close()
  }, { once: true })
  take(!document.hidden)
}

/**
 * Tell what the player's stream brings, and how many turns there are then.
 * @param {(news: News, isFirst?: boolean) => void} tell
 * @returns {() => void} which ends it
 */
function listen(tell) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let counting, beginning
  let begun = false
  let isOver = false
  /** @type {{ close: () => void } | undefined} */
  let stream
  const count = async () => {
    counting = undefined
    const answer = await fetch('/api/me/turns').catch(() => null)
    if (answer?.ok && !isOver) tell({ turns: (await answer.json()).turns.length })
  }
  const news = () => {
    tell({ isNew: true })
    counting ??= setTimeout(count, SOON)
  }
  const begin = () => {
    const address = '/api/me/events?texts=false'
    stream = follow(after => (after === null ? address : `${address}&after=${encodeURIComponent(after)}`), null, {
      hasCursors: true,
      onEvent: ({ kind, turns }) => (kind === 'now' ? tell({ turns: turns.length }, true) : news()),
      onState: state => {
        // something may have come while the connection was lost
        if (state === 'live' && begun) news()
        begun ||= state === 'live'
      },
      // after signing out there is nothing more to hear
      onEnd: ({ why }) => { if (!/refused|token/.test(why)) beginning = setTimeout(begin, AGAIN) },
    })
  }
  begin()
  return () => {
    isOver = true
    clearTimeout(counting)
    clearTimeout(beginning)
    stream?.close()
  }
}
