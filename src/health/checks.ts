import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { storageOf } from '../deployments/storage/open.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { ConfigError } from '../lib/config-error.ts'
import type { Keyring } from '../lib/keyring.ts'
import { checkArchives } from './check-archives.ts'
import { checkCredentials } from './check-credentials.ts'
import { checkAuditChain, checkClock, checkDatabase, checkIntegrity, checkSealed } from './check-database.ts'
import { checkDataFolder, checkDisk, checkSecret } from './check-machine.ts'
import { checkCharges, checkGateways, checkJobs, checkRenewals } from './check-money.ts'
import { checkPort } from './check-port.ts'
import { dataPlace } from './data-place.ts'
import { failureLine } from './failure-line.ts'
import { fail, SECRET_FIX, type Finding } from './finding.ts'

/** What is looked at; keys and gateways are asked for where a check needs them, and may not be had. */
export interface Patient {
  readonly config: Config
  readonly database: Database
  keys(): Promise<Keyring>
  gateways(): Promise<readonly Gateway[]>
}

export interface Check<On> {
  readonly name: string
  /** Reads all of something, or asks over the net. */
  readonly isSlow?: true
  /** Says nothing to the server itself, which answers. */
  readonly isFromOutside?: true
  look(on: On): Promise<Finding | readonly Finding[]>
}

/** What can be looked at without a database. */
export const MACHINE_CHECKS: readonly Check<Config>[] = [
  { name: 'data folder', look: checkDataFolder },
  { name: 'disk', look: checkDisk },
  { name: 'secret', look: checkSecret },
  { name: 'port', isFromOutside: true, look: checkPort },
]

/** Whether the database answers; where it does not, nothing in it can be looked at. */
export const DATABASE_CHECK: Check<Pick<Patient, 'config' | 'database'>> = {
  name: 'database',
  look: ({ config, database }) => checkDatabase(database, dataPlace(config)),
}

/** What is looked at in a database that answers. */
export const CONTENT_CHECKS: readonly Check<Patient>[] = [
  { name: 'integrity', isSlow: true, look: ({ database }) => checkIntegrity(database) },
  { name: 'clock', look: ({ database }) => checkClock(database) },
  { name: 'stored keys', look: async ({ database, keys }) => checkSealed(database, await keys()) },
  { name: 'audit log', isSlow: true, look: ({ database }) => checkAuditChain(database) },
  { name: 'renewals', look: ({ database }) => checkRenewals(database) },
  { name: 'charges', look: ({ database }) => checkCharges(database) },
  {
    name: 'gateways',
    look: async ({ database, gateways }) => checkGateways(database, await gateways()),
  },
  {
    name: 'credentials',
    isSlow: true,
    // Why gateways cannot be had is told once, by the check before.
    look: async ({ config, gateways }) => checkCredentials(await gateways().catch(() => []), config.baseUrl),
  },
  { name: 'jobs', look: ({ database }) => checkJobs(database) },
  {
    name: 'archives',
    isSlow: true,
    look: ({ config, database }) => checkArchives(storageOf(config), database.background),
  },
]

/** What a check finds; one that throws has failed. */
export async function examine<On>({ name, look }: Check<On>, on: On): Promise<readonly Finding[]> {
  try {
    const found = await look(on)
    return 'check' in found ? [found] : found
  } catch (error) {
    // Of what is read here only the secret is one of the configuration.
    const fix = error instanceof ConfigError ? SECRET_FIX : 'Run this again; if it stays, put a backup back.'
    return [fail(name, failureLine(error).message, fix)]
  }
}
