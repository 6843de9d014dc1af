import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { operations } from './app.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { connect } from './db/connect.ts'
import type { DatabaseOptions } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { AuthenticationLog } from './http/authentication-log.ts'
import type { Frame } from './http/frame.ts'
import { mountHealth } from './http/health.ts'
import { Limits } from './http/limits.ts'
import { Metrics } from './http/metrics.ts'

import { buildServer } from './http/server.ts'
import { systemClock } from './lib/clock.ts'
import { DEFAULT_COST } from './lib/password.ts'
import { mountConfirmPage } from './resources/users/confirm-page.ts'
import { openKeyring } from './secret.ts'

/** How the configured database is opened. */
export const databaseOptions = ({ database, dataDir }: Config): DatabaseOptions =>
  database.engine === 'sqlite' ? { engine: 'sqlite', file: join(dataDir, 'keywright.db') } : database

/** Opens database and secret, runs missing migrations, and builds the context of a process. */
export async function openContext(config: Config, log: Logger): Promise<Context> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const keys = await openKeyring(config)
  const database = connect(databaseOptions(config))
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    db: database.reader,
    database,
    clock: systemClock,
    config,
    keys,
    log,
    baseUrl: config.baseUrl ?? `http://${hostInUrl(config.host)}:${config.port}`,
    passwordCost: DEFAULT_COST,
    nudge: () => {},
  }
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

export interface RunningServer {
  readonly server: FastifyInstance
  /** Where it listens, without a slash at the end. */
  readonly address: string
  /** Answers what is in work, takes nothing more, and records what was counted. */
  stop(): Promise<void>
}

/** Listens for requests; the jobs run beside it in `startWorker`. */
export async function startServer(ctx: Context): Promise<RunningServer> {
  const metrics = new Metrics()
  const frame: Frame = {
    ctx,
    metrics,
    authentications: new AuthenticationLog(ctx, metrics),
    limits: new Limits(ctx.config.rate),
    stopping: false,
  }
  const server = buildServer(frame, operations, (pages) => {
    mountHealth(pages, frame)

    mountConfirmPage(pages, ctx)
  })
  const address = await server.listen({ host: ctx.config.host, port: ctx.config.port })
  return {
    server,
    address,
    async stop() {
      frame.stopping = true
      await server.close()
      await frame.authentications.close()
    },
  }
}
