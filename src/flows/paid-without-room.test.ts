import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { openSandboxCheckout } from '../../test/checkouts.ts'
import { offerFor } from '../../test/licenses.ts'
import { boughtBy, buy, payCheckout } from '../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../test/sales.ts'
import type { Gateway } from '../gateways/gateway.ts'

let app: TestApp
let pricingId: number
let isToFill = false
const asked: string[] = []
before(async () => {
  app = await startTestApp('paid_without_room')
  const [inner] = app.ctx.gateways
  if (!inner) throw new Error('There is a test gateway.')
  const gateway: Gateway = {
    ...inner,
    async charge(request) {
      const outcome = await inner.charge(request)
      asked.push(request.key)
      if (isToFill) await fill()
      isToFill = false
      return outcome
    },
  }
  Object.assign(app.ctx, { gateways: [gateway] })
  pricingId = (await offerFor(app, 1)).pricingId
  await app.write(async ({ db }) => {
    await sql`create table filler (bytes text)`.execute(db)
    if (isSqlite()) {
      // What stands in a page has room there for a little more.
      for (const act of ['insert on licenses', 'update on charges'])
        await sql`create trigger ${sql.ref(act)} after ${sql.raw(act)}
          begin insert into filler values (hex(zeroblob(9000))); end`.execute(db)
      return
    }
    await sql`create function refuse_row() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`.execute(db)
  })
})
after(() => app.close())

const isSqlite = () => app.databaseOptions.engine === 'sqlite'
const REFUSED = ['licenses', 'charges']

/** The database has no room, as on a disk that is full. */
async function fill(): Promise<void> {
  if (!isSqlite()) {
    for (const table of REFUSED)
      await app.write(({ db }) =>
        sql`create trigger refuse before insert or update on ${sql.table(table)} execute function refuse_row()`.execute(
          db,
        ),
      )
    return
  }
  await app.write(({ db }) => sql`pragma max_page_count = 1`.execute(db))
  const add = () => app.write(({ db }) => sql`insert into filler values (${'x'.repeat(9_000)})`.execute(db))
  for (;;) {
    try {
      await add()
    } catch {
      return
    }
  }
}

async function empty(): Promise<void> {
  await app.write(async ({ db }) => {
    if (isSqlite()) await sql`pragma max_page_count = 1000000`.execute(db)
    else for (const table of REFUSED) await sql`drop trigger refuse on ${sql.table(table)}`.execute(db)
  })
}

/** A checkout whose buyer was charged, and of which nothing could be written after it. */
async function chargedWithoutRoom(email: string): Promise<string> {
  const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
  isToFill = true
  assertNoRoom(await payCheckout(app, token, 'test_succeeds'))
  return token
}

function assertNoRoom({ status, json, headers, text }: Awaited<ReturnType<typeof payCheckout>>): void {
  assert.deepEqual(
    [status, json.error?.code, headers.get('retry-after')],
    [503, 'maintenance_mode', '1'],
    text,
  )
}

const lastCharge = () =>
  app.ctx.db.selectFrom('charges').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

test('who was charged when there was no room to write it has the result as soon as there is, charged once', async () => {
  const other = await buy(app, pricingId, 'test_unreachable')
  assert.equal(other.reply.status, 503)
  asked.length = 0
  const token = await chargedWithoutRoom('without.room@example.com')
  assertNoRoom(await payCheckout(app, token, 'test_succeeds'))
  await empty()
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  const again = await boughtBy(app, await payCheckout(app, token, 'test_succeeds'))
  assert.equal(again.payment.id, payment.id)
  assert.equal(new Set(asked).size, 1, 'it was asked for under one name')
  const payments = await app.ctx.db.selectFrom('payments').select('id').execute()
  assert.deepEqual([payments.length, await ledgerFaults(app)], [1, []])
  const busy = await payCheckout(app, other.token, 'test_succeeds')
  assert.equal(busy.json.error.code, 'checkout_in_progress', 'what another try has in hand it keeps')
})

test('other processes find it left within seconds', async () => {
  await chargedWithoutRoom('without.room.elsewhere@example.com')
  assert.ok((await lastCharge()).lease_until > app.ctx.clock.real())
  await empty()
  while ((await lastCharge()).lease_until > 0) await sleep(20)
})
