// What tests ask of a page that has the renderer as `foldtable`, a table at `root`, and perhaps one that is open as
// `opened`. A page has these as `asks`.

export const show = (scene, options) => {
    window.touched = []
    foldtable.drawTable(root, scene, { ...options, onTouch: id => window.touched.push(id) })
}

export const found = () => [...root.querySelectorAll('[data-piece]')].map(item => {
    const face = item.querySelector(':scope > .face')
    const pips = face.querySelectorAll('.pip').length
    const label = face.querySelector('.label, .numeral')?.textContent
    const printed = [...face.children].filter(one => !one.matches('.unseen')).map(one => one.textContent)
    return {
        id: item.dataset.piece, same: face.dataset.id, tag: face.tagName,
        name: face.getAttribute('aria-label') ?? face.querySelector('.unseen').textContent,
        back: face.querySelector('.back') !== null, label: label ?? (pips ? String(pips) : ''), text: printed.join(' '),
        zone: item.closest('[data-zone]').dataset.zone,
        under: item.parentElement.closest('[data-piece]')?.dataset.piece,
        seen: face.getBoundingClientRect().width > 0,
    }
})

// What stands whole on the screen, by region.
export const answered = (moves, scene, options) => {
    const hand = foldtable.begin(moves, scene), heard = { onTouch: () => {}, onPick: () => {}, onAgain: () => {} }
    const open = { lit: foldtable.lit(hand), offered: foldtable.offered(hand) }
    foldtable.drawTable(root, scene, { ...options, ...open, ...heard })
    const bar = root.querySelector('.actions'), cut = bar.getBoundingClientRect().top
    const isSeen = one => {
        const { width, top, bottom } = one.getBoundingClientRect()
        return width > 0 && top >= 0 && bottom <= (bar.contains(one) ? innerHeight : cut + 4)
    }
    const things = {
        line: '.line', near: '.near :is(.who, .zone h4, .note, .piece)', middle: '.middle :is(.zone h4, .note, .piece)',
        sums: '.sums', happened: '.happened', again: '.again', choices: '.choices > *', buttons: '.buttons > *',
    }
    const text = one => (one.ariaLabel ?? one.innerText).replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim()
    return Object.fromEntries(Object.entries(things).map(
        ([where, which]) => [where, [...root.querySelectorAll(which)].filter(isSeen).map(text).join(' ')]))
}

// Whether the first that the viewer holds is above the bar; dice come before it.
export const holds = () => {
    const held = root.querySelector('.near .zone-hand .face') ?? root.querySelector('.near .face')
    const bar = root.querySelector('.actions').getBoundingClientRect()
    return !held || held.getBoundingClientRect().top + 24 < bar.top || root.querySelector('.middle .kind-die') !== null
}

export const walk = (moves, scene) => {
    const { begin, touch, lit, made, possible, back, chosen } = foldtable
    const reached = new Map(), faults = [], seen = new Set()
    const go = hand => {
        const key = hand.path.join(' ')
        if (seen.has(key)) return
        seen.add(key)
        const done = made(hand)
        if (done) {
            reached.set(done.id, (reached.get(done.id) ?? 0) + 1)
            if (lit(hand).size) faults.push(`lit after ${key}`)
            return
        }
        if (!lit(hand).size) faults.push(`nothing lit after ${key}`)
        for (const id of lit(hand)) {
            const next = touch(hand, id)
            if (next === hand) faults.push(`${id} is lit and means nothing`)
            if (!possible(next).length) faults.push(`${id} leads nowhere`)
            if (!chosen(next).has(id)) faults.push(`${id} is not the one that is chosen`)
            if (back(next).path.join(' ') !== key) faults.push(`back from ${id}`)
            go(next)
        }
        for (const id of foldtable.indexOf(scene).keys()) {
            const isLit = lit(hand).has(id) || hand.touched.at(-1) === id
            if (!isLit && touch(hand, id) !== hand) faults.push(`${id} is not lit and means something`)
        }
    }
    go(begin(moves, scene))
    for (const move of moves) {
        let hand = begin(moves, scene)
        for (const id of move.touches) hand = touch(hand, id)
        if (made(hand) !== move) faults.push(`${move.touches} does not make ${move.id}`)
    }
    return { reached: [...reached], faults }
}

export const offers = (cases, told, most) => {
    const { begin, drawTable, indexOf, lit, offered, possible, touch } = foldtable
    const drawn = window.drawn ??= new Set()
    const faults = []
    let picked = null
    const onTouch = id => { picked = touch(picked.hand, id) }, onPick = move => { picked = { moves: [move] } }
    for (const [moves, scene, seat] of cases) {
        const hand = begin(moves, scene), { moves: said, ids } = offered(hand), index = indexOf(scene)
        const things = ids.filter(id => index.has(id)).flatMap(id => possible(touch(hand, id)))
        const begun = new Set(said.length ? said : things)
        for (const move of moves) if (!begun.has(move)) faults.push(`nothing begins ${move.text}`)
        const kinds = ids.map(id => index.get(id)?.piece?.kind ?? index.get(id)?.zone?.kind ?? id)
        const shape = JSON.stringify([said.map(one => one.text.length >> 4), kinds, scene.zones.length])
        if (drawn.has(shape)) continue
        drawn.add(shape)
        drawTable(root, scene, { seat, told, lit: lit(hand), offered: offered(hand), onTouch, onPick, onAgain() {} })
        const places = new Map()
        for (const one of root.querySelectorAll('.thing')) {
            const { zone } = index.get(one.dataset.thing)
            if ((places.get(one.ariaLabel) ?? zone) !== zone) faults.push(`${one.ariaLabel} may be in two places`)
            places.set(one.ariaLabel, zone)
        }
        const high = root.querySelector('.actions').offsetHeight / innerHeight
        if (high > most) faults.push(`the bar takes ${high} of the screen`)
        for (const one of root.querySelectorAll('.actions .choices button, .actions .buttons .lit')) {
            one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
            const box = one.getBoundingClientRect()
            if (box.bottom > innerHeight || box.top < 0) faults.push(`${one.textContent} is out of sight`)
            if (parseFloat(getComputedStyle(one).fontSize) < 12) faults.push(`${one.textContent} is too small`)
            picked = { hand }
            one.click()
            if (picked.hand || picked === hand) faults.push(`${one.textContent} means nothing`)
            else for (const move of picked.touched ? possible(picked) : picked.moves) begun.delete(move)
        }
        for (const move of begun) faults.push(`no button begins ${move.text}`)
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the table is wider than the screen')
    return { faults: faults.slice(0, 5), drawn: drawn.size }
}

export const focus = (scene, options) => {
    window.opened ??= foldtable.openTable(root)
    opened.jump(scene, { ...options, onTouch: () => {}, onPick: () => {} })
    root.querySelector('.piece > .face').focus({ focusVisible: true })
}

export const covered = () => {
    const { activeElement } = document, bar = root.querySelector('.actions')
    if (!root.contains(activeElement) || bar.contains(activeElement)) return ''
    const box = activeElement.getBoundingClientRect()
    return box.bottom <= bar.getBoundingClientRect().top && box.top >= 0 ? '' : activeElement.outerHTML
}

export const open = (scene, options) => {
    window.touched = []
    window.backs = 0
    const heard = { onTouch: id => window.touched.push(id), onBack: () => { window.backs += 1 } }
    window.opened = foldtable.openTable(root, { ...options, ...heard })
    opened.jump(scene)
}

export const moving = () => root.getAnimations({ subtree: true }).map(one => [
    one.effect.target.dataset.piece ?? one.effect.target.className.replace(/ raised$/, ''),
    [...new Set(one.effect.getKeyframes().flatMap(frame => Object.keys(frame)))].sort().filter(name =>
        !['offset', 'easing', 'composite', 'computedOffset'].includes(name)).join(' '),
])

export const watch = () => {
    window.changed = []
    const name = one => `${one.type} ${one.attributeName ?? ''} ${one.target.className ?? one.target.data}`
    new MutationObserver(found => window.changed.push(...found.map(name)))
        .observe(root, { attributes: true, childList: true, characterData: true, subtree: true })
}

// The scene, which notes as `asked` the zones that are drawn of it.
export const noting = scene => {
    window.asked = {}
    for (const zone of scene.zones) {
        for (const piece of zone.pieces) {
            // what is not counted among a thing's own parts is seen by nobody but who draws it
            Object.defineProperty(piece, 'marks', { get: () => void (window.asked[zone.id] = true) })
        }
    }
    return scene
}

export const animations = () => {
    window.animated = new Set()
    const animate = Element.prototype.animate
    Element.prototype.animate = function (frames, ...rest) {
        for (const { offset, easing, ...rest } of frames) for (const name of Object.keys(rest)) window.animated.add(name)
        return animate.call(this, frames, ...rest)
    }
}

export const times = async scenes => {
    const found = []
    for (const scene of scenes) {
        const shown = opened.show(scene)
        const times = root.getAnimations({ subtree: true }).map(one => one.effect.getComputedTiming())
        found.push([times.length, new Set(times.map(one => `${one.delay} ${one.endTime}`)).size])
        opened.skip()
        await shown
    }
    return found
}

export const plain = one => one.querySelector('.cloth').outerHTML
    .replace(/<!--.*?-->|tabindex="[^"]*"|style="[^"]*"/g, '').replace(/\s+/g, ' ').replace(/ (?=["'>])/g, '')

// What a scene is that is drawn at once.
export const fresh = (scene, options) => {
    const place = document.createElement('div')
    document.body.append(place)
    foldtable.drawTable(place, scene, options)
    place.remove()
    return plain(place)
}

export const refused = all => all.map(([slug, tones]) => {
    try { return foldtable.paletteCss({ slug, palette: tones }) } catch (error) { return error.message }
})

export const jump = (scene, options) => {
    window.opened ??= foldtable.openTable(root)
    opened.jump(scene, { ...options, onTouch: () => {}, onBack: () => {}, onConfirm: () => {} })
}

export const outline = () => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(foldtable.elementOf(root, window.at))
    return [outlineStyle, outlineWidth, outlineColor].join(' ')
}

// What a reader would miss of a drawn table: what is cut or too small.
export const cut = () => {
    const wide = document.documentElement.clientWidth, cut = []
    if (document.documentElement.scrollWidth > wide) cut.push(`the page is ${document.documentElement.scrollWidth} wide`)
    // a row of choices is drawn along by a finger
    for (const one of root.querySelectorAll('.face, .button:not(.thing), h3, h4, .label, .name, .fact, .asked')) {
        const box = one.getBoundingClientRect()
        if (box.width && (box.left < -1 || box.right > wide + 1)) cut.push(`${one.className} ${one.textContent} ends at ${box.right}`)
    }
    for (const one of root.querySelectorAll('.pane > .label, .name')) {
        const box = one.getBoundingClientRect(), outer = one.closest('.face').getBoundingClientRect()
        if (box.width > outer.width + 1 && !one.closest('.look-across, .backs')) cut.push(`${one.textContent} is wider than its card`)
    }
    for (const one of root.querySelectorAll('.kind-card > .face')) {
        if (one.getClientRects().length && one.offsetWidth < 36) cut.push(`a card of ${one.offsetWidth}`)
    }
    for (const one of root.querySelectorAll('.button:not(:disabled), .lit.kind-card > .face')) {
        const box = one.getBoundingClientRect()
        if (box.width && (box.height < 24 || box.width < 24)) cut.push(`${one.textContent} is too small for a finger`)
    }
    return cut
}

// And what is too pale to be read (WCAG AA).
export const pale = () => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const shade = colour => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data]
    }
    const light = ([r, g, b]) => [r, g, b].map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
        .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0)
    const ground = element => {
        for (let one = element; one; one = one.parentElement) {
            const style = getComputedStyle(one)
            const image = style.backgroundImage.match(/(?:rgba?|color)\([^)]*\)/g)
            if (image && one.matches('.pane, .disc')) return image.map(shade).sort((a, b) => light(b) - light(a))[0]
            const colour = shade(style.backgroundColor)
            if (colour[3] > 250) return colour
            if (one === root && image) return shade(image[0])
        }
    }
    const pale = []
    const texts = '.label, .name, .fact b, .count, .score, .player, .own, .to-act, h4, .note, .line, .words, .tag, .button:not(:disabled), .asked, .details p'
    for (const one of root.querySelectorAll(texts)) {
        if (!one.textContent.trim() || one.closest('.look-spent, .none, [hidden]')) continue
        const style = getComputedStyle(one), size = parseFloat(style.fontSize)
        const [a, b] = [light(shade(style.color)), light(ground(one))].sort((x, y) => y - x)
        const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5
        if ((a + 0.05) / (b + 0.05) < least) pale.push(`${one.className} ${one.textContent.trim()} ${((a + 0.05) / (b + 0.05)).toFixed(2)}`)
    }
    return [...new Set(pale)]
}
