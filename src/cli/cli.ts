import { styleText } from 'node:util'
import { constants, setPriority } from 'node:os'
import { stepText, type Step } from '../lib/step.ts'
import { failureOf, type ExitCode } from './failure.ts'
import { PATIENCE_MS, Waiting, type Terminal } from './waiting.ts'

/** Standard output and standard error, each a line at a time, and where is said how far a command is. */
export interface Output extends Pick<Console, 'log' | 'error'> {
  /** Standard error unless it is another one. */
  readonly terminal?: Terminal | undefined
  /** Where results go; standard output unless it is another one. */
  readonly stdout?: Terminal | undefined
  /** How long nothing is said of what goes on; a second unless it is another time. */
  readonly patienceMs?: number | undefined
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a command may use of the process it runs in. Results go to standard output, alone: one JSON object
 * with `--json`, text without. What is said beside them goes to standard error.
 */
export class Cli {
  readonly env: Environment
  readonly json: boolean
  readonly output: Output
  /** A command that has said in its result that something is wrong ends with 1. */
  hasFailed = false
  #waiting: Waiting | null = null

  constructor(argv: readonly string[], env: Environment, output: Output = console) {
    this.env = env
    this.output = output
    this.json = argv.includes('--json')
  }

  /** Null for programs. */
  get terminal(): Terminal | null {
    return this.json ? null : (this.output.terminal ?? process.stderr)
  }

  /** Where results go, which may be a terminal. */
  get stdout(): Terminal {
    return this.output.stdout ?? process.stdout
  }

  /** From now on the process ends when nobody reads its results any further, as `| head` does. */
  endWithReader(): void {
    this.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
    })
  }

  /** Text in a colour where it is read at a terminal that has colours (`https://no-color.org`). */
  style(style: Style, text: string, on: Terminal = this.stdout): string {
    return this.#hasColours(on) ? styleText(style, text, { validateStream: false }) : text
  }

  #hasColours({ isTTY }: Terminal): boolean {
    const { NO_COLOR, TERM } = this.env
    return isTTY === true && !NO_COLOR && TERM !== 'dumb' && !this.json
  }

  /** Does what takes its time; at a terminal it is told that it does after a second. */
  async waitFor<T>(what: string, work: () => Promise<T>): Promise<T> {
    const { terminal } = this
    if (!terminal?.isTTY) return work()
    this.#waiting = new Waiting(terminal, what, this.output.patienceMs ?? PATIENCE_MS)
    try {
      return await work()
    } finally {
      this.#waiting.end()
      this.#waiting = null
    }
  }

  /** How far what it waits for is; at a terminal alone, after a second. */
  tell(step: Step | string): void {
    this.#waiting?.tell(typeof step === 'string' ? step : stepText(step))
  }

  /** A line of a result that is none by itself. */
  line(text: string): void {
    this.#waiting?.clear()
    this.output.log(text)
  }

  /** Lets every other process of the machine go first, where this one has nothing else to do. */
  stepBack(): void {
    if (this.output !== console) return
    try {
      setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // A system that has no priorities lets all go on alike.
    }
  }

  result(value: object, text: string): void {
    this.#waiting?.clear()
    this.output.log(this.json ? JSON.stringify(value) : text)
  }

  /** For people; programs that asked for JSON are spared. */
  note(text: string): void {
    this.#waiting?.clear()
    if (!this.json) this.output.error(text)
  }

  warn(code: string, message: string): void {
    this.#waiting?.clear()
    const word = this.style('yellow', 'Warning:', this.#errors)
    this.output.error(this.json ? JSON.stringify({ warning: { code, message } }) : `${word} ${message}`)
  }

  /** What went wrong; with LOG_LEVEL=debug the stack as well. How the command ends. */
  fail(error: unknown): ExitCode {
    const { code, message, details, below, exitCode } = failureOf(error)
    this.#sayError(code, message, details)
    for (const line of this.json ? [] : below) this.output.error(this.style('dim', line, this.#errors))
    if (this.env['LOG_LEVEL'] === 'debug' && error instanceof Error) this.output.error(error.stack)
    return exitCode
  }

  /** The command line itself is wrong. */
  refuse(message: string): void {
    const text = message.replace(/^error: /, '').replaceAll(/\s+/g, ' ')
    this.#sayError('usage', this.json ? text : `${text} (--help lists what there is)`)
  }

  get #errors(): Terminal {
    return this.output.terminal ?? process.stderr
  }

  #sayError(code: string, message: string, details: object = {}): void {
    const word = this.style('red', 'Error:', this.#errors)
    this.output.error(
      this.json ? JSON.stringify({ error: { code, message, ...details } }) : `${word} ${message}`,
    )
  }
}
