import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDemo } from '../../test/demo.ts'

type Row = Readonly<Record<string, unknown>> & { readonly id: string }
type Get = Awaited<ReturnType<typeof startDemo>>['get']

const PAGE = 50

/** Every row of a list, page by page. */
async function allOf(get: Get, path: string, key: string): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = (await get(`${path}${path.includes('?') ? '&' : '?'}count=${PAGE}&offset=${rows.length}`))[
      key
    ]
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

/** Lists with what narrows them to a user or a license. */
const LISTS = [
  ['/installs.json', 'installs', 'user_id'],
  ['/installs.json', 'installs', 'license_id'],
  ['/licenses.json', 'licenses', 'user_id'],
  ['/payments.json', 'payments', 'user_id'],
  ['/payments.json', 'payments', 'license_id'],
  ['/subscriptions.json', 'subscriptions', 'user_id'],
  ['/subscriptions.json', 'subscriptions', 'license_id'],
  ['/trials.json', 'trials', 'user_id'],
  ['/trials.json', 'trials', 'license_id'],
  ['/disputes.json', 'disputes', 'user_id'],
] as const

test('a list is narrowed to one user or license: to all of its rows, and to none of another', async (t) => {
  const { get } = await startDemo(t, 'demo_filters')
  for (const [path, key, name] of LISTS) {
    const rows = await allOf(get, path, key)
    const of = new Set(rows.map((row) => row[name]).filter((id) => id !== null))
    assert.ok(of.size > 1, `${path} ${name}`)
    for (const id of [...of].slice(0, 5)) {
      const expected = rows.filter((row) => row[name] === id).map((row) => row.id)
      const found = (await allOf(get, `${path}?${name}=${String(id)}`, key)).map((row) => row.id)
      assert.deepEqual(found, expected, `${path} ${name}`)
    }
    assert.deepEqual(await allOf(get, `${path}?${name}=987654321`, key), [])
  }
})

test('what narrows a list to a user stands beside other filters', async (t) => {
  const { get } = await startDemo(t, 'demo_filters_beside')
  const rows = await allOf(get, '/licenses.json', 'licenses')
  const [{ user_id: user } = { user_id: '' }] = rows
  const narrowed = await allOf(
    get,
    `/licenses.json?user_id=${String(user)}&filter=active&environment=0`,
    'licenses',
  )
  assert.ok(narrowed.every((row) => row['user_id'] === user && row['environment'] === 0))
  const other = rows.find((row) => row['user_id'] !== user) ?? assert.fail()
  const both = `/payments.json?user_id=${String(user)}&search_user_id=${String(other['user_id'])}`
  assert.ok((await allOf(get, both, 'payments')).every((row) => row['user_id'] === user))
})
