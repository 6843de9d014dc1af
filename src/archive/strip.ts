import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../lib/time.ts'
import { ArchiveRefused } from './safety.ts'
import type { Source, StrippedFile } from './stripped.ts'

export type Stripping =
  { readonly file: StrippedFile } | { readonly refused: string } | { readonly failed: string }

/** No file that a person wrote takes a hundredth of it. */
const FILE_MS = 5 * SECOND
/** Of all files of an archive. */
const ARCHIVE_MS = 60 * SECOND
/** How long the thread is kept after its last file. */
const IDLE_MS = 20 * SECOND
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

/** What nothing of is left out or kept is as it was. */
const MARKED = /__premium_only|fs_premium_only|fs_free_only_|fs_dynamic_init/i

/**
 * `strippedFile` in a thread of its own, so that no request waits for what somebody else has uploaded; one file after
 * another. ArchiveRefused too for a file, or the files of an archive, that take too long.
 */
class Stripper {
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()
  readonly #spent = new WeakMap<object, number>()
  readonly #idle = setTimeout(() => this.#end(), IDLE_MS).unref()

  strip(archive: object, source: Source, mostMs: number): Promise<StrippedFile> {
    if (
      !MARKED.test(
        Buffer.from(source.bytes.buffer, source.bytes.byteOffset, source.bytes.byteLength).toString('latin1'),
      )
    )
      return Promise.resolve({ bytes: source.bytes, parts: [], isChanged: false })
    const stripping = this.#last.then(() => this.#now(archive, source, mostMs))
    this.#last = stripping.catch(() => {})
    return stripping
  }

  async #now(archive: object, source: Source, mostMs: number): Promise<StrippedFile> {
    const start = performance.now()
    const spent = this.#spent.get(archive) ?? 0
    const answer = await this.#ask(source, Math.min(mostMs, ARCHIVE_MS - spent))
    this.#spent.set(archive, spent + performance.now() - start)
    if ('file' in answer) return answer.file
    throw 'refused' in answer ? new ArchiveRefused(answer.refused) : new Error(answer.failed)
  }

  async #ask(source: Source, ms: number): Promise<Stripping> {
    this.#idle.refresh()
    this.#worker ??= new Worker(new URL('./strip-worker.ts', import.meta.url), { resourceLimits: LIMITS })
    const worker = this.#worker
    const ended = new AbortController()
    worker.ref()
    worker.postMessage(source)
    try {
      const late = sleep(ms, TOO_LONG, { signal: ended.signal })
      late.catch(() => {})
      const [answer] = await Promise.race([once(worker, 'message', { signal: ended.signal }), late])
      if (answer === undefined) this.#end()
      return answer ?? { refused: 'has code that takes too long to read' }
    } catch (error) {
      this.#end()
      return isTooLarge(error)
        ? { refused: 'has code that takes too much memory to read' }
        : { failed: String(error) }
    } finally {
      ended.abort()
      worker.unref()
    }
  }

  #end(): void {
    const worker = this.#worker
    this.#worker = null
    worker?.on('error', () => {})
    void worker?.terminate()
  }
}

const TOO_LONG: [Stripping?] = []

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const stripper = new Stripper()

/** A file of an archive as it is in a build, in at most `mostMs`; `archive` is whose time is counted. */
export const strip = (archive: object, source: Source, mostMs = FILE_MS): Promise<StrippedFile> =>
  stripper.strip(archive, source, mostMs)
