import { randomBytes } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import {
  access,
  chmod,
  constants,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'
import { ConfigError } from './lib/config-error.ts'
import { Keyring, SECRET_MIN_LENGTH } from './lib/keyring.ts'
import { syncFolder } from './lib/sync-folder.ts'

/** Where the generated secret of the embedded database is kept; losing it loses every stored key. */
export const secretFile = (config: Config): string => join(config.dataDir, 'secret')

/** What the owner of a folder may, and what others may. */
const OWNER = 0o700
const OTHERS = 0o077

/** The file of the embedded database. */
export const embeddedFile = ({ dataDir }: Config): string => join(dataDir, 'keywright.db')

/** What may lie in a data folder that is to be closed: what Keywright keeps there, and what a volume brings along. */
const KNOWN = new Set(['keywright.db', 'secret', 'files', 'mail', 'lost+found'])

/**
 * Makes the data folder unless it is there, and closes one that is open to others; ConfigError for one that cannot be
 * made, written to or closed, or that is open to others and somebody else's, who could not reach it any more.
 */
export async function makeDataFolder({ dataDir }: Config): Promise<void> {
  try {
    await makeFolders(dataDir)
    await access(dataDir, constants.W_OK | constants.X_OK)
    const { mode } = await stat(dataDir)
    if ((mode & OTHERS) === 0 || process.platform === 'win32') return
    const names = await readdir(dataDir)
    if (names.length > 0 && !names.some((name) => KNOWN.has(name))) throw foreignFolder(dataDir)
    await chmod(dataDir, mode & OWNER)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new ConfigError(`KEYWRIGHT_DATA must be a folder that can be written to, got '${dataDir}'${code}`)
  }
}

/** `mkdir` with `recursive` never ends where the system finds no place in a folder that is there, as in `/proc`. */
async function makeFolders(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: OWNER })
  const parent = dirname(folder)
  try {
    await make()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || (await isThere(parent))) throw error
    await makeFolders(parent)
    await make().catch(async (failed: unknown) => {
      if (!(await isThere(folder))) throw failed
    })
  }
}

const foreignFolder = (dataDir: string) =>
  new ConfigError(
    `KEYWRIGHT_DATA must be a folder of its own, which is closed to others: '${dataDir}' has other files in it`,
  )

/** Secrets of this server: the current one first, then those that still open what they sealed. */
export async function readSecrets(config: Config): Promise<readonly [string, ...string[]]> {
  if (config.secret) return [config.secret.current, ...config.secret.previous]
  return secretsIn(secretFile(config))
}

/** The secrets in a file, the current one first; ConfigError for a file that is gone, empty or cut off. */
export async function secretsIn(file: string): Promise<readonly [string, ...string[]]> {
  if (!(await isThere(file))) throw new ConfigError(`${file} is gone: put the secret back from a copy.`)
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const [current, ...previous] = lines
  if (current === undefined) throw new ConfigError(`${file} is empty: put the secret back from a copy.`)
  const short = lines.find((line) => line.length < SECRET_MIN_LENGTH)
  if (short === undefined) return [current, ...previous]
  throw new ConfigError(
    `${file} has a secret of ${short.length} characters, and each has ${SECRET_MIN_LENGTH} at least: put the secret back from a copy.`,
  )
}

/** Secrets open nothing that is sealed in the database. */
export function otherSecret(config: Config): ConfigError {
  const source = config.secret ? 'KEYWRIGHT_SECRET' : secretFile(config)
  return new ConfigError(
    `${source} is another secret than the one that sealed the keys in this database: put that one back, or give it as KEYWRIGHT_SECRET_PREVIOUS to rotate.`,
  )
}

/**
 * The keyring of this server. For the embedded database the secret is made at first start, in a file that
 * only its owner reads; of two processes that start at once one makes it (`docs/decisions.md` 3.4). Error when it is
 * gone and the database is there: another secret would open nothing in it.
 */
export async function openKeyring(config: Config): Promise<Keyring> {
  if (!config.secret) await makeSecret(config)
  const [current, ...previous] = await readSecrets(config)
  return Keyring.of(current, previous)
}

const newSecret = (): string => randomBytes(48).toString('base64url')

async function makeSecret(config: Config): Promise<void> {
  const hasDatabase = await isThere(embeddedFile(config))
  if (await isThere(secretFile(config))) return
  if (hasDatabase) {
    throw new Error(
      `${secretFile(config)} is gone, and ${embeddedFile(config)} is sealed with it: put it back.`,
    )
  }
  await makeDataFolder(config)
  const temporary = temporaryName(config)
  await writeSecretFile(temporary, [newSecret()])
  try {
    await link(temporary, secretFile(config))
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/**
 * Puts a new secret before the one in the file, whose place it takes whole or not at all. False when the
 * file holds an earlier one already. Call it in a transaction of the embedded database: that is the lock among
 * processes, which ends with one that is killed, as a lock file would not; hence this one exception to
 * `docs/decisions.md` 4.2. It holds the lock for the milliseconds in which a small file is written, once a rotation.
 */
export async function addSecret(config: Config): Promise<boolean> {
  await removeLeftovers(config)
  const secrets = await readSecrets(config)
  if (secrets.length > 1) return false
  await replaceSecrets(config, [newSecret(), ...secrets])
  return true
}

/** Keeps only the current secret; returns how many went. Call it in a transaction, for the reason of `addSecret`. */
export async function dropPreviousSecrets(config: Config): Promise<number> {
  const [current, ...previous] = await readSecrets(config)
  if (previous.length > 0) await replaceSecrets(config, [current])
  return previous.length
}

/** When the file was last written, milliseconds since the epoch. */
export const secretFileTime = async (config: Config): Promise<number> =>
  (await stat(secretFile(config))).mtimeMs

/** How often a process looks whether the file has changed; a rotation waits longer than that. */
export const SECRET_POLL_MS = 500

/** Calls `changed` after each change of the file until the returned function is called; keeps nothing alive. */
export function watchSecretFile(config: Config, changed: () => void): () => void {
  const file = secretFile(config)
  watchFile(file, { interval: SECRET_POLL_MS, persistent: false }, changed)
  return () => unwatchFile(file, changed)
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const temporaryName = (config: Config) =>
  `${secretFile(config)}.${process.pid}.${randomBytes(4).toString('hex')}`

async function replaceSecrets(config: Config, secrets: readonly string[]): Promise<void> {
  const temporary = temporaryName(config)
  await writeSecretFile(temporary, secrets)
  await rename(temporary, secretFile(config))
  await syncFolder(config.dataDir)
}

/** What a process wrote that was killed before it could put it in place. */
async function removeLeftovers({ dataDir }: Config): Promise<void> {
  const leftovers = (await readdir(dataDir)).filter((name) => /^secret\.\d+\.[0-9a-f]{8}$/.test(name))
  for (const name of leftovers) await rm(join(dataDir, name), { force: true })
}

/** Writes secrets, the current one first, for the owner's eyes only. */
async function writeSecretFile(path: string, secrets: readonly string[]): Promise<void> {
  await writeFile(path, `${secrets.join('\n')}\n`, { mode: 0o600, flush: true })
  await chmod(path, 0o600)
}
