import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { isServer } from '../health/is-server.ts'

/** Servers that were killed leave theirs behind. */
const KEPT = 16

/** Has a file for each server that runs on this data, named and filled with its address. */
const folderOf = ({ dataDir }: Config): string => join(dataDir, 'servers')

/**
 * Says in the data folder where a server listens, for the commands that are run beside it; returns what takes that
 * back. Each of several on one folder says its own. A folder that cannot be written stops no start.
 */
export async function sayAddress({ config, log }: Context, address: string): Promise<() => Promise<void>> {
  const folder = folderOf(config)
  const file = join(folder, encodeURIComponent(address))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, address, { mode: 0o600 })
    for (const old of (await saidFiles(config)).slice(KEPT)) await rm(old, { force: true })
  } catch (error) {
    log.debug({ err: error }, 'the address could not be said to commands')
  }
  return () => rm(file, { force: true })
}

/** Where a caller reaches the server: at the address that is configured, else at the one that runs on this data. */
export const addressToCall = async ({
  config,
  baseUrl,
}: Pick<Context, 'config' | 'baseUrl'>): Promise<string> =>
  config.baseUrl ?? (await runningAddress(config)) ?? baseUrl

/** Where a server answers that runs on this data, of several the one that was started last; null: none does. */
export async function runningAddress(config: Config, but?: string): Promise<string | null> {
  const files = await saidFiles(config)
  const said = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  const asked = said
    .filter((address) => address !== '' && address !== but)
    .map(async (address) => ((await isServer(address)) ? address : null))
  for (const answer of asked) {
    const address = await answer
    if (address !== null) return address
  }
  return null
}

/** The latest first. */
async function saidFiles(config: Config): Promise<string[]> {
  const folder = folderOf(config)
  const names = await readdir(folder).catch(() => [])
  const files = names.map((name) => join(folder, name))
  const times = new Map<string, number>()
  for (const file of files) times.set(file, (await stat(file).catch(() => null))?.mtimeMs ?? 0)
  return files.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0))
}
