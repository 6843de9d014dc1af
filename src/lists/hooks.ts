import type { Context } from '../context.ts'
import type { AnyOperation } from '../http/operation.ts'

/** The operation with an id, which a module above has listed; undefined where there is none. */
export type OperationById = (id: string) => AnyOperation | undefined

/** Which account is to be written, and how. */
export interface WantedArchive {
  readonly developerId: number
  readonly format: 'csv' | 'jsonl'
  /** Told after each part, and awaited: what it throws ends the work. `progress` is from 0 to 1. */
  readonly onPart: (done: { readonly rows: number; readonly progress: number }) => Promise<void>
}

/**
 * Hands the bytes of a ZIP file of all that an account has to `take`, which a module above can read; nothing of them is
 * left on this machine but what `take` has made of them.
 */
export type ArchiveAccount = <T>(
  ctx: Context,
  wanted: WantedArchive,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
) => Promise<T>
