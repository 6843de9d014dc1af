import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { collectGarbage } from '../../../lib/collect-garbage.ts'
import type { Drawing, Drawn } from './draw.ts'
import { invoicePdf } from './pdf.ts'

/** Bytes of the smallest font with Eastern characters, by far more than the others take in a drawing. */
const LARGE = 4_000_000

/** Bytes beside the heap when no such font is held. */
let least = Number.MAX_SAFE_INTEGER

// One after another: it takes no longer, and what one holds while it is drawn is held once.
let last = Promise.resolve()
parentPort?.on('message', (drawing: Drawing) => {
  last = last.then(() => draw(drawing))
})

async function draw({ id, invoice }: Drawing): Promise<void> {
  try {
    parentPort?.postMessage({ id, pdf: await invoicePdf(invoice) } satisfies Drawn)
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies Drawn)
  }
  // The bytes of a font count little for V8, which would hold several before it let go of one.
  const { external_memory: held } = getHeapStatistics()
  if (held > least + LARGE) collectGarbage({ type: 'major' })
  else least = Math.min(least, held)
}
