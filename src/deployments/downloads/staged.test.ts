// Runs alone, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { release } from '../../../test/archives.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { createInstallOf, createOwner } from '../../../test/installs.ts'
import { licenseOn, offerFor } from '../../../test/licenses.ts'
import { inParallel } from '../../../test/security/client.ts'
import { signed, type Signer } from '../../../test/security/signing.ts'
import { serve } from '../../../test/serve.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { toRfc2822 } from '../../lib/time.ts'

const PEOPLE = 1_000
const FIRST_ID = 100_000
/** Rows an insert. */
const ROWS = 250

let app: TestApp
let installs: readonly Signer[]
before(async () => {
  // Other processes are asked too, which have the machine's clock.
  app = await startTestApp('staged', { at: Date.now() })
  installs = await createPeople()
})
after(() => app.close())

/** People with a license each, on an install each: copies of one that was made over HTTP, with keys of their own. */
async function createPeople(): Promise<Signer[]> {
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
    const people = Array.from({ length: PEOPLE }, (_, n) => ({ id: FIRST_ID + n, ...newKeyPair() }))
    type Person = (typeof people)[number]
    const insert = async (table: keyof typeof models, change: (person: Person) => object) => {
      for (let at = 0; at < PEOPLE; at += ROWS) {
        const some = people.slice(at, at + ROWS)
        const rows = some.map((person) => ({ ...models[table], id: person.id, ...change(person) }))
        await db
          .insertInto(table as 'installs')
          .values(rows)
          .execute()
      }
    }
    const email = (id: number) => `p${id}@example.com`
    await insert('users', ({ id }) => ({ email: email(id), email_folded: email(id) }))
    await insert('licenses', ({ id }) => ({ user_id: id, key_hash: `staged ${id}` }))
    await insert('installs', ({ id, publicKey, secretKey }) => ({
      user_id: id,
      license_id: id,
      public_key: publicKey,
      secret_key: app.ctx.keys.seal(secretKey, 'installs.secret_key'),
      uid: String(id).padEnd(32, '0'),
    }))
    return people
  })
}

const at = (rest: string) => `/products/${app.seller.product.id}${rest}`

/** An install that asks at a server. */
interface Visit {
  readonly install: Signer
  readonly address: string
}

/** Which of them are offered a version after this one, 50 asking at once: every second signs for itself. */
const ask = (visits: readonly Visit[], newerThan: string) =>
  inParallel([...visits.entries()], ([n, visit]) => isOffered(visit, newerThan, n % 2 === 1), 50)

async function isOffered(
  { install, address }: Visit,
  newerThan: string,
  byItself: boolean,
): Promise<boolean> {
  const query = `/installs/${install.id}/updates/latest.json?newer_than=${newerThan}`
  const path = `/v1${byItself ? query : at(query)}`
  const signing = { date: toRfc2822(app.ctx.clock.real()), signedType: null }
  const headers = byItself
    ? (signed(install, { method: 'GET', path }, signing).headers as Record<string, string>)
    : { authorization: `Bearer ${app.seller.product.token}` }
  const response = await fetch(address + path, { headers })
  const text = await response.text()
  assert.ok(response.status === 200 || response.status === 404, text)
  return response.status === 200
}

const change = (id: string, body: object) => app.call('PUT', at(`/tags/${id}.json`), { body })

async function offeredOf(id: string): Promise<number> {
  const { offered } = await app.ctx.db
    .selectFrom('deployments')
    .select('offered')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return offered
}

/** Those who are offered it: none of them was offered it once, and once not. */
function luckyOf(visits: readonly Visit[], answers: readonly boolean[]): ReadonlySet<Signer> {
  const lucky = new Set(visits.filter((_, index) => answers[index]).map(({ install }) => install))
  const torn = visits.filter(({ install }, index) => answers[index] !== lucky.has(install))
  assert.deepEqual(torn, [])
  return lucky
}

const LIMIT = PEOPLE / 10
const TENTH = { release_mode: 'released', percentage_limit: 10 }

test('a release to 10 % of 1,000 licensed is offered to 100 users and never more, 50 asking at once, half of them signed, and to these again', async () => {
  const id = await release(app, '2.0', TENTH)
  const shown = (await app.call('GET', at('/tags.json'))).json.tags[0]
  assert.deepEqual([shown.id, shown.limit], [id, LIMIT])
  const all = installs.map((install) => ({ install, address: app.address }))
  // Those who come first ask twice, side by side.
  const asked = all.flatMap((visit, n) => (n < 2 * LIMIT ? [visit, visit] : [visit]))
  const lucky = luckyOf(asked, await ask(asked, '1.0'))
  assert.equal(lucky.size, LIMIT)
  const again = all.filter(({ install }) => lucky.has(install))
  const others = all.filter(({ install }) => !lucky.has(install)).slice(0, 100)
  const second = [...others, ...again]
  assert.deepEqual(luckyOf(second, await ask(second, '1.0')), lucky)
  assert.equal(await offeredOf(id), LIMIT)
  await change(id, { limit: LIMIT + 1 })
  assert.equal(luckyOf(others, await ask(others, '1.0')).size, 1)
  await change(id, { limit: null })
  assert.equal(luckyOf(others, await ask(others, '1.0')).size, others.length)
})

test('two processes together offer it to 100 of 400 who ask and never more, 50 at once, and each to those of the other', async (t) => {
  const servers = await Promise.all([serve(app.databaseOptions), serve(app.databaseOptions)])
  t.after(() => Promise.all(servers.map((server) => server.stop())))
  const [one = '', two = ''] = servers.map(({ address }) => address)
  const id = await release(app, '3.0', TENTH)
  const elsewhere = (visit: Visit) => ({ ...visit, address: visit.address === one ? two : one })
  // By twos, so that every second signs at both. Of those who come first some ask both, side by side.
  const asked = installs.slice(0, 4 * LIMIT).flatMap((install, n) => {
    const visit = { install, address: n % 4 < 2 ? one : two }
    return n < LIMIT / 2 ? [visit, elsewhere(visit)] : [visit]
  })
  const lucky = luckyOf(asked, await ask(asked, '2.0'))
  assert.equal(lucky.size, LIMIT)
  const others = asked.filter(({ install }) => !lucky.has(install)).slice(-100)
  const again = [...asked.filter(({ install }) => lucky.has(install)), ...others].map(elsewhere)
  assert.deepEqual(luckyOf(again, await ask(again, '2.0')), lucky)
  assert.equal(await offeredOf(id), LIMIT)
})
