import pino from 'pino'
import { readConfig, type Config } from '../config.ts'
import { createLog } from '../log.ts'
import { openContext, type ProcessContext } from '../open.ts'
import type { Cli } from './cli.ts'

/** Runs a command on the configured server's database and secret, and closes them after it. */
export async function withContext<T>(cli: Cli, work: (ctx: ProcessContext) => Promise<T>): Promise<T> {
  const config = readConfig(cli.env)
  const ctx = await openContext(config, commandLog(config))
  try {
    return await work(ctx)
  } finally {
    await ctx.database.close()
  }
}

/** Standard output is for the result alone, so what a command logs goes to standard error. */
const commandLog = ({ logLevel }: Config) =>
  createLog(logLevel === 'info' ? 'warn' : logLevel, pino.destination({ dest: 2, sync: true }))
