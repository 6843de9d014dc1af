import { transaction, type Context, type ReadContext } from '../context.ts'
import type { Writer } from '../db/database.ts'
import { systemScope } from '../access/scope.ts'
import { ApiError } from '../lib/errors.ts'
import { perform } from './acts.ts'
import { currencyOf, type Sale } from './buying.ts'
import { asOf, type Demo, type DemoPart } from './part.ts'
import { findDemoMark, findDemoPrices, findLivePayment, moveDemoMark } from './sales-queries.ts'
import { planSales, type Act } from './year-plan.ts'

/** So many acts are written in a transaction. */
const TOGETHER = 50

/**
 * A year of live sales: trials, carts, purchases, renewals, changes, refunds, disputes, failures and cancellations. They
 * were paid elsewhere, and are written in the order in which they happened.
 */
export const demoYear: DemoPart = {
  async examples({ db }, { developerId, productId }) {
    const found = await findLivePayment(db, productId)
    const mark = await findDemoMark(db, developerId)
    const isWhole = !mark || mark.booked_ms >= mark.begun_ms
    return found && isWhole ? { live_payment_id: String(found.id) } : null
  },
  run: (ctx, demo) => bookDemo(ctx, demo),
}

/** Called first in each transaction. */
export type Guard = (db: Writer) => Promise<void>

/**
 * Writes what has happened in the demo since it was written last, each act once, whoever else does so and wherever it
 * broke off: the mark moves in the transaction of what it stands for. Nothing is charged, and nobody is mailed. A demo
 * of an earlier version has no mark, and stays as it is.
 */
export async function bookDemo(ctx: Context, demo: Demo, guard: Guard = async () => {}): Promise<void> {
  const mark = await findDemoMark(ctx.db, demo.developerId)
  if (!mark) return
  const until = ctx.clock.real()
  const planned = await plan(ctx, demo, { begin: mark.begun_ms, until })
  const due = planned.filter(({ act }) => act.at > mark.booked_ms)
  const book = { ctx, demo, guard }
  let from = mark.booked_ms
  while (from < until) {
    const some = due.splice(0, TOGETHER)
    const to = due.length === 0 ? until : (some.at(-1)?.act.at ?? until)
    if (!(await writeSome(book, { from, to, some }))) return
    from = to
  }
}

interface Planned {
  readonly sale: Sale
  readonly act: Act
}

/** In order, no two at the same moment. */
async function plan(
  ctx: ReadContext,
  demo: Demo,
  time: { readonly begin: number; readonly until: number },
): Promise<Planned[]> {
  const first = await salesOf(ctx, demo, { which: 'first', ...time })
  const other = await salesOf(ctx, demo, { which: 'other', ...time })
  const acts = [...first, ...other].flatMap((sale) => sale.acts.map((act) => ({ sale, act })))
  let last = 0
  return acts
    .toSorted((a, b) => a.act.at - b.act.at)
    .map(({ sale, act }) => {
      last = Math.max(act.at, last + 1)
      return { sale, act: { ...act, at: last } }
    })
    .filter(({ act }) => act.at <= time.until)
}

async function salesOf(
  { db }: ReadContext,
  { developerId, productId, otherProductId }: Demo,
  stretch: { readonly which: 'first' | 'other'; readonly begin: number; readonly until: number },
): Promise<Sale[]> {
  const { which, begin } = stretch
  const id = which === 'first' ? productId : otherProductId
  const all = await findDemoPrices(db, id)
  return planSales(stretch).flatMap((sale) => {
    const prices = all.filter(({ currency }) => currency === currencyOf(sale.buyer))
    const price = prices[sale.offer]
    const scope = systemScope({ developerId, productId: id })
    return price ? [{ ...sale, scope, which, begin, prices, price, name: `demo-${sale.buyer.name}` }] : []
  })
}

interface Book {
  readonly ctx: Context
  readonly demo: Demo
  readonly guard: Guard
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly some: readonly Planned[]
}

/** False: somebody else writes it. What is refused, as somebody has changed what it is about, is passed over. */
async function writeSome(book: Book, stretch: Stretch): Promise<boolean> {
  try {
    return await write(book, stretch)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [one, ...others] = stretch.some
    if (!one || others.length === 0) return write(book, { ...stretch, some: [] })
    const half = Math.ceil(stretch.some.length / 2)
    const middle = stretch.some[half - 1]?.act.at ?? stretch.to
    const earlier = { from: stretch.from, to: middle, some: stretch.some.slice(0, half) }
    const later = { from: middle, to: stretch.to, some: stretch.some.slice(half) }
    return (await writeSome(book, earlier)) && writeSome(book, later)
  }
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500

const write = ({ ctx, demo, guard }: Book, { from, to, some }: Stretch): Promise<boolean> =>
  transaction(ctx, async (tx) => {
    await guard(tx.db)
    if (!(await moveDemoMark(tx.db, demo.developerId, { from, to }))) return false
    for (const { sale, act } of some) await perform(asOf(tx, act.at), sale, act)
    return true
  })
