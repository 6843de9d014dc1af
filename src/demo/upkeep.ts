import { transaction, type Context } from '../context.ts'
import { DAY, fromUtcTime, SECOND, toUtcTime } from '../lib/time.ts'
import { setInstallCounts, wrongInstallCounts } from '../licensing/installs/install-count-rows.ts'
import { setSaleCounts, wrongSaleCounts } from '../sales/payments/sale-count-rows.ts'
import { uidOf, type Demo } from './part.ts'
import { findDemoInstalls, setSeen, type DemoInstall } from './sales-queries.ts'

/** More products than a demo has. */
const PRODUCTS = 100

/** Says of the demo's sites when they were seen last: each in use once a day, at a time of its own. */
export async function keepSeen(ctx: Context, { productId, otherProductId }: Demo): Promise<void> {
  const now = ctx.clock.real()
  const found = await findDemoInstalls(ctx.db, [productId, otherProductId])
  // What somebody has installed to try the demo is seen when it calls.
  const own = found.filter(({ url, uid }) => url !== null && uid === uidOf(url))
  const wrong = own
    .map((install) => ({ id: install.id, at: seenAt(install, now), before: install.last_seen_at }))
    .filter(({ at, before }) => at !== before)
  if (wrong.length === 0) return
  await transaction(ctx, async (tx) => {
    for (const { id, at } of wrong) await setSeen(tx.db, id, at)
  })
}

function seenAt(install: DemoInstall, now: number) {
  const { id, created, updated, is_active: isActive } = install
  if (!isActive) return updated ?? created
  const today = now - (now % DAY) + ((id * 7919) % (DAY / SECOND)) * SECOND
  return toUtcTime(Math.max(fromUtcTime(created), today > now ? today - DAY : today))
}

/** Says in the products what they have sold and where they are installed, which jobs do later. */
export const countProducts = (ctx: Context): Promise<void> =>
  transaction(ctx, async ({ db }) => {
    for (const counts of await wrongInstallCounts(db, PRODUCTS)) await setInstallCounts(db, counts)
    for (const counts of await wrongSaleCounts(db, PRODUCTS)) await setSaleCounts(db, counts)
  })
