// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { connect } from '../src/db/connect.ts'
import type { Database } from '../src/db/database.ts'
import { transaction, type Context } from '../src/context.ts'
import { createUser } from '../src/people/users/create.ts'
import type { UserCreate } from '../src/people/users/schema.ts'
import { audit } from '../src/access/audit.ts'
import { systemScope, type Scope } from '../src/access/scope.ts'
import { testContext } from './app.ts'
import { createSeller } from './factories.ts'

type Opened = Awaited<ReturnType<typeof testContext>>
let opened: Opened
let scope: Scope
before(async () => {
  opened = await testContext('crash')
  const seller = await transaction(opened.ctx, (tx) => createSeller(tx))
  scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
})
after(() => opened.drop())

const person = (email: string): UserCreate => ({
  email,
  name: 'Cut Off',
  is_verified: false,
  send_verification_email: true,
  is_migration: false,
  source: 'freemius',
})

/** A second process on the same database whose connection is cut before statement `n`; 0: never. */
function cutBefore(n: number): { ctx: Context; database: Database; seen: () => number } {
  let seen = 0
  const database = connect({
    ...opened.databaseOptions,
    onStatement: async () => {
      seen++
      if (seen === n) await cutConnections()
    },
  })
  return { ctx: { ...opened.ctx, db: database.reader, database }, database, seen: () => seen }
}

/** PostgreSQL ends every other session of the database; SQLite has no connection but the process. */
async function cutConnections(): Promise<void> {
  if (opened.databaseOptions.engine === 'sqlite') throw new Error('connection cut')
  const admin = new Client({ connectionString: opened.databaseOptions.url })
  await admin.connect()
  await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await admin.end()
}

const create = (ctx: Context, email: string) =>
  transaction(ctx, async (tx) => {
    const user = await createUser(tx, scope, person(email), null)
    const { actor, ip, requestId, productId } = scope
    await audit(tx, { action: 'users/create', actor, productId, ip, requestId, details: { email } })
    return user
  })

/** What there is of one creation: person, link, event, mail, confirmation, audit row. */
async function traces(email: string): Promise<number[]> {
  const { db } = opened.ctx
  const person = await db.selectFrom('users').select('id').where('email', '=', email).execute()
  const id = person[0]?.id ?? 0
  const link = await db.selectFrom('product_users').select('user_id').where('user_id', '=', id).execute()
  const events = await db.selectFrom('events').select('id').where('user_id', '=', id).execute()
  const mails = await db.selectFrom('mails').select('id').where('recipient', '=', email).execute()
  const links = await db.selectFrom('email_confirmations').select('id').where('email', '=', email).execute()
  const audited = await db
    .selectFrom('audit_log')
    .select('id')
    .where('details', 'like', `%${email}%`)
    .execute()
  return [person, link, events, mails, links, audited].map(({ length }) => length)
}

test('the connection cut at any statement of a creation leaves all of it or nothing', async () => {
  const whole = cutBefore(0)
  await create(whole.ctx, 'whole@example.com')
  await whole.database.close()
  assert.deepEqual(await traces('whole@example.com'), [1, 1, 1, 1, 1, 1])
  const statements = whole.seen()
  assert.ok(statements >= 9, `begin, eight statements and commit, saw ${statements}`)
  for (let n = 1; n <= statements; n++) {
    const email = `cut${n}@example.com`
    const cut = cutBefore(n)
    await assert.rejects(create(cut.ctx, email), /cut|does not answer/i)
    await cut.database.close()
    assert.deepEqual(await traces(email), [0, 0, 0, 0, 0, 0], `cut before statement ${n}`)
  }
})

test('a creation that was cut off can be done again', async () => {
  const cut = cutBefore(5)
  await assert.rejects(create(cut.ctx, 'again@example.com'))
  await create(cut.ctx, 'again@example.com')
  await cut.database.close()
  assert.deepEqual(await traces('again@example.com'), [1, 1, 1, 1, 1, 1])
})
