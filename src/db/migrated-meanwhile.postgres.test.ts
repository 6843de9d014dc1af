import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { clientsOf, newUid } from '../../test/activations.ts'
import { startTestApp, type Reply } from '../../test/app.ts'

/** What the calls below read wholly. */
const TABLES = ['users', 'product_users', 'products', 'licenses', 'installs', 'plans', 'pricing', 'coupons']
const TIMES = 3
const CALLERS = 3

/** A server, calls of all kinds to it, and columns that are added to its tables meanwhile. */
async function start(t: TestContext, name: string) {
  const app = await startTestApp(name)
  t.after(() => app.close())
  const clients = clientsOf(app)
  const license = await clients.ownLicense(null)
  const active = await clients.active(license)
  const coupon = (code: string) => ({ code, discount: 10, discount_type: 'percentage' })
  const calls: Readonly<Record<string, () => Promise<Reply>>> = {
    users: () => app.call('GET', clients.path('/users.json')),
    coupons: () => app.call('GET', clients.path('/coupons.json')),
    licenses: () => app.call('GET', clients.path(`/licenses/${license.id}.json`)),
    verify: () => clients.verify(active),
    'new users': () =>
      app.call('POST', clients.path('/users.json'), {
        body: { email: `${newUid()}@example.com`, name: 'Some One' },
      }),
    'new coupons': () => app.call('POST', clients.path('/coupons.json'), { body: coupon(newUid()) }),
    activations: () => clients.activate({ license_key: license.secret_key }),
    deactivations: async () => clients.deactivate(await clients.active(license)),
  }
  let columns = 0
  const addColumn = (table: string) =>
    app.ctx.database.transaction((db) =>
      sql`alter table ${sql.table(table)} add column ${sql.id(`later_${++columns}`)} text`.execute(db),
    )
  return { calls, addColumn }
}

test('calls are served while another version adds columns to the tables that they read', async (t) => {
  const { calls, addColumn } = await start(t, 'migrated_meanwhile')
  let isOver = false
  const refusals: string[] = []
  const counts: Record<string, number> = Object.fromEntries(Object.keys(calls).map((what) => [what, 0]))
  const callers = Object.entries(calls).flatMap(([what, call]) =>
    Array.from({ length: CALLERS }, async () => {
      while (!isOver) {
        const { status, text } = await call()
        counts[what] = (counts[what] ?? 0) + 1
        if (status >= 300) refusals.push(`${what}: ${status} ${text.slice(0, 200)}`)
      }
    }),
  )
  /** So many more calls of each kind have been answered. */
  const answered = async (more: number) => {
    const before = { ...counts }
    const isAgain = (what: string) => (counts[what] ?? 0) >= (before[what] ?? 0) + more
    while (!Object.keys(calls).every(isAgain)) await sleep(5)
  }
  for (let time = 0; time < TIMES; time++) {
    for (const table of TABLES) {
      await addColumn(table)
      await answered(1)
    }
  }
  // Those under way, and others that have begun after them.
  await answered(2 * CALLERS)
  isOver = true
  await Promise.all(callers)
  assert.deepEqual(refusals, [])
})

test('a call that comes after them, by a connection that has prepared all it needs, is served', async (t) => {
  const { calls, addColumn } = await start(t, 'migrated_before')
  for (const [what, call] of Object.entries(calls)) {
    for (let time = 0; time < TIMES; time++) {
      const { status, text } = await call()
      assert.ok(status < 300, `${what}: ${text}`)
      for (const table of TABLES) await addColumn(table)
    }
  }
})
