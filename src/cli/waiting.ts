import { SECOND } from '../lib/time.ts'

/** Where is said what goes on. */
export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined }

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = SECOND / 10
/** Less is no waiting. */
export const PATIENCE_MS = SECOND
const CLEAR = '\r\u001b[K'

/** What says at a terminal that a command is at work, once that takes longer than a second. */
export class Waiting {
  readonly #terminal: Terminal
  readonly #what: string
  readonly #patienceMs: number
  readonly #began = performance.now()
  readonly #timer: NodeJS.Timeout
  #isDrawn = false
  #said: string | null = null
  #drawnAt = 0

  constructor(terminal: Terminal, what: string, patienceMs: number) {
    this.#terminal = terminal
    this.#what = what
    this.#patienceMs = patienceMs
    this.#timer = setInterval(() => this.#draw(), FRAME_MS).unref()
  }

  /** How far it is, which is drawn at once where nothing else comes to its turn. */
  tell(text: string): void {
    this.#said = text
    if (performance.now() - this.#drawnAt >= FRAME_MS) this.#draw()
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
    const now = performance.now()
    const passed = now - this.#began
    if (passed < this.#patienceMs) return
    this.#drawnAt = now
    const frame = FRAMES[Math.floor(passed / FRAME_MS) % FRAMES.length] ?? ''
    const said = this.#said === null ? `${this.#what} …` : `${this.#said} …`
    this.#terminal.write(`${CLEAR}${frame} ${said} ${Math.floor(passed / SECOND)} s`)
    this.#isDrawn = true
  }
}
