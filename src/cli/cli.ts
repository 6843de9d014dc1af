import { constants, setPriority } from 'node:os'
import { failureOf } from './failure.ts'
import type { Terminal } from './progress.ts'

/** Standard output and standard error, each a line at a time, and where a bar is drawn. */
export interface Output extends Pick<Console, 'log' | 'error'> {
  /** Standard error unless it is another one. */
  readonly terminal?: Terminal | undefined
}

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

  constructor(argv: readonly string[], env: Environment, output: Output = console) {
    this.env = env
    this.output = output
    this.json = argv.includes('--json')
  }

  /** Null for programs. */
  get terminal(): Terminal | null {
    return this.json ? null : (this.output.terminal ?? process.stderr)
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
    this.output.log(this.json ? JSON.stringify(value) : text)
  }

  /** For people; programs that asked for JSON are spared. */
  note(text: string): void {
    if (!this.json) this.output.error(text)
  }

  warn(code: string, message: string): void {
    this.output.error(this.json ? JSON.stringify({ warning: { code, message } }) : `Warning: ${message}`)
  }

  /** One line; with LOG_LEVEL=debug the stack of what was not foreseen as well. */
  fail(error: unknown): void {
    const { code, message } = failureOf(error)
    this.#sayError(code, message)
    if (this.env['LOG_LEVEL'] === 'debug' && error instanceof Error) this.output.error(error.stack)
  }

  /** The command line itself is wrong. */
  refuse(message: string): void {
    const text = message.replace(/^error: /, '')
    this.#sayError('usage', this.json ? text : `${text} (--help lists what there is)`)
  }

  #sayError(code: string, message: string): void {
    this.output.error(this.json ? JSON.stringify({ error: { code, message } }) : `Error: ${message}`)
  }
}
