// @ts-check
// What is new to a player, and how many turns wait for them. One page of a browser listens for all, the one that came
// into sight last: with a stream for each page, few pages would leave no connection for anything else.

import { follow } from './follow.js'

const SOON = 1000
const AGAIN = 10_000
/** Milliseconds in which news is gathered before turns are counted, and after which a stream that ended begins anew. */

/**
 * What a page is told: `turns` is how many wait, if they were counted; `isNew` whether something has happened.
 * @typedef {{ turns?: number, isNew?: boolean }} News
 */

/**
 * Hears what is new until the page is left.
 * @param {string} player the reader's id
 * @param {(news: News) => void} onNews
 */
export function hear(player, onNews) {
  const name = `foldtable.news.${player}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onNews(data)
  /**
   * @param {News} news
   * @param {boolean} isFirst where it is what there is when the stream begins: this page may have been made before that
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
  /** @param {boolean} isInSight whoever is in sight takes it from any other page */
  const take = isInSight => {
    waiting.abort()
    const mine = waiting = new AbortController()
    // there are locks only where the connection is secure: elsewhere each page listens while it is in sight
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
 * Tells what the player's stream tells, and how many turns there are then.
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
      isOfMatch: false,
      onEvent: ({ kind, turns }) => (kind === 'now' ? tell({ turns: turns.length }, true) : news()),
      onState: state => {
        // what came while the line was down
        if (state === 'live' && begun) news()
        begun ||= state === 'live'
      },
      // whoever is signed in no more has nothing more to hear
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
