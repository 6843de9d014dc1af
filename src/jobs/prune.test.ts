import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, testContext, type TestContext } from '../../test/app.ts'
import { createSeller, type Seller } from '../../test/factories.ts'
import { transaction } from '../context.ts'
import { systemScope } from '../access/scope.ts'
import { DAY, HOUR, SECOND, toUtcTime } from '../lib/time.ts'
import { createInstall } from '../licensing/installs/create.ts'
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
        is_verified: false,
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

test('ended sessions, failures that no longer count, old invitations and addresses of logins go too', async () => {
  const person_id = seller.developer.id
  const now = ctx.clock.real()
  await ctx.database.transaction(async (db) => {
    const session = (token_hash: string, expires_at: number) => ({
      person_id,
      token_hash,
      created_at: 0,
      expires_at,
    })
    await db
      .insertInto('sessions')
      .values([session('ended', now), session('open', now + HOUR)])
      .execute()
    const failure = (key: string, last_at: number) => ({ key, failures: 3, last_at })
    await db
      .insertInto('login_failures')
      .values([failure('old failure', now - HOUR), failure('failure', now)])
      .execute()
    const from = (address: string, last_at: number) => ({ person_id, address, last_at })
    await db
      .insertInto('login_addresses')
      .values([from('192.0.2.1', now - 180 * DAY), from('192.0.2.2', now)])
      .execute()
    const invitation = (token_hash: string, expires: number) => ({
      developer_id: person_id,
      person_id,
      token_hash,
      created: toUtcTime(START),
      expires_at: toUtcTime(expires),
    })
    await db
      .insertInto('member_invitations')
      .values([
        invitation('old invitation', now - 30 * DAY - SECOND),
        invitation('invitation', now - 30 * DAY + 2 * HOUR),
      ])
      .execute()
  })
  ctx.clock.advance(HOUR)
  await runDue(ctx, [prune])
  const { db } = ctx
  assert.deepEqual(
    [
      ...(await db.selectFrom('sessions').select('token_hash as name').execute()),
      ...(await db.selectFrom('login_failures').select('key as name').execute()),
      ...(await db.selectFrom('login_addresses').select('address as name').execute()),
      ...(await db.selectFrom('member_invitations').select('token_hash as name').execute()),
    ].map(({ name }) => name),
    ['192.0.2.2', 'invitation'],
  )
})

test('proofs that no call may carry again go when they are too old anyway, links of opt-ins 30 days later', async () => {
  const now = ctx.clock.real()
  await ctx.database.transaction(async (db) => {
    const proof = (proof_hash: string, expires: number) => ({ proof_hash, expires_at: toUtcTime(expires) })
    await db
      .insertInto('used_proofs')
      .values([proof('old proof', now), proof('proof', now + HOUR)])
      .execute()
    const link = (token_hash: string, expires: number) => ({
      product_id: seller.product.id,
      user_id: userId,
      token_hash,
      work: ctx.keys.seal('{}', 'pending_activations.work'),
      created: toUtcTime(START),
      expires_at: toUtcTime(expires),
    })
    await db
      .insertInto('pending_activations')
      .values([link('old link', now - 30 * DAY), link('link', now - 29 * DAY)])
      .execute()
  })
  ctx.clock.advance(HOUR)
  await runDue(ctx, [prune])
  assert.deepEqual(
    [
      ...(await ctx.db.selectFrom('used_proofs').select('proof_hash as name').execute()),
      ...(await ctx.db.selectFrom('pending_activations').select('token_hash as name').execute()),
    ].map(({ name }) => name),
    ['proof', 'link'],
  )
})

test('what sites said that never opted in goes: skips after 30 days, reasons after a year; those of installs stay', async () => {
  const now = ctx.clock.real()
  const product_id = seller.product.id
  const uid = (name: string) => name.padEnd(32, '0')
  const scope = systemScope({ developerId: seller.developer.id, productId: product_id })
  const told = { user_id: userId, uid: uid('install') }
  const { install } = await transaction(ctx, (tx) => createInstall(tx, scope, told))
  await ctx.database.transaction(async (db) => {
    const skipped = (name: string, created: number) => ({
      product_id,
      uid: uid(name),
      created: toUtcTime(created),
    })
    await db
      .insertInto('skipped_sites')
      .values([skipped('old', now - 30 * DAY), skipped('late', now - 29 * DAY)])
      .execute()
    const said = (name: string, created: number, install_id: number | null = null) => ({
      product_id,
      install_id,
      site_id: null,
      uid: uid(name),
      reason_id: 7,
      reason_info: '',
      reason_folded: '',
      created: toUtcTime(created),
      updated: null,
    })
    await db
      .insertInto('uninstalls')
      .values([
        said('old', now - 365 * DAY),
        said('late', now - 364 * DAY),
        said('install', now - 900 * DAY, install.id),
      ])
      .execute()
  })
  ctx.clock.advance(HOUR)
  await runDue(ctx, [prune])
  const named = ({ uid: text }: { uid: string }) => text.replaceAll('0', '')
  const skips = await ctx.db.selectFrom('skipped_sites').select('uid').execute()
  const reasons = await ctx.db.selectFrom('uninstalls').select('uid').orderBy('uid').execute()
  assert.deepEqual([skips.map(named), reasons.map(named)], [['late'], ['install', 'late']])
})

test('reports of gateways go after 30 days, those that could not be taken yet stay', async () => {
  const row = { gateway: 'test', created: toUtcTime(START) }
  const rows = [
    { ...row, event_id: 'taken', due_at: null },
    { ...row, event_id: 'waits', due_at: START },
  ]
  await ctx.database.transaction((db) => db.insertInto('gateway_events').values(rows).execute())
  ctx.clock.set(START + 400 * DAY)
  await runDue(ctx, [prune])
  const left = await ctx.db.selectFrom('gateway_events').select('event_id').execute()
  assert.deepEqual(left, [{ event_id: 'waits' }])
})
