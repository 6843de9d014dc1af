import pino, { type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'

/**
 * The structured log, a JSON line each. Of an error only type, message, code and stack are written: what
 * drivers add to it (values of a statement) can be personal or secret (`docs/security-checks.md` S39).
 */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: plainError },
  }
  return pino(options, destination ?? pino.destination({ sync: false, minLength: 4096 }))
}

function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: String(error.code) } : {}
  return { type: error.name, message: error.message, ...code, stack: error.stack }
}
