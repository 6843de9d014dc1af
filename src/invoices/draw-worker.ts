import { parentPort } from 'node:worker_threads'
import type { Drawing, Drawn } from './draw.ts'
import { invoicePdf } from './pdf.ts'

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
}
