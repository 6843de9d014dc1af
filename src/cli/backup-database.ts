import { chmod, copyFile, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { connect } from '../db/connect.ts'
import { contentOfEmbedded, copyEmbedded, watched } from '../db/copy-embedded.ts'
import {
  exportPostgres,
  importPostgres,
  isEmptyPostgres,
  OtherContent,
  type Sequences,
} from '../db/copy-postgres.ts'
import type { DatabaseContent } from '../db/database-content.ts'
import { LATEST_SCHEMA, migrate, schemaVersion } from '../db/migrate.ts'
import type { OnStep } from '../lib/step.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import { databaseOptions } from '../open.ts'
import { embeddedFile } from '../secret.ts'
import { Failure } from './failure.ts'

const EMBEDDED = 'keywright.db'
const TABLES = 'tables'

/** What a backup says of its database. */
export interface DatabaseFacts {
  readonly engine: 'sqlite' | 'postgres'
  readonly hash: string
  readonly schema: number
  readonly sequences?: Sequences | undefined
}

/** With how many rows there are. */
interface StoredFacts extends DatabaseFacts {
  readonly rows: number
}

export interface Copied {
  readonly content: DatabaseContent
  readonly facts: DatabaseFacts
}

/** Called with what was found. */
type Confirm = (content: DatabaseContent) => Promise<void>

/** How a database is copied into the folder of a backup and out of it. */
interface DatabaseBackup {
  readonly engine: DatabaseFacts['engine']
  save(folder: string): Promise<Copied>
  /** Failure `not_empty` unless there is nothing yet. */
  requireEmpty(): Promise<void>
  /**
   * Puts the copy in its place, when it is whole and `confirm` throws nothing; Failure `damaged` when it is not whole.
   * One that ends early is no database.
   */
  restore(folder: string, facts: StoredFacts, confirm: Confirm): Promise<DatabaseContent>
}

/** `onStep` is told how far it is. */
export function databaseBackup(config: Config, onStep: OnStep): DatabaseBackup {
  return 'url' in config.database
    ? postgresBackup(config, config.database.url, onStep)
    : embeddedBackup(embeddedFile(config), onStep)
}

const damaged = (why = 'it has other rows than when it was made') =>
  new Failure('damaged', `The backup is damaged: ${why}.`)

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A file of the copy is gone, or is none of a database. */
function unreadable(error: unknown, isOther: (code: string) => boolean): unknown {
  const code = codeOf(error)
  if (code === 'ENOENT') return damaged('a part of its database is missing')
  return isOther(code) ? damaged('its database cannot be read') : error
}

function embeddedBackup(file: string, onStep: OnStep): DatabaseBackup {
  return {
    engine: 'sqlite',
    async save(folder) {
      const copy = join(folder, EMBEDDED)
      await copyEmbedded(file, copy, onStep)
      await chmod(copy, 0o600)
      const content = contentOfEmbedded(copy, onStep)
      return { content, facts: { engine: 'sqlite', hash: content.hash, schema: content.schema } }
    },
    async requireEmpty() {
      // What is left beside a database that is gone would be played into the one that takes its name.
      for (const name of ['', '-wal', '-shm', '-journal'].map((end) => `${file}${end}`))
        if (await stat(name).catch(() => null))
          throw new Failure('not_empty', `${name} is there already: set KEYWRIGHT_DATA to an empty folder.`)
    },
    async restore(folder, { hash }, confirm) {
      const unchecked = `${file}.unchecked`
      try {
        const copy = join(folder, EMBEDDED)
        await watched(() => copyFile(copy, unchecked), { file: copy, target: unchecked, onStep })
        await chmod(unchecked, 0o600)
        const content = contentOfEmbedded(unchecked, onStep)
        if (content.hash !== hash) throw damaged()
        await confirm(content)
        await syncFile(unchecked)
        await rename(unchecked, file)
        await syncFolder(dirname(file))
        return content
      } catch (error) {
        throw unreadable(error, (code) => code === 'ERR_SQLITE_ERROR')
      } finally {
        await rm(unchecked, { force: true })
      }
    },
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

function postgresBackup(config: Config, url: string, onStep: OnStep): DatabaseBackup {
  return {
    engine: 'postgres',
    async save(folder) {
      const { sequences, ...content } = await exportPostgres(url, join(folder, TABLES), onStep)
      const { hash, schema } = content
      return { content, facts: { engine: 'postgres', hash, schema, sequences } }
    },
    async requireEmpty() {
      if (!(await isEmptyPostgres(url)))
        throw new Failure('not_empty', 'The database has rows: set DATABASE_URL to an empty database.')
    },
    async restore(folder, { hash, schema, rows, sequences = {} }, confirm) {
      await makeSchema(config, schema)
      try {
        return await importPostgres(url, join(folder, TABLES), { hash, sequences, rows, onStep, confirm })
      } catch (error) {
        // Of what PostgreSQL says, these are about what it was given: no values, or such as break its rules.
        throw error instanceof OtherContent ? damaged() : unreadable(error, (code) => /^2[23]...$/.test(code))
      }
    },
  }
}

/** The tables as they were when the backup was made; a later version brings them up to date at its start. */
async function makeSchema(config: Config, schema: number): Promise<void> {
  if (schema > LATEST_SCHEMA)
    throw new Failure(
      'too_new',
      'The backup was made by a later version of Keywright: restore it with that one.',
    )
  const database = connect(databaseOptions(config))
  try {
    await migrate(database, schema)
    if ((await schemaVersion(database)) > schema)
      throw new Failure('not_empty', 'The database has later tables: set DATABASE_URL to an empty database.')
  } finally {
    await database.close()
  }
}
