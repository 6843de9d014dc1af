import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext } from '../../../test/app.ts'
import { createOffer, type Offer } from '../../../test/catalogue.ts'
import { cuttingAt, type Cutting } from '../../../test/cut.ts'
import { createSeller } from '../../../test/factories.ts'
import { transaction, type Context } from '../../context.ts'
import { createLicenseOn } from './create-license.ts'
import { audit } from '../../access/audit.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { createInstall } from '../installs/create.ts'
import { createUser } from '../../people/users/create.ts'

let opened: Awaited<ReturnType<typeof testContext>>
let scope: Scope
let offer: Offer
let installs: number[]
before(async () => {
  opened = await testContext('license_crash')
  const seller = await transaction(opened.ctx, (tx) => createSeller(tx))
  scope = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
  offer = await transaction(opened.ctx, (tx) => createOffer(tx, scope, 'professional'))
  const person = { email: 'cut@example.com', name: 'Cut Off', source: 'freemius' } as const
  const flags = { is_verified: false, send_verification_email: false, is_migration: false }
  const user = await transaction(opened.ctx, (tx) => createUser(tx, scope, { ...person, ...flags }, null))
  installs = await transaction(opened.ctx, async (tx) => {
    const made: number[] = []
    for (let n = 0; n < 40; n++) {
      const told = { user_id: Number(user.id), uid: String(n).padStart(32, 'u') }
      made.push((await createInstall(tx, scope, told)).install.id)
    }
    return made
  })
})
after(() => opened.drop())

/** A license for an install, activated there and mailed, with its audit row. */
const create = (ctx: Context, installId: number) =>
  transaction(ctx, async (tx) => {
    const ids = { plan_id: offer.planId, pricing_id: offer.pricingId, install_id: installId }
    const license = await createLicenseOn(tx, scope, ids, { period: 12, send_email: true })
    const { actor, ip, requestId, productId } = scope
    const details = { install: installId }
    await audit(tx, { action: 'installations/create-new-license', actor, productId, ip, requestId, details })
    return license
  })

/** What there is of it: licenses, installs with a license, events, mails, audit rows. */
async function traces(): Promise<number[]> {
  const { db } = opened.ctx
  const count = async (table: 'licenses' | 'events' | 'mails' | 'audit_log') =>
    (await db.selectFrom(table).select('id').execute()).length
  const on = await db.selectFrom('installs').select('id').where('license_id', 'is not', null).execute()
  return [
    await count('licenses'),
    on.length,
    await count('events'),
    await count('mails'),
    await count('audit_log'),
  ]
}

test('R04: the connection cut at any statement of a license created and activated leaves all of it or nothing', async () => {
  const run = async (n: number, installId: number): Promise<Cutting> => {
    const cut = cuttingAt(opened, n)
    try {
      if (n === 0) await create(cut.ctx, installId)
      else await assert.rejects(create(cut.ctx, installId), /cut|terminat|connection error|not answer/i)
    } finally {
      await cut.database.close()
    }
    return cut
  }
  const before = await traces()
  const statements = (await run(0, installs[0] ?? 0)).seen()
  const whole = await traces()
  assert.deepEqual(
    whole.map((now, index) => now - (before[index] ?? 0)),
    [1, 1, 3, 1, 1],
  )
  assert.ok(statements >= 12 && statements < installs.length, `saw ${statements}`)
  for (let n = 1; n <= statements; n++) {
    await run(n, installs[n] ?? 0)
    assert.deepEqual(await traces(), whole, `cut before statement ${n}`)
  }
})
