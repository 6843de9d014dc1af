import { parentPort } from 'node:worker_threads'
import { ArchiveRefused } from './safety.ts'
import type { Stripping } from './strip.ts'
import { strippedFile, type Source } from './stripped.ts'

parentPort?.on('message', (source: Source) => parentPort?.postMessage(answerTo(source)))

function answerTo(source: Source): Stripping {
  try {
    return { file: strippedFile(source) }
  } catch (error) {
    return error instanceof ArchiveRefused ? { refused: error.message } : { failed: String(error) }
  }
}
