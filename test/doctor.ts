import assert from 'node:assert/strict'
import type { Place } from './command-line.ts'

interface Finding {
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  readonly fix: string | null
}

/** What the doctor says of a place: all of it, and what is not in order. */
export async function doctor(place: Place, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await place.run(['doctor', '--json'], { env })
  assert.equal(stderr, '')
  const { checks } = JSON.parse(stdout) as { checks: Finding[] }
  const bad = Object.fromEntries(
    checks.filter(({ status }) => status !== 'ok').map(({ check, status }) => [check, status]),
  )
  return { code, checks, bad }
}
