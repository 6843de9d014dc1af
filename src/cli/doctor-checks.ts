import { access, constants, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { Config } from '../config.ts'
import { failureOf } from './failure.ts'
import { isServer } from './running-address.ts'
import { embeddedFile, readSecrets, secretFile } from '../secret.ts'

export type Status = 'ok' | 'warn' | 'fail'

export interface Finding {
  readonly check: string
  readonly status: Status
  readonly message: string
  /** What to do about it; null when nothing is to be done. */
  readonly fix: string | null
}

const MEGABYTE = 1024 ** 2
const LITTLE_ROOM = 1024 * MEGABYTE
const NO_ROOM = 100 * MEGABYTE

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, fix: null })
export const warn = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'warn',
  message,
  fix,
})
export const fail = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'fail',
  message,
  fix,
})

/** Whether the folder is there, can be written, and nobody else can read it. */
export async function checkDataFolder({ dataDir }: Config): Promise<Finding> {
  const name = 'data folder'
  const found = await stat(dataDir).catch(() => null)
  if (!found) return warn(name, `${dataDir} is not there yet`, 'The first start makes it.')
  if (!found.isDirectory()) return fail(name, `${dataDir} is not a folder`, 'Set KEYWRIGHT_DATA to a folder.')
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return fail(name, `${dataDir} cannot be written`, `Give this user the right to write ${dataDir}.`)
  const mode = modeOf(found.mode)
  if (isOpen(found.mode)) {
    return warn(name, `${dataDir} is open to other users (${mode})`, `chmod 700 '${dataDir}'`)
  }
  return ok(name, `${dataDir} can be written (${mode})`)
}

/** How much room is left where the data is. */
export async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const name = 'disk'
  const found = await statfs(dataDir).catch(() => null)
  if (!found) return warn(name, `the room in ${dataDir} is not known`, 'Start the server once.')
  const free = found.bavail * found.bsize
  const message = `${Math.floor(free / MEGABYTE)} MB are free`
  const fix = 'Make room: without any, nothing can be written.'
  if (free < NO_ROOM) return fail(name, message, fix)
  return free < LITTLE_ROOM ? warn(name, message, fix) : ok(name, message)
}

/** What helps where the secret cannot be read. */
export const SECRET_FIX = 'Put the secret back from a copy: nothing else opens the keys in the database.'

/** Where the secret comes from, and that nobody else can read it. */
export async function checkSecret(config: Config): Promise<Finding> {
  const name = 'secret'
  const loss = 'losing it loses the stored keys, so keep a copy apart from the database'
  if (config.secret) return ok(name, `from KEYWRIGHT_SECRET; ${loss}`)
  const file = secretFile(config)
  const found = await stat(file).catch(() => null)
  if (!found) {
    const database = await stat(embeddedFile(config)).catch(() => null)
    if (!database) return warn(name, `${file} is not there yet`, 'The first start makes it.')
    return fail(name, `${file} is gone`, SECRET_FIX)
  }
  if (isOpen(found.mode)) {
    return fail(name, `${file} is open to other users (${modeOf(found.mode)})`, `chmod 600 '${file}'`)
  }
  const secrets = await readSecrets(config).catch((error: unknown) => failureOf(error).message)
  if (typeof secrets === 'string') return fail(name, secrets, SECRET_FIX)
  if (secrets.length > 1) {
    return warn(name, `${file} holds an old secret as well`, 'npm run -s keywright -- secret rotate --finish')
  }
  return ok(name, `${file} (${modeOf(found.mode)}); ${loss}`)
}

/** Whether the port is free, or Keywright itself has it. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  const name = 'port'
  const code = await tryListening(host, port)
  const where = `${host}:${port}`
  if (code === null) return ok(name, `${where} is free`)
  if (code === 'EADDRINUSE') {
    if (await isServer(`http://${host.includes(':') ? `[${host}]` : host}:${port}`))
      return ok(name, `Keywright answers on ${where}`)
    return fail(name, `${where} is used by something else`, 'Stop that, or set PORT.')
  }
  if (code === 'EACCES') return fail(name, `this user may not use ${where}`, 'Set PORT above 1023.')
  return fail(name, `this machine has no address ${host} (${code})`, 'Set HOST.')
}

async function tryListening(host: string, port: number): Promise<string | null> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    server.close()
  }
}

const modeOf = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0')

/** Windows has no such modes: there the folder's own rights count. */
const isOpen = (mode: number) => process.platform !== 'win32' && (mode & 0o077) !== 0
