import { SECOND, HOUR, toUtcTime, type UtcTime } from '../lib/time.ts'
import {
  CONTENT_CHECKS,
  DATABASE_CHECK,
  examine,
  MACHINE_CHECKS,
  type Check,
  type Patient,
} from './checks.ts'
import type { Finding } from './finding.ts'

/** So long a request waits for what is looked at. */
const PATIENCE_MS = 1_500
/** What was found is kept so many times as long as it took, within these. */
const KEPT_FACTOR = 100
const KEPT_LEAST_MS = 5 * SECOND
const KEPT_MOST_MS = HOUR

/** A line of the checkup; `waiting`: it is looked at for the first time. */
export type Line =
  | (Finding & { readonly at: UtcTime })
  | {
      readonly check: string
      readonly status: 'waiting'
      readonly message: ''
      readonly fix: null
      readonly at: null
    }

interface Found {
  readonly findings: readonly Finding[]
  readonly at: number
  readonly until: number
}

const OF_SERVER: readonly Check<Patient>[] = [
  ...MACHINE_CHECKS.filter(({ isFromOutside }) => !isFromOutside).map(({ name, look }) => ({
    name,
    look: ({ config }: Patient) => look(config),
  })),
  DATABASE_CHECK,
  ...CONTENT_CHECKS,
]
/** What is read at once is not behind what takes long. */
const IN_TURN = OF_SERVER.toSorted((a, b) => Number(a.isSlow ?? false) - Number(b.isSlow ?? false))

/**
 * The checks of `keywright doctor` on a server that runs. What was found is kept for a while, longer where it took
 * longer; each check runs once at a time, however many ask.
 */
export class Checkup {
  readonly #found = new Map<string, Found>()
  readonly #running = new Map<string, Promise<void>>()

  /** What is known by `now` (real time in milliseconds) or within a moment, in the order of the command. */
  async lines(patient: Patient, now: () => number): Promise<readonly Line[]> {
    for (const check of IN_TURN) {
      const until = this.#found.get(check.name)?.until ?? 0
      if (until <= now() && !this.#running.has(check.name))
        this.#running.set(check.name, this.#look(check, patient, now))
    }
    await this.#patiently()
    return OF_SERVER.flatMap(({ name }) => this.#linesOf(name))
  }

  async #look(check: Check<Patient>, patient: Patient, now: () => number): Promise<void> {
    const begun = performance.now()
    const findings = await examine(check, patient)
    const took = performance.now() - begun
    const kept = Math.min(KEPT_MOST_MS, Math.max(KEPT_LEAST_MS, took * KEPT_FACTOR))
    this.#found.set(check.name, { findings, at: now(), until: now() + kept })
    this.#running.delete(check.name)
  }

  async #patiently(): Promise<void> {
    const { promise: tooLong, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, PATIENCE_MS)
    await Promise.race([tooLong, Promise.all(this.#running.values())])
    clearTimeout(timer)
  }

  #linesOf(name: string): readonly Line[] {
    const found = this.#found.get(name)
    if (!found) return [{ check: name, status: 'waiting', message: '', fix: null, at: null }]
    return found.findings.map((finding) => ({ ...finding, at: toUtcTime(found.at) }))
  }
}
