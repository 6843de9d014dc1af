// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Place } from '../../test/command-line.ts'
import { openEmptyPlace } from '../../test/moved-places.ts'
import { movedRows } from '../../test/moved-rows.ts'
import { commitsOf, KILL_HOOK, killsOver } from '../../test/spread-kills.ts'

async function filesFor(place: Place): Promise<string> {
  const folder = join(place.folder, 'files')
  await mkdir(folder)
  for (const [kind, rows] of Object.entries(movedRows(1_200))) {
    await writeFile(join(folder, `${kind}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  return folder
}

test('an import that is killed ten times on its way from first to last row and begun again has every row once', async (t) => {
  const place = await openEmptyPlace(t, 'import-killed')
  const folder = await filesFor(place)
  const line = ['import', 'files', folder, '--account', '1', '--json']
  const commits = commitsOf(await place.ask([...line.slice(0, -1), '--dry-run']))
  assert.ok(commits > 30, `${commits} commits`)
  for (const at of killsOver(commits)) {
    const { ended } = place.launch(line, { env: { NODE_OPTIONS: KILL_HOOK, KILL_AT_COMMIT: at } })
    const { code, stdout } = await ended
    assert.deepEqual([code, stdout], [null, ''], at)
  }
  const report = await place.ask([...line.slice(0, -1), '--resume'])
  assert.deepEqual([report.bad_count, report.same > 4 * report.added, report.added > 0], [0, true, true])
  const { reader: db } = place.database
  for (const [kind, rows] of Object.entries(movedRows(1_200))) {
    const noted = await db
      .selectFrom('imported_rows')
      .select((is) => is.fn.countAll().as('n'))
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    assert.equal(Number(noted.n), rows.length, kind)
  }
  const { imports } = await place.ask(['import', 'list', '--account', '1'])
  assert.deepEqual(
    imports.map(({ state, added }: { state: string; added: number }) => [state, added]),
    [['finished', report.rows]],
  )
  const licenses = await db.selectFrom('licenses').select('id').execute()
  assert.equal(licenses.length, 1_200)
  assert.equal((await place.run(['ledger', 'check'])).code, 0)
  const again = await place.ask(line.slice(0, -1))
  assert.deepEqual([again.import_id, again.same], [null, report.rows])
  const none = await place.run([...line, '--resume'])
  assert.deepEqual([none.code, JSON.parse(none.stderr || none.stdout).error?.code], [1, 'nothing_to_resume'])
})
