// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { askForAddress, askForAll, fetchedFrom, filesOf, filesOfCommand } from '../../test/account-exports.ts'
import { startTestApp } from '../../test/app.ts'
import { lastFirst } from '../../test/last-first.ts'
import { logIn, setPassword } from '../../test/logins.ts'
import { movedRows, sourceOf } from '../../test/moved-rows.ts'
import { ended, until, workersOf } from '../../test/workers-of-app.ts'
import { importRows } from './import-rows.ts'

const CUSTOMERS = 300

test('an export of an account whose worker is killed in the middle is begun anew by the next one, which removes the files with keys that the killed one has left', async (t) => {
  const app = await startTestApp('account_export_killed', {
    at: Date.now(),
    config: { mode: 'development' },
  })
  const atEnd = lastFirst(t)
  atEnd(() => app.close())
  const { folder, begin } = workersOf(app, atEnd)
  await importRows(app.ctx, sourceOf(movedRows(CUSTOMERS)), {
    developerId: app.seller.developer.id,
    isDryRun: false,
  })
  await setPassword(app)
  const owner = await logIn(app)
  const stateOf = async (id: string) => (await owner.call('GET', `/exports/${id}.json`)).json.state
  const incoming = join(folder, 'incoming-import')
  const left = () => readdir(incoming).catch(() => [])
  /** Asks for one and kills its worker as soon as there are files; its id, or null where it was done already. */
  const killedInTheMiddle = async (): Promise<string | null> => {
    const { id } = (await askForAll(owner)).json
    const child = begin()
    await until(async () => (await left()).length > 0 || (await stateOf(id)) === 'done', 2)
    assert.equal(await ended(child, 'SIGKILL'), 'SIGKILL')
    return (await stateOf(id)) === 'done' ? null : String(id)
  }
  let id = await killedInTheMiddle()
  while (id === null) id = await killedInTheMiddle()
  const asked = id
  const [killed] = await left()
  assert.ok(killed !== undefined, 'what it had written')
  assert.equal((await askForAll(owner)).status, 400, 'it is under way')
  // When the lease of who was killed is over.
  await app.ctx.database.transaction((db) => db.updateTable('exports').set({ lease_until: 0 }).execute())
  begin()
  await until(async () => (await stateOf(asked)) === 'done')
  await until(async () => (await left()).length === 0)
  await assert.rejects(access(join(incoming, killed)))
  const { url } = (await askForAddress(owner, asked)).json
  const files = await filesOf(Buffer.from(await (await fetchedFrom(app, url)).arrayBuffer()))
  const wanted = await filesOfCommand(app, 'jsonl')
  for (const [name, text] of wanted)
    if (name !== 'manifest.json' && name !== 'api_tokens.jsonl') assert.equal(files.get(name), text, name)
})
