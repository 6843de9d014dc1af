import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../test/callers.ts'
import { createSeller, type Seller } from '../../test/factories.ts'
import { createInstallOf } from '../../test/installs.ts'
import { sell } from '../../test/sales.ts'
import type { Environment } from '../db/tables/licenses.ts'
import { systemScope } from '../access/scope.ts'
import { touchCart } from './carts/touch-cart.ts'
import { updateLicense } from '../licensing/licenses/update-license.ts'

const LISTS = ['licenses', 'installs', 'trials', 'subscriptions', 'payments', 'carts'] as const
type Made = Readonly<Record<(typeof LISTS)[number], string>>

let app: TestApp
/** What is live, and what is of the sandbox, in the first product. */
const made: Made[] = []
const callers: Record<string, CallAs> = {}

before(async () => {
  app = await startTestApp('environment_of_lists')
  const own = app.seller
  const foreign = await app.write((tx) => createSeller(tx, 'another@example.com'))
  for (const environment of [0, 1] as const) {
    await makeIn({ ...own, product: own.other }, environment)
    made[environment] = await makeIn(own, environment)
    await makeIn(foreign, environment)
  }
  const { id } = own.product
  const developer = await asDeveloper(app)
  const store = asStore(app)
  callers['product'] = (method, path) => app.call(method, `/products/${id}${path}`)
  callers['developer'] = (method, path) => developer(method, `/products/${id}${path}`)
  callers['store'] = (method, path) => store(method, `/products/${id}${path}`)
})
after(() => app.close())

/** One of each in a product of a seller. */
async function makeIn(seller: Seller, environment: Environment): Promise<Made> {
  const { developer, product } = seller
  const of = { ...app, seller } as TestApp
  const place = { environment }
  const { owner, offer, license, payment, subscription } = await sell(of, {
    product,
    payment: place,
    subscription: place,
  })
  const install = await createInstallOf(of, owner, {}, product)
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  return app.write(async (tx) => {
    const [licenseId, installId] = [Number(license.id), Number(install.id)]
    await tx.db.updateTable('licenses').set(place).where('id', '=', licenseId).execute()
    await tx.db.updateTable('installs').set(place).where('id', '=', installId).execute()
    await updateLicense(tx, scope, licenseId, { quota: 7 + environment })
    const cart = await touchCart(tx, scope, { environment, visitor: null, email: 'ann@example.com' })
    const { id: trialId } = await tx.db
      .insertInto('trials')
      .values({
        product_id: product.id,
        user_id: owner.id,
        uid: `of-${environment}`,
        plan_id: offer.planId,
        started_at: tx.clock.now(),
        trial_ends_at: tx.clock.now(),
        with_payment_method: false,
        environment,
        notice: 0,
        created: tx.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return {
      licenses: license.id,
      installs: install.id,
      trials: String(trialId),
      subscriptions: String(subscription.id),
      payments: String(payment.id),
      carts: String(cart.id),
    }
  })
}

const listed = async (call: CallAs, list: string, query: string): Promise<string[]> => {
  const { status, json } = await call('GET', `/${list}.json?${query}`)
  assert.equal(status, 200)
  return json[list].map(({ id }: { id: string }) => id)
}

for (const scope of ['product', 'developer', 'store']) {
  test(`to the ${scope} each list has only what is of the environment that is asked for`, async () => {
    const call = callers[scope] ?? assert.fail()
    for (const list of LISTS) {
      const [live, sandbox] = made.map((one) => one[list])
      assert.deepEqual(await listed(call, list, 'environment=0'), [live], list)
      assert.deepEqual(await listed(call, list, 'environment=1'), [sandbox], list)
      assert.deepEqual(await listed(call, list, ''), [sandbox, live], list)
      assert.deepEqual(await listed(call, list, 'environment=1&offset=1'), [], list)
      assert.equal((await call('GET', `/${list}.json?environment=2`)).status, 400)
    }
  })
}

test('the environment narrows beside other filters', async () => {
  const call = callers['product'] ?? assert.fail()
  const narrowed = [
    ['licenses', 'filter=active'],
    ['installs', 'filter=active'],
    ['installs', 'all=true'],
    ['trials', 'from=2026-01-01'],
    ['subscriptions', 'filter=active&sort=next_payment'],
    ['payments', 'filter=not_refunded&currency=usd'],
    ['carts', 'filter=active&email=ann@example.com'],
  ] as const
  for (const [list, query] of narrowed) {
    for (const environment of [0, 1] as const) {
      assert.deepEqual(await listed(call, list, `${query}&environment=${environment}`), [
        made[environment]?.[list],
      ])
    }
  }
})

test('an event is of the environment of what it is about, and with what is live where it belongs to both', async () => {
  const call = callers['product'] ?? assert.fail()
  const typesOf = async (query: string): Promise<string[]> =>
    (await call('GET', `/events.json?count=50&${query}`)).json.events.map(
      ({ type }: { type: string }) => type,
    )
  const sandbox = await typesOf('environment=1')
  assert.deepEqual(sandbox.toSorted(), [
    'cart.created',
    'license.quota.changed',
    'payment.created',
    'subscription.created',
  ])
  const live = await typesOf('environment=0')
  assert.ok(live.includes('license.quota.changed') && live.includes('user.created'))
  assert.equal(live.length + sandbox.length, (await typesOf('')).length)
  const ofSandbox = await call('GET', '/events.json?environment=1&type=license.quota.changed&state=canceled')
  assert.deepEqual(
    ofSandbox.json.events.map(({ data }: { data: object }) => data),
    [{ license_id: made[1]?.licenses, from: 5, to: 8 }],
  )
})
