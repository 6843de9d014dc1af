import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Environment } from '../cli.ts'
import { Failure } from '../failure.ts'
import { configFolder } from './config-folder.ts'
import { writeWhole } from './write-whole.ts'

/** A server, and the token that opens an account or a product of it. */
export interface Profile {
  readonly url: string
  readonly token: string
  /** Of the token, by which it is revoked. */
  readonly tokenId: string
  readonly account: string
  /** The product that a token of a product opens; null: it is of the account. */
  readonly opens: string | null
  /** The product of commands that name none. */
  readonly product: string | null
}

export interface Profiles {
  /** The one that is used unless another one is named. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

const NONE: Profiles = { current: null, profiles: {} }
/** What others than its owner may do with a file. */
const OF_OTHERS = 0o077

export const profilesFile = (env: Environment): string => join(configFolder(env), 'profiles.json')

/**
 * What is stored; nothing where there is no file. A file that others can read is closed to them first, and `mended` is
 * told of it; one that is not as it is written is a `Failure`.
 */
export async function readProfiles(env: Environment, mended: (file: string) => void): Promise<Profiles> {
  const file = profilesFile(env)
  const found = await stat(file).catch(() => null)
  if (!found) return NONE
  if (process.platform !== 'win32' && (found.mode & OF_OTHERS) !== 0) {
    await chmod(file, 0o600)
    mended(file)
  }
  const read = parsed(await readFile(file, 'utf8'))
  if (!read)
    throw new Failure('bad_profiles', `${file} is not as log-ins are kept: remove it, and log in again.`)
  return read
}

function parsed(text: string): Profiles | null {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Profiles>
    const isWhole = typeof profiles === 'object' && Object.values(profiles).every(isProfile)
    return isWhole ? { current: typeof current === 'string' ? current : null, profiles } : null
  } catch {
    return null
  }
}

const isProfile = ({ url, token, account }: Partial<Profile>): boolean =>
  [url, token, account].every((text) => typeof text === 'string' && text !== '')

/** The log-in of a name; undefined: there is none. */
export const profileNamed = ({ profiles }: Profiles, name: string | null): Profile | undefined =>
  name !== null && Object.hasOwn(profiles, name) ? profiles[name] : undefined

/** Keeps profiles in a file that its owner alone can read, which is whole at every moment. */
export async function writeProfiles(env: Environment, profiles: Profiles): Promise<void> {
  const file = profilesFile(env)
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  writeWhole(file, `${JSON.stringify(profiles, null, 2)}\n`, 0o600)
}
