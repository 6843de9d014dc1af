import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext, type TestContext } from '../../../test/app.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { createSeller, type Seller } from '../../../test/factories.ts'
import { newUid } from '../../../test/installs.ts'
import { transaction, type TxContext } from '../../context.ts'
import { confirmOwnership, startOwnershipChange } from '../owners/change-owner.ts'
import { putLicenseOn } from '../activation/license-on-install.ts'
import { systemScope } from '../../access/scope.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { issueLicense } from '../licenses/service.ts'
import { createUser } from '../../people/users/create.ts'
import { createInstall } from './create.ts'
import { readChange } from '../owners/ownership.ts'

let opened: Awaited<ReturnType<typeof testContext>>
let ctx: TestContext
let seller: Seller
let planId: number
let pricingId: number
before(async () => {
  opened = await testContext('ownership_crash')
  ctx = opened.ctx
  seller = await transaction(ctx, (tx) => createSeller(tx))
  const owner = { developerId: seller.developer.id, productId: seller.product.id }
  const offer = await transaction(ctx, (tx) => createOffer(tx, owner, 'gold'))
  planId = offer.planId
  pricingId = offer.pricingId
})
after(() => opened.drop())

const scope = () => systemScope({ developerId: seller.developer.id, productId: seller.product.id })

const userOf = (tx: TxContext, email: string) =>
  createUser(
    tx,
    scope(),
    { email, source: 'freemius', is_verified: false, is_migration: false, send_verification_email: false },
    null,
  )

interface Asked {
  readonly ownerId: number
  readonly installId: number
  readonly licenseId: number
  readonly candidate: string
  readonly salt: string
  readonly tokens: { readonly owner: string; readonly candidate: string }
}

let count = 0

/** A licensed install with a change of its owner asked for. */
const asked = (): Promise<Asked> =>
  transaction(ctx, async (tx) => {
    const candidate = `candidate${++count}@example.com`
    const owner = await userOf(tx, `owner${count}@example.com`)
    const ownerId = Number(owner.id)
    const { install } = await createInstall(tx, scope(), { user_id: ownerId, uid: newUid() })
    const license = await issueLicense(tx, scope(), {
      user_id: ownerId,
      plan_id: planId,
      pricing_id: pricingId,
      quota: 1,
      expiration: null,
      is_free_localhost: true,
      is_block_features: true,
      is_whitelabeled: false,
    })
    const ids = { installId: install.id, licenseId: license.id }
    await putLicenseOn(tx, scope(), ids, { allowUnreleased: true })
    await startOwnershipChange(tx, scope(), install, {
      next: { email: candidate },
      transferType: 'transfer',
      installIds: [],
      redirectUrl: null,
    })
    const mails = await tx.db
      .selectFrom('mails')
      .selectAll()
      .where('kind', '=', 'ownership_change')
      .where('recipient', 'in', [candidate, owner.email])
      .execute()
    const linkOf = (email: string) => {
      const mail = mails.find(({ recipient }) => recipient === email)
      return (
        /change-ownership\/([\w-]+)\.([\w-]+)/.exec(tx.keys.open(mail?.content ?? '', 'mails.content')) ?? []
      )
    }
    const [, salt = '', ownerToken = ''] = linkOf(owner.email)
    const [, , candidateToken = ''] = linkOf(candidate)
    return { ownerId, ...ids, candidate, salt, tokens: { owner: ownerToken, candidate: candidateToken } }
  })

const agree = (context: TestContext, { salt, tokens }: Asked, side: 'owner' | 'candidate') =>
  transaction(context, async (tx) =>
    confirmOwnership(tx, await readChange(tx, salt, tokens[side]), { ip: null, requestId: null }),
  )

/** Whose the install and its license are, whether the candidate is a user, and how often it was told. */
async function traces({ installId, licenseId, candidate, ownerId }: Asked) {
  const { db } = ctx
  const install = await db
    .selectFrom('installs')
    .select('user_id')
    .where('id', '=', installId)
    .executeTakeFirst()
  const license = await db
    .selectFrom('licenses')
    .select('user_id')
    .where('id', '=', licenseId)
    .executeTakeFirst()
  const user = await db.selectFrom('users').select('id').where('email', '=', candidate).executeTakeFirst()
  const events = await db
    .selectFrom('events')
    .select('type')
    .where('install_id', '=', installId)
    .where('type', 'like', 'install.ownership.%')
    .orderBy('id')
    .execute()
  const nameOf = (id: number | null | undefined) =>
    id === ownerId ? 'owner' : id === user?.id ? 'candidate' : 'nobody'
  return {
    install: nameOf(install?.user_id),
    license: nameOf(license?.user_id),
    isUser: user !== undefined,
    events: events.map(({ type }) => type.slice('install.ownership.'.length)),
  }
}

const BEFORE = {
  install: 'owner',
  license: 'owner',
  isUser: false,
  events: ['initiated', 'owner.confirmed'],
}
const AFTER = {
  install: 'candidate',
  license: 'candidate',
  isUser: true,
  events: ['initiated', 'owner.confirmed', 'candidate.confirmed', 'completed'],
}

test('a process that dies before any statement of a change of ownership has changed all of it or nothing', async () => {
  let n = 0
  for (let isDone = false; !isDone;) {
    n++
    const change = await asked()
    await agree(ctx, change, 'owner')
    assert.deepEqual(await traces(change), BEFORE)
    const process = dyingProcess(opened, n)
    isDone = await agree(process.ctx, change, 'candidate').then(
      () => true,
      () => false,
    )
    await process.close()
    assert.ok(isDone || process.isDead(), `before statement ${n}`)
    assert.deepEqual(await traces(change), isDone ? AFTER : BEFORE, `before statement ${n}`)
    if (!isDone) await agree(ctx, change, 'candidate')
    assert.deepEqual(await traces(change), AFTER, `after statement ${n}, tried again`)
  }
  assert.ok(n > 10, `${n} statements`)
})
