import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createInstallOf } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { scopeOf, sell, type Sale } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'
import type { UtcTime } from '../../lib/time.ts'
import { touchCart } from '../carts/touch-cart.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'

let app: TestApp
let [small, large] = [] as unknown as Awaited<ReturnType<typeof offerFor>>[]
before(async () => {
  app = await startTestApp('groups', { at: Date.UTC(2026, 0, 31, 10) })
  small = await offerFor(app, 5)
  large = await offerFor(app, 25)
  await sellAll()
})
after(() => app.close())

const read = async (name: string, query: string, { id, token } = app.seller.product) => {
  const { status, json } = await app.call('GET', `/products/${id}/figures/${name}.json?${query}`, { token })
  assert.equal(status, 200, JSON.stringify(json))
  return json[name] as Record<string, string | number | null>[]
}
const lines = (rows: readonly Record<string, string | number | null>[], ...fields: string[]) =>
  rows.map((row) => fields.map((field) => String(row[field])).join(' ')).toSorted()

const day = (text: string) => app.ctx.clock.set(Date.parse(`${text}T12:00:00Z`))
const ends = (expiration: string) => ({ expiration: `${expiration} 00:00:00` as UtcTime })

/** Of two plans, two countries and none, two cycles, two currencies, another product and the sandbox. */
async function sellAll(): Promise<void> {
  const sale = (offer: typeof small, { payment, subscription, ...more }: Sale) =>
    sell(app, {
      offer: offer as NonNullable<Sale['offer']>,
      ...more,
      payment: { gross: 2000, tax: 0, gateway_fee: 0, ...payment },
      subscription: { renewal_amount: 2400, ...subscription },
    })
  const france = { country_code: 'fr' }
  const nowhere = { country_code: null }
  const monthly = { billing_cycle: 1 } as const
  const first = await sale(small, {})
  const second = await sale(small, { payment: france, subscription: { ...france, ...monthly } })
  const third = await sale(large, {
    payment: { ...nowhere, currency: 'eur', gross: 500 },
    subscription: { ...nowhere, currency: 'eur' },
  })
  await sell(app, { product: app.seller.other, payment: { gross: 99_900 } })
  await sale(large, {
    payment: { environment: 1, gateway: 'test', gross: 77_700 },
    subscription: { environment: 1, gateway: 'test' },
  })
  await sell(app, { offer: small as NonNullable<Sale['offer']>, subscription: { renewal_amount: 0 } })
  day('2026-02-05')
  await endSubscriptionOf(second)
  await app.write(async ({ db }) => {
    for (const [sold, expiration] of [
      [first, '2026-02-10'],
      [second, '2026-02-10'],
      [third, '2026-02-20'],
    ] as const) {
      await db
        .updateTable('licenses')
        .set(ends(expiration))
        .where('id', '=', Number(sold.license.id))
        .execute()
    }
  })
  for (const [sold, country] of [
    [first, 'de'],
    [second, 'fr'],
  ] as const) {
    const { id } = await createInstallOf(app, sold.owner, {})
    await app.write(({ db }) =>
      db
        .updateTable('installs')
        .set({ country_code: country, plan_id: Number(small?.planId) })
        .where('id', '=', Number(id))
        .execute(),
    )
  }
}

const endSubscriptionOf = ({ subscription }: Awaited<ReturnType<typeof sell>>) =>
  app.write((tx) => endSubscription(tx, scopeOf(app), subscription))

const FEBRUARY = 'from=2026-02-01&to=2026-02-28&interval=month'

test('earnings and recurring revenue are told by plan, country and cycle, as by hand', async () => {
  const [one, other] = [small?.planId, large?.planId]
  const earned = async (group: string) =>
    lines(await read('earnings', `group=${group}`), 'currency', 'group', 'gross')
  assert.deepEqual(await earned('plan'), [`eur ${other} 5`, `usd ${one} 89.99`].toSorted())
  assert.deepEqual(await earned('country'), ['eur null 5', 'usd de 69.99', 'usd fr 20'])
  assert.deepEqual(await earned('billing_cycle'), ['eur 12 5', 'usd 12 89.99'])
  const recurs = async (group: string) =>
    lines(
      await read('mrr', `group=${group}&from=2026-02`),
      'currency',
      'group',
      'mrr_at_start',
      'churned',
      'mrr',
      'customers_lost',
    )
  assert.deepEqual(await recurs('plan'), [`eur ${other} 2 0 2 0`, `usd ${one} 26 24 2 1`].toSorted())
  assert.deepEqual(await recurs('country'), ['eur null 2 0 2 0', 'usd de 2 0 2 0', 'usd fr 24 24 0 1'])
  assert.deepEqual(await recurs('billing_cycle'), ['eur 12 2 0 2 0', 'usd 1 24 24 0 1', 'usd 12 2 0 2 0'])
})

test('a customer who changes the plan leaves one and comes to the other, and as a whole does neither', async () => {
  const product = app.seller.other
  const [from, to] = [await offerFor(app, 5, { product }), await offerFor(app, 25, { product })]
  day('2026-02-10')
  const first = await sell(app, { product, offer: from, subscription: { renewal_amount: 1200 } })
  day('2026-03-02')
  await app.write((tx) => endSubscription(tx, scopeOf(app, product), first.subscription))
  await sell(app, { product, offer: to, owner: first.owner, subscription: { renewal_amount: 1200 } })
  const moved = async (group: string) =>
    (await read('mrr', `from=2026-03${group}`, product))
      .filter(({ group: id }) => id === undefined || [from.planId, to.planId].includes(Number(id)))
      .map(({ new: came, churned, expansion }) => [came, churned, expansion].join(' '))
      .toSorted()
  assert.deepEqual(await moved('&group=plan'), ['0 1 0', '1 0 0'])
  assert.deepEqual(await moved(''), ['0 0 0'])
  day('2026-02-05')
})

test('what licenses that end are worth is their renewal, and that of a cancelled subscription is lost', async () => {
  const worth = async (query: string) =>
    lines(await read('worth', `${FEBRUARY}${query}`), 'from', 'currency', 'renewing', 'ending')
  assert.deepEqual(await worth(''), ['2026-02-01 eur 24 0', '2026-02-01 usd 24 24'])
  assert.deepEqual(await worth('&environment=1'), [])
  assert.deepEqual(
    lines(await read('worth', `${FEBRUARY}&group=country`), 'currency', 'group', 'renewing', 'ending'),
    ['eur null 24 0', 'usd de 24 0', 'usd fr 0 24'],
  )
  const member = await asMember(app, 'developer')
  const path = `/products/${app.seller.product.id}/figures/worth.json`
  assert.equal((await member('GET', path)).status, 401)
  assert.equal((await (await asDeveloper(app))('GET', path)).status, 200)
})

test('a license that is cancelled is worth nothing, and one that was bought again what it renews for now', async () => {
  const product = app.seller.other
  const sold = await sell(app, { product, subscription: { renewal_amount: 1000 } })
  const worth = async () => lines(await read('worth', FEBRUARY, product), 'currency', 'renewing', 'ending')
  const write = (values: object) =>
    app.write(({ db }) =>
      db.updateTable('licenses').set(values).where('id', '=', Number(sold.license.id)).execute(),
    )
  await write(ends('2026-02-15'))
  await app.write((tx) => endSubscription(tx, scopeOf(app, product), sold.subscription))
  assert.deepEqual(await worth(), ['usd 0 10'])
  const { id: _id, ...row } = sold.subscription
  await app.write(({ db }) =>
    db
      .insertInto('subscriptions')
      .values({ ...row, external_id: 'again', renewal_amount: 800, canceled_at: null })
      .execute(),
  )
  assert.deepEqual(await worth(), ['usd 8 0'])
  await write({ is_cancelled: true })
  assert.deepEqual(await worth(), [])
})

/** A trial, a cart and a refund of two plans each, with a country and a cycle, and without one where there may be none. */
async function fillRest(): Promise<void> {
  const { id: product_id } = app.seller.product
  const sold = await sell(app, { offer: small as NonNullable<Sale['offer']> })
  const { id: _id, ...payment } = sold.payment
  const created = '2026-02-05 10:00:00' as UtcTime
  for (const [n, offer] of [small, large].entries()) {
    const plan = { plan_id: Number(offer?.planId) }
    const country = { country_code: n === 0 ? 'FR' : null }
    const cart = await app.write((tx) =>
      touchCart(tx, scopeOf(app), { environment: 0, visitor: null, email: `${n}@example.com` }),
    )
    const notice = { notice: 0, notice_at: null, with_payment_method: false }
    const trial = { started_at: created, trial_ends_at: '2026-03-01 00:00:00' as UtcTime, converted_at: null }
    await app.write(async ({ db }) => {
      const bought = { ...country, ...plan, billing_cycle: n === 0 ? 1 : 12 } as const
      await db
        .updateTable('carts')
        .set({ ...bought, created })
        .where('id', '=', cart.id)
        .execute()
      const refund = { type: 'refund', processed_at: created, external_id: `refund ${n}` } as const
      await db
        .insertInto('payments')
        .values({ ...payment, ...bought, ...refund, gross: -100 })
        .execute()
      await db
        .insertInto('trials')
        .values({
          ...plan,
          ...trial,
          ...notice,
          product_id,
          user_id: sold.owner.id,
          uid: `uid ${n}`,
          created,
          environment: 0,
        })
        .execute()
    })
  }
}

test('plans, countries and cycles are told apart, and together come to the whole', async () => {
  await fillRest()
  const sum = (rows: readonly Record<string, string | number | null>[], field: string) =>
    rows.reduce((all, row) => all + Number(row[field]), 0)
  const WHOLE = 'from=2026-01-01&to=2026-03-31&interval=month'
  for (const [name, field, groups] of [
    ['installs', 'installed', ['plan', 'country']],
    ['trials', 'started', ['plan']],
    ['carts', 'opened', ['plan', 'country', 'billing_cycle']],
    ['refunds', 'refunds', ['plan', 'country', 'billing_cycle']],
    ['expirations', 'licenses', ['plan']],
    ['worth', 'renewing', ['plan', 'country', 'billing_cycle']],
  ] as const) {
    const whole = sum(await read(name, WHOLE), field)
    assert.ok(whole > 0, name)
    for (const group of groups) {
      const rows = await read(name, `${WHOLE}&group=${group}`)
      assert.equal(sum(rows, field), whole, `${name} by ${group}`)
      assert.ok(
        rows.every((row) => 'group' in row && Number(row[field] ?? 0) >= 0),
        name,
      )
    }
  }
  const installs = await read('installs', `${WHOLE}&group=country`)
  assert.deepEqual(lines(installs, 'from', 'group', 'installed'), ['2026-02-01 de 1', '2026-02-01 fr 1'])
  const ended = await read('expirations', `${WHOLE}&group=plan`)
  for (const name of ['carts', 'refunds'] as const) {
    const field = name === 'carts' ? 'opened' : 'refunds'
    assert.deepEqual(lines(await read(name, `${WHOLE}&group=billing_cycle`), 'group', field), ['1 1', '12 1'])
    assert.deepEqual(lines(await read(name, `${WHOLE}&group=country`), 'group', field), ['FR 1', 'null 1'])
  }
  assert.equal((await read('trials', `${WHOLE}&group=plan`)).length, 2)
  assert.deepEqual(lines(ended, 'group', 'licenses'), [`${small?.planId} 2`, `${large?.planId} 1`].toSorted())
})

test('what a list cannot be told by is refused by name', async () => {
  const refused = async (name: string, group: string) => {
    const path = `/products/${app.seller.product.id}/figures/${name}.json?group=${group}`
    const { status, json } = await app.call('GET', path)
    return [status, json.error?.details?.[0]?.field]
  }
  assert.deepEqual(await refused('mrr', 'colour'), [400, 'group'])
  assert.deepEqual(await refused('trials', 'country'), [400, 'group'])
})
