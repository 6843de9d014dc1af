import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { transaction } from '../src/context.ts'
import { audit } from '../src/access/audit.ts'
import { createUser } from '../src/people/users/create.ts'
import { databaseOptions } from '../src/open.ts'
import { peerOptions, servePeer } from './processes.ts'
import { benchContext, tokenScope, type Environment, type Seeded } from './seed.ts'

/** A process that writes as fast as it can. */
export interface WriterOptions {
  readonly environment: Environment
  readonly seeded: Seeded
}

/**
 * What is written until the time is over: users with all that belongs to them or single audit rows, both
 * through our transactions, or the same audit rows in a plain loop of node:sqlite, a durable commit each.
 */
export interface WriterQuestion {
  readonly work: 'users' | 'rows' | 'bare rows'
  /** Transactions that wait for their commit at the same time. */
  readonly concurrency: number
  readonly ms: number
}

export interface Written {
  readonly perSecond: number
  readonly errors: readonly string[]
  /** How late the event loop came back to a timer of 10 ms. */
  readonly delayP99Ms: number
  readonly delayMaxMs: number
}

/** The timer's own interval, which is part of each delay that Node measures. */
const RESOLUTION_MS = 10

const { environment, seeded } = peerOptions<WriterOptions>()
const ctx = await benchContext(environment)
const scope = tokenScope(seeded)
const prefix = randomBytes(4).toString('hex')
let count = 0

servePeer(async ({ work, concurrency, ms }: WriterQuestion): Promise<Written> => {
  if (work === 'bare rows') return writeBare(ms)
  const errors: string[] = []
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let written = 0
  const start = performance.now()
  delays.enable()
  const write = work === 'users' ? writeUser : writeRow
  const loop = async () => {
    while (performance.now() < start + ms) {
      await write().then(
        () => written++,
        (error: unknown) => errors.push(String(error)),
      )
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  delays.disable()
  return {
    perSecond: (written / (performance.now() - start)) * 1000,
    errors: [...new Set(errors)],
    delayP99Ms: delays.percentile(99) / 1e6 - RESOLUTION_MS,
    delayMaxMs: delays.max / 1e6 - RESOLUTION_MS,
  }
})

/** A whole `POST users.json`: person, link, event, confirmation, mail and audit row. */
function writeUser(): Promise<void> {
  const email = `new.${prefix}.${++count}@example.com`
  return transaction(ctx, async (tx) => {
    const { id } = await createUser(
      tx,
      scope,
      {
        email,
        first: 'New',
        last: 'User',
        is_verified: false,
        send_verification_email: true,
        is_migration: false,
        source: 'freemius',
      },
      null,
    )
    await audit(tx, { ...auditRow(), details: { id } })
  })
}

const writeRow = () => transaction(ctx, (tx) => audit(tx, auditRow()))

const auditRow = () => ({
  action: 'bench',
  actor: scope.actor,
  productId: scope.productId,
  ip: scope.ip,
  requestId: `req_${++count}`,
  details: {},
})

async function writeBare(ms: number): Promise<Written> {
  const options = databaseOptions(ctx.config)
  if (options.engine !== 'sqlite') throw new Error('The plain loop writes to SQLite only.')
  const connection = new DatabaseSync(options.file)
  connection.exec('pragma synchronous = full')
  const insert = connection.prepare(
    `insert into audit_log (at, action, actor_kind, actor_id, credential, product_id, ip, request_id, details)
     values (?, 'bench', 'token', 1, 'token:1', ?, '127.0.0.1', ?, '{}')`,
  )
  const start = performance.now()
  let written = 0
  for (; performance.now() < start + ms; written++) {
    const values: SQLInputValue[] = [Date.now(), seeded.productId, `req_${++count}`]
    insert.run(...values)
  }
  const perSecond = (written / (performance.now() - start)) * 1000
  connection.close()
  return { perSecond, errors: [], delayP99Ms: 0, delayMaxMs: 0 }
}
