import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, type Config } from '../config.ts'
import { hasDeveloper } from '../catalogue/sellers/seller-rows.ts'
import type { ProcessContext } from '../open.ts'
import { startServer, type RunningServer } from '../start.ts'
import type { Cli } from './cli.ts'
import { plainCommand } from './command.ts'
import { Failure } from './failure.ts'
import { dataPlace } from '../health/data-place.ts'
import { greetingText } from './greeting.ts'
import { openProcess, runJobs } from './process.ts'
import { sayAddress } from './running-address.ts'
import { settleStart } from './settle-start.ts'

export const command = plainCommand({
  isShowing: true,
  describe: 'answer requests, and run the jobs beside that',
  options: {
    '--no-jobs': { describe: 'leave the jobs to "keywright worker"' },
    '--demo': { describe: 'fill an empty database with a demo, and print a fresh token for it' },
    '--mock': { describe: 'serve a demo that is forgotten at the end, for testing clients' },
  },
  json: 'print one JSON object once it answers, and log to standard error',
  handler: async ({ jobs, demo: isDemo = false, mock: isMock = false }, cli) => {
    await using closing = new AsyncDisposableStack()
    const config = isMock ? await mockConfig(cli, closing) : readConfig(cli.env)
    const opened = await openProcess(cli, config, closing)
    const { ctx } = opened
    const wantsDemo = isDemo || isMock
    const running = await listen(ctx)
    const { address } = running
    const unsay = await sayAddress(ctx, address)
    // A start that gets no port leaves the token of the demo that runs there as it is.
    const demo = wantsDemo ? await demoOf(ctx, address).catch(stopping(running, unsay)) : null
    const isSold = await hasDeveloper(ctx.db)
    if (jobs) runJobs(opened)
    settleStart()
    closing.defer(async () => {
      await running.drain()
      await running.stop()
    })
    closing.defer(unsay)
    const stopped = opened.untilStopped()
    if (cli.json) cli.result({ address, docs: `${address}/docs`, data: dataPlace(config), ...demo }, '')
    const { baseUrl } = ctx
    cli.note(greetingText({ config, address, baseUrl, isMock, demo, wantsDemo, hasDeveloper: isSold }))
    await stopped
  },
})

/** A server without a demo loads nothing of it. */
async function demoOf(ctx: ProcessContext, address: string) {
  const { readyDemo } = await import('./demo.ts')
  return readyDemo(ctx, address)
}

/** Ends a server whose start has failed, and says why. */
const stopping = (running: RunningServer, unsay: () => Promise<void>) => async (error: unknown) => {
  await unsay()
  await running.stop()
  throw error
}

async function listen(ctx: ProcessContext): Promise<RunningServer> {
  try {
    const running = await startServer(ctx)
    ctx.settle({ baseUrl: ctx.config.baseUrl ?? running.address })
    return running
  } catch (error) {
    throw listenFailure(error, ctx.config)
  }
}

function listenFailure(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    return new Failure('port_in_use', `Port ${port} of ${host} is in use: stop what uses it, or set PORT.`)
  }
  if (code === 'EACCES') {
    return new Failure(
      'port_refused',
      `Port ${port} needs more rights than this user has: set PORT above 1023.`,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Failure('bad_host', `This machine has no address ${host}: set HOST.`)
  }
  return error
}

/** The environment's own, but with an embedded database and a secret of its own, both gone at the end. */
async function mockConfig(cli: Cli, closing: AsyncDisposableStack): Promise<Config> {
  const folder = await mkdtemp(join(tmpdir(), 'keywright-mock-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  const {
    DATABASE_URL: _url,
    KEYWRIGHT_SECRET: _secret,
    KEYWRIGHT_SECRET_PREVIOUS: _previous,
    ...env
  } = cli.env
  return readConfig({ ...env, KEYWRIGHT_DATA: folder })
}
