import { randomUUID } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { readConfig, type Config } from '../src/config.ts'
import { transaction, type Context, type TxContext } from '../src/context.ts'
import type { DatabaseOptions, StatementHook } from '../src/db/database.ts'
import { hooks } from '../src/hooks.ts'
import { gatewaysOf } from '../src/gateways/gateways.ts'
import { TestClock } from './clock.ts'
import { Keyring } from '../src/lib/keyring.ts'
import { vatIdRegister } from '../src/sales/taxes/vat-ids.ts'
import { startServer } from '../src/start.ts'
import { folderStorage } from '../src/deployments/storage/folder.ts'
import { createLog } from '../src/log.ts'
import { answersIn, gapsBetween, recordedIn } from './audit-gaps.ts'
import { refusedIn, undeclaredIn } from './contract/refused.ts'
import { noteEvents, noteReply } from './contract/seen.ts'
import { copyDatabase, createTestDatabase } from './database.ts'
import { createSeller, type Seller } from './factories.ts'
import { testFolders } from './folder.ts'
import { GENEROUS } from './rates.ts'
import { TEST_SECRET } from './secret.ts'

/** Cheap, so that a test that sets a password does not wait for it. */
const TEST_COST = { memoryKib: 64, passes: 1, parallelism: 1 }
/** 31 January 2026, 10:00:00 UTC. */
export const START = Date.UTC(2026, 0, 31, 10)

export interface TestOptions {
  readonly config?: Partial<Config>
  readonly log?: Logger
  readonly onStatement?: StatementHook
  /** Milliseconds since the epoch; the test clock stands still there. */
  readonly at?: number
  /** What it begins with; without it, with nothing. */
  readonly from?: Kept
}

/** What a context leaves whose database was closed and not dropped. */
export interface Kept {
  readonly databaseOptions: DatabaseOptions
  /** Where its files are. */
  readonly folder: string
}

export interface TestContext extends Context {
  readonly clock: TestClock
}

/** A context over a database of its own, with a clock that the test moves. */
export async function testContext(name: string, options: TestOptions = {}) {
  const { from, onStatement } = options
  const watched = onStatement ? { onStatement } : {}
  const {
    database,
    options: databaseOptions,
    drop,
  } = await (from ? copyDatabase(from.databaseOptions, name, watched) : createTestDatabase(name, watched))
  const folder = join(await testFolders(), `keywright-test-${randomUUID()}`)
  if (from) await cp(from.folder, folder, { recursive: true })
  const config = {
    ...readConfig({ PORT: '0', LOG_LEVEL: 'silent', KEYWRIGHT_DATA: folder }),
    ...options.config,
  }
  const keys = Keyring.of(TEST_SECRET)
  const ctx: TestContext = {
    db: database.reader,
    database,
    clock: new TestClock(options.at ?? START),
    gateways: await gatewaysOf(config, keys),
    vatIds: vatIdRegister(null),
    storage: folderStorage(folder),
    config: { ...config, rate: options.config?.rate ?? GENEROUS },
    keys,
    log: options.log ?? createLog('info', { write: noteFailure }),
    baseUrl: options.config?.baseUrl ?? 'http://keywright.test',
    passwordCost: TEST_COST,
    hooks,
    nudge: () => {},
  }
  const answers = answersIn(ctx.log)
  const dropAll = async () => {
    // Some tests leave a database that cannot be read.
    const rows = await recordedIn(ctx.db).catch(() => null)
    await drop()
    await rm(folder, { recursive: true, force: true })
    const gaps = rows && gapsBetween(answers, rows)
    if (gaps && gaps.length > 0) throw new Error(`S40: not in the audit log: ${gaps.slice(0, 20).join('; ')}`)
    const undeclared = undeclaredIn(refusedIn(answers))
    if (undeclared.length > 0) throw new Error(`refuses: ${undeclared.join('; ')}`)
  }
  return { ctx, databaseOptions, folder, drop: dropAll }
}

/** What went wrong lately in servers without a log of their own, for messages of tests that meet a 500. */
export const lately: string[] = []
function noteFailure(line: string): void {
  if (line.startsWith('{"level":"info"')) return
  lately.push(line)
  if (lately.length > 5) lately.shift()
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'

export interface CallOptions {
  /** Sent as JSON; a string or Buffer is sent as it is. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The bearer token; null for none. Default: the first product's. */
  readonly token?: string | null
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads replies of every shape
  readonly json: any
}

export interface TestApp {
  readonly ctx: TestContext
  /** Opens its database once more (`dyingProcess`). */
  readonly databaseOptions: DatabaseOptions
  readonly address: string
  /** A developer with a store, two products and a token for each. */
  readonly seller: Seller
  /** `path` begins after `/v1`. */
  call(method: Method, path: string, options?: CallOptions): Promise<Reply>
  write<T>(work: (tx: TxContext) => Promise<T>): Promise<T>
  /** Waits until every authentication so far is in the audit log. */
  recorded(): Promise<void>
  /** Waits until every refusal so far that is kept stands in the database. */
  refusalsKept(): Promise<void>
  close(): Promise<void>
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  return { status, headers, text, json: isJson && text !== '' ? (JSON.parse(text) as unknown) : null }
}

/** A server that listens on a port of its own, over a database of its own. */
export async function startTestApp(name: string, options: TestOptions = {}): Promise<TestApp> {
  const { ctx, databaseOptions, drop } = await testContext(name, options)
  const seller = await transaction(ctx, (tx) => createSeller(tx))
  const running = await startServer(ctx)
  const call = async (method: Method, path: string, { body, headers, token }: CallOptions = {}) => {
    const bearer = token === undefined ? seller.product.token : token
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(`${running.address}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const reply = await replyOf(response)
    noteReply({ method, path }, response.status, reply.json)
    return reply
  }
  return {
    ctx,
    databaseOptions,
    address: running.address,
    seller,
    call,
    write: (work) => transaction(ctx, work),
    recorded: () => running.server.frame.authentications.flush(),
    refusalsKept: () => running.server.frame.refusals.flush(),
    async close() {
      await running.stop()
      // Some tests leave a database that cannot be read.
      await noteEvents(ctx.database).catch(() => {})
      await drop()
    },
  }
}
