import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { Keyring } from './lib/keyring.ts'

/** Where the generated secret of the embedded database is kept; losing it loses every stored key. */
export const secretFile = (config: Config): string => join(config.dataDir, 'secret')

/** Secrets of this server: the current one first, then those that still open what they sealed. */
export async function readSecrets(config: Config): Promise<readonly [string, ...string[]]> {
  if (config.secret) return [config.secret.current, ...config.secret.previous]
  const lines = (await readFile(secretFile(config), 'utf8')).split('\n').filter((line) => line !== '')
  const [current, ...previous] = lines
  if (current === undefined) throw new Error(`${secretFile(config)} is empty: put the secret back.`)
  return [current, ...previous]
}

/**
 * The keyring of this server. For the embedded database the secret is made at first start, in a file that
 * only its owner reads; of two processes that start at once one makes it (DECISIONS 3.4).
 */
export async function openKeyring(config: Config): Promise<Keyring> {
  if (!config.secret) await makeSecret(config)
  const [current, ...previous] = await readSecrets(config)
  return Keyring.of(current, previous)
}

export const newSecret = (): string => randomBytes(48).toString('base64url')

async function makeSecret(config: Config): Promise<void> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const temporary = `${secretFile(config)}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeSecretFile(temporary, [newSecret()])
  try {
    await link(temporary, secretFile(config))
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Writes secrets, the current one first, for the owner's eyes only. */
export async function writeSecretFile(path: string, secrets: readonly string[]): Promise<void> {
  await writeFile(path, `${secrets.join('\n')}\n`, { mode: 0o600, flush: true })
  await chmod(path, 0o600)
}
