import { transaction } from '../src/context.ts'
import { systemScope } from '../src/access/scope.ts'
import { createPricing } from '../src/catalogue/plans/pricing.ts'
import { openSandboxCheckout } from '../test/checkouts.ts'
import { compareServers } from './compare.ts'
import type { Benchmark } from './row.ts'
import { seedBuyers } from './sales-seed.ts'
import { benchContext, environmentOf, type Environment } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Enough that none of them is looked at more often than one may be. */
const CHECKOUTS = 500

/** What a checkout comes to now, on SQLite; the reference runs the same statements and writes the same reply. */
export const quote: Benchmark = async (options) => {
  await using closing = new AsyncDisposableStack()
  const environment = environmentOf({ KEYWRIGHT_DATA: await temporaryFolder(closing) })
  const calls = (await seed(environment)).map(
    (token) => ({ method: 'GET', path: `/v1/checkout/sessions/${token}.json` }) as const,
  )
  const seeding = { environment, seeded: { token: '' }, bare: 'quote-bare.ts' }
  return await compareServers(seeding, [{ name: 'quote of a checkout', line: 0.5, calls }], options)
}

async function seed(environment: Environment): Promise<string[]> {
  const ctx = await benchContext(environment)
  try {
    const seeded = await seedBuyers(ctx)
    const scope = systemScope(seeded)
    return await transaction(ctx, async (tx) => {
      const price = { licenses: 1, currency: 'usd', annual_price: 99.5 } as const
      const { id } = await createPricing(tx, scope, seeded.planId, price)
      const tokens: string[] = []
      for (let n = 1; n <= CHECKOUTS; n++) {
        const email = `buyer.${n}@example.com`
        tokens.push(await openSandboxCheckout(tx, scope, { pricingId: Number(id), email }))
      }
      return tokens
    })
  } finally {
    await ctx.database.close()
  }
}
