import { parentPort } from 'node:worker_threads'
import { onProgress } from './progress.ts'
import { readUpload, type Upload } from './reading.ts'
import type { Answer } from './read-upload.ts'
import { ArchiveRefused } from './safety.ts'

onProgress(() => parentPort?.postMessage(null))
parentPort?.on('message', async (upload: Upload) => parentPort?.postMessage(await answerTo(upload)))

async function answerTo(upload: Upload): Promise<Answer> {
  try {
    return { read: await readUpload(upload) }
  } catch (error) {
    if (error instanceof ArchiveRefused) return { refused: error.message }
    if (!(error instanceof Error)) return { failed: String(error) }
    const code = 'code' in error ? { code: String(error.code) } : {}
    return { failed: error.stack ?? error.message, ...code }
  }
}
