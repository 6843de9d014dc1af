import type { Worker } from 'node:worker_threads'
import { tooManyRequests } from '../../lib/errors.ts'
import { startThread } from '../../lib/thread.ts'
import { SECOND } from '../../lib/time.ts'
import type { Wanting } from './facts.ts'
import type { Reading, Upload } from './reading.ts'
import { ArchiveRefused } from './safety.ts'
import { Turns } from './turns.ts'

export type Answer =
  | { readonly read: Reading | Wanting }
  | { readonly refused: string }
  | { readonly failed: string; readonly code?: string }

/** How long the reading of an archive may take. */
export interface ReadLimits {
  /** Milliseconds without a sign of life: no file that a person wrote takes a hundredth of it. */
  readonly stepMs: number
  /** Milliseconds of all of it. */
  readonly wholeMs: number
  /** MB of the heap of the thread. */
  readonly heapMb?: number
  /** Milliseconds that it waits for the one before it, until it gets a thread of its own if its seller may. */
  readonly patienceMs?: number
}

const MODULE = new URL('./read-thread.ts', import.meta.url)
/** MB of a thread that reads. */
const HEAP_MB = 256
const IDLE_MS = 15 * SECOND
/** One more than of a seller: however long its archives take, there is a thread for others. */
const MOST_THREADS = 3
const MOST_THREADS_OF_SELLER = 2
const MOST_WAITING_OF_SELLER = 16
const RETRY_AFTER_SECONDS = 10
/** Ten times what most archives take. */
const PATIENCE_MS = 3 * SECOND
const STEP_MS = 20 * SECOND
/** Several times what the largest archive takes. */
const WHOLE_MS = 120 * SECOND

/**
 * Threads that read archives, so that no request waits for what somebody else has uploaded: one archive in each at a
 * time, others wait, sellers in turn. Another one takes 25 MB, so that only one is kept, and others only work beside an
 * archive that takes long. One whose archive takes too long or too much memory is ended.
 */
class Readers {
  readonly #turns = new Turns({
    atOnce: MOST_THREADS,
    ofSeller: MOST_THREADS_OF_SELLER,
    waiting: MOST_WAITING_OF_SELLER,
  })
  readonly #idle = setTimeout(() => this.#rest(), IDLE_MS).unref()
  #resting: Worker | null = null

  async read(upload: Upload, seller: number, limits: ReadLimits): Promise<Reading | Wanting> {
    await this.#turn(seller, limits)
    try {
      const worker = this.#resting ?? this.#start(limits)
      this.#resting = null
      const answer = await answerOf(worker, upload, limits)
      this.#keep(worker)
      if ('read' in answer) return answer.read
      throw 'refused' in answer ? new ArchiveRefused(answer.refused) : failureOf(answer)
    } finally {
      this.#idle.refresh()
      this.#turns.end(seller)
    }
  }

  async #turn(seller: number, { patienceMs = PATIENCE_MS }: ReadLimits): Promise<void> {
    const turn = this.#turns.take(seller)
    if (!turn) throw tooManyRequests(RETRY_AFTER_SECONDS)
    const patience = setTimeout(() => this.#turns.beginBeside(seller), patienceMs)
    await turn
    clearTimeout(patience)
  }

  #start({ heapMb = HEAP_MB }: ReadLimits): Worker {
    const worker = startThread(MODULE, { heapMb })
    const leave = () => {
      if (this.#resting === worker) this.#resting = null
    }
    return worker.on('error', () => {}).on('exit', leave)
  }

  #keep(worker: Worker): void {
    if (this.#resting) void worker.terminate()
    else this.#resting = worker
  }

  #rest(): void {
    void this.#resting?.terminate()
    this.#resting = null
  }
}

/** What the thread answers; where it answers nothing, it is ended. */
async function answerOf(worker: Worker, upload: Upload, { stepMs, wholeMs }: ReadLimits): Promise<Answer> {
  const answering = Promise.withResolvers<Answer>()
  const tooLong = () => answering.reject(new ArchiveRefused('takes too long to read'))
  const step = setTimeout(tooLong, stepMs)
  const whole = setTimeout(tooLong, wholeMs)
  const hear = (answer: Answer | null) => (answer ? answering.resolve(answer) : void step.refresh())
  const fail = (error: unknown) => answering.reject(isTooLarge(error) ? tooLarge() : error)
  const exit = () => answering.reject(new Error('The thread that reads archives has stopped.'))
  worker.on('message', hear).on('error', fail).on('exit', exit).ref()
  worker.postMessage(upload)
  try {
    return await answering.promise
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    clearTimeout(step)
    clearTimeout(whole)
    worker.off('message', hear).off('error', fail).off('exit', exit).unref()
  }
}

/** With the code of the system, as a full disk has one. */
const failureOf = ({ failed, code }: { readonly failed: string; readonly code?: string }) =>
  Object.assign(new Error(failed), code !== undefined && { code })

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooLarge = () => new ArchiveRefused('takes too much memory to read')

const readers = new Readers()

/**
 * `readUpload` of `reading.ts` beside the requests. ArchiveRefused too for an archive that takes too long or too much
 * memory; then and at any other error part of a build may be in its place. 429 where too many of the seller wait.
 */
export const readBeside = (
  upload: Upload,
  seller: number,
  limits: ReadLimits = { stepMs: STEP_MS, wholeMs: WHOLE_MS },
): Promise<Reading | Wanting> => readers.read(upload, seller, limits)
