// The elements of the player.

import { make } from './dom.js'

const SIGNS = {
  first: 'M6 5v14M19 5 9 12l10 7z', back: 'M16 5 7 12l9 7z', go: 'M8 5l11 7-11 7z', stop: 'M8 5v14M16 5v14',
  on: 'M8 5l9 7-9 7z', last: 'M18 5v14M5 5l10 7-10 7z',
}

export const SPEEDS = [0.5, 1, 2, 4, 8]

/** Make all elements of the player in `root`, and return them by name. */
export function laidOut(root, say) {
  const parts = {}
  const part = (name, tag, attributes = {}, ...children) => {
    parts[name] = make(tag, { ...attributes, class: `player-${name} ${attributes.class ?? ''}`.trim() }, children)
    return parts[name]
  }
  const button = (name, sign) => part(name, 'button', { type: 'button', 'aria-label': say(name), title: say(name) },
    make('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, make('path', { d: SIGNS[sign] })))
  const labelled = (name, control) => make('label', {}, make('span', {}, say(name)), control)
  const check = (name, of) => make('label', { class: 'check' }, part(name, 'input', { type: 'checkbox' }), make('span', {}, say(of)))
  root.replaceChildren(make('div', { class: 'player-main' },
    make('div', { class: 'player-stage' },
      make('h2', {}, say('walk')),
      part('now', 'p', { 'aria-live': 'polite' }),
      part('box', 'div', {}, part('table', 'div'), part('empty', 'p', { hidden: true }, say('no_table'))),
      part('walk', 'nav', { 'aria-label': say('walk') },
        part('slider', 'input', { type: 'range', min: 0, value: 0, step: 1, 'aria-label': say('walk') }),
        make('div', { class: 'buttons' },
          button('first', 'first'), button('back', 'back'), button('play', 'go'), button('on', 'on'), button('last', 'last')),
        part('where', 'span'),
        labelled('speed', part('speed', 'select', {}, SPEEDS.map(one => make('option', { value: one, selected: one === 1 }, `${one}×`)))),
        labelled('by', part('by', 'select', {}, ['move', 'event'].map(one => make('option', { value: one }, say(`by_${one}`))))))),
    make('div', { class: 'player-beside' },
      make('div', { class: 'controls' },
        labelled('eyes', part('eyes', 'select')),
        part('chapterLabel', 'label', { hidden: true }, make('span', {}, say('chapter')), part('chapters', 'select'))),
      part('spoilLabel', 'div', {}, check('spoil', 'spoil')),
      make('section', { class: 'player-log', 'aria-label': say('events') },
        make('h2', {}, say('events')),
        part('search', 'input', { type: 'search', autocomplete: 'off', spellcheck: 'false', placeholder: say('search'), 'aria-label': say('search') }),
        part('found', 'span', { role: 'status', class: 'help' }),
        part('list', 'ol', { tabindex: 0, 'aria-label': say('events') }),
        part('more', 'p', { class: 'help' })),
      make('div', { class: 'share' }, part('share', 'button', { type: 'button' }, say('share')), part('shared', 'span', { role: 'status' })))),
    part('result', 'section', { hidden: true, 'aria-label': say('result') }, make('h2', {}, say('result')), part('places', 'ol')),
    part('chartPanel', 'section', { 'aria-label': say('chart') }, make('h2', {}, say('chart')), part('legend', 'ul'), part('chart', 'div')),
    part('pacePanel', 'section', { 'aria-label': say('pace') }, make('h2', {}, say('pace')), make('p', { class: 'help' }, say('pace_about')), part('pace', 'div', { tabindex: 0, role: 'group', 'aria-label': say('pace') })))
  return parts
}
