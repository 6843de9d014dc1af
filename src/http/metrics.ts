import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { uncaughtErrors } from '../lib/uncaught.ts'

const HELD_TIMES = 1_000

/** Counters and times of one process in the format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'operation' | 'status'>
  readonly #authentications: Counter<'result'>
  /** By operation, then by status. */
  readonly #held = new Map<string, Map<number, HeldTimes>>()

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Histogram({
      name: 'keywright_http_request_seconds',
      help: 'Time from request to response, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.#registry],
    })
    this.#authentications = new Counter({
      name: 'keywright_authentications_total',
      help: 'Authentications by result.',
      labelNames: ['result'],
      registers: [this.#registry],
    })
    new Counter({
      name: 'keywright_uncaught_errors_total',
      help: 'Errors that nobody caught; the log has each.',
      registers: [this.#registry],
      collect() {
        this.reset()
        this.inc(uncaughtErrors())
      },
    })
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    const times = this.#held.get(operation)?.get(status) ?? this.#hold(operation, status)
    times.add(seconds)
  }

  countAuthentications(result: 'success' | 'failure', count: number): void {
    this.#authentications.inc({ result }, count)
  }

  /** Adds a figure that is looked up whenever the figures are read; none of it where that fails. */
  watch<Label extends string>(
    about: { readonly name: string; readonly help: string; readonly labelNames: readonly Label[] },
    look: () => Promise<readonly Watched<Label>[]>,
  ): void {
    const { name, help, labelNames } = about
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
      async collect() {
        this.reset()
        for (const { labels, value } of await look().catch(() => [])) this.set(labels, value)
      },
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    for (const byStatus of this.#held.values()) for (const times of byStatus.values()) times.count()
    return this.#registry.metrics()
  }

  #hold(operation: string, status: number): HeldTimes {
    const times = new HeldTimes(this.#requests.labels({ operation, status }))
    const byStatus = this.#held.get(operation) ?? new Map<number, HeldTimes>()
    this.#held.set(operation, byStatus.set(status, times))
    return times
  }
}

/** One value of a figure that is looked up. */
export interface Watched<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** Times that are counted many at once: counting one by one, between other work, costs several times as much. */
class HeldTimes {
  readonly #counted: Histogram.Internal<'operation' | 'status'>
  #seconds: number[] = []

  constructor(counted: Histogram.Internal<'operation' | 'status'>) {
    this.#counted = counted
  }

  add(seconds: number): void {
    if (this.#seconds.push(seconds) >= HELD_TIMES) this.count()
  }

  count(): void {
    for (const seconds of this.#seconds.splice(0)) this.#counted.observe(seconds)
  }
}
