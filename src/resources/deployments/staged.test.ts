import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import { inParallel } from '../../../test/security/client.ts'

const PEOPLE = 1_000
const FIRST_ID = 100_000
/** Rows an insert. */
const ROWS = 250

let app: TestApp
let installs: number[]
before(async () => {
  app = await startTestApp('staged')
  installs = await createPeople()
})
after(() => app.close())

/** People with a license each, on an install each: copies of one that was made over HTTP. */
async function createPeople(): Promise<number[]> {
  const owner = await createOwner(app)
  const license = await licenseOn(app, await offerFor(app, 1), { body: { email: owner.email } })
  const first = await createInstallOf(app, owner, { version: '1.0' })
  return app.ctx.database.transaction(async (db) => {
    const modelOf = <T extends 'installs' | 'users' | 'licenses'>(table: T, id: unknown) =>
      db
        .selectFrom(table as 'installs')
        .selectAll()
        .where('id', '=', Number(id))
        .executeTakeFirstOrThrow()
    const models = {
      users: await modelOf('users', owner.id),
      licenses: await modelOf('licenses', license.id),
      installs: await modelOf('installs', first.id),
    }
    const ids = Array.from({ length: PEOPLE }, (_, n) => FIRST_ID + n)
    const insert = async (table: keyof typeof models, change: (id: number) => object) => {
      for (let at = 0; at < PEOPLE; at += ROWS) {
        const rows = ids.slice(at, at + ROWS).map((id) => ({ ...models[table], id, ...change(id) }))
        await db
          .insertInto(table as 'installs')
          .values(rows)
          .execute()
      }
    }
    const email = (id: number) => `p${id}@example.com`
    await insert('users', (id) => ({ email: email(id), email_folded: email(id) }))
    await insert('licenses', (id) => ({ user_id: id, key_hash: `staged ${id}` }))
    await insert('installs', (id) => ({
      user_id: id,
      license_id: id,
      public_key: `pk_staged_${id}`,
      uid: String(id).padEnd(32, '0'),
    }))
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

const change = (id: string, body: object) => app.call('PUT', at(`/tags/${id}.json`), { body })

test('a release to 10 % of 1,000 licensed is offered to 100 users and never more, 50 asking at once, and to these again', async () => {
  const id = await release(app, '2.0', { release_mode: 'released', percentage_limit: 10 })
  const limit = PEOPLE / 10
  const shown = (await app.call('GET', at('/tags.json'))).json.tags[0]
  assert.deepEqual([shown.id, shown.limit], [id, limit])
  // Those who come first ask twice, side by side.
  const asked = installs.flatMap((install, n) => (n < 2 * limit ? [install, install] : [install]))
  const first = await inParallel(asked, isOffered, 50)
  const lucky = new Set(asked.filter((_, index) => first[index]))
  assert.equal(lucky.size, limit)
  const others = installs.filter((install) => !lucky.has(install)).slice(0, 100)
  const second = await inParallel([...others, ...lucky], isOffered, 50)
  assert.deepEqual(second, [...others.map(() => false), ...[...lucky].map(() => true)])
  const { offered } = await app.ctx.db
    .selectFrom('deployments')
    .select('offered')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  assert.equal(offered, limit)
  await change(id, { limit: limit + 1 })
  const third = await inParallel(others, isOffered, 50)
  assert.equal(third.filter(Boolean).length, 1)
  await change(id, { limit: null })
  assert.ok((await inParallel(others, isOffered, 50)).every(Boolean))
})
