import { stat } from 'node:fs/promises'
import { readConfig, type Config } from '../config.ts'
import { connect } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { gatewaysOf } from '../gateways/gateways.ts'
import { CONTENT_CHECKS, DATABASE_CHECK, examine, MACHINE_CHECKS, type Check } from '../health/checks.ts'
import { fail, warn, type Finding } from '../health/finding.ts'
import { Keyring } from '../lib/keyring.ts'
import { once } from '../lib/once.ts'
import { readSecrets } from '../secret.ts'
import { databaseOptions } from '../open.ts'
import type { Cli } from './cli.ts'
import { plainCommand } from './command.ts'
import { failureOf } from './failure.ts'

/** It only looks: nothing is made, migrated or repaired. */
export const command = plainCommand({
  describe:
    'look at data folder, database, clock, secret, port, audit log, renewals, charges, gateways, jobs and archives, and say what to do',
  handler: async (_, cli) => {
    const config = readConfig(cli.env)
    const findings = [...(await findingsOf(MACHINE_CHECKS, config)), ...(await databaseFindings(config, cli))]
    const hasFailed = findings.some(({ status }) => status === 'fail')
    return { value: { ok: !hasFailed, checks: findings }, text: findings.map(lineOf).join('\n'), hasFailed }
  },
})

function lineOf({ status, check, message, fix }: Finding): string {
  const line = `${status.padEnd(4)}  ${check.padEnd(11)}  ${message}`
  return fix === null ? line : `${line}\n${' '.repeat(19)}→ ${fix}`
}

async function databaseFindings(config: Config, cli: Cli): Promise<readonly Finding[]> {
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
    const found = await findingsOf([DATABASE_CHECK], { config, database })
    return found.every(({ status }) => status === 'ok')
      ? [...found, ...(await contentFindings(config, database, cli))]
      : found
  } finally {
    await database.close()
  }
}

function contentFindings(config: Config, database: Database, cli: Cli): Promise<readonly Finding[]> {
  const keys = () => keysOf(config)
  const gateways = once(async () => gatewaysOf(config, await keys()))
  return findingsOf(CONTENT_CHECKS, { config, database, keys, gateways }, (name, done) =>
    cli.tell({ what: `looking at ${name}`, done, of: CONTENT_CHECKS.length, unit: 'checks' }),
  )
}

/** One after another; `begin` is told of each, and how many are done. */
async function findingsOf<On>(
  checks: readonly Check<On>[],
  on: On,
  begin?: (name: string, done: number) => void,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const [done, check] of checks.entries()) {
    begin?.(check.name, done)
    findings.push(...(await examine(check, on)))
  }
  return findings
}

async function keysOf(config: Config): Promise<Keyring> {
  const [current, ...previous] = await readSecrets(config)
  return Keyring.of(current, previous)
}
