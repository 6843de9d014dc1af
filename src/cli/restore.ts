import { chmod, copyFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readConfig, type Config } from '../config.ts'
import { makeDataFolder, secretFile } from '../secret.ts'
import { copyFiles, OtherBytes } from '../storage/copy.ts'
import { folderStorage } from '../storage/folder.ts'
import { storageOf } from '../storage/open.ts'
import { missingArchives, MANIFEST, SECRET, type Manifest } from './backup.ts'
import { databaseBackup } from './backup-database.ts'
import type { Cli } from './cli.ts'
import { dataPlace } from './data-place.ts'
import { Failure } from './failure.ts'
import { pathArgument } from './path-argument.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description('put a backup into an empty data folder or database, and check that it is the same')
    .argument('<folder>', 'what backup has made')
    .option('--json', 'print one JSON object')
    .action((folder: string) => restore(cli, pathArgument(cli, folder)))
}

/** The database comes last, and only when it is known to be whole: a restore that ends early is no server. */
async function restore(cli: Cli, folder: string): Promise<void> {
  const config = readConfig(cli.env)
  const manifest = await readManifest(folder)
  const database = databaseBackup(config)
  if (manifest.engine !== database.engine)
    throw new Failure(
      'other_engine',
      `${folder} is of ${manifest.engine}, and this server has ${database.engine}.`,
    )
  await makeDataFolder(config)
  await database.requireEmpty()
  await requireNoSecret(config)
  const storage = storageOf(config)
  await copyArchives(folder, config)
  const { hash, rows, schema } = await database.restore(folder, manifest, async (content) => {
    if (content.files.length - (await missingArchives(storage, content)).length < manifest.archives)
      throw new Failure('damaged', `${folder} is damaged: it has fewer archives than when it was made.`)
    await copySecret(folder, config)
  })
  const { archives } = manifest
  cli.result(
    { folder: dataPlace(config), hash, rows, schema, archives },
    `${rows} rows and ${archives} archives are as they were.`,
  )
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new Failure('no_backup', `${folder} is no backup: it has no ${MANIFEST}.`)
  return JSON.parse(text) as Manifest
}

async function requireNoSecret(config: Config): Promise<void> {
  const file = secretFile(config)
  if (!config.secret && (await stat(file).catch(() => null)))
    throw new Failure('not_empty', `${file} is there already: set KEYWRIGHT_DATA to an empty folder.`)
}

async function copyArchives(folder: string, config: Config): Promise<void> {
  try {
    await copyFiles(folderStorage(folder), storageOf(config))
  } catch (error) {
    if (error instanceof OtherBytes) throw new Failure('damaged', error.message)
    throw error
  }
}

/** A server whose secret is in its environment has none in its backup. */
async function copySecret(folder: string, config: Config): Promise<void> {
  const source = join(folder, SECRET)
  if (!(await stat(source).catch(() => null))) {
    if (config.secret) return
    throw new Failure('no_secret', 'Set KEYWRIGHT_SECRET to the secret of the server that was backed up.')
  }
  if (config.secret) return
  await copyFile(source, secretFile(config))
  await chmod(secretFile(config), 0o600)
}
