import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { connectPatiently } from './db/connect-patiently.ts'
import type { Database, DatabaseOptions } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { opensAny } from './db/opens-sealed.ts'
import { sealClear } from './db/seal-clear.ts'
import { gatewaysOf } from './gateways/gateways.ts'
import { hooks } from './hooks.ts'
import { SystemClock, type Clock } from './lib/clock.ts'
import type { Keyring } from './lib/keyring.ts'
import { DEFAULT_COST } from './lib/password.ts'
import { settleKeys } from './people/users/settle-keys.ts'
import { learnSandboxes } from './catalogue/sandbox/learn.ts'
import { embeddedFile, makeDataFolder, openKeyring, otherSecret } from './secret.ts'
import { storageOf } from './deployments/storage/open.ts'
import { vatIdRegister } from './sales/taxes/vat-ids.ts'
import { viesOffice } from './sales/taxes/vies.ts'

/** How the configured database is opened. */
export const databaseOptions = (config: Config): DatabaseOptions =>
  'url' in config.database ? config.database : { engine: 'sqlite', file: embeddedFile(config) }

/** Opens the configured database, with the data folder that it may need; nothing is migrated. */
export async function openDatabase(config: Config): Promise<Database> {
  await makeDataFolder(config)
  return connectPatiently(databaseOptions(config))
}

/** What a process learns only after its start, or anew while it runs. */
type Late = Pick<Context, 'baseUrl' | 'keys' | 'nudge'>

export interface ProcessContext extends Context {
  /** Replaces what is given; whoever asks the context from now on gets it. */
  settle(late: Partial<Late>): void
}

/** Opens database and secret, runs missing migrations, and builds the context of a process. */
export async function openContext(config: Config, log: Logger): Promise<ProcessContext> {
  const late: { -readonly [K in keyof Late]: Late[K] } = {
    baseUrl: baseUrlOf(config),
    keys: await openKeyring(config),
    nudge: () => {},
  }
  const gateways = await gatewaysOf(config, late.keys)
  const database = await openDatabase(config)
  const clock = new SystemClock()
  try {
    await migrate(database)
    late.keys = await fitting(config, database, late.keys)
    await sealClear(database, late.keys)
    await settleKeys(database, late.keys)
    await learnSandboxes({ db: database.reader, clock })
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    db: database.reader,
    database,
    gateways,
    vatIds: vatIdsOf(config, clock),
    storage: storageOf(config),
    clock,
    config,
    log,
    passwordCost: DEFAULT_COST,
    hooks,
    get baseUrl() {
      return late.baseUrl
    },
    get keys() {
      return late.keys
    },
    nudge: () => late.nudge(),
    settle: (change) => void Object.assign(late, change),
  }
}

/** The keyring, read anew where a rotation may have begun meanwhile. ConfigError for secrets that open nothing. */
async function fitting(config: Config, { reader }: Database, keys: Keyring): Promise<Keyring> {
  if (await opensAny(reader, keys)) return keys
  const again = await openKeyring(config)
  if (await opensAny(reader, again)) return again
  throw otherSecret(config)
}

/** The register of VAT ids that the configuration names. */
const vatIdsOf = ({ viesUrl: url }: Config, clock: Clock) =>
  vatIdRegister(url === null ? null : viesOffice({ url, now: () => clock.real() }))

/** Where links lead, as far as it is known before a port was taken. */
export const baseUrlOf = ({ baseUrl, host, port }: Config): string =>
  baseUrl ?? `http://${hostInUrl(host)}:${port}`

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)
