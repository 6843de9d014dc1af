import { causeOf, failureLine } from '../health/failure-line.ts'

/** How a command line ends: done, failed, wrong usage, or that a server was not reached or lets nobody in. */
export type ExitCode = 0 | 1 | 2 | typeof NO_ENTRY
export const NO_ENTRY = 3

/** A command cannot do what it was asked to; the message is one line that says why and what helps. */
export class Failure extends Error {
  readonly code: string
  readonly exitCode: ExitCode

  constructor(code: string, message: string, exitCode: ExitCode = 1) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }

  /** What programs are told beside code and message. */
  get details(): object {
    return {}
  }

  /** Lines that people read below the message. */
  get below(): readonly string[] {
    return []
  }
}

/** Code and one line for whatever a command threw, what stands below it, and how the command ends. */
export function failureOf(error: unknown) {
  const cause = causeOf(error)
  const line = failureLine(cause)
  if (!(cause instanceof Failure)) return { ...line, details: {}, below: [], exitCode: 1 as ExitCode }
  const { code, details, below, exitCode } = cause
  return { code, message: line.message, details, below, exitCode }
}
