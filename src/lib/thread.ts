import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

export interface ThreadOptions {
  /** MB of its heap, beyond which the thread ends with ERR_WORKER_OUT_OF_MEMORY; absent: V8's own. */
  readonly heapMb?: number
  /** What it finds as `data` in its `workerData`. */
  readonly data?: unknown
}

/** MB for what was made lately; more is faster where most of it is soon gone. */
const YOUNG_MB = 3
const ENTRY = new URL('../../bin/thread.js', import.meta.url)

/**
 * Starts a module in a thread of its own with a small heap. The semi-spaces that the command line of the process names
 * are those of its main thread: V8 gives them to every other one too, 50 MB and more, unless told not to. What a thread
 * frees is given back to the system, where V8 keeps some 15 MB of each for later; a drawing takes 7 % longer by that.
 */
export function startThread(module: URL, { heapMb, data }: ThreadOptions = {}): Worker {
  setFlagsFromString('--min-semi-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
  setFlagsFromString('--optimize-for-size')
  const cache = getCompileCacheDir()
  return new Worker(ENTRY, {
    workerData: { module: module.href, cache: cache === undefined ? null : dirname(cache), data },
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_MB,
      ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb }),
    },
  })
}
