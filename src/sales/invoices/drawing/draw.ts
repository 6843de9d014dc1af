import type { Worker } from 'node:worker_threads'
import { startThread } from '../../../lib/thread.ts'
import { SECOND } from '../../../lib/time.ts'
import type { Invoice } from './invoice.ts'

export interface Drawing {
  readonly id: number
  readonly invoice: Invoice
}

export interface Drawn {
  readonly id: number
  readonly pdf?: Uint8Array
  readonly error?: string
}

interface Pending {
  readonly resolve: (pdf: Buffer) => void
  readonly reject: (reason: Error) => void
}

/** How long the thread that draws is kept, with its fonts, when nobody wants an invoice. */
const IDLE_MS = 20 * SECOND
/** Of its heap: the largest font that is decoded, and an invoice of many pages. */
const HEAP_MB = 192

/** A thread that draws, so that no request waits while it does. */
class Drawer {
  readonly #pending = new Map<number, Pending>()
  readonly #idle = setTimeout(() => this.#end(), IDLE_MS).unref()
  #worker: Worker | null = null
  #lastId = 0

  draw(invoice: Invoice): Promise<Buffer> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    this.#idle.refresh()
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#pending.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, invoice } satisfies Drawing)
    })
  }

  #start(): Worker {
    const worker = startThread(new URL('./draw-worker.ts', import.meta.url), { heapMb: HEAP_MB })
    worker.on('message', ({ id, pdf, error }: Drawn) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if (this.#pending.size === 0) worker.unref()
      if (pdf) pending?.resolve(Buffer.from(pdf))
      else pending?.reject(new Error(error))
    })
    const fail = (reason: Error) => {
      if (this.#worker === worker) this.#worker = null
      for (const { reject } of this.#pending.values()) reject(reason)
      this.#pending.clear()
    }
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => fail(new Error('The thread that draws invoices has stopped.')))
    return worker
  }

  #end(): void {
    if (this.#pending.size > 0) {
      this.#idle.refresh()
      return
    }
    const worker = this.#worker
    this.#worker = null
    void worker?.terminate()
  }
}

const drawer = new Drawer()

/** `invoicePdf` beside the requests. */
export const drawInvoice = (invoice: Invoice): Promise<Buffer> => drawer.draw(invoice)
