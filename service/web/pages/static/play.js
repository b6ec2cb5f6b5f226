// @ts-check
// Making moves by hand: what is lit, what was touched, what is tried and not sent yet, what must be confirmed. Moves
// that can be taken back are tried on the service and kept here; they are sent in order before the first that can't.

import { back, begin, chosen, lit, made, offered, touch } from './table/table.js'
import { Refused, Silent, ask, have } from './api.js'
import { keep } from './evidence.js'

/** What a player does at one table. `page` is told what changes: see table-page.js. */
export class Play {
  constructor(match, table, page) {
    this.match = match
    this.path = `/api/matches/${match}`
    this.kept = `foldtable.staged.${match}`
    this.table = table
    this.page = page
    this.decision = null
    this.moves = []
    this.staged = []
    this.scene = null
    this.hand = null
    this.asked = null
    this.meant = null
    this.isSending = false
    /** Whether the answer to the last trial has not come yet. */
    this.isTrying = false
    this.looking = 0
  }

  get isMine() {
    return this.decision !== null
  }

  /** Begin with the moves that the page contains, until the service has said which of them are final. */
  begin(decision, moves) {
    this.decision = decision
    this.moves = moves
    this.staged = this.remembered()
    this.fresh()
  }

  /** Ask what is open now; what was tried before is tried again there. */
  async look() {
    if (this.isSending) return
    const turn = (this.looking += 1)
    const trial = await this.tried()
    if (turn !== this.looking || this.isSending) return
    this.take(trial)
  }

  async tried() {
    const ids = this.staged.map(one => one.id)
    const turn = this.looking
    try {
      const trial = await this.trial(ids)
      if (ids.length === 0 || trial.decision === this.decisionOfStaged) return trial
    } catch (error) {
      if (!(error instanceof Refused) || ids.length === 0) throw error
    }
    // moves were sent or tried meanwhile
    if (turn !== this.looking || this.isSending) return null
    this.forget()
    this.page.onWrong(this.page.words['taken-back'])
    return this.trial([])
  }

  trial(ids) {
    return ask(`${this.path}/trial`, { moves: ids.join(',') || undefined })
  }

  take(trial) {
    const isNew = trial.decision !== this.decision
    const meant = isNew ? null : this.meant
    this.isTrying = false
    this.meant = null
    // touches and questions belong to one decision
    if (isNew) this.asked = this.hand = null
    this.decision = trial.decision
    this.moves = trial.moves
    if (isNew && !this.staged.length) this.page.onWrong(null)
    if (trial.scene && this.staged.length) {
      this.scene = trial.scene
      this.table.show(trial.scene)
    }
    this.fresh()
    this.page.onTurn()
    const move = meant && this.moves.find(one => one.id === meant)
    if (move) this.pick(move)
  }

  /** Begin a hand for the open decision; it keeps its touches if they still mean something. */
  fresh() {
    const before = this.hand
    const asked = this.asked && this.moves.find(one => one.id === this.asked.id)
    this.asked = asked ?? null
    this.hand = this.isMine && this.scene ? begin(this.moves, this.scene) : null
    if (this.hand && before?.path.length) {
      const same = { ...this.hand, path: before.path, touched: before.touched }
      if (asked || (!made(same) && lit(same).size)) this.hand = same
    }
    this.draw()
  }

  /** Let nothing be touched until the open decision is known again. */
  hold() {
    if (!this.hand) return
    this.asked = null
    this.hand = null
    this.draw()
  }

  draw() {
    const asked = this.asked?.text ?? null
    this.table.set({
      lit: this.hand && !this.asked ? lit(this.hand) : [],
      chosen: this.hand ? chosen(this.hand) : [],
      offered: this.hand && !this.asked ? offered(this.hand) : undefined,
      asked,
      onConfirm: asked ? () => this.confirm() : undefined,
    })
    this.page.onHand()
  }

  touch(id) {
    if (!this.hand || this.isSending) return
    const next = touch(this.hand, id)
    if (next === this.hand) return
    this.hand = next
    this.meant = null
    this.page.onWrong(null)
    const move = made(next)
    if (move) this.choose(move)
    else this.draw()
  }

  /** Choose a move of the list, as if it had been touched. */
  pick(move) {
    if (!this.isMine || this.isSending || this.isTrying) return
    this.hand = { ...begin(this.moves, this.scene), path: [...move.touches], touched: [...move.touches] }
    this.choose(move)
  }

  choose(move) {
    if (move.final === undefined) {
      // the page does not say which moves are final; the first look, which is under way, will
      this.meant = move.id
      this.draw()
    } else if (move.final !== false || this.page.asksAlways()) {
      this.asked = move
      this.draw()
      this.page.onAsked()
    } else {
      this.stage(move)
    }
  }

  confirm() {
    const move = this.asked
    if (!move || this.isSending) return
    if (move.final === false) this.stage(move)
    else this.send(move)
  }

  async stage(move) {
    this.staged = [...this.staged, { id: move.id, text: move.text }]
    this.decisionOfStaged = this.decision
    this.remember()
    await this.retried()
  }

  async undo() {
    if (!this.staged.length || this.isSending) return
    this.staged = this.staged.slice(0, -1)
    this.remember()
    await this.retried()
  }

  async retried() {
    this.hold()
    this.isTrying = true
    const turn = (this.looking += 1)
    try {
      const trial = await this.tried()
      if (turn !== this.looking || this.isSending) return
      if (trial.scene && !this.staged.length) {
        this.scene = trial.scene
        this.table.show(trial.scene)
      }
      this.take(trial)
    } catch (error) {
      // on the reader's own turn no event causes another look
      if (error instanceof Silent) return void this.page.settle()
      this.isTrying = false
      this.page.onTrouble(error)
    }
  }

  /** Take back a touch, or a move that was not sent. Returns false if there is none. */
  back() {
    if (this.isSending) return false
    if (this.hand?.path.length) {
      this.asked = null
      this.meant = null
      this.hand = back(this.hand)
      this.draw()
      return true
    }
    if (!this.staged.length) return false
    this.undo()
    return true
  }

  /** Send all moves that were tried, and then this one. */
  async send(/** @type {any} */ move = null) {
    if (this.isSending || !this.isMine) return
    this.isSending = true
    const all = [...this.staged.map(one => one.id), ...(move ? [move.id] : [])]
    let decision = this.decision
    this.hold()
    this.page.onSending(true)
    let answer = null
    try {
      for (const [at, id] of all.entries()) {
        answer = await have('POST', `${this.path}/moves`, { decision, id })
        keep(this.match, answer.receipt, answer.sealed?.receipt).catch(error => console.warn(error))
        decision = answer.decision
        if (at < all.length - 1) this.page.onTried(answer.version)
        this.staged = this.staged.slice(1)
        this.remember()
      }
    } catch (error) {
      this.forget()
      this.page.onTrouble(error)
    }
    this.isSending = false
    this.page.onSending(false, answer)
  }

  /** Return why no move begins with that thing. */
  async explain(id) {
    if (!this.isMine || this.isSending || this.asked) return null
    const ids = this.staged.map(one => one.id).join(',') || undefined
    const told = await ask(`${this.path}/touch`, { touched: id, moves: ids })
    return told.refusal
  }

  forget() {
    this.staged = []
    this.remember()
  }

  remember() {
    try {
      if (!this.staged.length) return sessionStorage.removeItem(this.kept)
      sessionStorage.setItem(this.kept, JSON.stringify({ decision: this.decision, staged: this.staged }))
    } catch {
      // they last until the page is left
    }
  }

  remembered() {
    let kept = null
    try {
      kept = JSON.parse(sessionStorage.getItem(this.kept) ?? 'null')
    } catch {
      // what can't be read was not kept
    }
    if (!kept || kept.decision !== this.decision) return []
    this.decisionOfStaged = kept.decision
    return kept.staged
  }
}
