import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig, type Config } from '../config.ts'
import type { DatabaseContent } from '../db/database-content.ts'
import { opensOne } from '../db/opens-sealed.ts'
import { SystemClock } from '../lib/clock.ts'
import type { OnStep } from '../lib/step.ts'
import { Keyring } from '../lib/keyring.ts'
import { toUtcTime } from '../lib/time.ts'
import { VERSION } from '../lib/version.ts'
import { otherSecret, readSecrets, secretFile, secretsIn } from '../secret.ts'
import { copyFiles } from '../deployments/storage/copy.ts'
import { folderStorage } from '../deployments/storage/folder.ts'
import { storageOf } from '../deployments/storage/open.ts'
import type { Storage } from '../deployments/storage/storage.ts'
import { pathArgument } from './arguments.ts'
import { databaseBackup, type DatabaseFacts } from './backup-database.ts'
import { plainCommand } from './command.ts'
import { Failure } from './failure.ts'
import { counted } from '../lib/counted.ts'

export const MANIFEST = 'backup.json'
export const SECRET = 'secret'

const MOST_NAMED = 20

/** What a backup says of itself. */
export interface Manifest extends DatabaseFacts {
  readonly keywright: string
  /** UTC. */
  readonly created: string
  readonly rows: number
  /** Archives that versions have, all of which are in it. */
  readonly archives: number
}

/**
 * The archives are copied before the database and after it, so that none is missing that a version in it has. Refused
 * with a secret that opens nothing in the copy.
 */
export const command = plainCommand({
  describe: 'copy the database, the archives and the secret into a folder, while the server runs',
  arguments: { '<folder>': { describe: 'where to; it must not be there yet', parse: pathArgument } },
  handler: async ({ folder }, cli) => {
    const { env } = cli
    const onStep: OnStep = (step) => cli.tell(step)
    const config = readConfig(env)
    await readSecrets(config)
    await makeFolder(folder)
    try {
      const target = folderStorage(folder)
      await copyFiles(storageOf(config), target, onStep)
      const { content, facts } = await databaseBackup(config, onStep).save(folder)
      await copyFiles(storageOf(config), target, onStep)
      await rm(join(folder, 'incoming'), { recursive: true, force: true })
      if (!config.secret) await copyFile(secretFile(config), join(folder, SECRET))
      if (!opensOne(await keysOfBackup(config, folder), content.sealed)) throw otherSecret(config)
      const archives = await requireArchives(target, content)
      const created = toUtcTime(new SystemClock().real())
      const manifest: Manifest = { keywright: VERSION, created, ...facts, rows: content.rows, archives }
      await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
      const { sequences: _, ...shown } = manifest
      return { value: { folder, ...shown }, text: spoken(config, folder, manifest) }
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  },
})

/** What opens a backup: the secret of the environment, or the one that it has itself, as a server would take them. */
export async function keysOfBackup(config: Config, folder: string): Promise<Keyring> {
  const [current, ...previous] = config.secret
    ? await readSecrets(config)
    : await secretsIn(join(folder, SECRET))
  return Keyring.of(current, previous)
}

function spoken({ secret }: Config, folder: string, { rows, archives }: Manifest): string {
  const names = secret?.previous.length
    ? 'KEYWRIGHT_SECRET and KEYWRIGHT_SECRET_PREVIOUS'
    : 'KEYWRIGHT_SECRET'
  const keep = secret ? ` Keep ${names} with it.` : ''
  return `${counted(rows, 'row')} and ${counted(archives, 'archive')} in ${folder}.${keep}`
}

/** Which of the archives that versions have are not there. */
export async function missingArchives(storage: Storage, { files }: DatabaseContent): Promise<string[]> {
  const missing = new Set(files)
  for await (const { sha256 } of storage.list()) missing.delete(sha256)
  return [...missing]
}

/** How many archives versions have; Failure `archives_missing` unless all are there. */
async function requireArchives(storage: Storage, content: DatabaseContent): Promise<number> {
  const { length: count } = content.files
  const missing = await missingArchives(storage, content)
  if (missing.length === 0) return count
  const names = missing.slice(0, MOST_NAMED).join(', ') + (missing.length > MOST_NAMED ? ', …' : '')
  throw new Failure(
    'archives_missing',
    `${missing.length} of ${count} archives are missing: ${names}. "keywright doctor" says of which versions.`,
  )
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new Failure(
      'no_folder',
      `${folder} must be a folder that can be made and is not there yet (${code}).`,
    )
  }
}
