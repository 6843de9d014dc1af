import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/database.ts'
import { fill, shapeOf } from '../../test/schemas.ts'
import { migrate } from './migrate.ts'

const BEFORE = 37

test('after the upgrade products answer opt-ins as they did, and links that wait go on beside those for nobody', async (t) => {
  const { database, drop } = await createEmptyDatabase('confirmed_opt_ins')
  t.after(drop)
  await migrate(database, BEFORE)
  await fill(database, await shapeOf(database))
  const pending = () => database.reader.selectFrom('pending_activations').selectAll().orderBy('id').execute()
  const before = await pending()
  const last = before.at(-1) ?? assert.fail('no link waits')
  assert.notEqual(last.user_id, null)
  await migrate(database)
  assert.deepEqual(await pending(), before)
  const asking = await database.reader.selectFrom('products').select('confirms_opt_in').distinct().execute()
  assert.deepEqual(
    asking.map(({ confirms_opt_in: isOn }) => isOn),
    [false],
  )
  const made = await database.transaction((db) =>
    db
      .insertInto('pending_activations')
      .values({ ...last, id: 1_000, user_id: null, token_hash: 'another' })
      .returning('user_id')
      .executeTakeFirstOrThrow(),
  )
  assert.equal(made.user_id, null)
})
