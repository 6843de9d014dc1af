import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from '../../../test/activations.ts'
import { testContext } from '../../../test/app.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { createSeller } from '../../../test/factories.ts'
import { type Context, transaction } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { issueLicense } from '../licenses/service.ts'
import { createUser } from '../../people/users/create.ts'
import { activate } from './activate.ts'
import { deactivate } from './deactivate.ts'

type Opened = Awaited<ReturnType<typeof testContext>>
let opened: Opened
let scope: Scope
let terms: { readonly userId: number; readonly planId: number }
before(async () => {
  opened = await testContext('activate_crash')
  const seller = await transaction(opened.ctx, (tx) => createSeller(tx))
  scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
  terms = await transaction(opened.ctx, async (tx) => {
    const user = await createUser(tx, scope, { ...PERSON, email: 'crash@example.com' }, null)
    return { userId: Number(user.id), planId: (await createOffer(tx, scope, 'crash')).planId }
  })
})
after(() => opened.drop())

const PERSON = {
  name: 'Cora Crash',
  is_verified: true,
  send_verification_email: false,
  is_migration: true,
  source: 'freemius',
} as const

const newLicense = (userId: number | null = terms.userId) =>
  transaction(opened.ctx, async (tx) => {
    const row = await issueLicense(tx, scope, {
      plan_id: terms.planId,
      user_id: userId,
      pricing_id: null,
      quota: 1,
      expiration: null,
      is_free_localhost: true,
      is_block_features: true,
      is_whitelabeled: false,
    })
    return { id: row.id, key: tx.keys.open(row.secret_key, 'licenses.secret_key') }
  })

/** Everything that an activation may leave, table by table. */
async function traces(): Promise<Record<string, number>> {
  const tables = [
    'users',
    'product_users',
    'installs',
    'sites',
    'install_tokens',
    'events',
    'mails',
    'email_confirmations',
  ] as const
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { count } = await opened.ctx.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = Number(count)
  }
  const used = await opened.ctx.db
    .selectFrom('licenses')
    .select(({ fn }) => fn.sum<number>('activated').as('activated'))
    .executeTakeFirstOrThrow()
  return { ...counts, activated: Number(used.activated) }
}

/** Has a process die before each statement of the work in turn: nothing of it may be left. */
async function cutEverywhere(work: (ctx: Context) => Promise<unknown>): Promise<void> {
  const before = await traces()
  let cuts = 0
  for (let n = 1; ; n++) {
    const dying = dyingProcess(opened, n)
    const result = await work(dying.ctx).then(
      () => 'done',
      () => 'cut',
    )
    const isDead = dying.isDead()
    await dying.close().catch(() => {})
    if (!isDead) {
      assert.equal(result, 'done')
      break
    }
    cuts++
    assert.equal(result, 'cut', `before statement ${n}`)
    assert.deepEqual(await traces(), before, `before statement ${n}`)
  }
  assert.ok(cuts >= 6, `it has ${cuts} statements`)
}

const body = (key: string) => ({
  uid: newUid(),
  license_key: key,
  url: `https://${newUid()}.com`,
  allow_unreleased_plan_activation: false,
})

test('R04: an activation that is cut before any of its statements leaves nothing, and can be done again', async () => {
  const { id, key } = await newLicense()
  const given = body(key)
  await cutEverywhere((ctx) => transaction(ctx, (tx) => activate(tx, scope, given)))
  const row = await opened.ctx.db
    .selectFrom('licenses')
    .select('activated')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(row.activated, 1)
})

test('R04: so does one by which a license finds its owner', async () => {
  const { key } = await newLicense(null)
  const owner = { user_email: `${newUid()}@example.com`, first_name: 'Nora', last_name: 'New' }
  const given = { ...body(key), ...owner }
  await cutEverywhere((ctx) => transaction(ctx, (tx) => activate(tx, scope, given)))
})

test('R04: so does a deactivation', async () => {
  const { id, key } = await newLicense()
  const given = body(key)
  const active = await transaction(opened.ctx, (tx) => activate(tx, scope, given))
  assert.ok('install_id' in active)
  const { install_id: install } = active
  const off = { uid: given.uid, license_key: key, install_id: Number(install) }
  await cutEverywhere((ctx) => transaction(ctx, (tx) => deactivate(tx, scope, off)))
  const row = await opened.ctx.db
    .selectFrom('licenses')
    .select('activated')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(row.activated, 0)
  const other = anotherProcess(opened)
  await assert.rejects(
    transaction(other.ctx, (tx) => deactivate(tx, scope, off)),
    /not active/,
  )
  await other.close()
})
