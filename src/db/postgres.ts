import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type * as Pg from 'pg'
import { Bounded } from '../lib/bounded.ts'
import { lazy } from '../lib/lazy.ts'
import type { Soon } from '../lib/soon.ts'
import { DatabaseBusy, DiskFull } from './busy.ts'
import type { Database, DatabaseOptions, Writer, Reader } from './database.ts'
import { bound } from './flags.ts'
import { PostgresWatch } from './postgres-watch.ts'
import { rowOf, type Cells, type RowOf } from './rows.ts'
import { rememberRunner, RunDriver, type Run } from './runner.ts'
import { StatementNames } from './statement-names.ts'
import type { Tables } from './tables/tables.ts'

type Options = Extract<DatabaseOptions, { engine: 'postgres' }>

type Watched = Pick<Options, 'onStatement'> & { readonly watch: PostgresWatch }

const pg = lazy<typeof Pg>('pg')

/** Serialization failure and deadlock: the transaction did nothing and may run again (`docs/decisions.md` 4.3). */
const RETRY = new Set(['40001', '40P01'])
const TRIES = 10

/** What the transaction had read was removed before it referred to it: run again, it reads that it is gone. */
const GONE = '23503'
const TRIES_WHEN_GONE = 3

/** Milliseconds to wait for a connection, of the pool or of the server; callers are told within 5 seconds. */
const CONNECTION_WAIT_MS = 4_500

export function openPostgres(options: Options): Database {
  pg().types.setTypeParser(pg().types.builtins.INT8, safeInteger)
  const waitMs = options.waitMs ?? CONNECTION_WAIT_MS
  const pool = new (pg().Pool)({
    connectionString: options.url,
    max: options.poolSize,
    pipeline: true,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    application_name: 'keywright',
  })
  const watch = new PostgresWatch({ url: options.url, waitMs })
  const watched: Watched = { ...options, watch }
  pool.on('connect', (client) => watch.add(client)).on('remove', (client) => watch.remove(client))
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const room: Room = { isLacking: false }
  const names = options.namedStatements ? new StatementNames() : null
  const read = runOn(pool, names, watched)
  const reader = kysely((sql, parameters) =>
    orBusy(
      retried(() => read(sql, parameters)),
      room,
    ),
  )
  const writerOf = writersOn(names, watched)
  const active = new Set<Promise<unknown>>()
  let closed = false
  return {
    engine: 'postgres',
    sharesCommits: false,
    reader,
    background: reader,
    canWrite: () =>
      hasRoom(room, () => once(pool, watched, (client) => takeRoom(runOn(client, null, watched)))),
    async transaction(work) {
      if (closed) throw new Error('The database is closed.')
      const done = orBusy(
        retried(() => once(pool, watched, (client) => work(writerOf(client)))),
        room,
      )
      active.add(done)
      try {
        return await done
      } finally {
        active.delete(done)
      }
    },
    snapshot: (work) => orBusy(atOnce(pool, watched, writerOf, work), room),
    async close() {
      closed = true
      await Promise.allSettled(active)
      await pool.end()
      await watch.stop()
    },
  }
}

const kysely = (run: Run) =>
  rememberRunner(
    new Kysely<Tables>({
      dialect: {
        createDriver: () => new RunDriver(run),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    }),
    run,
  )

/** One for each connection. */
function writersOn(names: StatementNames | null, watched: Watched): (client: Pg.PoolClient) => Writer {
  const writers = new WeakMap<Pg.PoolClient, Writer>()
  return (client) => {
    const known = writers.get(client)
    if (known) return known
    const writer = kysely(runOn(client, names, watched))
    writers.set(client, writer)
    return writer
  }
}

function runOn(
  client: Pg.Pool | Pg.PoolClient,
  names: StatementNames | null,
  { onStatement, watch }: Watched,
): Run {
  return async (sql, parameters) => {
    if (onStatement) await onStatement(sql)
    const name = names?.nameOf(sql)
    const values = bound(parameters) as unknown[]
    const sent = watch.sent()
    try {
      const query = { text: sql, values, rowMode: 'array' } as const
      const result = await client.query<unknown[]>(name ? { ...query, name } : query)
      return {
        rows: rowsOf(shapes.get(sql) ?? shapes.keep(sql, { ...NONE }), result),
        numAffectedRows: BigInt(result.rowCount ?? 0),
      }
    } catch (error) {
      if (name && isStale(error)) names?.renew(sql, name)
      throw error
    } finally {
      watch.answered(sent)
    }
  }
}

/** What a statement answered last; a table may get other columns meanwhile. */
interface Shape {
  names: readonly string[]
  toRow: RowOf
}

const NONE: Shape = { names: [], toRow: rowOf([]) }

const shapes = new Bounded<Shape>(500)

function rowsOf(shape: Shape, { fields, rows }: Pg.QueryArrayResult<unknown[]>): unknown[] {
  const { names } = shape
  if (fields.length !== names.length || fields.some(({ name }, n) => name !== names[n])) {
    shape.names = fields.map(({ name }) => name)
    shape.toRow = rowOf(shape.names)
  }
  return (rows as readonly Cells[]).map(shape.toRow)
}

/**
 * A plan is kept that was made while its table was small, those of foreign keys too, and would read all of it when it has
 * grown. What has no index is read whole as before.
 */
const BY_INDEX = '; set local enable_seqscan = off'

/** Of a transaction that sees what was there at its first read. */
const AT_ONCE = ' isolation level repeatable read read only'

async function once<T>(
  pool: Pg.Pool,
  { onStatement, watch }: Watched,
  work: (client: Pg.PoolClient) => Promise<T>,
  how = BY_INDEX,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | boolean = false
  const control = async (sql: string, more = '') => {
    if (onStatement) await onStatement(sql)
    const sent = watch.sent()
    await client.query(sql + more).finally(() => watch.answered(sent))
  }
  try {
    await control('begin', how)
    const value = await work(client)
    await control('commit')
    return value
  } catch (error) {
    const sent = watch.sent()
    await client.query('rollback').catch(() => (broken = true))
    watch.answered(sent)
    throw error
  } finally {
    client.release(broken)
  }
}

const atOnce = <T>(
  pool: Pg.Pool,
  watched: Watched,
  writerOf: ReturnType<typeof writersOn>,
  work: (db: Reader) => Promise<T>,
) => once(pool, watched, (client) => work(writerOf(client)), AT_ONCE)

async function retried<T>(work: () => Soon<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= triesFor(error)) throw error
      await sleep(Math.random() * 5 * 2 ** tries)
    }
  }
}

function triesFor(error: unknown): number {
  if (!(error instanceof pg().DatabaseError)) return 1
  const { code = '' } = error
  if (RETRY.has(code) || isStale(error)) return TRIES
  return code === GONE ? TRIES_WHEN_GONE : 1
}

/** Whether a table has changed since a statement was prepared that selects all of its columns. */
const isStale = (error: unknown): boolean =>
  error instanceof pg().DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

/** Whether something was refused for want of room, and none was found since. */
interface Room {
  isLacking: boolean
}

/** Whether something can be stored; `take` tries it where that has failed before. */
async function hasRoom(room: Room, take: () => Promise<void>): Promise<boolean> {
  if (!room.isLacking) return true
  try {
    await orBusy(take(), room)
  } catch (error) {
    if (error instanceof DiskFull) return false
    throw error
  }
  room.isLacking = false
  return true
}

/** A file with a page of its own is where all else of the database is. No other transaction sees it. */
async function takeRoom(run: Run): Promise<void> {
  await run('create table keywright_room as select 1 as page', [])
  await run('drop table keywright_room', [])
}

/** Names what only says that the database cannot be had now, or has no room, so that callers are told to try again. */
async function orBusy<T>(work: Soon<T>, room: Room): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isNoRoom(error)) {
      room.isLacking = true
      throw new DiskFull('The disk is full.', { cause: error })
    }
    if (!isAway(error)) throw error
    throw new DatabaseBusy('The database does not answer.', { cause: error })
  }
}

const isNoRoom = (error: unknown): boolean => error instanceof pg().DatabaseError && error.code === '53100'

/**
 * A connection that failed, or is closed by an operator (57P), refused for want of memory or room for one more (53) or
 * as it only reads after a fail-over (25), or given up (40).
 */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  if (error instanceof pg().DatabaseError) return RETRY.has(code) || AWAY_STATE.test(code)
  return AWAY_CODES.has(code) || AWAY_MESSAGE.test(error.message)
}

const AWAY_STATE = /^(08...|25006|57P0[1235]|53[23]00)$/
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** What `pg` says itself, without a code: of a connection that ended, and of a pool without a free one. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout e(xceeded|xpired)|Client (has encountered a connection error|was closed))/

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a safe integer`)
  return value
}
