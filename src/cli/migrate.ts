import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { migrate, schemaVersion } from '../db/migrate.ts'
import { openKeyring } from '../secret.ts'
import { openDatabase } from '../open.ts'
import type { Cli } from './cli.ts'

export function register(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description('bring the database up to this version; starting the server does it as well')
    .option('--json', 'print one JSON object')
    .action(() => runMigrate(cli))
}

async function runMigrate(cli: Cli): Promise<void> {
  const config = readConfig(cli.env)
  await openKeyring(config)
  const database = await openDatabase(config)
  try {
    const migrations = await migrate(database)
    const schema = await schemaVersion(database)
    const done = migrations === 1 ? '1 migration was run' : `${migrations} migrations were run`
    cli.result({ migrations, schema }, `${done}; the database is at schema ${schema}.`)
  } finally {
    await database.close()
  }
}
