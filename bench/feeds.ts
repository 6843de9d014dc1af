import { setTimeout as sleep } from 'node:timers/promises'
import { issueApiToken } from '../src/accounts/tokens/api-tokens.ts'
import { transaction } from '../src/context.ts'
import { eventsOf } from '../test/event-stream.ts'
import { createSeller } from '../test/factories.ts'
import { ENGINES, placeOn } from './place.ts'
import { megabytesOf } from './process-memory.ts'
import { startKeywright } from './processes.ts'
import { quantile, type Benchmark, type Row } from './row.ts'
import { inContext, type Environment } from './seed.ts'

/** An account may have 50 feeds open, a token 20. */
const ACCOUNTS = 4
const TOKENS = 4
const FEEDS_OF_EACH = 50
const SETTLED_MS = 3_000
const EVENTS = 200
const LINE_MB = 60
const LINE_MS = 1_000

interface Account {
  readonly developerId: number
  readonly productId: number
  /** Of the product. */
  readonly token: string
  /** Of the account. */
  readonly tokens: readonly string[]
}

/** What 200 open feeds cost the server, and how long after its answer an event is in all feeds of its account. */
export const feeds: Benchmark = async ({ quick }) => {
  const results: Row[] = []
  for (const engine of ENGINES) {
    await using closing = new AsyncDisposableStack()
    const { environment } = await placeOn(engine, closing)
    const accounts = await seedAccounts(environment)
    const server = await startKeywright(environment)
    closing.defer(() => server.stop())
    const events = quick ? EVENTS / 10 : EVENTS
    // The same writes with nobody who follows them: what they take is not of the feeds.
    for (let n = 0; n < events; n++) await happen(server.address, accountOf(accounts, n), `before.${n}`)
    await sleep(SETTLED_MS)
    const before = await megabytesOf(server.pid, 'VmRSS')
    const ending = new AbortController()
    closing.defer(() => ending.abort())
    const seen = new Map<string, number[]>()
    const opened = accounts.flatMap(({ developerId, tokens }) =>
      Array.from({ length: FEEDS_OF_EACH }, (_, n) =>
        open(`${server.address}/v1/developers/${developerId}/events/stream`, {
          token: tokens[n % TOKENS] ?? '',
          signal: ending.signal,
          heard: (id) => seen.set(id, [...(seen.get(id) ?? []), performance.now()]),
        }),
      ),
    )
    await Promise.all(opened)
    await sleep(SETTLED_MS)
    const after = await megabytesOf(server.pid, 'VmRSS')
    const late = await lateness(server.address, accounts, { seen, events })
    const busy = await megabytesOf(server.pid, 'VmRSS')
    const count = ACCOUNTS * FEEDS_OF_EACH
    results.push(
      memoryRow(`${count} open feeds: memory more than without them, ${engine}`, after - before),
      memoryRow(`the same after ${events} events, ${engine}`, busy - before),
      {
        name: `from the answer to a write until its event is in all ${FEEDS_OF_EACH} feeds of its account, ${engine}`,
        ours: `p50 ${quantile(late, 0.5).toFixed(0)} ms, p99 ${quantile(late, 0.99).toFixed(0)} ms`,
        reference: '',
        ratio: '',
        line: `≤ ${LINE_MS} ms of p99`,
        pass: quantile(late, 0.99) <= LINE_MS,
      },
    )
  }
  return results
}

const seedAccounts = (environment: Environment): Promise<Account[]> =>
  inContext(environment, (ctx) =>
    transaction(ctx, async (tx) => {
      const accounts: Account[] = []
      for (let n = 0; n < ACCOUNTS; n++) {
        const { developer, product } = await createSeller(tx, `seller.${n}@example.com`)
        const all = { developerId: developer.id, productIds: null, rights: null, expiresAt: null }
        const tokens: string[] = []
        for (let of = 0; of < TOKENS; of++)
          tokens.push((await issueApiToken(tx, { ...all, name: `feed ${of}` })).token)
        accounts.push({ developerId: developer.id, productId: product.id, token: product.token, tokens })
      }
      return accounts
    }),
  )

interface Opening {
  readonly token: string
  readonly signal: AbortSignal
  /** Told the id of each user whose making is told. */
  readonly heard: (userId: string) => void
}

/** Opens a feed, which is read until `signal` says otherwise. */
async function open(url: string, { token, signal, heard }: Opening): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
  if (response.status !== 200) throw new Error(`A feed was answered ${response.status}.`)
  eventsOf(response, ({ event, data }) => {
    if (event === 'user.created') heard(String((JSON.parse(data) as { user_id: string }).user_id))
  }).catch(() => {})
}

/** Has events happen in turns, and tells of each how long its last feed waited, milliseconds. */
async function lateness(
  address: string,
  accounts: readonly Account[],
  { seen, events }: { readonly seen: ReadonlyMap<string, readonly number[]>; readonly events: number },
): Promise<number[]> {
  const late: number[] = []
  for (let n = 0; n < events; n++) {
    const id = await happen(address, accountOf(accounts, n), `event.${n}`)
    const from = performance.now()
    while ((seen.get(id)?.length ?? 0) < FEEDS_OF_EACH) {
      if (performance.now() - from > 10 * LINE_MS) throw new Error(`Event ${n} is not in all feeds.`)
      await sleep(1)
    }
    late.push(Math.max(...(seen.get(id) ?? [])) - from)
  }
  return late
}

function accountOf(accounts: readonly Account[], n: number): Account {
  const account = accounts[n % ACCOUNTS]
  if (!account) throw new Error('There is no account.')
  return account
}

/** Has a user made, which is an event; answers whose. */
async function happen(address: string, { productId, token }: Account, name: string): Promise<string> {
  const reply = await fetch(`${address}/v1/products/${productId}/users.json`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, first: 'New', last: 'User' }),
  })
  if (!reply.ok) throw new Error(`A user was answered ${reply.status}.`)
  return String(((await reply.json()) as { readonly id: string }).id)
}

const memoryRow = (name: string, megabytes: number): Row => ({
  name,
  ours: `${megabytes.toFixed(0)} MB`,
  reference: '',
  ratio: '',
  line: `< ${LINE_MB} MB`,
  pass: megabytes < LINE_MB,
})
