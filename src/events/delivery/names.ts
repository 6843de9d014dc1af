import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { SECOND } from '../../lib/time.ts'
import { Together } from '../../lib/together.ts'
import { Turns } from '../../lib/turns.ts'

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** With its second try, which takes twice as long, no longer than a connection may take to open. */
const TIMEOUT_MS = 1.5 * SECOND
const TRIES = 2
const REMEMBERED_MS = 5 * SECOND
const MOST_REMEMBERED = 1_000
/** So that a change of the system's name servers, or of its file of hosts, is noticed. */
const SETTINGS_MS = 30 * SECOND
/** Of the four threads that the process has for look-ups of the system and for its files. */
const SYSTEM_LOOKUPS = 2
const HOSTS_FILE =
  process.platform === 'win32' ? String.raw`C:\Windows\System32\drivers\etc\hosts` : '/etc/hosts'
/** The name servers know no such name, or there are none: the system may know it all the same. */
const UNKNOWN = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']

interface Surroundings {
  /** Name servers with their ports; without, those of the system. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  readonly lookup?: Resolve
  readonly timeoutMs?: number
  /** Milliseconds, from any beginning. */
  readonly now?: () => number
}

/**
 * Looks names up so that one whose name servers are silent delays no other: by sockets, not on the threads of the
 * process, with a limit of time. The system is asked, two names at a time, for what stands in its file of hosts, has no
 * dot or is a `.localhost`, and for what the name servers do not know. Who asks for a name that is being looked up
 * shares the answer, and a failure is the answer for 5 seconds more; addresses are never kept.
 */
export function nameResolver(surroundings: Surroundings = {}): Resolve {
  const { now = () => performance.now() } = surroundings
  const find = finder(surroundings)
  const lookUps = new Together<readonly LookupAddress[]>()
  const failed = new Map<string, { readonly error: unknown; readonly until: number }>()
  const remember = (host: string, error: unknown) => {
    if (failed.size >= MOST_REMEMBERED) failed.clear()
    failed.set(host, { error, until: now() + REMEMBERED_MS })
  }
  const lookUp = async (host: string) => {
    try {
      return await find(host)
    } catch (error) {
      remember(host, error)
      throw error
    }
  }
  return async (host) => {
    const known = failed.get(host)
    if (known && known.until > now()) throw known.error
    return lookUps.do(host, () => lookUp(host))
  }
}

function finder({ lookup = bySystem, hostsFile = HOSTS_FILE, ...ofServers }: Surroundings): Resolve {
  const askSystem = someAtOnce(lookup)
  const askServers = byServers(ofServers)
  const hosts = renewed(() => namesIn(hostsFile))
  return async (host) => {
    const name = host.replace(/\.$/, '')
    if (!name.includes('.') || name.endsWith('.localhost') || (await hosts()).has(name))
      return askSystem(host)
    const found = await askServers(host)
    return 'addresses' in found ? found.addresses : askSystem(host)
  }
}

const bySystem: Resolve = (host) => systemLookup(host, { all: true })

function byServers({ servers, timeoutMs = TIMEOUT_MS }: Surroundings) {
  const resolver = renewed(() => {
    const made = new Resolver({ timeout: timeoutMs, tries: TRIES })
    if (servers) made.setServers(servers)
    return made
  })
  return async (host: string): Promise<{ addresses: LookupAddress[] } | { isUnknown: true }> => {
    const asked = resolver()
    const answers = await Promise.allSettled([asked.resolve4(host), asked.resolve6(host)])
    const addresses = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled'
        ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
        : [],
    )
    if (addresses.length > 0) return { addresses }
    for (const answer of answers) {
      if (answer.status === 'rejected' && !UNKNOWN.includes(codeOf(answer.reason))) throw answer.reason
    }
    return { isUnknown: true }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** The names of a file of hosts; none when it cannot be read. */
async function namesIn(file: string): Promise<ReadonlySet<string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase())
  return new Set(lines.flatMap((line) => line.split(/\s+/).slice(1)))
}

/** What `make` makes, made again when it is old. */
function renewed<T>(make: () => T): () => T {
  let made: { readonly value: T; readonly at: number } | undefined
  return () => {
    const now = performance.now()
    if (!made || now - made.at >= SETTINGS_MS) made = { value: make(), at: now }
    return made.value
  }
}

function someAtOnce(lookup: Resolve): Resolve {
  const turns = new Turns()
  return async (host) => {
    const turn = await turns.enter('system', () => SYSTEM_LOOKUPS)
    try {
      return await lookup(host)
    } finally {
      turns.leave(turn)
    }
  }
}
