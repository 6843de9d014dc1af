import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { transaction } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { createPricing } from '../src/catalogue/plans/pricing.ts'
import { sandboxProof } from '../test/checkouts.ts'
import { startKeywright, startPeer } from './processes.ts'
import type { PurchaseLoad, PurchaseLoadOptions } from './purchase-load.ts'
import { median, quantile, whole, type Benchmark } from './row.ts'
import { RowCopier } from './row-copier.ts'
import { seedBuyers } from './sales-seed.ts'
import { benchContext, environmentOf, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

const BUYERS_AT_A_TIME = 32
const ROUNDS = 10
const ROUND_MS = 1_500
const LINE = 0.3
/** Until the jobs have written what they write of a purchase. */
const SETTLE_MS = 1_500

/**
 * Purchases over HTTP on the test gateway, on SQLite: open, look, pay; beside a plain loop of node:sqlite that writes
 * the rows of a purchase, a durable commit for each answer that must be one: what is opened, and what is paid.
 */
export const purchase: Benchmark = async ({ quick }) => {
  await using closing = new AsyncDisposableStack()
  const folder = await temporaryFolder(closing)
  const environment = environmentOf({ KEYWRIGHT_DATA: folder, KEYWRIGHT_TRUST_PROXY: 'loopback' })
  const opening = await seed(environment)
  const server = await startKeywright(environment)
  closing.defer(() => server.stop())
  const options = { address: server.address, buyers: BUYERS_AT_A_TIME, opening }
  const load = await startPeer('purchase-load.ts', options satisfies PurchaseLoadOptions)
  closing.defer(() => load.stop())
  const buy = async (ms: number) => (await load.ask<PurchaseLoad>({ ms })).perSecond
  await buy(2_000)
  await sleep(SETTLE_MS)
  const bare = new RowCopier(join(folder, 'keywright.db'))
  closing.defer(() => bare.close())
  await buy(0)
  bare.note()
  console.log(`a purchase is ${bare.rows} rows`)
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < (quick ? ROUNDS / 5 : ROUNDS); round++) {
    rates.ours.push(await buy(ROUND_MS))
    rates.bare.push(bare.write(ROUND_MS))
  }
  const ratios = rates.ours.map((rate, round) => rate / (rates.bare[round] ?? rate))
  const ratio = median(ratios)
  console.log(
    `half of the ratios between ${quantile(ratios, 0.25).toFixed(2)} and ${quantile(ratios, 0.75).toFixed(2)}`,
  )
  return [
    {
      name: `purchases (open, quote, pay) by ${BUYERS_AT_A_TIME} buyers, beside bare durable commits of the same rows`,
      ours: `${whole(median(rates.ours))}/s`,
      reference: `${whole(median(rates.bare))}/s`,
      ratio: ratio.toFixed(2),
      line: `≥ ${LINE}`,
      pass: ratio >= LINE,
    },
  ]
}

/** What a checkout in the sandbox is opened with. */
async function seed(environment: Environment): Promise<object> {
  const ctx = await benchContext(environment)
  try {
    const seeded = await seedBuyers(ctx)
    const price = { licenses: 1, currency: 'usd', annual_price: 99.5 } as const
    const pricing = await transaction(ctx, (tx) =>
      createPricing(tx, systemScope(seeded), seeded.planId, price),
    )
    return {
      ...(await sandboxProof(ctx, seeded.productId)),
      pricing_id: Number(pricing.id),
      user_firstname: 'Ada',
      user_lastname: 'Lovelace',
      country_code: 'US',
    }
  } finally {
    await ctx.database.close()
  }
}
