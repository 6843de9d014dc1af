import { chmod, copyFile, readFile, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { contentOfEmbedded } from '../db/copy-embedded.ts'
import { embeddedFile, makeDataFolder, secretFile } from '../secret.ts'
import { BACKUP_DATABASE, copyNewFiles, MANIFEST, requireEmbedded, summaryOf } from './backup.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description('put a backup into an empty data folder, and check that it is the same')
    .argument('<folder>', 'what backup has made')
    .option('--json', 'print one JSON object')
    .action((folder: string) => restore(cli, resolve(folder)))
}

/** The database comes last and under another name until it is checked: a restore that ends early is no database. */
async function restore(cli: Cli, folder: string): Promise<void> {
  const config = readConfig(cli.env)
  requireEmbedded(config)
  const manifest = await readManifest(folder)
  await makeDataFolder(config)
  for (const file of [embeddedFile(config), secretFile(config)]) {
    if (await stat(file).catch(() => null))
      throw new Failure('not_empty', `${file} is there already: set KEYWRIGHT_DATA to an empty folder.`)
  }
  await copyNewFiles(folder, config.dataDir)
  const unchecked = `${embeddedFile(config)}.unchecked`
  await copyFile(join(folder, BACKUP_DATABASE), unchecked)
  await chmod(unchecked, 0o600)
  const found = summaryOf(contentOfEmbedded(unchecked))
  if (found.hash !== manifest.hash)
    throw new Failure('damaged', `${folder} is damaged: it has other rows than when it was made.`)
  await copySecret(folder, secretFile(config), config.secret !== null)
  await rename(unchecked, embeddedFile(config))
  cli.result(
    { folder: config.dataDir, ...found },
    `${found.rows} rows and ${found.archives} archives are as they were.`,
  )
}

async function readManifest(folder: string): Promise<{ readonly hash: string }> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new Failure('no_backup', `${folder} is no backup: it has no ${MANIFEST}.`)
  return JSON.parse(text) as { hash: string }
}

/** A server whose secret is in its environment has none in its backup. */
async function copySecret(folder: string, file: string, isGiven: boolean): Promise<void> {
  const source = join(folder, 'secret')
  if (!(await stat(source).catch(() => null))) {
    if (isGiven) return
    throw new Failure('no_secret', 'Set KEYWRIGHT_SECRET to the secret of the server that was backed up.')
  }
  await copyFile(source, file)
  await chmod(file, 0o600)
}
