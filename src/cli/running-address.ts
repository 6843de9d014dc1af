import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'

const ANSWER_MS = 3_000

const fileOf = ({ dataDir }: Config): string => join(dataDir, 'address')

/**
 * Says in the data folder where a server listens, for the commands that are run beside it; returns what takes that
 * back. Of several on one folder the last one is known. A folder that cannot be written stops no start.
 */
export async function sayAddress({ config, log }: Context, address: string): Promise<() => Promise<void>> {
  const file = fileOf(config)
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    await writeFile(file, address, { mode: 0o600 })
  } catch (error) {
    log.debug({ err: error }, 'the address could not be said to commands')
  }
  return async () => {
    if ((await saidAddress(config)) === address) await rm(file, { force: true })
  }
}

/** Where a caller reaches the server: at the address that is configured, else at the one that runs on this data. */
export async function addressToCall({ config, baseUrl }: Context): Promise<string> {
  if (config.baseUrl) return config.baseUrl
  const said = await saidAddress(config)
  return said !== null && (await isServer(said)) ? said : baseUrl
}

const saidAddress = (config: Config): Promise<string | null> =>
  readFile(fileOf(config), 'utf8').catch(() => null)

/** Whether Keywright answers there, which a killed server does not any more. */
export async function isServer(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })
    return response.headers.has('x-api-server')
  } catch {
    return false
  }
}
