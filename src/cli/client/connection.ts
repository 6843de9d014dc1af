import type { Cli } from '../cli.ts'
import { isHttpUrl, withoutEndSlashes } from '../../lib/formats.ts'
import { Failure, NO_ENTRY } from '../failure.ts'
import { ask, noKeywright, type Server } from './call.ts'
import { profileNamed, readProfiles, type Profile } from './profiles.ts'

/** What a token says of itself (`keywright/retrieve-token`). */
export interface OwnToken {
  readonly id: string
  readonly name: string
  readonly developer_id: string
  readonly plugin_id: string | null
  readonly product_ids: readonly string[] | null
  readonly rights: readonly string[] | null
  readonly expires_at: string | null
}

/** Where calls of commands go, and what they open there. */
export interface Connection extends Pick<Profile, 'account' | 'opens' | 'product'> {
  readonly server: Server
  /** Null: by the environment. */
  readonly profile: string | null
}

/** Which profile a command uses. */
export const PROFILE_OPTION = {
  '--profile <name>': { describe: 'log-in to use; without it the current one, or KEYWRIGHT_PROFILE' },
} as const

/** Tells who runs a command that others could read the tokens. */
export const sayMended =
  (cli: Cli) =>
  (file: string): void =>
    cli.warn('profiles_open', `${file} could be read by others; it is closed to them now.`)

/**
 * The profile that is named, else KEYWRIGHT_URL and KEYWRIGHT_TOKEN, else KEYWRIGHT_PROFILE or the current one;
 * `Failure` where there is none. A token of the environment is asked what it opens.
 */
export async function connect(cli: Cli, named: string | undefined): Promise<Connection> {
  const { KEYWRIGHT_URL: url, KEYWRIGHT_TOKEN: token, KEYWRIGHT_PROFILE: other } = cli.env
  if (named === undefined && token) return ofEnvironment(cli, { url, token, other })
  const stored = await readProfiles(cli.env, sayMended(cli))
  const name = named ?? (other || stored.current)
  const profile = profileNamed(stored, name)
  if (name === null || !profile) throw notLoggedIn(name, Object.keys(stored.profiles))
  // A token goes to no other server than the one it is of.
  if (named === undefined && url && serverAddress(url) !== profile.url)
    throw new Failure('no_token', 'Set KEYWRIGHT_TOKEN as well, or neither of them.', NO_ENTRY)
  return { ...profile, server: { url: profile.url, token: profile.token }, profile: name }
}

interface Given {
  readonly url: string | undefined
  readonly token: string
  readonly other: string | undefined
}

async function ofEnvironment(cli: Cli, { url, token, other }: Given): Promise<Connection> {
  if (!url) throw new Failure('no_url', 'Set KEYWRIGHT_URL to the address of the server.', NO_ENTRY)
  if (other) throw new Failure('two_profiles', 'Set KEYWRIGHT_PROFILE, or KEYWRIGHT_URL and KEYWRIGHT_TOKEN.')
  const address = serverAddress(url)
  if (address === null) throw new Failure('bad_address', 'KEYWRIGHT_URL must be an http or https address.', 2)
  const server = { url: address, token: token.trim() }
  const own = await whoami(cli, server)
  return { ...placesOf(own), product: cli.env['KEYWRIGHT_PRODUCT'] || own.plugin_id, server, profile: null }
}

/** What the token opens, as the server says. */
export async function whoami(cli: Cli, server: Server): Promise<OwnToken> {
  const { json } = await ask(cli, server, { method: 'GET', path: '/v1/token.json' })
  const own = json as Partial<OwnToken> | undefined
  if (typeof own?.developer_id !== 'string') throw noKeywright(server.url)
  return own as OwnToken
}

/** The address of a server without slashes at its end; null: the text is none, or has more than that in it. */
export const serverAddress = (text: string): string | null =>
  isHttpUrl(text) && !/[?#]/.test(text) ? withoutEndSlashes(text) : null

export const placesOf = (own: OwnToken): Pick<Profile, 'account' | 'opens'> => ({
  account: own.developer_id,
  opens: own.plugin_id,
})

export function notLoggedIn(name: string | null, known: readonly string[]): Failure {
  const there = known.length > 0 ? ` There are: ${known.join(', ')}.` : ''
  const message =
    name === null
      ? 'Nobody is logged in: keywright login, or set KEYWRIGHT_URL and KEYWRIGHT_TOKEN.'
      : `There is no profile ${name}.${there}`
  return new Failure('not_logged_in', message, NO_ENTRY)
}
