import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { chunkCollector } from './collect-garbage.ts'

/** What was received: bytes in a file of this machine that nothing else knows of. */
export interface Received {
  /** Absolute path. */
  readonly path: string
  /** Hex, of all bytes. */
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

/** More bytes came than were allowed; nothing of them is left. */
export class TooManyBytes extends Error {}

/** Writes bytes to a file that must not be there, as they come, and makes them durable; of what fails nothing is left. */
export async function receiveInto(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Received> {
  const file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  let size = 0
  const collect = chunkCollector()
  try {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > maxBytes) throw new TooManyBytes(`more than ${maxBytes} bytes`)
      hash.update(chunk)
      await file.writeFile(chunk)
      collect(chunk.length)
    }
    await file.sync()
    await file.close()
  } catch (error) {
    await file.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
  return { path, sha256: hash.digest('hex'), size }
}
