import { useSyncExternalStore } from 'react'
import { Problem } from '../shared/call.ts'

/** Why calls wait, or are given up: nobody answers, or who does has too much to do. */
export interface Away {
  readonly why: 'away' | 'busy'
  /** Until the call is made again; 0: that is not known. */
  readonly seconds: number
}

/** How often a server that is gone is asked whether it is back, milliseconds. */
const LOOK_MS = 2_000

const waiting = new Map<symbol, Away>()
let isGone = false
let told: Away | null = null
const heard = new Set<() => void>()
const returns = new Set<() => void>()

const GONE: Away = { why: 'away', seconds: 0 }

function tell(): void {
  const [first] = waiting.values()
  told = isGone ? GONE : (first ?? null)
  for (const hear of heard) hear()
}

/**
 * Makes a call, and tells the page for how long that has to wait. One that is given up as nobody answers has the server
 * asked for at `ready` until it does.
 */
export async function patiently<T>(
  ready: string,
  make: (waits: (problem: Problem | null, forMs: number) => void) => Promise<T>,
): Promise<T> {
  const call = Symbol('call')
  const waits = (problem: Problem | null, forMs: number) => {
    const why = problem?.status === 429 || problem?.status === 503 ? 'busy' : 'away'
    if (problem) waiting.set(call, { why, seconds: Math.ceil(forMs / 1_000) })
    else waiting.delete(call)
    tell()
  }
  try {
    return await make(waits)
  } catch (error) {
    if (error instanceof Problem && (error.status === 0 || error.status === 503)) void lookUntilBack(ready)
    throw error
  } finally {
    if (waiting.delete(call)) tell()
  }
}

async function lookUntilBack(ready: string): Promise<void> {
  if (isGone) return
  isGone = true
  tell()
  while (isGone) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const answer = await fetch(ready, { cache: 'no-store' }).catch(() => null)
    isGone = answer?.ok !== true
  }
  tell()
  for (const act of returns) act()
}

/** Does something each time a server that was gone is back. */
export const whenBack = (act: () => void): void => void returns.add(act)

const listen = (hear: () => void) => {
  heard.add(hear)
  return () => heard.delete(hear)
}

/** Why the page waits; null: it does not. */
export const useAway = (): Away | null => useSyncExternalStore(listen, () => told)
