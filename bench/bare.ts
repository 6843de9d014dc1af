import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { bound } from '../src/db/flags.ts'
import { hashToken } from '../src/lib/credentials.ts'
import { toUtcTime } from '../src/lib/time.ts'
import { presentUser, type UserRow } from '../src/people/users/schema.ts'
import { readConfig } from '../src/config.ts'
import { databaseOptions } from '../src/open.ts'
import { openKeyring } from '../src/secret.ts'
import { shown } from './bare-reader.ts'
import { recordStatements, valuesOf, type Statement } from './statements.ts'
import { serveBare } from './serve-bare.ts'

/**
 * The reference: nothing but node:http, our two statements, the hash of the token, the decryption of the
 * secret key, and JSON.stringify. No checks of arguments, no log, no limits.
 */
type Query = (statement: Statement, given: Readonly<Record<string, unknown>>) => Rows | Promise<Rows>
type Rows = readonly object[]

const config = readConfig(process.env)
const options = databaseOptions(config)
const keys = await openKeyring(config)
const statements = await recordStatements(options.engine)
const query = options.engine === 'sqlite' ? querySqlite(options.file) : queryPostgres(options)

const USER = /^\/v1\/products\/([0-9]+)\/users\/([0-9]+)\.json$/
const LIST = /^\/v1\/products\/([0-9]+)\/users\.json$/

async function answer(url: string, authorization: string): Promise<object | null> {
  const hash = hashToken(authorization.slice('Bearer '.length))
  const [token] = (await query(statements.token, { hash, now: toUtcTime(Date.now()) })) as {
    product_id: number
  }[]
  const [, product, id] = USER.exec(url) ?? LIST.exec(url) ?? []
  if (!token || String(token.product_id) !== product) return null
  if (id !== undefined) {
    const [row] = (await query(statements.user, { productId: token.product_id, id: Number(id) })) as UserRow[]
    return row ? presentUser(row, keys) : null
  }
  const rows = (await query(statements.list, { productId: token.product_id })) as UserRow[]
  return { users: rows.map((row) => presentUser(row, keys)) }
}

function querySqlite(file: string): Query {
  const connection = new DatabaseSync(file, { readOnly: true })
  const prepared = new Map(Object.values(statements).map(({ sql }) => [sql, connection.prepare(sql)]))
  return (statement, given) =>
    shown(prepared.get(statement.sql)?.all(...(bound(valuesOf(statement, given)) as SQLInputValue[])) ?? [])
}

function queryPostgres({ url, poolSize }: { readonly url: string; readonly poolSize: number }): Query {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  const names = new Map(Object.entries(statements).map(([name, { sql }]) => [sql, name]))
  return async (statement, given) => {
    const name = names.get(statement.sql) ?? ''
    const { rows } = await pool.query({
      name,
      text: statement.sql,
      values: [...bound(valuesOf(statement, given))],
    })
    return shown(rows)
  }
}

await serveBare(async ({ url = '', headers }) => {
  const found = await answer(url, headers.authorization ?? '')
  return { status: found === null ? 404 : 200, body: JSON.stringify(found ?? {}) }
})
