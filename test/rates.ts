import assert from 'node:assert/strict'
import type { Config } from '../src/config.ts'

const generous = { perSecond: 1_000_000, burst: 1_000_000 }

/** Rates that hinder nobody. */
export const GENEROUS: Config['rate'] = { failed: generous, keyed: generous, authenticated: null }

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text?: unknown
}

/** How many of many calls were let through; all others must be told to come again. */
export function letThrough(replies: readonly Answered[]): number {
  const through = replies.filter(({ status }) => status < 300)
  for (const { status, headers, text } of replies) {
    if (status < 300) continue
    assert.equal(status, 429, typeof text === 'string' ? text : undefined)
    assert.ok(Number(headers.get('retry-after')) > 0)
  }
  return through.length
}
