// What a reader would miss of a drawn table: what is cut or too small, and what is too pale to be read (WCAG AA).
// Evaluated in a page that has the table in `root`.

window.looks = {
cut: () => {
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
},

pale: () => {
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
},
}
0
