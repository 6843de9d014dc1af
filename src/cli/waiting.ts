import { SECOND } from '../lib/time.ts'
import type { Terminal } from './progress.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = SECOND / 10
/** Less is no waiting. */
const AFTER_MS = SECOND
const CLEAR = '\r\u001b[K'

/** What says at a terminal that a command is at work, once that takes longer than a second. */
export class Waiting {
  readonly #terminal: Terminal
  readonly #what: string
  readonly #began = performance.now()
  readonly #timer: NodeJS.Timeout
  #isDrawn = false

  constructor(terminal: Terminal, what: string) {
    this.#terminal = terminal
    this.#what = what
    this.#timer = setInterval(() => this.#draw(), FRAME_MS).unref()
  }

  /** Takes the line back, for what is written in its place; it comes again. */
  clear(): void {
    if (this.#isDrawn) this.#terminal.write(CLEAR)
    this.#isDrawn = false
  }

  end(): void {
    clearInterval(this.#timer)
    this.clear()
  }

  #draw(): void {
    const passed = performance.now() - this.#began
    if (passed < AFTER_MS) return
    const frame = FRAMES[Math.floor(passed / FRAME_MS) % FRAMES.length] ?? ''
    this.#terminal.write(`${CLEAR}${frame} ${this.#what} … ${Math.floor(passed / SECOND)} s`)
    this.#isDrawn = true
  }
}
