import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { DatabaseTooNew, migrate, schemaVersion } from './migrate.ts'
import { createTestDatabase } from '../../test/database.ts'

test('a migrated database is left alone', async () => {
  const { database, drop } = await createTestDatabase('migrate')
  assert.equal(await migrate(database), 0)
  assert.ok((await schemaVersion(database)) > 0)
  await drop()
})

test('a database of a later version is refused', async () => {
  const { database, drop } = await createTestDatabase('too_new')
  await database.transaction((db) =>
    db
      .updateTable('schema_version' as never)
      .set({ version: 999 } as never)
      .execute(),
  )
  await assert.rejects(migrate(database), DatabaseTooNew)
  await drop()
})

test('an interrupted migration leaves nothing, and the next start does it whole', async () => {
  const { options, drop } = await createTestDatabase('interrupted')
  const empty =
    options.engine === 'sqlite'
      ? { ...options, file: `${options.file}.empty` }
      : {
          ...options,
          url: `${options.url}${options.url.includes('?') ? '&' : '?'}options=-csearch_path%3Dempty`,
        }
  if (options.engine === 'postgres') {
    const setUp = connect(options)
    await setUp.transaction((db) => db.schema.createSchema('empty').execute())
    await setUp.close()
  }
  let seen = 0
  const cut = connect({
    ...empty,
    onStatement: () => {
      if (++seen === 20) throw new Error('killed')
    },
  })
  await assert.rejects(migrate(cut), /killed/)
  assert.equal(await schemaVersion(cut), 0)
  const twice = connect(empty)
  const ran = await Promise.all([migrate(cut), migrate(twice)])
  assert.deepEqual(
    ran.toSorted(),
    [0, await schemaVersion(cut)],
    'two processes that start at once do it once',
  )
  await Promise.all([cut.close(), twice.close()])
  await drop()
})
