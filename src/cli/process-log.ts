import pino, { type Logger } from 'pino'
import type { Config } from '../config.ts'
import { createLog } from '../log.ts'
import { SECOND } from '../lib/time.ts'

const STDOUT = 1
const STDERR = 2

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
  const destination = pino.destination({ dest: json ? STDERR : STDOUT, sync: false, minLength: 4096 })
  const log = createLog(logLevel, destination)
  const flush = () => destination.flushSync()
  setInterval(() => destination.flush(), SECOND).unref()
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'the process ends: nobody caught an error')
    flush()
    process.exit(1)
  })
  return { log, flush }
}
