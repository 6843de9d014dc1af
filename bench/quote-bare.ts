import { getCheckout, scopeOfCheckout } from '../src/sales/checkouts/checkout.ts'
import { showCheckout } from '../src/sales/checkouts/show-checkout.ts'
import { runnerOf, type Run } from '../src/db/runner.ts'
import { stateOf } from '../src/sales/checkouts/state.ts'
import { systemScope } from '../src/access/scope.ts'
import { databaseOptions } from '../src/open.ts'
import { bareReader } from './bare-reader.ts'
import { benchContext } from './seed.ts'
import { serveBare } from './serve-bare.ts'

/**
 * The reference of a quote: nothing but node:http, the statements of this checkout, prepared, and JSON.stringify of what
 * it came to when it was first asked for. Nothing is checked, counted or written down.
 */
const ctx = await benchContext(process.env)
const options = databaseOptions(ctx.config)
const run = runnerOf(bareReader(options))
let heard: Parameters<Run>[] = []
const db = bareReader(options, (...statement) => heard.push(statement))
/** What is asked for the first time, one after another, so that each has its own statements. */
let before: Promise<unknown> = Promise.resolve()

interface Known {
  readonly statements: readonly Parameters<Run>[]
  readonly reply: object
}

const known = new Map<string, Known>()
const TOKEN = /^\/v1\/checkout\/sessions\/([^/]+)\.json$/

async function answer(token: string): Promise<object> {
  const one = known.get(token)
  if (!one) return inTurn(() => first(token))
  for (const statement of one.statements) await run(...statement)
  return one.reply
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = before.then(work)
  before = turn.catch(() => {})
  return turn
}

async function first(token: string): Promise<object> {
  heard = []
  const row = await getCheckout({ ...ctx, db }, token)
  const scope = scopeOfCheckout(systemScope({ developerId: 0, productId: 0 }), row)
  const reply = await showCheckout(
    { ...ctx, db },
    { token, ...(await stateOf({ db }, scope, row)) },
    ctx.gateways,
  )
  known.set(token, { statements: heard, reply })
  return reply
}

await serveBare(async ({ url = '' }) => {
  const [, token = ''] = TOKEN.exec(url) ?? []
  return { status: 200, body: JSON.stringify(await answer(token)) }
})
