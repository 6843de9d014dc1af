// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Place } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { openEmptyPlace, openOtherPlace } from '../../test/moved-places.ts'
import { rowsIn } from '../../test/moved-rows.ts'
import { KINDS } from './kinds/kinds.ts'

/** The rows of each file of an export, those of tokens without that of the account that they were brought into. */
async function rowsOf(folder: string, tokens?: ReadonlySet<unknown>) {
  const files = new Map<string, readonly object[]>()
  for (const { name } of KINDS) {
    const rows = rowsIn(await readFile(join(folder, `${name}.jsonl`), 'utf8'))
    files.set(
      name,
      name === 'api_tokens' && tokens ? rows.filter((row) => tokens.has(row['token_hash'])) : rows,
    )
  }
  return files
}

async function exported(place: Place, name: string, format = 'jsonl'): Promise<string> {
  const folder = join(place.folder, name)
  await place.ask(['export', '--account', '1', '--to', folder, '--format', format])
  return folder
}

async function areTheSame(source: Place, target: Place, format: string): Promise<void> {
  const folder = await exported(source, `as-${format}`, format)
  const brought = await target.ask(['import', 'files', folder, '--account', '1'])
  assert.deepEqual([brought.bad, brought.added], [[], brought.rows])
  const wanted = await rowsOf(await exported(source, `wanted-${format}`))
  const tokens = new Set((wanted.get('api_tokens') as { token_hash: string }[]).map((one) => one.token_hash))
  const found = await rowsOf(await exported(target, `found-${format}`), tokens)
  for (const { name } of KINDS) assert.deepEqual(found.get(name), wanted.get(name), name)
  const [ledger, doctor] = [await target.run(['ledger', 'check']), await target.run(['doctor'])]
  assert.deepEqual([ledger.code, doctor.code], [0, 0], ledger.stdout + doctor.stdout)
}

test('what an account has comes back row by row from JSON lines in an empty server', async (t) => {
  const source = await openDemoPlace(t, 'moved-from')
  await areTheSame(source, await openEmptyPlace(t, 'moved-to'), 'jsonl')
})

test('what an account has comes back row by row from CSV in an empty server of the other database, and back', async (t) => {
  const [source, other] = [await openDemoPlace(t, 'csv-from'), await openOtherPlace(t, 'csv-to')]
  await areTheSame(source, other, 'csv')
  await areTheSame(other, await openEmptyPlace(t, 'csv-back'), 'csv')
})

test('the files of an export are for their owner alone, and a manifest says what each has: an unfinished or changed one is not read', async (t) => {
  const place = await openDemoPlace(t, 'manifest')
  const folder = await exported(place, 'out')
  for (const name of await readdir(folder))
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  assert.deepEqual(
    manifest.kinds.map((kind: { name: string }) => kind.name),
    KINDS.map(({ name }) => name),
  )
  for (const { file, rows } of manifest.kinds)
    assert.equal(rowsIn(await readFile(join(folder, file), 'utf8')).length, rows, file)
  await writeFile(join(folder, 'UNFINISHED'), '')
  const unfinished = await place.run(['import', 'files', folder, '--account', '1', '--dry-run'])
  assert.deepEqual([unfinished.code, /is not finished/.test(unfinished.stderr)], [1, true])
  await rm(join(folder, 'UNFINISHED'))
  await appendFile(join(folder, 'users.jsonl'), ' ')
  const changed = await place.run(['import', 'files', folder, '--account', '1', '--dry-run'])
  assert.deepEqual(
    [changed.code, /users.jsonl is not what manifest.json says/.test(changed.stderr)],
    [1, true],
  )
  const again = await place.run(['export', '--account', '1', '--to', folder])
  assert.deepEqual([again.code, /not empty/.test(again.stderr)], [1, true])
  const nobody = await place.run(['export', '--account', '99', '--to', join(place.folder, 'nobody')])
  assert.deepEqual([nobody.code, /no account 99/.test(nobody.stderr)], [1, true])
})
