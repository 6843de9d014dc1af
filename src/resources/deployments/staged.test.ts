import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { offerFor } from '../../../test/licenses.ts'
import { inParallel } from '../../../test/security/client.ts'
import { toUtcTime } from '../../lib/time.ts'

const PEOPLE = 100

let app: TestApp
let installs: number[]
before(async () => {
  app = await startTestApp('staged')
  installs = await createPeople()
})
after(() => app.close())

/** People with a license each, on an install each: copies of one that was made over HTTP. */
async function createPeople(): Promise<number[]> {
  const offer = await offerFor(app, 1)
  const owner = await createOwner(app)
  const first = await createInstallOf(app, owner, { version: '1.0' })
  return app.ctx.database.transaction(async (db) => {
    const model = await db
      .selectFrom('installs')
      .selectAll()
      .where('id', '=', Number(first.id))
      .executeTakeFirstOrThrow()
    const { product_id: productId } = model
    const person = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', model.user_id)
      .executeTakeFirstOrThrow()
    const created = toUtcTime(app.ctx.clock.real())
    const ids: number[] = []
    for (let at = 0; at < PEOPLE; at++) {
      const userId = 100_000 + at
      await db
        .insertInto('users')
        .values({ ...person, id: userId, email: `p${at}@example.com`, email_folded: `p${at}@example.com` })
        .execute()
      const license = await db
        .insertInto('licenses')
        .values({
          product_id: productId,
          user_id: userId,
          plan_id: offer.planId,
          pricing_id: offer.pricingId,
          parent_license_id: null,
          quota: 1,
          activated: 1,
          activated_local: 0,
          expiration: null,
          secret_key: '',
          key_hash: `staged-${at}`,
          is_free_localhost: 0,
          is_block_features: 1,
          is_cancelled: 0,
          is_whitelabeled: 0,
          is_trial: 0,
          environment: 0,
          source: 0,
          notice: 0,
          notice_at: null,
          created,
          updated: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { id: _, ...columns } = model
      const install = await db
        .insertInto('installs')
        .values({
          ...columns,
          user_id: userId,
          public_key: `pk_staged_${at}`,
          uid: `staged${at}`.padEnd(32, '0'),
          license_id: license.id,
          counted_as: 'production',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(install.id)
    }
    return ids
  })
}

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

const isOffered = async (install: number) => {
  const { status, text } = await app.call(
    'GET',
    at(`/installs/${install}/updates/latest.json?newer_than=1.0`),
  )
  assert.ok(status === 200 || status === 404, text)
  return status === 200
}

test('a release to 10 % of the licensed is offered to exactly so many users, however many ask at once, and to these again', async () => {
  const id = await release(app, '2.0', { release_mode: 'released', percentage_limit: 10 })
  const limit = PEOPLE / 10
  const shown = (await app.call('GET', at('/tags.json'))).json.tags[0]
  assert.deepEqual([shown.id, shown.limit], [id, limit])
  const asked = installs.flatMap((install) => [install, install])
  const first = await inParallel(asked, isOffered, 50)
  const lucky = new Set(asked.filter((_, index) => first[index]))
  assert.equal(lucky.size, limit)
  const second = await inParallel(installs, isOffered, 50)
  assert.deepEqual(new Set(installs.filter((_, index) => second[index])), lucky)
  const rows = await app.ctx.db
    .selectFrom('deployments')
    .select('offered')
    .where('id', '=', Number(id))
    .execute()
  assert.equal(rows[0]?.offered, limit)
  await app.call('PUT', at(`/tags/${id}.json`), { body: { limit: limit + 1 } })
  const third = await inParallel(installs, isOffered, 50)
  assert.equal(third.filter(Boolean).length, limit + 1)
  await app.call('PUT', at(`/tags/${id}.json`), { body: { limit: null } })
  assert.ok((await inParallel(installs.slice(0, 40), isOffered, 20)).every(Boolean))
})
