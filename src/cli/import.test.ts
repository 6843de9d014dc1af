// Runs beside others.
import assert from 'node:assert/strict'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { linesOf } from '../../test/importing.ts'
import type { Files } from '../../test/moved-base.ts'
import { openEmptyPlace } from '../../test/moved-places.ts'
import { movedRows } from '../../test/moved-rows.ts'
import { FIXTURES } from '../../test/platform-imports.ts'
import { idOf } from '../imports/platforms/ids.ts'

test('of a platform --shop tells a second shop from the first, and --payment-methods renews its subscriptions here, by what it calls them', async (t) => {
  const place = await openEmptyPlace(t, 'import-options')
  const { reader: db } = place.database
  const account = ['--account', '1', '--leave-out']
  const first = await place.ask(['import', 'lemon-squeezy', join(FIXTURES, 'lemon-squeezy'), ...account])
  const folder = await secondShop(place.folder)
  const methods = join(place.folder, 'methods.csv')
  await writeFile(
    methods,
    'subscription_id,gateway,kind,token\n1,stripe,card,cus_1 pm_1 card\n999,stripe,card,cus_2 pm_2 card\n',
  )
  const line = [
    'import',
    'lemon-squeezy',
    folder,
    ...account,
    '--shop',
    'second',
    '--payment-methods',
    methods,
  ]
  const second = await place.ask(line)
  assert.deepEqual([first.bad_count, second.bad_count, second.changed], [0, 0, 0])
  const unused = { kind: 'payment_methods', reason: 'unknown_subscription', count: 1 }
  assert.deepEqual(second.aside.at(-1), unused)
  const told = await place.run([...line, '--dry-run'])
  assert.match(told.stdout, /^payment_methods: 1 put aside \(unknown_subscription\)$/m)
  const subscriptions = (shop: string) =>
    db
      .selectFrom('subscriptions')
      .select(['is_elsewhere', 'gateway', 'due_at'])
      .where('id', '=', idOf({ account: 1, platform: 'lemon-squeezy', shop }, 'subscriptions', '1'))
      .executeTakeFirst()
  assert.deepEqual(await subscriptions(''), { is_elsewhere: true, gateway: null, due_at: null })
  const renewed = { is_elsewhere: false, gateway: 'stripe', due_at: '2099-01-31 10:00:00' }
  assert.deepEqual(await subscriptions('second'), renewed)
  const { imports } = await place.ask(['import', 'list', '--account', '1'])
  assert.deepEqual(imports.map(({ source }: { source: string }) => source).toSorted(), [
    'lemon-squeezy',
    'lemon-squeezy second',
  ])
  const again = await place.ask(line)
  assert.deepEqual([again.import_id, again.same], [null, second.rows])
})

test('a row that was changed here since is named by where it stands, by a dry run and by an import', async (t) => {
  const place = await openEmptyPlace(t, 'import-kept')
  const folder = join(place.folder, 'files')
  await mkdir(folder)
  const write = async (files: Files) => {
    for (const [kind, rows] of Object.entries(files))
      await writeFile(join(folder, `${kind}.jsonl`), linesOf(rows))
  }
  await write(movedRows(2))
  const line = ['import', 'files', folder, '--account', '1']
  await place.ask(line)
  await place.database.transaction((db) =>
    db.updateTable('licenses').set({ quota: 9 }).where('id', '=', 1_001).execute(),
  )
  const files = movedRows(2)
  Object.assign(files['licenses']?.[1] ?? {}, { quota: 5 })
  await write(files)
  for (const more of [['--dry-run'], []]) {
    const { stdout } = await place.run([...line, ...more])
    assert.match(stdout, /1 left as they were changed here\.\nlicenses line 2: 1001 was changed here /)
    assert.doesNotMatch(stdout, /Everything is here already/)
  }
})

/** Files of another shop of the platform, whose subscriptions are due long after any day on which this runs. */
async function secondShop(beside: string): Promise<string> {
  const folder = join(beside, 'second-shop')
  await cp(join(FIXTURES, 'lemon-squeezy'), folder, { recursive: true })
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll(from, to))
  }
  await edit('products.json', '"slug": "', '"slug": "other-')
  await edit('subscriptions.json', '"renews_at": "2027-', '"renews_at": "2099-')
  return folder
}
