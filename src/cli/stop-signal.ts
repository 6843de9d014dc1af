import { SECOND } from '../lib/time.ts'

/** npm passes on to us what the terminal has sent us as well, so that one Ctrl-C arrives twice. */
const SAME_SIGNAL_MS = SECOND / 2

const PARENT_EVERY_MS = SECOND / 4
const parent = process.ppid

/**
 * Resolves at the first SIGTERM or SIGINT from now on; at a later one `now` is called and the process ends at
 * once. Before this is called, while nothing is in work yet, a signal ends it as it ends any program.
 * With `asParentEnds` the end of what started the process counts as a SIGTERM too.
 */
export function stopSignal(now: () => void, { asParentEnds = false } = {}): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | null = null
    const heard = (signal: NodeJS.Signals) => {
      if (first === null) {
        first = performance.now()
        resolve(signal)
      } else if (performance.now() - first > SAME_SIGNAL_MS) {
        now()
        process.exit(1)
      }
    }
    process.on('SIGTERM', heard).on('SIGINT', heard)
    if (!asParentEnds) return
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      if (first === null) heard('SIGTERM')
    }, PARENT_EVERY_MS).unref()
  })
}
