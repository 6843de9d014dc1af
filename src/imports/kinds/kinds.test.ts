import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Kysely } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { STAYING } from '../../../test/staying-tables.ts'
import { KINDS } from './kinds.ts'

let own: TestDatabase
before(async () => {
  own = await createTestDatabase('kinds')
})
after(() => own.drop())

const tables = async () =>
  (await (own.database.reader as unknown as Kysely<unknown>).introspection.getTables()).filter(
    ({ name }) => name !== 'schema_version' && !name.startsWith('sqlite_'),
  )

test('every table is moved, or stays for a reason', async () => {
  const moved = new Set<string>(KINDS.map(({ table }) => table))
  const names = (await tables()).map(({ name }) => name)
  assert.deepEqual(names.filter((name) => !moved.has(name)).toSorted(), Object.keys(STAYING).toSorted())
  for (const name of Object.keys(STAYING)) assert.ok(!moved.has(name), name)
})

test('every column of a table that is moved is in its file, or made by the server', async () => {
  const columns = new Map((await tables()).map(({ name, columns }) => [name, columns.map((one) => one.name)]))
  for (const { table, columns: inFile, made } of KINDS) {
    assert.deepEqual([...Object.keys(inFile), ...made].toSorted(), columns.get(table)?.toSorted(), table)
  }
})

test('a kind refers only to kinds before it, and to itself', () => {
  for (const [n, kind] of KINDS.entries()) {
    const before = new Set(KINDS.slice(0, n + 1).map(({ name }) => name))
    for (const [column, about] of Object.entries(kind.columns))
      if (about.type === 'reference') assert.ok(before.has(about.to), `${kind.name}.${column}`)
  }
})
