import type { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import { startThread } from '../lib/thread.ts'

interface Answer {
  readonly id: number
  readonly rows?: unknown[]
  readonly error?: string
}

interface Pending {
  readonly resolve: (result: QueryResult<unknown>) => void
  readonly reject: (reason: Error) => void
}

/** How long the thread is kept after its last read. */
const REST_MS = 30_000

/**
 * Long reads on their own connection in a worker thread, started at the first one and ended when there was none for a
 * while (`docs/decisions.md` 4.7).
 */
export class BackgroundReader {
  readonly #file: string
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #lastId = 0
  #rest: NodeJS.Timeout | null = null

  constructor(file: string) {
    this.#file = file
  }

  run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    if (this.#rest) clearTimeout(this.#rest)
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ id, sql, parameters })
    })
  }

  async close(): Promise<void> {
    if (this.#rest) clearTimeout(this.#rest)
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
    this.#rejectAll(new Error('The background reader has stopped.'))
  }

  #rejectAll(reason: Error): void {
    for (const { reject } of this.#pending.values()) reject(reason)
    this.#pending.clear()
  }

  /** A thread that nobody asks anything takes memory. */
  #restSoon(worker: Worker): void {
    if (this.#rest) clearTimeout(this.#rest)
    this.#rest = setTimeout(() => {
      if (this.#pending.size > 0 || this.#worker !== worker) return
      this.#worker = null
      void worker.terminate()
    }, REST_MS).unref()
  }

  #start(): Worker {
    const worker = startThread(new URL('./background-worker.ts', import.meta.url), { data: this.#file })
    worker.unref()
    worker.on('message', ({ id, rows, error }: Answer) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (rows) pending?.resolve({ rows })
      else pending?.reject(new Error(error))
      if (this.#pending.size === 0) this.#restSoon(worker)
    })
    const fail = (reason: Error) => {
      // One that was ended has nothing under way; what is, is another one's.
      if (this.#worker !== worker) return
      this.#worker = null
      this.#rejectAll(reason)
    }
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => fail(new Error('The background reader has stopped.')))
    return worker
  }
}
