import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { connect } from '../src/db/connect.ts'
import type { Database, DatabaseOptions, Engine, StatementHook } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { createTestFolder } from './folder.ts'

export interface TestDatabase {
  readonly database: Database
  /** Opens the same database once more, as a second process would. */
  readonly options: DatabaseOptions
  /** Closes the database and removes it. */
  drop(): Promise<void>
  /** Removes it after it was closed. */
  remove(): Promise<void>
}

interface TestDatabaseOptions {
  readonly onStatement?: StatementHook
}

const postgresTemplate = 'keywright_template'
const postgresDemo = 'keywright_demo'
const testPoolSize = 4

/** The engine under test: `KEYWRIGHT_TEST_ENGINE`, SQLite when it is not set. */
export function testEngine(): Engine {
  return process.env['KEYWRIGHT_TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'
}

/**
 * A migrated, empty database that nobody else uses, on the engine under test. `name` helps to recognise it.
 * Under the runner it is a copy of a template; a SQLite test that runs by itself migrates its own.
 */
export async function createTestDatabase(
  name: string,
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  return testEngine() === 'postgres' ? createPostgres(name, options) : createSqlite(name, options)
}

/** One without a table, to which a template does not help. */
export async function createEmptyDatabase(name: string): Promise<TestDatabase> {
  if (testEngine() === 'postgres') return createPostgres(name, {}, 'template1')
  const folder = await createTestFolder(name)
  return open({ engine: 'sqlite', file: join(folder, 'keywright.db') }, () => rm(folder, { recursive: true }))
}

/** One with the demo of `test/demo-template.ts` in it; on PostgreSQL, where it is no file beside the others. */
export const createDemoDatabase = (name: string): Promise<TestDatabase> =>
  createPostgres(name, {}, postgresDemo)

/** Another database of the same content; no connection to the first may be open. */
export async function copyDatabase(
  from: DatabaseOptions,
  name: string,
  options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  if (from.engine === 'postgres') return createPostgres(name, options, new URL(from.url).pathname.slice(1))
  const folder = await createTestFolder(name)
  const file = join(folder, 'keywright.db')
  await copyFile(from.file, file)
  return open({ engine: 'sqlite', file, ...options }, () => rm(folder, { recursive: true }))
}

async function createSqlite(name: string, options: TestDatabaseOptions): Promise<TestDatabase> {
  const template = process.env['KEYWRIGHT_TEST_TEMPLATE']
  const folder = template ? await mkdtemp(join(dirname(template), `${name}-`)) : await createTestFolder(name)
  const file = join(folder, 'keywright.db')
  if (template) await copyFile(template, file)
  const test = open({ engine: 'sqlite', file, ...options }, () => rm(folder, { recursive: true }))
  if (!template) await migrate(test.database)
  return test
}

async function createPostgres(
  name: string,
  options: TestDatabaseOptions,
  template = postgresTemplate,
): Promise<TestDatabase> {
  const admin = process.env['KEYWRIGHT_TEST_POSTGRES']
  if (!admin)
    throw new Error('KEYWRIGHT_TEST_POSTGRES is not set: run `npm test -- --engine=postgres <file>`')
  const database = `${name.replaceAll(/\W/g, '_').slice(0, 40)}_${randomBytes(6).toString('hex')}`
  await execute(admin, `create database "${database}" template "${template}" strategy file_copy`)
  const url = databaseUrl(admin, database)
  const test = open(
    { engine: 'postgres', url, poolSize: testPoolSize, namedStatements: true, ...options },
    () => execute(admin, `drop database "${database}" with (force)`),
  )
  // With all connections open from the start, what is done at once overlaps: the first is not done when others begin.
  await Promise.all(Array.from({ length: testPoolSize }, () => sql`select 1`.execute(test.database.reader)))
  return test
}

function open(options: DatabaseOptions, remove: () => Promise<void>): TestDatabase {
  const database = connect(options)
  const drop = async () => {
    await database.close()
    await remove()
  }
  return { database, options, drop, remove }
}

/** Migrates the file that SQLite tests copy. Closing it leaves all of it in this one file. */
export async function createSqliteTemplate(file: string): Promise<void> {
  await migrateAndClose({ engine: 'sqlite', file })
}

/** Migrates the database that PostgreSQL tests copy. `admin` opens the server as superuser. */
export async function createPostgresTemplate(admin: string): Promise<void> {
  await execute(admin, `create database ${postgresTemplate}`)
  const url = databaseUrl(admin, postgresTemplate)
  await migrateAndClose({ engine: 'postgres', url, poolSize: 1, namedStatements: true })
}

/** Makes the empty database for the demo that PostgreSQL tests copy, and says where it is. */
export async function createPostgresDemo(admin: string): Promise<string> {
  await execute(admin, `create database ${postgresDemo} template ${postgresTemplate}`)
  return databaseUrl(admin, postgresDemo)
}

async function migrateAndClose(options: DatabaseOptions): Promise<void> {
  const database = connect(options)
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}

function databaseUrl(admin: string, name: string): string {
  return Object.assign(new URL(admin), { pathname: name }).href
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
