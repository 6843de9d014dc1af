import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { SECOND } from '../lib/time.ts'

const STDOUT = 1
const STDERR = 2
/** As much as the destination writes at once. */
const HELD_CHARACTERS = 16_000

export interface ProcessLog {
  readonly log: Logger
  /** Writes out what is held back. */
  flush(): void
}

/**
 * The log of a process that stays: JSON lines, held back for a second at most, so that a line costs no
 * write of its own. They go to standard output, unless that is wanted for a JSON result. What nobody
 * catches is logged, and ends the process with 1.
 */
export function openProcessLog({ logLevel }: Config, json: boolean): ProcessLog {
  const destination = pino.destination({ dest: json ? STDERR : STDOUT, sync: false })
  const held = new HeldLines(destination)
  const log = createLog(logLevel, held)
  const flush = () => {
    held.release()
    destination.flushSync()
  }
  setInterval(() => held.release(), SECOND).unref()
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'the process ends: nobody caught an error')
    flush()
    process.exit(1)
  })
  return { log, flush }
}

/** Hands lines on in pieces: the destination measures all that it holds at each line it is given. */
class HeldLines implements DestinationStream {
  readonly #destination: DestinationStream
  #lines = ''

  constructor(destination: DestinationStream) {
    this.#destination = destination
  }

  write(line: string): void {
    this.#lines += line
    if (this.#lines.length >= HELD_CHARACTERS) this.release()
  }

  release(): void {
    if (this.#lines === '') return
    const lines = this.#lines
    this.#lines = ''
    this.#destination.write(lines)
  }
}
