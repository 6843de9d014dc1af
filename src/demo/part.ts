import { hash } from 'node:crypto'
import type { Context, ReadContext, TxContext } from '../context.ts'
import { systemScope, type Scope } from '../access/scope.ts'
import { stillClock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'

/** The seller that every part of the demo belongs to. */
export interface Demo {
  readonly developerId: number
  readonly storeId: number
  readonly productId: number
  readonly otherProductId: number
}

/** One of its two products. */
export type Which = 'first' | 'other'

export const scopeIn = ({ developerId, productId, otherProductId }: Demo, which: Which): Scope =>
  systemScope({ developerId, productId: which === 'first' ? productId : otherProductId })

/** One kind of data in the demo: add a file and a line in `demo.ts`. */
export interface DemoPart {
  /** Ids to try calls with, by the name of the path's parameter; null while the part is not there. */
  examples(ctx: ReadContext, demo: Demo): Promise<Readonly<Record<string, string>> | null>
  /** Writes the whole part through services and flows; `asOf` gives things an earlier date. */
  fill?(tx: TxContext, demo: Demo): Promise<void>
  /** Writes what is not one transaction: it passes over what is there, and may be run by two at once. */
  run?(ctx: Context, demo: Demo): Promise<void>
}

/** A context at another time, in milliseconds since the epoch: what is written with it has that date. */
export const asOf = (tx: TxContext, ms: number): TxContext => ({
  ...tx,
  clock: stillClock(ms),
})

/** 32 characters, other ones for every site. */
export const uidOf = (site: string): string => hash('sha256', site).slice(0, 32)

/** Of two processes that start at once the second one is refused, and goes on. */
export async function unlessMeanwhile(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError && error.status < 500)) throw error
  }
}
