// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { copyDatabase, createEmptyDatabase, type TestDatabase } from '../../test/database.ts'
import { failingProcess, fill, schemaText, shapeOf, valuesOf } from '../../test/schemas.ts'
import { contentsOf } from '../../test/whole-database.ts'
import { connect } from './connect.ts'
import type { Database, DatabaseOptions } from './database.ts'
import { LATEST_SCHEMA, migrate, schemaVersion } from './migrate.ts'

/** A database that goes from schema to schema, closed in between. */
let steps: TestDatabase
/** The schema of a database that was made at once, and how many statements leave each schema behind. */
let fresh: string
const statements: number[] = []

before(async () => {
  steps = await createEmptyDatabase('upgrade')
  await steps.database.close()
  const made = await createEmptyDatabase('upgrade_fresh')
  const counted = failingProcess(made.options)
  for (let to = 1; to <= LATEST_SCHEMA; to++) {
    counted.failFrom(0)
    await migrate(counted.database, to)
    statements.push(counted.seen())
  }
  await counted.database.close()
  fresh = await schemaText(made.database)
  await made.drop()
})
after(() => steps.remove())

async function within<T>(options: DatabaseOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(options)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Goes on to a schema, and fills the tables that are empty. */
async function goOn(database: Database, schema: number): Promise<void> {
  await migrate(database, schema)
  const shape = await shapeOf(database)
  const filled = await valuesOf(database, shape)
  await fill(
    database,
    shape.filter(({ name }) => filled[name] === undefined),
  )
}

const stateOf = async (database: Database) => ({
  version: await schemaVersion(database),
  schema: await schemaText(database),
  contents: await contentsOf(database),
})

/** Interrupted within it, and before its commit: everything is as it was. */
async function interrupt(database: Database, from: number): Promise<void> {
  const before = await stateOf(database)
  assert.equal(before.version, from)
  const { database: failing, failFrom } = failingProcess(steps.options)
  const last = statements[from] ?? 0
  for (const statement of [Math.ceil(last / 2), last]) {
    failFrom(statement)
    await assert.rejects(migrate(failing), /killed/)
    assert.deepEqual(await stateOf(database), before, `from ${from}, before statement ${statement}`)
  }
  await failing.close()
}

/** Straight to the latest schema: that of a new database, with every value that was there. */
async function upgrade(database: Database, from: number): Promise<void> {
  const shape = await shapeOf(database)
  const values = await valuesOf(database, shape)
  assert.equal(Object.keys(values).length, shape.length, 'every table has rows')
  assert.equal(await migrate(database), LATEST_SCHEMA - from)
  assert.equal(await schemaText(database), fresh)
  assert.deepEqual(await valuesOf(database, shape), values)
}

describe('R12: an upgrade of a database', () => {
  for (let from = 0; from < LATEST_SCHEMA; from++) {
    test(`from schema ${from}, filled, keeps every value, and leaves nothing when it is interrupted`, async () => {
      await within(steps.options, async (database) => {
        await goOn(database, from)
        await interrupt(database, from)
      })
      const copy = await copyDatabase(steps.options, `upgrade_${from}`)
      try {
        await upgrade(copy.database, from)
      } finally {
        await copy.drop()
      }
    })
  }
})
