import { collectGarbage } from '../lib/collect-garbage.ts'

/** After the first requests, which tend to wait for the start. */
const SETTLED_MS = 1_000

/**
 * Gives back what starting took and nothing needs any more, a fifth of the memory: left alone, V8 keeps it until the
 * heap has grown by as much again, which that of an idle process never does. Once, and in less than a tenth of a
 * second.
 */
export function settleMemory(): void {
  setTimeout(() => collectGarbage({ type: 'major', flavor: 'last-resort' }), SETTLED_MS).unref()
}
