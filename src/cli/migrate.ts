import { readConfig } from '../config.ts'
import { migrate, schemaVersion } from '../db/migrate.ts'
import { openKeyring } from '../secret.ts'
import { openDatabase } from '../open.ts'
import { plainCommand } from './command.ts'

export const command = plainCommand({
  describe: 'bring the database up to this version; starting the server does it as well',
  handler: async (_, { env }) => {
    const config = readConfig(env)
    await openKeyring(config)
    const database = await openDatabase(config)
    try {
      const migrations = await migrate(database)
      const schema = await schemaVersion(database)
      const done = migrations === 1 ? '1 migration was run' : `${migrations} migrations were run`
      return { value: { migrations, schema }, text: `${done}; the database is at schema ${schema}.` }
    } finally {
      await database.close()
    }
  },
})
