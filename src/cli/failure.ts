import { causeOf, failureLine } from '../health/failure-line.ts'

/** A command cannot do what it was asked to; the message is one line that says why and what helps. */
export class Failure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Code and one line for whatever a command threw. */
export function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  const cause = causeOf(error)
  const line = failureLine(cause)
  return cause instanceof Failure ? { code: cause.code, message: line.message } : line
}
