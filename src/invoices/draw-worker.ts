import { parentPort } from 'node:worker_threads'
import type { Drawing, Drawn } from './draw.ts'
import { invoicePdf } from './pdf.ts'

parentPort?.on('message', async ({ id, invoice }: Drawing) => {
  try {
    parentPort?.postMessage({ id, pdf: await invoicePdf(invoice) } satisfies Drawn)
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies Drawn)
  }
})
