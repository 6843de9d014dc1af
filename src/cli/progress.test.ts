import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { terminalOf } from '../../test/client.ts'
import type { Place } from '../../test/command-line.ts'
import { openPlace } from '../../test/command-line.ts'
import { openDemoPlace } from '../../test/demo-place.ts'
import { readConfig } from '../config.ts'
import { databaseBackup } from './backup-database.ts'
import { stepText, type Step } from '../lib/step.ts'

/** What a command says at a terminal of how far it is, a text a drawing, and that the line is taken back at its end. */
async function told(place: Place, args: readonly string[]): Promise<string[]> {
  const terminal = terminalOf()
  const { code, stderr } = await place.run(args, { terminal })
  assert.equal(code, 0, stderr)
  const drawn = terminal.seen().split('\r\u001b[K')
  assert.equal(drawn.at(-1), '')
  return drawn
}

const saysShare = (drawn: readonly string[], what: string) =>
  assert.ok(
    drawn.some((line) => line.includes(what) && / [\d,.]+ of [\d,.]+ (rows|MB), \d+ % …/.test(line)),
    `${what}: ${drawn.join('\n')}`,
  )

test('export, backup, restore and import say at a terminal what they do and how far they are', async (t) => {
  const place = await openDemoPlace(t, 'progress')
  const other = await openPlace(t, 'progress_restored')
  const [exported, saved] = [join(place.folder, 'exported'), join(place.folder, 'saved')]
  saysShare(await told(place, ['export', '--account', '1', '--to', exported]), 'writing ')
  const looked = await told(place, ['import', 'files', exported, '--account', '1'])
  assert.ok(
    looked.some((line) => /looking at \w+: [\d,]+ rows? …/.test(line)),
    looked.join('\n'),
  )
  saysShare(await told(place, ['backup', saved]), 'copying ')
  saysShare(await told(other, ['restore', saved]), 'copying ')
})

test('a copy of a database is told to its last byte and row', async (t) => {
  const place = await openDemoPlace(t, 'progress_copy')
  const config = readConfig({ ...process.env, ...place.env })
  const steps: Step[] = []
  const folder = join(place.folder, 'copy')
  await mkdir(folder)
  const { content } = await databaseBackup(config, (step) => void steps.push(step)).save(folder)
  const last = steps.at(-1)
  assert.deepEqual([last?.done, last?.of, last?.unit], [content.rows, content.rows, 'rows'])
})

test('a program is told nothing of how far a command is, and neither is what is no terminal', async (t) => {
  const place = await openDemoPlace(t, 'progress_silent')
  const terminal = terminalOf()
  await place.ask(['export', '--account', '1', '--to', join(place.folder, 'one')], { terminal })
  const file = Object.assign(terminalOf(), { isTTY: false })
  await place.run(['export', '--account', '1', '--to', join(place.folder, 'two')], { terminal: file })
  assert.deepEqual([terminal.seen(), file.seen()], ['', ''])
})

test('how far something is, is said in rows or megabytes with the share that is done, and without one where it is not known', () => {
  const step = { what: 'writing users', done: 340_000, unit: 'rows' } as const
  assert.equal(stepText({ ...step, of: 1_200_000 }), 'writing users: 340,000 of 1,200,000 rows, 28 %')
  assert.equal(stepText({ ...step, of: null }), 'writing users: 340,000 rows')
  assert.equal(stepText({ ...step, done: 1, of: null }), 'writing users: 1 row')
  const copying = { what: 'copying', done: 34_210_000, of: 120_000_000, unit: 'bytes' } as const
  assert.equal(stepText(copying), 'copying: 34.2 of 120.0 MB, 28 %')
})
