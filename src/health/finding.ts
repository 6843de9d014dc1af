export type Status = 'ok' | 'warn' | 'fail'

export interface Finding {
  readonly check: string
  readonly status: Status
  readonly message: string
  /** What to do about it; null when nothing is to be done. */
  readonly fix: string | null
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, fix: null })
export const warn = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'warn',
  message,
  fix,
})
export const fail = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'fail',
  message,
  fix,
})

/** What helps where the secret cannot be read. */
export const SECRET_FIX = 'Put the secret back from a copy: nothing else opens the keys in the database.'
