import { ConfigError } from '../lib/config-error.ts'
import { DatabaseBusy } from '../db/busy.ts'
import { ApiError } from '../lib/errors.ts'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

/** PostgreSQL's codes of a start that it refuses, and what helps. */
const REFUSED: Readonly<Record<string, string>> = {
  '3D000': 'create it, or name another one in DATABASE_URL.',
  '28000': 'look at the user in DATABASE_URL.',
  '28P01': 'look at user and password in DATABASE_URL.',
}

/** Code and one line for whatever was thrown. */
export function failureLine(error: unknown): { readonly code: string; readonly message: string } {
  const cause = causeOf(error)
  const message = oneLine(cause)
  if (cause instanceof ApiError) return { code: cause.code, message }
  if (cause instanceof ConfigError) return { code: 'bad_configuration', message }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (Object.hasOwn(REFUSED, code))
    return { code: 'database_refused', message: `${message}: ${REFUSED[code]}` }
  if (!UNREACHABLE.has(code)) return { code: 'failed', message }
  return { code: 'database_unreachable', message: `The database does not answer: ${message}` }
}

/** The first of several at once; why the database is away; what went wrong before something else did while closing. */
export function causeOf(error: unknown): unknown {
  if (error instanceof SuppressedError) return causeOf(error.suppressed)
  if (error instanceof DatabaseBusy && error.cause !== undefined) return causeOf(error.cause)
  return error instanceof AggregateError ? causeOf(error.errors[0]) : error
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.trim().split('\n')[0] ?? ''
}
