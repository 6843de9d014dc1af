// Runs on sqlite.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDemo } from '../../test/demo.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import { goOnWithDemo } from './demo.ts'

test('each site runs what was out when it came there, and was seen when it can have been', async (t) => {
  const { ctx, demo } = await startDemo(t, 'demo_sites')
  const releases = await ctx.db
    .selectFrom('deployments')
    .select(['product_id', 'version', 'created'])
    .execute()
  const installs = () => ctx.db.selectFrom('installs').selectAll().orderBy('id').execute()
  const found = await installs()
  assert.ok(found.length > 50)
  const early = found.filter(({ product_id: id, version, created, upgraded }) => {
    const release = releases.find((one) => one.product_id === id && one.version === version)
    return !release || release.created > (upgraded ?? created)
  })
  assert.deepEqual(early, [])
  assert.ok(found.some(({ upgraded }) => upgraded !== null))
  const now = ctx.clock.now()
  const yesterday = toUtcTime(ctx.clock.real() - DAY)
  for (const { created, is_active: isActive, last_seen_at: seen, url } of found) {
    assert.ok(seen !== null && seen >= created && seen <= now, url ?? '')
    assert.ok(!isActive || seen > yesterday || created > yesterday, `${url} ${seen}`)
  }
  assert.ok(new Set(found.map(({ last_seen_at: seen }) => seen)).size > found.length / 2)
  for (const [flag, value] of [
    ['is_active', false],
    ['is_uninstalled', true],
    ['is_disconnected', true],
    ['is_premium', false],
  ] as const) {
    for (const productId of [demo.productId, demo.otherProductId])
      assert.ok(
        found.some((one) => one.product_id === productId && one[flag] === value),
        `${flag} ${productId}`,
      )
  }
  ctx.clock.advance(3 * DAY)
  await goOnWithDemo(ctx, demo)
  for (const one of await installs())
    assert.ok(!one.is_active || (one.last_seen_at ?? '') > toUtcTime(ctx.clock.real() - DAY))
})

test('both products have versions with both builds, which sites have downloaded', async (t) => {
  const { demo, ask } = await startDemo(t, 'demo_versions')
  for (const productId of [demo.productId, demo.otherProductId]) {
    const { tags } = (await ask(`/developers/${demo.developerId}/products/${productId}/tags.json`)) as {
      readonly tags: readonly { has_free: boolean; has_premium: boolean; downloaded: number }[]
    }
    assert.ok(tags.length > 1 && tags.every((one) => one.has_free && one.has_premium))
    assert.ok(tags.reduce((sum, { downloaded }) => sum + downloaded, 0) > 10)
  }
})

test('sales have used coupons, come of trials and of carts, and gone on with other plans', async (t) => {
  const { ctx, demo } = await startDemo(t, 'demo_ways')
  for (const productId of [demo.productId, demo.otherProductId]) {
    const of = <T extends { readonly product_id: number }>(rows: readonly T[]) =>
      rows.filter((one) => one.product_id === productId)
    const payments = of(
      await ctx.db.selectFrom('payments').selectAll().where('environment', '=', 0).execute(),
    )
    const redeemed = of(await ctx.db.selectFrom('coupon_redemptions').selectAll().execute())
    assert.ok(redeemed.length > 2 && payments.some(({ coupon_id: id }) => id !== null))
    const trials = of(await ctx.db.selectFrom('trials').selectAll().execute())
    assert.ok(trials.some(({ converted_at: at }) => at !== null))
    assert.ok(trials.some(({ canceled_at: at }) => at !== null))
    const carts = of(
      await ctx.db.selectFrom('carts').selectAll().where('completed', 'is not', null).execute(),
    )
    for (const status of ['completed', 'recovered'])
      assert.ok(
        carts.some((one) => one.status === status),
        status,
      )
    for (const cart of carts.filter(({ environment }) => environment === 0)) {
      const bought = payments.find(
        (one) => one.user_id === cart.user_id && one.processed_at === cart.completed,
      )
      assert.equal(bought?.gross, cart.gross, `cart ${cart.id} is of a sale`)
    }
  }
  const types = await ctx.db.selectFrom('events').select('type').distinct().execute()
  for (const type of ['license.quota.changed', 'install.trial.cancelled', 'cart.recovered'])
    assert.ok(
      types.some((one) => one.type === type),
      type,
    )
})
