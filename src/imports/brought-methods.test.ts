import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestFolder } from '../../test/folder.ts'
import { moverShop, MOVERS, type Kind, type MoverShop } from '../../test/movers.ts'
import { startMove } from '../../test/platform-imports.ts'
import { readsOf, timesOf } from '../../test/renewing.ts'
import { fromUtcTime, HOUR } from '../lib/time.ts'
import { renewDue } from '../sales/renewals/renew.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { exportAccount } from './export-account.ts'
import { importFiles } from './import-files.ts'
import { importServer } from './import-server.ts'

/** A shop with a subscription that was bought by a method at its gateway, and the token of that. */
async function seller(t: TestContext, name: string, kind: Kind) {
  const shop = await moverShop(name, kind, { at: Date.now() })
  t.after(() => shop.close())
  const sold = await shop.sold()
  const { token } = await shop.app.ctx.db
    .selectFrom('payment_methods')
    .select('token')
    .executeTakeFirstOrThrow()
  return { shop, sold, token: shop.app.ctx.keys.open(token, 'payment_methods.token') }
}

/** An empty server that asks the same gateway. */
async function serverBeside(t: TestContext, { mover }: MoverShop, name: string): Promise<TestApp> {
  const app = await startTestApp(name, { at: Date.now() })
  t.after(() => app.close())
  Object.assign(app.ctx, { gateways: mover.gateways })
  return app
}

interface Renewed {
  readonly id: number
  readonly productId: number
  readonly environment: 0 | 1
}

/** Goes on to when a subscription is due: it is charged once, while its owner is away, and stands. */
async function renewsByItself(app: TestApp, { mover }: MoverShop, { id, productId, environment }: Renewed) {
  const { next_payment: next } = await readsOf(app).subscriptionOf(id)
  assert.ok(next)
  const [before, mail] = [mover.charges().length, await newestMail(app)]
  await timesOf(app).goTo(fromUtcTime(next) + HOUR)
  for (let times = 0; times < 2; times++) {
    await renewDue(app.ctx, { environment, productId, now: app.ctx.clock.now(), limit: 100 })
    await timesOf(app).follow()
  }
  assert.equal(mover.charges().length, before + 1)
  const charges = await readsOf(app).chargesOf({ subscriptionId: id })
  assert.deepEqual(
    charges.map(({ state, gateway }) => [state, gateway]),
    [['settled', mover.code]],
  )
  const after = await readsOf(app).subscriptionOf(id)
  assert.ok(String(after.next_payment) > next)
  assert.deepEqual([after.failed_payments, after.canceled_at], [0, null])
  assert.deepEqual(await kindsSince(app, mail), ['renewed'])
  assert.equal((await checkLedger(app.ctx)).ok, true)
}

const newestMail = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.db.selectFrom('mails').select('id').orderBy('id', 'desc').executeTakeFirst())?.id ?? 0

/** What was mailed since, by its kind. */
const kindsSince = async ({ ctx }: TestApp, id: number): Promise<readonly string[]> =>
  (await ctx.db.selectFrom('mails').select('kind').where('id', '>', id).orderBy('id').execute()).map(
    (mail) => mail.kind,
  )

for (const kind of MOVERS) {
  test(`${kind}: out of the files of an export a subscription is renewed with the method that came along`, async (t) => {
    const { shop, sold } = await seller(t, 'method_in_files', kind)
    const folder = await createTestFolder(`method-in-files-${kind}`)
    t.after(() => rm(folder, { recursive: true }))
    const { developer, product } = shop.app.seller
    await exportAccount(shop.app.ctx, {
      developerId: developer.id,
      folder: join(folder, 'out'),
      format: 'csv',
    })
    const target = await serverBeside(t, shop, `method_out_of_files_${kind}`)
    const given = { developerId: target.seller.developer.id, isDryRun: false }
    const { bad } = await importFiles(target.ctx, join(folder, 'out'), given)
    assert.deepEqual(bad, [])
    await renewsByItself(target, shop, { id: sold.subscriptionId, productId: product.id, environment: 1 })
  })

  test(`${kind}: from another server a subscription is renewed with the method that a file has for it`, async (t) => {
    const { shop, sold, token } = await seller(t, 'method_there', kind)
    const folder = await createTestFolder(`method-there-${kind}`)
    t.after(() => rm(folder, { recursive: true }))
    const { developer, product } = shop.app.seller
    const login = {
      url: shop.app.address,
      developerId: developer.id,
      publicKey: developer.publicKey,
      secretKey: developer.secretKey,
    }
    const target = await serverBeside(t, shop, `method_here_${kind}`)
    const methodsFile = join(folder, 'methods.csv')
    const bring = async (told: string) => {
      const method = kind === 'wallets' ? 'paypal,paypal' : 'stripe,card'
      await writeFile(
        methodsFile,
        `subscription_id,gateway,kind,token\n${sold.subscriptionId},${method},${told}\n`,
      )
      const given = { developerId: target.seller.developer.id, isDryRun: false, methodsFile }
      return importServer(target.ctx, login, given)
    }
    await assert.rejects(bring('by hand'), /line 2: token must be/)
    // PayPal's own pages show the bare id.
    assert.deepEqual((await bring(token.replace(/^vault /, ''))).bad, [])
    await renewsByItself(target, shop, { id: sold.subscriptionId, productId: product.id, environment: 1 })
  })

  test(`${kind}: out of the tables of WooCommerce a subscription is renewed with the method that they have`, async (t) => {
    const { shop, token } = await seller(t, 'method_of_shop', kind)
    const move = await startMove('woocommerce')
    t.after(() => move.close())
    Object.assign(move.app.ctx, { gateways: shop.mover.gateways })
    const [first = '', second = ''] = token.split(' ')
    if (kind === 'wallets') await move.edit('wp_woocommerce_payment_tokens.csv', '8kk84516', second)
    else {
      await move.edit('wp_wc_orders_meta.csv', 'cus_Bo1', first)
      await move.edit('wp_wc_orders_meta.csv', 'pm_Bo1', second)
    }
    assert.deepEqual((await move.bring({ renewsHere: true })).bad, [])
    const [subscription, product] = kind === 'wallets' ? [206, 20] : [201, 10]
    const productId = move.id('products', product)
    await renewsByItself(move.app, shop, {
      id: move.id('subscriptions', subscription),
      productId,
      environment: 0,
    })
  })
}
