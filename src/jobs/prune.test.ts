import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, testContext, type TestContext } from '../../test/app.ts'
import { createSeller, type Seller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { DAY, HOUR, SECOND, toUtcTime } from '../lib/time.ts'
import { prune } from './prune.ts'
import { runDue } from './worker.ts'

let opened: Awaited<ReturnType<typeof testContext>>
let ctx: TestContext
let seller: Seller
let userId: number
before(async () => {
  opened = await testContext('prune')
  ctx = opened.ctx
  seller = await transaction(ctx, (tx) => createSeller(tx))
  userId = await addUser()
})
after(() => opened.drop())

async function addUser(): Promise<number> {
  const user = { email: 'a@example.com', email_folded: 'a@example.com', first: 'A', last: 'B', picture: '' }
  const { id } = await ctx.database.transaction((db) =>
    db
      .insertInto('users')
      .values({
        ...user,
        developer_id: seller.developer.id,
        is_verified: 0,
        auth: 'password',
        created: toUtcTime(START),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

const addKeys = (count: number, expires_at: number, name: string) =>
  ctx.database.transaction((db) =>
    db
      .insertInto('idempotency_keys')
      .values(
        Array.from({ length: count }, (_, n) => ({
          scope_hash: `${name} ${n}`,
          body_hash: '',
          lease_until: 0,
          fence: 1,
          created_at: 0,
          expires_at,
        })),
      )
      .execute(),
  )

const addToken = (token_hash: string, expires: number) =>
  ctx.database.transaction((db) =>
    db
      .insertInto('access_tokens')
      .values({
        developer_id: seller.developer.id,
        token_hash,
        created: toUtcTime(START),
        expires_at: toUtcTime(expires),
      })
      .execute(),
  )

const addConfirmation = (token_hash: string, expires: number) =>
  ctx.database.transaction((db) =>
    db
      .insertInto('email_confirmations')
      .values({
        user_id: userId,
        product_id: seller.product.id,
        email: 'a@example.com',
        token_hash,
        created: toUtcTime(START),
        expires_at: toUtcTime(expires),
      })
      .execute(),
  )

async function kept(): Promise<string[]> {
  const keys = await ctx.db.selectFrom('idempotency_keys').select('scope_hash as name').execute()
  const tokens = await ctx.db.selectFrom('access_tokens').select('token_hash as name').execute()
  const links = await ctx.db.selectFrom('email_confirmations').select('token_hash as name').execute()
  return [...keys, ...tokens, ...links].map(({ name }) => name).toSorted()
}

test('what has expired is removed in its time, in batches of a thousand, and nothing else', async () => {
  await addKeys(2500, START, 'expired key')
  await addKeys(1, START + 1, 'live key')
  await addToken('old token', START - DAY - SECOND)
  await addToken('token within its day', START - DAY)
  await addToken('live token', START + HOUR)
  await addConfirmation('old link', START - 30 * DAY - SECOND)
  await addConfirmation('link within its 30 days', START - 30 * DAY)
  assert.equal(await runDue(ctx, [prune]), 3)
  assert.deepEqual(await kept(), [
    'link within its 30 days',
    'live key 0',
    'live token',
    'token within its day',
  ])
  ctx.clock.advance(HOUR - 1)
  assert.equal(await runDue(ctx, [prune]), 0)
  ctx.clock.advance(1)
  assert.equal(await runDue(ctx, [prune]), 1)
  assert.deepEqual(await kept(), ['live token'])
})
