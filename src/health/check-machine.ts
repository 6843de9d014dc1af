import { access, constants, stat, statfs } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { failureLine } from './failure-line.ts'
import { fail, ok, SECRET_FIX, warn, type Finding } from './finding.ts'
import { embeddedFile, readSecrets, secretFile } from '../secret.ts'

const MEGABYTE = 1024 ** 2
const LITTLE_ROOM = 1024 * MEGABYTE
const NO_ROOM = 100 * MEGABYTE

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
  const secrets = await readSecrets(config).catch((error: unknown) => failureLine(error).message)
  if (typeof secrets === 'string') return fail(name, secrets, SECRET_FIX)
  if (secrets.length > 1) {
    return warn(name, `${file} holds an old secret as well`, 'npm run -s keywright -- secret rotate --finish')
  }
  return ok(name, `${file} (${modeOf(found.mode)}); ${loss}`)
}

const modeOf = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0')

/** Windows has no such modes: there the folder's own rights count. */
const isOpen = (mode: number) => process.platform !== 'win32' && (mode & 0o077) !== 0
