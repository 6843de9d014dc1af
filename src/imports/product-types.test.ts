import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { createTestFolder } from '../../test/folder.ts'
import { linesOf } from '../../test/importing.ts'
import { movedRows, sourceOf } from '../../test/moved-rows.ts'
import { exportAccount } from './export-account.ts'
import { importFiles } from './import-files.ts'
import { importRows } from './import-rows.ts'
import { importServer } from './import-server.ts'
import type { Ask } from './server/client.ts'

const TYPES = ['app', 'desktop', 'saas', 'library'] as const
const ID = 2_000

/** What a file says of a product of each type; the last one names its unit itself. */
function rows() {
  const { stores = [], products: [product] = [] } = movedRows(0)
  const { store_id, secret_key, created } = product ?? {}
  const products = TYPES.map((type, n) => ({
    id: ID + n,
    store_id,
    title: type,
    slug: `of-type-${type}`,
    type,
    public_key: `pk_${String(n).repeat(29)}`,
    secret_key,
    created,
    ...(type === 'library' && { type_alias: 'Library', selling_unit_singular: 'Repository' }),
  }))
  return { stores, products }
}

/** Type, label, unit and whether the SDK is needed. */
const WANTED = [
  'widget app Device false',
  'widget desktop Device false',
  'widget saas Seat false',
  'widget library Repository false',
]

const kept = async ({ ctx }: TestApp) => {
  const found = await ctx.db
    .selectFrom('products')
    .select(['type', 'type_alias', 'selling_unit_singular', 'is_sdk_required'])
    .where('id', '>=', ID)
    .where('id', '<', ID + TYPES.length)
    .orderBy('id')
    .execute()
  return found.map((row) => Object.values(row).join(' '))
}

async function serverOf(t: TestContext, name: string): Promise<TestApp> {
  const app = await startTestApp(name, { at: Date.now() })
  t.after(() => app.close())
  return app
}

const own = ({ seller: { developer } }: TestApp) => ({ developerId: developer.id, isDryRun: false })
const login = ({ address: url, seller: { developer } }: TestApp) => ({
  url,
  developerId: developer.id,
  publicKey: developer.publicKey,
  secretKey: developer.secretKey,
})

for (const format of ['jsonl', 'csv'] as const)
  test(`a product that a file (${format}) calls an app, desktop, SaaS or a library is one, with the unit that fits it, and stays one out of an export and from another server`, async (t) => {
    const folder = await createTestFolder(`types-${format}`)
    t.after(() => rm(folder, { recursive: true }))
    const [from, files, server] = [
      await serverOf(t, `types_from_${format}`),
      await serverOf(t, `types_files_${format}`),
      await serverOf(t, `types_server_${format}`),
    ]
    await mkdir(join(folder, 'own'))
    for (const [kind, some] of Object.entries(rows())) {
      const text = format === 'jsonl' ? linesOf(some) : csvOf(some)
      await writeFile(join(folder, 'own', `${kind}.${format}`), text)
    }
    const brought = await importFiles(from.ctx, join(folder, 'own'), own(from))
    assert.deepEqual([brought.bad, brought.added], [[], brought.rows])
    assert.deepEqual(await kept(from), WANTED)
    const again = await importFiles(from.ctx, join(folder, 'own'), own(from))
    assert.deepEqual([again.import_id, again.same], [null, again.rows])

    const { developerId } = own(from)
    await exportAccount(from.ctx, { developerId, folder: join(folder, 'out'), format })
    const exported = await importFiles(files.ctx, join(folder, 'out'), own(files))
    assert.deepEqual(exported.bad, [])
    assert.deepEqual(await kept(files), WANTED)

    assert.deepEqual((await importServer(server.ctx, login(from), own(server))).bad, [])
    assert.deepEqual(await kept(server), WANTED)
  })

test('a server that answers such a type by its name has its products brought as these', async (t) => {
  const [from, to] = [await serverOf(t, 'types_named_from'), await serverOf(t, 'types_named_to')]
  await importRows(from.ctx, sourceOf(rows()), own(from))
  const ask: Ask = async (url, init) => {
    const answer = await fetch(url, init)
    const { pathname } = new URL(url)
    if (pathname.endsWith('/settings.json')) return Response.json({}, { status: 404 })
    if (!pathname.endsWith('/products.json')) return answer
    const { plugins } = (await answer.json()) as { plugins: Record<string, unknown>[] }
    return Response.json({
      plugins: plugins.map(({ type_alias: label, ...plugin }) =>
        label === '' ? plugin : { ...plugin, type: label },
      ),
    })
  }
  const { bad } = await importServer(to.ctx, login(from), { ...own(to), manner: { ask } })
  assert.deepEqual(bad, [])
  assert.deepEqual(await kept(to), WANTED)
})

test('a bundle of such a type, and another label beside one, are refused', async (t) => {
  const app = await serverOf(t, 'types_refused')
  const files = rows()
  Object.assign(files.products[0] ?? {}, { kind: 'bundle' })
  Object.assign(files.products[1] ?? {}, { type_alias: 'Editor' })
  const { bad } = await importRows(app.ctx, sourceOf(files), own(app))
  assert.deepEqual(
    bad.map(({ line, column, reason }) => [line, column, reason]),
    [
      [1, 'type', 'no_bundle'],
      [2, 'type_alias', 'other_label'],
    ],
  )
})

function csvOf(some: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(some.flatMap((row) => Object.keys(row)))]
  return [columns, ...some.map((row) => columns.map((column) => String(row[column] ?? '')))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')
}
