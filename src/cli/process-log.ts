import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { currentWork } from '../lib/at-work.ts'
import { SECOND } from '../lib/time.ts'
import { countUncaught } from '../lib/uncaught.ts'

const STDOUT = 1
const STDERR = 2
/** Bytes that are written at once. */
const PIECE = 65_536
/** What a character takes at most. */
const UTF8_BYTES = 3

export interface ProcessLog {
  readonly log: Logger
  /** Writes out what is held back. */
  flush(): void
}

/**
 * The log of a process that stays: JSON lines, held back for a second at most, so that a line costs no
 * write of its own. They go to standard output, unless that is wanted for a JSON result. What nobody
 * catches is logged with the request or job it comes from, and counted; it ends nothing that others have in work.
 */
export function openProcessLog({ logLevel }: Config, json: boolean): ProcessLog {
  const destination = pino.destination({ dest: json ? STDERR : STDOUT, sync: false, contentMode: 'buffer' })
  const held = new HeldLines((bytes) => destination.write(bytes as never))
  const log = createLog(logLevel, held)
  const flush = () => {
    held.release()
    destination.flushSync()
  }
  setInterval(() => held.release(), SECOND).unref()
  process.on('uncaughtException', (err) => {
    countUncaught()
    log.error({ err, work: currentWork() ?? null }, 'nobody caught an error')
    flush()
  })
  return { log, flush }
}

/** Hands lines on in pieces of bytes: a text that grows line by line is taken apart again to be written. */
class HeldLines implements DestinationStream {
  readonly #write: (bytes: Buffer) => void
  #bytes = Buffer.allocUnsafeSlow(PIECE)
  #length = 0

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  write(line: string): void {
    const most = line.length * UTF8_BYTES
    if (this.#length + most > PIECE) this.release()
    if (most > PIECE) this.#write(Buffer.from(line))
    else this.#length += this.#bytes.write(line, this.#length)
  }

  release(): void {
    if (this.#length === 0) return
    const bytes = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.allocUnsafeSlow(PIECE)
    this.#length = 0
    this.#write(bytes)
  }
}
