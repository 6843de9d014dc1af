import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { cutEverywhere } from '../../../test/cut-everywhere.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { salesOf, type Sales } from '../../../test/invoices.ts'
import { transaction } from '../../context.ts'
import { inList } from '../../db/in-list.ts'
import { takeNumbers } from './queries.ts'

let app: TestApp
let sales: Sales
let other: Sales
before(async () => {
  app = await startTestApp('invoice_numbers')
  sales = await salesOf(app)
  other = await salesOf(app, { product: app.seller.other, email: 'other@example.com' })
})
after(() => app.close())

/** 1 to `count`. */
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('payments of all products of a seller get one series of numbers, in order', async () => {
  await sales.pay()
  await other.pay()
  await sales.pay()
  assert.deepEqual(await sales.numbers(), [1, 2, 3])
})

test('forty payments at once in two processes leave no gap and no number twice', async () => {
  const before = (await sales.numbers()).length
  const second = anotherProcess(app)
  const all = upTo(40).map((n) =>
    n % 2 === 0 ? sales.pay() : transaction(second.ctx, (tx) => other.record(tx)),
  )
  await Promise.all(all)
  await second.close()
  const numbers = await sales.numbers()
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    upTo(before + 40),
  )
})

test('payments that are rolled back among others leave no gap', async () => {
  const before = (await sales.numbers()).length
  const all = upTo(30).map((n) =>
    app.write(async (tx) => {
      await sales.record(tx)
      if (n % 3 === 0) throw new Error('it is undone')
    }),
  )
  const failed = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')
  assert.equal(failed.length, 10)
  const numbers = await sales.numbers()
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    upTo(before + 20),
  )
})

test('R04: a process that fails at any statement of a payment leaves neither payment nor number', async () => {
  const before = (await sales.numbers()).length
  const changed = await cutEverywhere(app, 'fails', (tx) => sales.record(tx))
  assert.deepEqual(
    ['payments', 'postings', 'invoices', 'invoice_numbers'].filter((table) => !changed.includes(table)),
    [],
  )
  assert.deepEqual(await sales.numbers(), upTo(before + 1))
})

test('what takes a payment back for good gets a credit note, of a series of its own', async () => {
  const invoices = await sales.numbers()
  const paid = await sales.pay()
  const back = { bound_payment_id: paid.id, gateway_fee: 0 } as const
  await sales.pay({ ...back, type: 'refund', gross: -1_000, tax: -190 })
  await sales.pay({ ...back, type: 'disputed', gross: -9_000, tax: -1_710 })
  assert.deepEqual(await sales.numbers('credit_note'), [1])
  await sales.pay({ ...back, type: 'lost_dispute', gross: 0, tax: 0, lost: { gross: 9_000, tax: 1_710 } })
  assert.deepEqual(await sales.numbers('credit_note'), [1, 2])
  assert.equal((await sales.numbers()).length, invoices.length + 1)
})

test('what one transaction records is numbered in the order in which it was recorded, each in its series', async () => {
  const before = await sales.numbers('invoice', 1)
  const paid = await app.write(async (tx) => {
    const first = await sales.record(tx, { environment: 1 })
    await sales.record(tx)
    return [first, await sales.record(tx, { environment: 1 }), await sales.record(tx, { environment: 1 })]
  })
  const rows = await app.ctx.db
    .selectFrom('invoices')
    .select(['payment_id', 'number'])
    .where('payment_id', 'in', inList(paid.map(({ id }) => id)))
    .orderBy('number')
    .execute()
  assert.deepEqual(
    rows,
    paid.map(({ id }, index) => ({ payment_id: id, number: before.length + 1 + index })),
  )
})

test('the sandbox has numbers of its own', async () => {
  const [before, sandbox] = [await sales.numbers(), await sales.numbers('invoice', 1)]
  await sales.pay({ environment: 1 })
  assert.deepEqual(await sales.numbers('invoice', 1), upTo(sandbox.length + 1))
  assert.deepEqual(await sales.numbers(), before)
})

test('what was free is numbered, what was paid elsewhere is not', async () => {
  const before = (await sales.numbers()).length
  await sales.pay({ gateway: null, gross: 0, tax: 0, gateway_fee: 0 })
  assert.equal((await sales.numbers()).length, before + 1)
  const elsewhere = { gateway: null, source: 2 } as const
  const { id } = await sales.pay({ ...elsewhere, external_id: 'elsewhere-1' })
  assert.equal((await sales.numbers()).length, before + 1)
  const credits = (await sales.numbers('credit_note')).length
  const back = { ...elsewhere, bound_payment_id: id, external_id: null, gateway_fee: 0 }
  await sales.pay({ ...back, type: 'disputed', gross: -9_000, tax: -1_710 })
  await sales.pay({ ...back, type: 'lost_dispute', gross: 0, tax: 0, lost: { gross: 9_000, tax: 1_710 } })
  assert.equal((await sales.numbers('credit_note')).length, credits, 'nor is its dispute that was lost')
})

test('another seller begins at one', async () => {
  const series = { environment: 0, kind: 'invoice' } as const
  const developer = await app.write((tx) =>
    tx.db
      .insertInto('developers')
      .values({
        email: 'second@example.com',
        email_folded: 'second@example.com',
        first: '',
        last: '',
        password_hash: null,
        is_verified: false,
        public_key: 'pk_second',
        secret_key: 'sealed',
        created: '2026-01-31 10:00:00' as never,
        updated: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  assert.equal(await app.write((tx) => takeNumbers(tx.db, { ...series, developer_id: developer.id }, 1)), 1)
})
