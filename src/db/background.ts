import { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'

interface Answer {
  readonly id: number
  readonly rows?: unknown[]
  readonly error?: string
}

interface Pending {
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (reason: Error) => void
}

/** Long reads on their own connection in a worker thread, started at the first one (DECISIONS 4.7). */
export class BackgroundReader {
  readonly #file: string
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #lastId = 0

  constructor(file: string) {
    this.#file = file
  }

  run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ id, sql, parameters })
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./background-worker.ts', import.meta.url), { workerData: this.#file })
    worker.unref()
    worker.on('message', ({ id, rows, error }: Answer) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (rows) pending?.resolve({ rows })
      else pending?.reject(new Error(error))
    })
    const fail = (reason: Error) => {
      if (this.#worker === worker) this.#worker = null
      for (const { reject } of this.#pending.values()) reject(reason)
      this.#pending.clear()
    }
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => fail(new Error('The background reader has stopped.')))
    return worker
  }
}
