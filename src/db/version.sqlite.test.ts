import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { recentVersionOf, versionOf } from './version.ts'

test('a recent version is another one after each commit of this process, and soon after one of another', async () => {
  const { ctx, databaseOptions, drop } = await testContext('recent_version')
  const { database } = ctx
  assert.ok('file' in databaseOptions)
  let now = 1_000
  const first = recentVersionOf(database, now)
  assert.equal(recentVersionOf(database, now), first)
  await database.transaction(async () => {})
  const own = recentVersionOf(database, now)
  assert.notEqual(own, first)
  const other = new DatabaseSync(databaseOptions.file)
  other.exec('create table another (id integer)')
  other.close()
  assert.notEqual(versionOf(database), undefined)
  now += 101
  assert.notEqual(recentVersionOf(database, now), own)
  await drop()
})

test('a database that does not tell its version has no recent one', () => {
  assert.equal(recentVersionOf({}), undefined)
  const failing = {
    version: () => {
      throw new Error('busy')
    },
  }
  assert.equal(recentVersionOf(failing), undefined)
})
