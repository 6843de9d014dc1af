import { stat } from 'node:fs/promises'
import { readConfig, type Config } from '../config.ts'
import { connect } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { gatewaysOf } from '../gateways/gateways.ts'
import { ConfigError } from '../lib/config-error.ts'
import { Keyring } from '../lib/keyring.ts'
import { readSecrets } from '../secret.ts'
import { databaseOptions } from '../open.ts'
import { plainCommand } from './command.ts'
import {
  checkDataFolder,
  checkDisk,
  checkPort,
  checkSecret,
  fail,
  SECRET_FIX,
  warn,
  type Finding,
} from './doctor-checks.ts'
import { checkAuditChain, checkClock, checkDatabase, checkIntegrity, checkSealed } from './doctor-database.ts'
import { checkCharges, checkGateways, checkJobs, checkRenewals } from './doctor-money.ts'
import { checkArchives } from './doctor-archives.ts'
import { checkCredentials } from './doctor-credentials.ts'
import { storageOf } from '../deployments/storage/open.ts'
import { failureOf } from './failure.ts'
import { dataPlace } from './data-place.ts'

/** It only looks: nothing is made, migrated or repaired. */
export const command = plainCommand({
  describe:
    'look at data folder, database, clock, secret, port, audit log, renewals, charges, gateways, jobs and archives, and say what to do',
  handler: async (_, { env }) => {
    const config = readConfig(env)
    const findings = [
      await checkDataFolder(config),
      await checkDisk(config),
      await checkSecret(config),
      await checkPort(config),
      ...(await databaseFindings(config)),
    ]
    const hasFailed = findings.some(({ status }) => status === 'fail')
    return { value: { ok: !hasFailed, checks: findings }, text: findings.map(lineOf).join('\n'), hasFailed }
  },
})

function lineOf({ status, check, message, fix }: Finding): string {
  const line = `${status.padEnd(4)}  ${check.padEnd(11)}  ${message}`
  return fix === null ? line : `${line}\n${' '.repeat(19)}→ ${fix}`
}

async function databaseFindings(config: Config): Promise<readonly Finding[]> {
  const options = databaseOptions(config)
  if ('file' in options && !(await stat(options.file).catch(() => null))) {
    return [warn('database', `${options.file} is not there yet`, 'The first start makes it.')]
  }
  let database: Database
  try {
    database = connect(options)
  } catch (error) {
    return [
      fail(
        'database',
        failureOf(error).message,
        'Check who may read and write the data folder; if the file is damaged, put a backup back.',
      ),
    ]
  }
  try {
    const found = await checkDatabase(database, dataPlace(config))
    return found.status === 'ok' ? [found, ...(await contentFindings(config, database))] : [found]
  } finally {
    await database.close()
  }
}

async function contentFindings(config: Config, database: Database): Promise<readonly Finding[]> {
  const gateways = async () => gatewaysOf(config, await keysOf(config))
  return [
    await orFailure('integrity', () => checkIntegrity(database)),
    await orFailure('clock', () => checkClock(database)),
    await orFailure('stored keys', async () => checkSealed(database, await keysOf(config))),
    await orFailure('audit log', () => checkAuditChain(database)),
    await orFailure('renewals', () => checkRenewals(database)),
    await orFailure('charges', () => checkCharges(database)),
    await orFailure('gateways', async () => checkGateways(database, await gateways())),
    ...(await credentialFindings(config, gateways)),
    await orFailure('jobs', () => checkJobs(database)),
    await orFailure('archives', () => checkArchives(storageOf(config), database.reader)),
  ]
}

/** What goes wrong with the secret is told once, where the gateways are looked at. */
async function credentialFindings(
  { baseUrl }: Config,
  gateways: () => Promise<readonly Gateway[]>,
): Promise<readonly Finding[]> {
  const found = await gateways().catch(() => [])
  return checkCredentials(found, baseUrl)
}

async function keysOf(config: Config): Promise<Keyring> {
  const [current, ...previous] = await readSecrets(config)
  return Keyring.of(current, previous)
}

async function orFailure(check: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    // Of what is read here only the secret is one of the configuration.
    const fix = error instanceof ConfigError ? SECRET_FIX : 'Run this again; if it stays, put a backup back.'
    return fail(check, failureOf(error).message, fix)
  }
}
