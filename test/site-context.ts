import { hash } from 'node:crypto'
import type { Install } from '../src/licensing/installs/schema.ts'
import type { TestApp } from './app.ts'

interface Proof {
  /** Unix seconds. */
  readonly ts?: number
  /** What it is for. */
  readonly word?: string
}

/** What the page of a checkout on a site says of its install (`docs/interface.md` 2.8). */
export function contextOf(
  { ctx }: Pick<TestApp, 'ctx'>,
  { id, secret_key: secret, public_key: key }: Install,
  { ts = Math.floor(ctx.clock.real() / 1000), word = 'checkout' }: Proof = {},
) {
  const secure = hash('md5', `${ts}${id}${secret}${key}${word}`)
  return { s_ctx_type: 'install', s_ctx_id: id, s_ctx_ts: String(ts), s_ctx_secure: secure }
}
