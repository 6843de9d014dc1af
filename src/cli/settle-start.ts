import { flushCompileCache } from 'node:module'
import { collectGarbage } from '../lib/collect-garbage.ts'

/** After the first requests, which tend to wait for the start. */
const SETTLED_MS = 1_000

/**
 * Once, a second after the start. Writes down what was compiled for it, which Node does only as a process ends, and of
 * one that is killed never: without it each start would compile all again, which takes three times as long. And gives
 * back what starting took and nothing needs any more, a fifth of the memory: left alone, V8 keeps it until the heap has
 * grown by as much again, which that of an idle process never does; in less than a tenth of a second.
 */
export function settleStart(): void {
  setTimeout(() => {
    flushCompileCache()
    collectGarbage({ type: 'major', flavor: 'last-resort' })
  }, SETTLED_MS).unref()
}
