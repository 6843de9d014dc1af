import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { BackgroundReader } from './background.ts'
import type { Database, DatabaseOptions, Reader } from './database.ts'
import { rememberRunner, RunDriver, type Run } from './runner.ts'
import { runOn } from './sqlite-run.ts'
import type { Tables } from './tables/tables.ts'
import { WriterQueue } from './writer-queue.ts'

/** Milliseconds SQLite itself may wait for a reader's lock; it blocks the event loop, so it is short. */
const READER_WAIT_MS = 50
/** Of the connection that only reads. SQLite's own 2 MiB hold the rows of some 5,000 installs. */
const READER_CACHE_KIB = 16 * 1024

/** Two connections: one that only reads, one that writes behind a queue (`docs/decisions.md` 4.2). */
export function openSqlite(options: Extract<DatabaseOptions, { engine: 'sqlite' }>): Database {
  const writing = new DatabaseSync(options.file, { timeout: 0 })
  writing.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  // Otherwise `replace` removes rows past the trigger that keeps the audit log append-only.
  writing.exec('pragma recursive_triggers = on')
  const reading = new DatabaseSync(options.file, { readOnly: true, timeout: READER_WAIT_MS })
  reading.exec(`pragma cache_size = -${READER_CACHE_KIB}`)
  const background = new BackgroundReader(options.file)
  const version = reading.prepare('pragma data_version')
  const queue = new WriterQueue(writing, options.onStatement)
  const writer = kysely(runOn(writing, options.onStatement))
  return {
    engine: 'sqlite',
    sharesCommits: true,
    reader: kysely(runOn(reading)),
    background: kysely((sql, parameters) => background.run(sql, parameters)),
    version: () => Number(version.get()?.['data_version']),
    commits: () => queue.commits,
    canWrite: () => queue.canWrite(),
    transaction: (work) => queue.run(() => work(writer)),
    snapshot: (work) => readAtOnce(options.file, work),
    async close() {
      await queue.close()
      await background.close()
      reading.close()
      writing.close()
    },
  }
}

/** A connection of its own: its transaction sees what was there at its first read. */
async function readAtOnce<T>(file: string, work: (db: Reader) => Promise<T>): Promise<T> {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: READER_WAIT_MS })
  try {
    connection.exec('begin')
    return await work(kysely(runOn(connection)))
  } finally {
    connection.close()
  }
}

const kysely = (run: Run) =>
  rememberRunner(
    new Kysely<Tables>({
      dialect: {
        createDriver: () => new RunDriver(run),
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    }),
    run,
  )
