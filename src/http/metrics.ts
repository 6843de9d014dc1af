import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

/** Counters and times of one process in the format of Prometheus. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'operation' | 'status'>
  readonly #authentications: Counter<'result'>
  /** By operation and status, so that labels are not looked up again at every request. */
  readonly #labelled = new Map<string, Histogram.Internal<'operation' | 'status'>>()

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
  }

  observeRequest(operation: string, status: number, seconds: number): void {
    const name = `${operation} ${status}`
    let labelled = this.#labelled.get(name)
    if (!labelled) {
      labelled = this.#requests.labels({ operation, status })
      this.#labelled.set(name, labelled)
    }
    labelled.observe(seconds)
  }

  countAuthentications(result: 'success' | 'failure', count: number): void {
    this.#authentications.inc({ result }, count)
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
