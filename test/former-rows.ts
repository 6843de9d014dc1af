import type { Kysely } from 'kysely'
import type { Database } from '../src/db/database.ts'
import { newKeyPair } from '../src/lib/credentials.ts'
import type { Keyring } from '../src/lib/keyring.ts'
import { toRfc2822 } from '../src/lib/time.ts'
import type { Method } from './app.ts'
import { shapeOf } from './schemas.ts'
import { signed } from './security/signing.ts'

const TIME = '2026-01-01 10:00:00'

export type Row = Readonly<Record<string, string | number | null>>

/** Adds rows of the schema that a database has; what is not given is empty. */
export async function formerRows(database: Database) {
  const shape = await shapeOf(database)
  return async (table: string, given: Row): Promise<void> => {
    const { columns = [] } = shape.find(({ name }) => name === table) ?? {}
    const row = Object.fromEntries(
      columns.map(({ name, dataType, isNullable }) => [
        name,
        given[name] ?? (isNullable ? null : /text/i.test(dataType) ? empty(name) : 0),
      ]),
    )
    await database.transaction(async (db) => {
      await (db as unknown as Kysely<Record<string, Row>>).insertInto(table).values(row).execute()
    })
  }
}

const empty = (name: string) => (name === 'created' ? TIME : `${name} ${Math.random()}`)

/** Pairs by name, each as the columns of a row. */
export function formerPairs(keys: Keyring) {
  const pairs = new Map<string, ReturnType<typeof newKeyPair>>()
  return {
    pairs,
    pairOf(name: string, place: string) {
      const pair = newKeyPair()
      pairs.set(name, pair)
      return { public_key: pair.publicKey, secret_key: keys.seal(pair.secretKey, place) }
    },
  }
}

interface Caller {
  readonly id: number
  readonly publicKey: string
  readonly secretKey: string
}

/** Calls a running server with a pair of a user or install; `now` is the time there. */
export async function callBy(
  { address, now }: { readonly address: string; readonly now: number },
  { pair, path, written }: { readonly pair: Caller; readonly path: string; readonly written?: object },
) {
  const method: Method = written === undefined ? 'GET' : 'PUT'
  const body = written === undefined ? {} : { body: JSON.stringify(written) }
  const { headers = {} } = signed(
    pair,
    { method, path, ...body },
    { scheme: 'FS', date: toRfc2822(now), signedType: written === undefined ? '' : 'application/json' },
  )
  const sent = { method, ...body, headers: headers as Record<string, string> }
  const response = await fetch(address + path, sent)
  // oxlint-disable-next-line typescript/no-explicit-any -- replies of every shape
  return { status: response.status, json: (await response.json()) as any }
}
