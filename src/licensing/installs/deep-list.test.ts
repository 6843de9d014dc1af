import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asUser } from '../../../test/callers.ts'
import { createInstallOf, createOwner, expectOk } from '../../../test/installs.ts'
import { ROWS_OF_MARK } from '../../db/dialect.ts'
import { listStart, shownStart } from '../../db/list-start.ts'
import { systemScope } from '../../access/scope.ts'

const ALL = 2 * ROWS_OF_MARK + 500

let app: TestApp
/** The newest first. */
let ids: number[]
const uninstalled = new Set<number>()

before(async () => {
  app = await startTestApp('installs_deep')
  await addLike(await createInstallOf(app, await createOwner(app)), ALL - 1)
  const found = await app.ctx.db
    .selectFrom('installs')
    .select(['id', 'is_uninstalled'])
    .orderBy('id', 'desc')
    .execute()
  ids = found.map((one) => one.id)
  for (const one of found) if (one.is_uninstalled) uninstalled.add(one.id)
})

/** Adds so many installs of the user of one, every third uninstalled. */
async function addLike({ id }: { readonly id: string }, count: number): Promise<void> {
  const [row] = await app.ctx.db.selectFrom('installs').selectAll().where('id', '=', Number(id)).execute()
  assert.ok(row)
  const { id: _, ...like } = row
  const all = Array.from({ length: count }, (__, n) => ({
    ...like,
    uid: `deep${n + 1}`.padEnd(32, 'x'),
    public_key: `pk_${id}_${n}`,
    is_uninstalled: isGone(n + 1),
  }))
  while (all.length > 0) {
    const rows = all.splice(0, 100)
    await app.write(({ db }) => db.insertInto('installs').values(rows).execute())
  }
}
after(() => app.close())

const isGone = (n: number): boolean => n % 3 === 0

const path = () => `/products/${app.seller.product.id}/installs`

async function assertPages(): Promise<void> {
  for (const isAll of [false, true]) {
    const expected = isAll ? ids : ids.filter((id) => !uninstalled.has(id))
    for (const offset of [0, ROWS_OF_MARK - 1, ROWS_OF_MARK, ROWS_OF_MARK + 999, expected.length - 2]) {
      const query = `count=5&offset=${offset}&fields=id&all=${isAll}`
      const { installs } = expectOk(await app.call('GET', `${path()}.json?${query}`)).json
      assert.deepEqual(
        installs.map(({ id }: { id: string }) => Number(id)),
        expected.slice(offset, offset + 5),
        query,
      )
    }
  }
}

test('a page deep in the installs is where a walk over all ends, also after some went and came back', async () => {
  await assertPages()
  for (const id of ids.filter((_, index) => index % 800 === 5)) {
    const change = { is_uninstalled: !uninstalled.has(id) }
    expectOk(await app.call('PUT', `${path()}/${id}.json`, { body: change }))
    if (change.is_uninstalled) uninstalled.add(id)
    else uninstalled.delete(id)
  }
  await assertPages()
  for (const id of ids.filter((_, index) => index % 900 === 7)) {
    assert.equal((await app.call('DELETE', `${path()}/${id}.json`)).status, 204)
    ids = ids.filter((other) => other !== id)
  }
  await assertPages()
})

test('on SQLite the rows of one mark at most are left to skip, with and without those that are uninstalled', async () => {
  const hasMarks = app.ctx.database.engine === 'sqlite'
  const { developer, product } = app.seller
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  for (const startOf of [listStart, shownStart]) {
    const { offset } = await startOf(app.ctx.db, 'installs', scope, { offset: ROWS_OF_MARK + 900 })
    assert.equal(offset < ROWS_OF_MARK, hasMarks, String(offset))
  }
})

test('what is changed for all installs of a user is changed for each, however many there are', async () => {
  const user = await createOwner(app)
  await addLike(await createInstallOf(app, user), 520)
  const body = { is_enabled: false, permissions: 'site' }
  const as = asUser(app, user)
  const { installs_metadata: changed } = expectOk(await as('PUT', '/installs/permissions.json', body)).json
  const told = new Set(changed.map((one: { install_id: string }) => one.install_id))
  assert.deepEqual([changed.length, told.size], [521, 521])
})
