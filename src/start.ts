import type { Server } from 'node:http'
import { Server as TcpServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { operations, refusals, served } from './app.ts'
import type { Context } from './context.ts'
import { AuthenticationLog } from './http/authentication-log.ts'
import { RefusalLog } from './http/refusal-log.ts'
import type { Frame } from './http/frame.ts'
import { mountHealth } from './http/health.ts'
import { keepClean } from './http/clean-uploads.ts'
import { countryReader } from './http/country.ts'
import { mountErrorPages } from './http/error-pages.ts'
import { Limits } from './http/limits.ts'
import { Metrics } from './http/metrics.ts'
import { mountReference } from './http/reference-page.ts'
import { mountRoot } from './http/root-page.ts'
import { buildServer, type Timeouts } from './http/server.ts'
import { fromUtcTime, SECOND } from './lib/time.ts'
import { leftOpen } from './sales/charges/left-open.ts'
import { isHeld } from './work/renewal-watch.ts'
import { findRenewalWatch } from './work/renewal-watch-rows.ts'
import { checkoutPage } from './web/checkout.ts'
import { untilDone } from './work/afterwards.ts'

export interface RunningServer {
  readonly server: FastifyInstance
  /** Where it listens, without a slash at the end. */
  readonly address: string
  /**
   * Takes no new connection, answers what comes on the open ones, and lets each end after its answer
   * (`docs/security-checks.md` R14): within a second when nothing is in work, 30 seconds at most.
   */
  drain(): Promise<void>
  /** Answers what is in work, takes nothing more, and records what was counted. */
  stop(): Promise<void>
}

/** Names each charge of which nobody knows for an hour how it ended, and says whether renewals wait. */
function watchMoney(metrics: Metrics, { db, clock }: Context): void {
  const about = {
    name: 'keywright_charge_open_seconds',
    help: 'How long each charge is open that is not decided an hour after it was asked for.',
    labelNames: ['charge', 'purpose', 'gateway', 'environment'] as const,
  }
  const held = {
    name: 'keywright_renewals_held',
    help: 'Whether renewals of production wait for a word of the operator.',
    labelNames: [] as const,
  }
  metrics.watch(held, async () => {
    return [{ labels: {}, value: isHeld(await findRenewalWatch(db), clock.real()) ? 1 : 0 }]
  })
  metrics.watch(about, async () => {
    const now = clock.real()
    return (await leftOpen(db, now)).map(({ charge_id: charge, purpose, gateway, environment, since }) => ({
      labels: { charge, purpose, gateway, environment },
      value: Math.floor((now - fromUtcTime(since)) / SECOND),
    }))
  })
}

const LAST_REQUEST_MS = SECOND
const DRAIN_MS = 30 * SECOND

/** Listens for requests; the jobs run beside it in `startWorker`. */
export async function startServer(
  ctx: Context,
  { timeouts }: { readonly timeouts?: Timeouts } = {},
): Promise<RunningServer> {
  const metrics = new Metrics()
  watchMoney(metrics, ctx)
  const frame: Frame = {
    ctx,
    metrics,
    authentications: new AuthenticationLog(ctx, metrics),
    refusals: new RefusalLog(ctx),
    limits: new Limits(ctx.config.rate),
    countryOf: countryReader(ctx.config),
    stopping: false,
  }
  const mountOwn = (server: FastifyInstance) => {
    mountRoot(server, frame, checkoutPage)
    mountHealth(server, frame)
    mountErrorPages(server, { operations, refusals })
    mountReference(server, { operations, refusals, baseUrl: ctx.baseUrl })
  }
  const server = buildServer(frame, served, mountOwn, timeouts)
  const listening = await server.listen({ host: ctx.config.host, port: ctx.config.port })
  const stopCleaning = keepClean(ctx)
  const address = listening.replace('//[::]', '//[::1]')
  return {
    server,
    address,
    drain() {
      frame.stopping = true
      return drain(server.server)
    },
    async stop() {
      frame.stopping = true
      // A reply that is still on its way holds its connection no longer than itself.
      server.server.keepAliveTimeout = 1
      await server.close()
      await stopCleaning()
      await untilDone()
      await frame.authentications.close()
      await frame.refusals.close()
    },
  }
}

/** `Server.close` of HTTP would cut idle connections at once, and with them requests that are on their way. */
async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => response.setHeader('connection', 'close'))
  server.keepAliveTimeout = 1
  const idle = setTimeout(() => server.closeIdleConnections(), LAST_REQUEST_MS)
  const all = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await new Promise((resolve) => void TcpServer.prototype.close.call(server, resolve))
  clearTimeout(idle)
  clearTimeout(all)
}
