import { transaction, type Context } from '../context.ts'
import { ApiError } from '../lib/errors.ts'
import { DAY, HOUR, toUtcTime } from '../lib/time.ts'
import { activate } from '../licensing/activation/activate.ts'
import type { RefusedCall } from '../licensing/hooks.ts'
import { keepRefusals } from '../licensing/refused/keep-refusals.ts'
import { demoLicenses } from './licenses.ts'
import { scopeIn, uidOf, type Demo } from './part.ts'
import { isRefusedSince } from './sales-queries.ts'

/** Which license a client tried in vain, where, how long ago and how often. */
const TRIED = [
  { of: 'used_up_license_key', url: 'https://third-shop.example.org', ago: 5 * HOUR, count: 14 },
  { of: 'expired_license_key', url: 'https://blog.example.org', ago: DAY + 3 * HOUR, count: 3 },
  { of: 'cancelled_license_key', url: 'https://refunded.example.org', ago: 4 * DAY, count: 1 },
] as const

/** Has clients of the first product refused of late, day by day, each in the words of the refusal itself. */
export async function keepRefused(ctx: Context, demo: Demo): Promise<void> {
  const now = ctx.clock.real()
  if (await isRefusedSince(ctx.db, demo.productId, toUtcTime(now - DAY))) return
  const keys = (await demoLicenses.examples(ctx, demo)) ?? {}
  const calls: RefusedCall[] = []
  for (const { of, url, ago, count } of TRIED) {
    const refusal = keys[of] ? await refusalOf(ctx, demo, { key: keys[of], url }) : null
    if (refusal) calls.push({ ...refusal, at: now - ago, count })
  }
  await transaction(ctx, await keepRefusals.find(ctx, calls))
}

interface Tried {
  readonly key: string
  readonly url: string
}

/** What a client is told that activates a license there; null: it is not refused, so nothing of it is kept. */
async function refusalOf(
  ctx: Context,
  demo: Demo,
  { key, url }: Tried,
): Promise<Omit<RefusedCall, 'at' | 'count'> | null> {
  const uid = uidOf(url)
  const body = { license_key: key, uid, url, allow_unreleased_plan_activation: false }
  try {
    return await transaction(ctx, async (tx): Promise<never> => {
      await activate(tx, scopeIn(demo, 'first'), body)
      throw new Taken()
    })
  } catch (error) {
    if (error instanceof Taken) return null
    if (!(error instanceof ApiError)) throw error
    const { code, message } = error
    const of = { productId: demo.productId, installId: null, licenseId: null, version: null }
    return { occasion: 'activation', ...of, key, uid, url, code, message }
  }
}

/** Takes back what was not refused. */
class Taken extends Error {}
