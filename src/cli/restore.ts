import { chmod, copyFile, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig, type Config } from '../config.ts'
import { opensOne, type Sealed } from '../db/opens-sealed.ts'
import type { OnStep } from '../lib/step.ts'
import { ConfigError } from '../lib/config-error.ts'
import { makeDataFolder, secretFile } from '../secret.ts'
import { copyFiles, OtherBytes } from '../deployments/storage/copy.ts'
import { folderStorage } from '../deployments/storage/folder.ts'
import { storageOf } from '../deployments/storage/open.ts'
import { pathArgument } from './arguments.ts'
import { keysOfBackup, missingArchives, MANIFEST, SECRET, type Manifest } from './backup.ts'
import { databaseBackup } from './backup-database.ts'
import { plainCommand } from './command.ts'
import { dataPlace } from '../health/data-place.ts'
import { Failure } from './failure.ts'
import { counted } from '../lib/counted.ts'

/**
 * The database comes last, and only when it is known to be whole: a restore that ends early is no server. Of a backup
 * that is damaged nothing stays.
 */
export const command = plainCommand({
  describe: 'put a backup into an empty data folder or database, and check that it is the same',
  arguments: { '<folder>': { describe: 'what backup has made', parse: pathArgument } },
  handler: async ({ folder }, cli) => {
    const { env } = cli
    const onStep: OnStep = (step) => cli.tell(step)
    const config = readConfig(env)
    const manifest = await readManifest(folder)
    const database = databaseBackup(config, onStep)
    if (manifest.engine !== database.engine)
      throw new Failure(
        'other_engine',
        `${folder} is of ${manifest.engine}, and this server has ${database.engine}: ${OF_ENGINE[manifest.engine]}. A backup does not move from one to the other.`,
      )
    await database.requireEmpty()
    await requireNoSecret(config)
    const { archives } = manifest
    const { hash, rows, schema } = await orAsBefore(config, async () => {
      await makeDataFolder(config)
      const storage = storageOf(config)
      await copyArchives(folder, config, onStep)
      return database.restore(folder, manifest, async (content) => {
        if (content.files.length - (await missingArchives(storage, content)).length < archives)
          throw new Failure('damaged', `${folder} is damaged: it has fewer archives than when it was made.`)
        await requireSecret(folder, config, content.sealed)
        await copySecret(folder, config)
      })
    })
    return {
      value: { folder: dataPlace(config), hash, rows, schema, archives },
      text: `${counted(rows, 'row')} and ${counted(archives, 'archive')} restored, as they were.`,
    }
  },
})

/** What restores a backup of the other engine. */
const OF_ENGINE: Readonly<Record<Manifest['engine'], string>> = {
  sqlite: 'unset DATABASE_URL, and set KEYWRIGHT_DATA to an empty folder',
  postgres:
    'set DATABASE_URL to an empty PostgreSQL database, and KEYWRIGHT_SECRET to the secret that it was used with',
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new Failure('no_backup', `${folder} is no backup: it has no ${MANIFEST}.`)
  const manifest = manifestIn(text)
  if (manifest) return manifest
  throw new Failure('damaged', `${folder} is damaged: its ${MANIFEST} is not as it was written.`)
}

/** Null for what no backup has written. */
function manifestIn(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null
    const { engine, hash, schema, archives } = manifest ?? {}
    const isWhole = [engine, hash].every((text) => typeof text === 'string')
    return isWhole && [schema, archives].every(Number.isInteger) ? (manifest as Manifest) : null
  } catch {
    return null
  }
}

/** What a restore puts into the data folder before the database. */
const PARTS = ['files', 'incoming', SECRET]

/** Does it whole, or leaves the data folder as it was. */
async function orAsBefore<T>({ dataDir }: Config, does: () => Promise<T>): Promise<T> {
  const before = await readdir(dataDir).catch(() => null)
  try {
    return await does()
  } catch (error) {
    for (const name of PARTS.filter((part) => !before?.includes(part)))
      await rm(join(dataDir, name), { recursive: true, force: true })
    // Another process may have put something of its own there.
    if (before === null) await rmdir(dataDir).catch(() => {})
    throw error
  }
}

async function requireNoSecret(config: Config): Promise<void> {
  const file = secretFile(config)
  if (!config.secret && (await stat(file).catch(() => null)))
    throw new Failure('not_empty', `${file} is there already: set KEYWRIGHT_DATA to an empty folder.`)
}

async function copyArchives(folder: string, config: Config, onStep: OnStep): Promise<void> {
  try {
    await copyFiles(folderStorage(folder), storageOf(config), onStep)
  } catch (error) {
    if (error instanceof OtherBytes) throw new Failure('damaged', error.message)
    throw error
  }
}

/** The server that starts here has to open what is sealed. */
async function requireSecret(folder: string, config: Config, sealed: readonly Sealed[]): Promise<void> {
  // A server whose secret is in its environment has none in its backup.
  if (!config.secret && !(await stat(join(folder, SECRET)).catch(() => null)))
    throw new Failure('no_secret', 'Set KEYWRIGHT_SECRET to the secret of the server that was backed up.')
  const keys = await keysOfBackup(config, folder).catch((error: unknown) => {
    throw error instanceof ConfigError ? new Failure('damaged', error.message) : error
  })
  if (opensOne(keys, sealed)) return
  if (config.secret)
    throw new Failure(
      'other_secret',
      'KEYWRIGHT_SECRET is another secret than the one that sealed the keys in this backup: set it to that of the server that was backed up.',
    )
  throw new Failure(
    'damaged',
    `${join(folder, SECRET)} is another secret than the one that sealed the keys in this backup: put the right one there, or set KEYWRIGHT_SECRET.`,
  )
}

/** Where the environment has none. */
async function copySecret(folder: string, config: Config): Promise<void> {
  if (config.secret) return
  await copyFile(join(folder, SECRET), secretFile(config))
  await chmod(secretFile(config), 0o600)
}
