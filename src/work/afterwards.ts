import type { Context } from '../context.ts'
import { Turns } from '../lib/turns.ts'

const AT_ONCE = 2
const WAITING = 500

const turns = new Turns()
const begun = new Set<Promise<void>>()

/**
 * Does work behind an answer, a few at a time, so that the time of the answer tells nobody what there was to do; what
 * fails is logged as `failed`. When too many wait already, it is not done.
 */
export function afterwards({ log }: Pick<Context, 'log'>, work: () => Promise<void>, failed: string): void {
  if (begun.size >= WAITING) return
  const done = inTurn(work)
    .catch((error: unknown) => log.error({ err: error }, failed))
    .finally(() => begun.delete(done))
  begun.add(done)
}

/** Waits for what was begun behind answers. */
export async function untilDone(): Promise<void> {
  while (begun.size > 0) await Promise.all(begun)
}

async function inTurn(work: () => Promise<void>): Promise<void> {
  const turn = await turns.enter('', () => AT_ONCE)
  try {
    await work()
  } finally {
    turns.leave(turn)
  }
}
