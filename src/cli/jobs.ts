import { retryFailedRows } from '../db/failed-rows.ts'
import { databaseCommand, type Group } from './command.ts'

const retry = databaseCommand({
  describe:
    'try again what a fault has kept the jobs from doing, ten times, and which they leave alone since',
  handler: async ({ database }) => {
    const retried = await database.transaction(retryFailedRows)
    return { value: { retried }, text: `${retried} rows that were left alone are tried again.` }
  },
})

export const command: Group = { describe: 'what the server does by itself', commands: { retry } }
