import { systemScope } from '../src/access/scope.ts'
import { advanceSandboxes } from '../src/jobs/advance-sandboxes.ts'
import { runDue } from '../src/jobs/worker.ts'
import { SETTLE_MS } from '../src/catalogue/sandbox/sandbox-times.ts'
import type { UtcTime } from '../src/lib/time.ts'
import { issueLicense } from '../src/licensing/licenses/service.ts'
import type { Firing } from '../src/catalogue/sandbox/schema.ts'
import type { Reply, TestApp } from './app.ts'
import type { Offer } from './catalogue.ts'
import { userOf } from './licenses.ts'

type Product = Pick<TestApp['seller']['product'], 'id' | 'token'>

/** Asks that the clock of a product's sandbox be moved. */
export const askAdvance = (
  app: TestApp,
  body: object,
  { id, token }: Product = app.seller.product,
): Promise<Reply> => app.call('POST', `/products/${id}/sandbox/clock.json`, { body, token })

export const clockOf = async (app: TestApp, { id, token }: Product = app.seller.product) =>
  (await app.call('GET', `/products/${id}/sandbox/clock.json`, { token })).json

/** Moves it and waits until it is ready. */
export async function advanceTo(app: TestApp, target: string, product?: Product): Promise<void> {
  const reply = await askAdvance(app, { target }, product)
  if (reply.status !== 202) throw new Error(`advance: ${reply.status} ${reply.text}`)
  await runDue(app.ctx, [advanceSandboxes])
  app.ctx.clock.advance(SETTLE_MS)
}

/** What happened of itself, the earliest first. */
export async function timelineOf(
  app: TestApp,
  { id, token }: Product = app.seller.product,
): Promise<Firing[]> {
  const all: Firing[] = []
  for (;;) {
    const path = `/products/${id}/sandbox/timeline.json?count=50&offset=${all.length}`
    const { timeline } = (await app.call('GET', path, { token })).json
    if (timeline.length === 0) return all.toReversed()
    all.push(...timeline)
  }
}

/** A license in the sandbox of a product that ends at some time, of a person of its own. */
export async function sandboxLicense(
  app: TestApp,
  { planId, pricingId }: Offer,
  { email, ends, product = app.seller.product }: { email: string; ends: string; product?: Product },
): Promise<number> {
  const userId = Number(await userOf(app, email, product))
  const scope = systemScope({ developerId: app.seller.developer.id, productId: product.id })
  const license = await app.write((tx) =>
    issueLicense(tx, scope, {
      user_id: userId,
      plan_id: planId,
      pricing_id: pricingId,
      quota: 1,
      expiration: ends as UtcTime,
      is_free_localhost: true,
      is_block_features: true,
      is_whitelabeled: false,
      environment: 1,
    }),
  )
  return license.id
}
