import type { DueDelivery } from './webhook-queries.ts'

/** How many deliveries of one buyer are taken at once, so that a long row of them leaves room for others. */
export const CHAIN = 20

/** Deliveries that are sent one after another, each when the one before it has arrived. */
export type Chain = readonly DueDelivery[]

interface Sorted {
  readonly chains: readonly Chain[]
  /** What waits for one that is not among them, or has no room in its chain. */
  readonly blocked: readonly DueDelivery[]
}

/** Puts what is due to a listener into the chains of its buyers, the earliest first. */
export function chainsOf(due: readonly DueDelivery[]): Sorted {
  const chains: Chain[] = []
  const blocked: DueDelivery[] = []
  /** Id of the last delivery of a chain → the chain. */
  const ends = new Map<number, DueDelivery[]>()
  for (const delivery of due.toSorted((a, b) => a.id - b.id)) {
    const chain = delivery.behind === null ? [] : ends.get(delivery.behind)
    if (chain === undefined || chain.length === CHAIN) {
      blocked.push(delivery)
      continue
    }
    if (chain.length === 0) chains.push(chain)
    chain.push(delivery)
    ends.set(delivery.id, chain)
  }
  return { chains, blocked }
}
