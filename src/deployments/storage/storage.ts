import type { ByteRange } from '../../lib/byte-range.ts'
import type { Received } from '../../lib/receive.ts'

export interface OpenFile {
  /** Read once; a chunk is good until the next is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export interface StoredFile {
  readonly sha256: string
  readonly size: number
  /** When it was last kept; milliseconds since the epoch, by the clock of where it is. */
  readonly keptAt: number
}

/**
 * Keeps files under the hash of their bytes, so that no file ever changes and equal ones are one. A file is there
 * wholly or not at all, whenever the process or the machine stops.
 */
export interface Storage {
  /** Takes bytes as they come, holding no more than a chunk; TooManyBytes beyond `maxBytes`. */
  receive(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Received>
  /** The path of a file that is not there: who writes it there gives it to `keep` or `discard` as what was received. */
  place(): Promise<string>
  /** Makes what was received a file that can be read, and durable; it counts as kept now if it was there. */
  keep(received: Received): Promise<void>
  /** Removes what was received and not kept. Does nothing where it is gone. */
  discard(received: Pick<Received, 'path'>): Promise<void>
  /** The bytes of a file; null when it is not there. Whoever asks closes them. */
  read(sha256: string, range?: ByteRange): Promise<OpenFile | null>
  /** Every file. */
  list(): AsyncIterable<StoredFile>
  /** Removes a file unless it was kept again after `keptAt`; whether it did. */
  remove(file: StoredFile): Promise<boolean>
  /** Removes what was received before `before` (milliseconds since the epoch) by a process that did not end; how many. */
  clean(before: number): Promise<number>
}
