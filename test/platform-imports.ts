import assert from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { importPlatform, type PlatformImport, type PlatformReport } from '../src/imports/import-platform.ts'
import type { PlatformName } from '../src/imports/platforms/names.ts'
import { idOf } from '../src/imports/platforms/ids.ts'
import { undoImport } from '../src/imports/undo-import.ts'
import { checkLedger } from '../src/sales/ledger/check-ledger.ts'
import { newUid } from './activations.ts'
import { startTestApp } from './app.ts'
import { createTestFolder } from './folder.ts'

/** Where the fixtures of platforms lie. */
export const FIXTURES = join(import.meta.dirname, 'imports/platforms')

const TABLES = [
  'products',
  'settings',
  'plans',
  'pricing',
  'coupons',
  'users',
  'product_users',
  'licenses',
  'sites',
  'installs',
  'payment_methods',
  'subscriptions',
  'payments',
  'postings',
] as const
type Table = (typeof TABLES)[number]
type Row = Readonly<Record<string, unknown>>

/** A server on which a seller has sold nothing, and a folder with a copy of the fixture of a platform. */
export async function startMove(platform: PlatformName) {
  const name = `move_${platform.replaceAll('-', '_')}`
  const app = await startTestApp(name, { at: Date.UTC(2026, 5, 1) })
  const folder = await createTestFolder(name)
  await cp(join(FIXTURES, platform), folder, { recursive: true })
  const developerId = app.seller.developer.id
  const space = { account: developerId, platform, shop: '' }
  const rowsOf = async (table: Table): Promise<readonly Row[]> =>
    app.ctx.db
      .selectFrom(table as 'licenses')
      .selectAll()
      .execute()
  return {
    app,
    bring: (more: Partial<PlatformImport> = {}) =>
      importPlatform(app.ctx, platform, folder, { developerId, isDryRun: false, leavesOut: true, ...more }),
    /** The id here of what the platform calls so. */
    id: (entity: string, id: string | number) => idOf(space, entity, String(id)),
    rowsOf,
    /** Some columns of a row by its id here, with spaces between. */
    async row(table: Table, id: number, columns: string): Promise<string> {
      const row = (await rowsOf(table)).find((one) => one['id'] === id)
      return row
        ? columns
            .split(' ')
            .map((column) => String(row[column]))
            .join(' | ')
        : 'none'
    },
    /** How many rows there are of each table. */
    async counts(): Promise<Record<string, number>> {
      const counted: Record<string, number> = {}
      for (const table of TABLES) counted[table] = (await rowsOf(table)).length
      return counted
    },
    async edit(file: string, from: string, to: string): Promise<void> {
      const path = join(folder, file)
      const text = await readFile(path, 'utf8')
      assert.ok(text.includes(from), `${file} has no ${from}`)
      await writeFile(path, text.replace(from, to))
    },
    undo: (importId: string | null) => undoImport(app.ctx, developerId, Number(importId)),
    /** Activates a license by its key on a site that no client has told of; the status, and the code of a refusal. */
    async activate(productId: number, key: string, url: string): Promise<string> {
      const body = { license_key: key, uid: newUid(), url }
      const path = `/products/${productId}/licenses/activate.json`
      const reply = await app.call('POST', path, { token: null, body })
      return reply.status === 200 ? '200' : `${reply.status} ${reply.json.error.code}`
    },
    async close(): Promise<void> {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type Move = Awaited<ReturnType<typeof startMove>>

interface Expected {
  /** What is left out: file, line, kind, column and code. */
  readonly left: readonly string[]
  /** What is put aside: kind, code and how often. */
  readonly aside: readonly string[]
  /** What came, looked at. */
  readonly exact: (move: Move) => Promise<void>
  /** A change there of one row of a kind, and what the row is then. */
  readonly change: readonly [file: string, from: string, to: string]
  readonly changed: (move: Move) => Promise<void>
  readonly keys: (move: Move) => Promise<void>
}

const told = ({ left }: PlatformReport): string[] =>
  left.map(({ file, line, kind, column, reason }) => `${file} ${line} ${kind} ${column ?? '-'} ${reason}`)

/** A row that has changed there, and here too, is named by the file there that it stands in. */
async function requireStaysNamed({ app, bring }: Move, file: string): Promise<void> {
  const change = (by: number) =>
    app.write(async ({ db }) => {
      await db
        .updateTable('licenses')
        .set((is) => ({ activated_local: is('activated_local', '+', by) }))
        .execute()
      await db
        .updateTable('subscriptions')
        .set((is) => ({ failed_payments: is('failed_payments', '+', by) }))
        .execute()
    })
  await change(1)
  const { kept, kept_rows: rows } = await bring({ isDryRun: true })
  assert.deepEqual(
    [kept, rows.map((row) => [row.file, row.line > 0, row.reason])],
    [1, [[file, true, 'changed_here']]],
  )
  await change(-1)
}

/** The tests that each platform passes with its fixture. */
export function testMove(platform: PlatformName, expected: Expected): void {
  let move: Move
  let begun: Record<string, number>
  let importId: string | null = null
  before(async () => {
    move = await startMove(platform)
    begun = await move.counts()
  })
  after(() => move.close())

  test(`${platform}: a dry run tells each row that cannot come with its line, what is put aside and what does not fit`, async () => {
    const report = await move.bring({ isDryRun: true, leavesOut: false })
    assert.deepEqual([report.import_id, report.bad, report.dry_run], [null, [], true])
    assert.deepEqual(told(report), expected.left)
    const aside = report.aside.map(({ kind, reason, count }) => `${kind} ${reason} ${count}`)
    assert.deepEqual(aside, expected.aside)
    assert.ok(report.does_not_fit.length > 0)
    assert.deepEqual(await move.counts(), begun)
  })

  test(`${platform}: while a row cannot come nothing is written, unless such rows are to be left out`, async () => {
    const report = await move.bring({ leavesOut: false })
    assert.deepEqual([report.import_id, report.left_count], [null, expected.left.length])
    assert.deepEqual(await move.counts(), begun)
  })

  test(`${platform}: what comes is exact`, async () => {
    const report = await move.bring()
    importId = report.import_id
    assert.deepEqual([report.bad, importId !== null], [[], true])
    await expected.exact(move)
    assert.equal((await checkLedger(move.app.ctx)).ok, true)
  })

  test(`${platform}: brought again nothing comes twice, and a row that has changed there is changed here`, async () => {
    const counts = await move.counts()
    const again = await move.bring()
    assert.deepEqual([again.import_id, again.added, again.changed], [null, 0, 0])
    await move.edit(...expected.change)
    await requireStaysNamed(move, expected.change[0])
    const report = await move.bring()
    assert.deepEqual([report.bad, report.added, report.changed], [[], 0, 1])
    await expected.changed(move)
    assert.deepEqual(await move.counts(), counts)
  })

  test(`${platform}: undone, nothing of it is left`, async () => {
    assert.deepEqual((await move.undo(importId)).stayed, [])
    assert.deepEqual(await move.counts(), begun)
  })

  test(`${platform}: keys go on working here`, async () => {
    assert.deepEqual((await move.bring()).bad, [])
    await expected.keys(move)
  })
}
