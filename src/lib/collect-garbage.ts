import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Wanted {
  /** `minor`: what was made lately, in about a millisecond; `major`: all. */
  readonly type: 'minor' | 'major'
  /** `last-resort`: what can be given back to the system at all. */
  readonly flavor?: 'last-resort'
}

type Collect = (wanted: Wanted) => void

let collect: Collect | undefined

/** Has V8 collect what nothing refers to any more, sooner than it would by itself. */
export function collectGarbage(wanted: Wanted): void {
  collect ??= collector()
  collect(wanted)
}

const EVERY = 8 * 1024 * 1024

/**
 * Told of the bytes of each chunk of a stream, it keeps those that nobody needs any more few: left alone, V8 lets them
 * pile up to 64 MB and more before it frees them.
 */
export function chunkCollector(): (bytes: number) => void {
  let left = EVERY
  return (bytes) => {
    left -= bytes
    if (left > 0) return
    collectGarbage({ type: 'minor' })
    left = EVERY
  }
}

/** V8's own, which Node shows only with a flag. */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const found = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return found
}
