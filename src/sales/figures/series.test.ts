import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { createInstallOf } from '../../../test/installs.ts'
import { sell } from '../../../test/sales.ts'
import { asMember } from '../../../test/team.ts'
import { systemScope } from '../../access/scope.ts'
import type { Writer } from '../../db/database.ts'
import type { UtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { touchCart } from '../carts/touch-cart.ts'

/** Two on a Monday, one on the Sunday after it, one on the next Monday, one in the next month. */
const TIMES = [
  '2026-01-05 00:00:00',
  '2026-01-05 23:59:59',
  '2026-01-11 23:59:59',
  '2026-01-12 00:00:00',
  '2026-02-01 12:00:00',
] as UtcTime[]
const RANGE = 'from=2026-01-05&to=2026-02-01'

let app: TestApp
before(async () => {
  app = await startTestApp('series', { at: Date.UTC(2026, 1, 1, 18) })
  for (const product of [app.seller.product, app.seller.other]) await fill(product.id)
})
after(() => app.close())

type Table = 'installs' | 'payments' | 'licenses' | 'carts'

/** A row once more for each time, live, and for the first one in the sandbox; it is itself outside of all days. */
async function spread(db: Writer, table: Table, id: number, at: (time: UtcTime, n: number) => object) {
  const { id: _id, ...row } = await db
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const [n, time] of [...TIMES, TIMES[0] as UtcTime].entries()) {
    const environment = n === TIMES.length ? 1 : 0
    await db
      .insertInto(table)
      .values({ ...row, environment, ...at(time, n) } as never)
      .execute()
  }
}

async function fill(productId: number): Promise<void> {
  const scope = systemScope({ developerId: app.seller.developer.id, productId })
  const sold = await sell(app, {
    product: productId === app.seller.product.id ? app.seller.product : app.seller.other,
  })
  const install = await createInstallOf(
    app,
    sold.owner,
    {},
    productId === app.seller.product.id ? app.seller.product : app.seller.other,
  )
  const cart = await app.write((tx) =>
    touchCart(tx, scope, { environment: 0, visitor: null, email: 'a@example.com' }),
  )
  await app.write(async (tx) => {
    const { db } = tx
    const out = { created: '2020-01-01 00:00:00' as UtcTime }
    const only = (n: number) => `${productId} ${n}`
    await spread(db, 'installs', Number(install.id), (created, n) => ({
      created,
      uid: only(n),
      public_key: only(n),
      version: n < 3 ? '2.0.0' : '1.0.0',
    }))
    await db
      .updateTable('installs')
      .set({ ...out, is_active: false })
      .where('id', '=', Number(install.id))
      .execute()
    await spread(db, 'carts', cart.id, (created, n) => ({
      created,
      email: '',
      email_folded: '',
      status: n === 0 ? 'recovered' : 'completed',
      completed: n < 2 ? created : null,
    }))
    await db.updateTable('carts').set(out).where('id', '=', cart.id).execute()
    await spread(db, 'payments', Number(sold.payment.id), (processed_at, n) => ({
      processed_at,
      external_id: only(n),
      type: n === 1 ? 'payment' : 'refund',
      gross: n === 1 ? 1000 : -1000,
      tax: n === 1 ? 250 : -250,
      currency: n === 2 ? 'eur' : 'usd',
    }))
    await spread(db, 'licenses', Number(sold.license.id), (expiration, n) => ({
      expiration,
      key_hash: only(n),
      is_cancelled: n === 1,
    }))
    await db
      .updateTable('licenses')
      .set({ expiration: null })
      .where('id', '=', Number(sold.license.id))
      .execute()
    for (const [n, started_at] of TIMES.entries()) {
      await db
        .insertInto('trials')
        .values({
          product_id: productId,
          user_id: sold.owner.id,
          uid: only(n),
          plan_id: sold.offer.planId,
          started_at,
          trial_ends_at: '2026-03-01 00:00:00' as UtcTime,
          converted_at: n === 0 ? started_at : null,
          with_payment_method: false,
          environment: 0,
          notice: 0,
          notice_at: null,
          created: started_at,
        })
        .execute()
    }
    const uninstall = { product_id: productId, install_id: Number(install.id), site_id: null, reason_id: 1 }
    await db
      .insertInto('uninstalls')
      .values({ ...uninstall, uid: 'x', reason_info: '', reason_folded: '', created: TIMES[2] as UtcTime })
      .execute()
    for (const [n, time] of TIMES.entries()) {
      const type = n === 3 ? 'license.deactivated' : 'license.activated'
      const at = { ...tx, clock: Object.create(tx.clock, { now: { value: () => time } }) as typeof tx.clock }
      await recordEvent(at, scope, { type, data: null, environment: 0 })
    }
  })
}

const read = async (name: string, query: string) => {
  const { status, json } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/figures/${name}.json?${query}`,
  )
  assert.equal(status, 200, JSON.stringify(json))
  return json[name] as Record<string, string | number>[]
}

/** `from counts…`, of the intervals in which there was something. */
const lines = (rows: readonly Record<string, string | number>[]) =>
  rows
    .filter((row) => Object.values(row).some((value) => typeof value === 'number' && value !== 0))
    .map((row) => Object.values(row).join(' '))

const OF_DAYS = {
  installs: ['2026-01-05 2 0', '2026-01-11 1 1', '2026-01-12 1 0', '2026-02-01 1 0'],
  activations: ['2026-01-05 2 0', '2026-01-11 1 0', '2026-01-12 0 1', '2026-02-01 1 0'],
  trials: ['2026-01-05 2 1', '2026-01-11 1 0', '2026-01-12 1 0', '2026-02-01 1 0'],
  carts: ['2026-01-05 2 2 1', '2026-01-11 1 0 0', '2026-01-12 1 0 0', '2026-02-01 1 0 0'],
  refunds: [
    '2026-01-05 usd 1 12.5',
    '2026-01-11 eur 1 12.5',
    '2026-01-12 usd 1 12.5',
    '2026-02-01 usd 1 12.5',
  ],
  expirations: ['2026-01-05 1', '2026-01-11 1', '2026-01-12 1', '2026-02-01 1'],
} as const

const OF_WEEKS = {
  installs: ['2026-01-05 3 1', '2026-01-12 1 0', '2026-01-26 1 0'],
  activations: ['2026-01-05 3 0', '2026-01-12 0 1', '2026-01-26 1 0'],
  trials: ['2026-01-05 3 1', '2026-01-12 1 0', '2026-01-26 1 0'],
  carts: ['2026-01-05 3 2 1', '2026-01-12 1 0 0', '2026-01-26 1 0 0'],
  refunds: [
    '2026-01-05 eur 1 12.5',
    '2026-01-05 usd 1 12.5',
    '2026-01-12 usd 1 12.5',
    '2026-01-26 usd 1 12.5',
  ],
  expirations: ['2026-01-05 2', '2026-01-12 1', '2026-01-26 1'],
} as const

const OF_MONTHS = {
  installs: ['2026-01-01 4 1', '2026-02-01 1 0'],
  activations: ['2026-01-01 3 1', '2026-02-01 1 0'],
  trials: ['2026-01-01 4 1', '2026-02-01 1 0'],
  carts: ['2026-01-01 4 2 1', '2026-02-01 1 0 0'],
  refunds: ['2026-01-01 eur 1 12.5', '2026-01-01 usd 2 25', '2026-02-01 usd 1 12.5'],
  expirations: ['2026-01-01 3', '2026-02-01 1'],
} as const

test('days, weeks and months tell the same, as by hand, live or of the sandbox', async () => {
  for (const [interval, expected] of Object.entries({ day: OF_DAYS, week: OF_WEEKS, month: OF_MONTHS })) {
    for (const [name, told] of Object.entries(expected)) {
      const rows = await read(name, `${RANGE}&interval=${interval}`)
      assert.deepEqual(lines(rows), told, `${name} by ${interval}`)
    }
  }
  assert.deepEqual(lines(await read('installs', `${RANGE}&environment=1`)), ['2026-01-05 1 0'])
  assert.deepEqual(lines(await read('refunds', `${RANGE}&environment=1`)), ['2026-01-05 usd 1 12.5'])
  assert.deepEqual(lines(await read('expirations', `${RANGE}&environment=1`)), ['2026-01-05 1'])
  assert.deepEqual(lines(await read('installs', 'from=2026-01-06&to=2026-01-11')), ['2026-01-11 1 1'])
})

test('every interval is told, also without anything in it, by default the last 30 days, of ends the next 90', async () => {
  assert.equal((await read('installs', RANGE)).length, 28)
  const installs = await read('installs', '')
  assert.deepEqual(
    [installs.length, installs[0]?.['from'], installs.at(-1)?.['from']],
    [30, '2026-01-03', '2026-02-01'],
  )
  const ends = await read('expirations', '')
  assert.deepEqual([ends.length, ends[0]?.['from']], [90, '2026-02-01'])
})

test('days that are none, in the wrong order or too many are refused', async () => {
  const path = `/products/${app.seller.product.id}/figures/installs.json`
  for (const wrong of [
    'from=2026-02-30',
    'to=soon',
    'from=2026-02-01&to=2026-01-01',
    'from=2020-01-01&to=2026-01-01',
    'interval=year',
  ]) {
    assert.equal((await app.call('GET', `${path}?${wrong}`)).status, 400, wrong)
  }
  assert.equal((await app.call('GET', `${path}?from=2020-01-01&to=2026-01-01&interval=month`)).status, 200)
})

test('versions are told by the installs that run them now, the most first', async () => {
  assert.deepEqual(await read('versions', ''), [
    { version: '2.0.0', installs: 3 },
    { version: '1.0.0', installs: 2 },
  ])
  assert.deepEqual(await read('versions', 'environment=1'), [{ version: '1.0.0', installs: 1 }])
})

test('what was given back is for roles that may read sales', async () => {
  const path = `/products/${app.seller.product.id}/figures`
  const developer = await asMember(app, 'developer')
  assert.equal((await developer('GET', `${path}/refunds.json`)).status, 401)
  assert.equal((await developer('GET', `${path}/installs.json`)).status, 200)
  assert.equal((await (await asDeveloper(app))('GET', `${path}/refunds.json`)).status, 200)
})
