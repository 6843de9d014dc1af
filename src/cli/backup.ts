import { chmod, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig, type Config } from '../config.ts'
import { contentOfEmbedded, copyEmbedded } from '../db/copy-embedded.ts'
import { SystemClock } from '../lib/clock.ts'
import { toUtcTime } from '../lib/time.ts'
import { VERSION } from '../lib/version.ts'
import { embeddedFile, secretFile } from '../secret.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'

export const MANIFEST = 'backup.json'
export const BACKUP_DATABASE = 'keywright.db'

export function register(program: Command, cli: Cli): void {
  program
    .command('backup')
    .description(
      'copy the embedded database, the archives and the secret into a folder, while the server runs',
    )
    .argument('<folder>', 'where to; it must not be there yet')
    .option('--json', 'print one JSON object')
    .action((folder: string) => backup(cli, resolve(folder)))
}

/** The archives are copied before the database and after it, so that none is missing that a version in it has. */
async function backup(cli: Cli, folder: string): Promise<void> {
  const config = readConfig(cli.env)
  requireEmbedded(config)
  await makeFolder(folder)
  try {
    await copyNewFiles(config.dataDir, folder)
    const database = join(folder, BACKUP_DATABASE)
    copyEmbedded(embeddedFile(config), database)
    await chmod(database, 0o600)
    await copyNewFiles(config.dataDir, folder)
    if (!config.secret) await copyFile(secretFile(config), join(folder, 'secret'))
    const content = contentOfEmbedded(database)
    const created = toUtcTime(new SystemClock().real())
    const manifest = { keywright: VERSION, created, ...summaryOf(content) }
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    const secret = config.secret ? ' Keep KEYWRIGHT_SECRET with it.' : ''
    cli.result(
      { folder, ...manifest },
      `${content.rows} rows and ${content.files.length} archives in ${folder}.${secret}`,
    )
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

export const summaryOf = ({ hash, rows, schema, files }: ReturnType<typeof contentOfEmbedded>) => ({
  hash,
  rows,
  schema,
  archives: files.length,
})

/** PostgreSQL has its own tools, which know how it is replicated and how large it is. */
export function requireEmbedded({ database, s3 }: Config): void {
  if ('url' in database)
    throw new Failure(
      'not_embedded',
      'Back up PostgreSQL with pg_dump, and the folder "files" of KEYWRIGHT_DATA.',
    )
  if (s3 !== null) throw new Failure('not_embedded', 'Archives are in a bucket: keep its versions there.')
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

/** Archives that are not there yet; they never change. */
export async function copyNewFiles(from: string, to: string): Promise<void> {
  for (const place of await namesIn(join(from, 'files'))) {
    const target = join(to, 'files', place)
    const known = new Set(await namesIn(target))
    await mkdir(target, { recursive: true, mode: 0o700 })
    for (const name of await namesIn(join(from, 'files', place))) {
      if (known.has(name)) continue
      await copyFile(join(from, 'files', place, name), join(target, name)).catch(unlessGone)
    }
  }
}

/** A version that is deleted meanwhile takes its archive along. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

export const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
