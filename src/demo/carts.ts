import type { TxContext } from '../context.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../lib/time.ts'
import type { CartRow } from '../sales/carts/schema.ts'
import { recordCart } from '../sales/carts/service.ts'
import { findCartsInRecovery, hasCartOf } from './cart-queries.ts'
import { newcomer } from './buyers.ts'
import { asOf, scopeIn, type Demo, type Which } from './part.ts'
import { countryOf, emailOf, isMadeUp } from './people.ts'
import { findDemoPrices } from './sales-queries.ts'
import { setStage } from '../sales/carts/cart-stage-rows.ts'
import { touchCart } from '../sales/carts/touch-cart.ts'

/** A live cart that was not bought, and how far its recovery has come. */
interface DemoCart {
  readonly which: Which
  readonly email: string
  readonly country: string
  /** When it was visited last, milliseconds. */
  readonly left: number
  readonly cycle: 1 | 12
  readonly now: 'visit' | 'abandoned' | 'email_1_sent' | 'email_3_sent'
}

const first = { which: 'first' } as const
const other = { which: 'other' } as const

/** `person` is a place in the list of people; `made` is days ago. */
const CARTS = [
  { ...first, person: 16, made: 75, cycle: 1, now: 'email_3_sent' },
  { ...first, person: 20, made: 4, cycle: 12, now: 'email_1_sent' },
  { ...first, person: 22, made: 1, cycle: 1, now: 'abandoned' },
  { ...first, person: 24, made: 0, cycle: 12, now: 'visit' },
  { ...other, person: 15, made: 48, cycle: 12, now: 'email_3_sent' },
  { ...other, person: 19, made: 3, cycle: 12, now: 'email_1_sent' },
  { ...other, person: 27, made: 1, cycle: 1, now: 'abandoned' },
  { ...other, person: 31, made: 0, cycle: 1, now: 'visit' },
] as const

/** Somebody leaves another one so often. */
const EVERY_MS = 2 * DAY
/** So long mails would go to who has left a cart. */
const RECOVERY_MS = 4 * DAY
/** When recovery would look at it: later than the demo does, so that it mails nobody. */
const NEVER_MS = 6 * DAY

/** The carts that were left when the demo is made. */
export async function fillCarts(tx: TxContext, demo: Demo): Promise<void> {
  const now = tx.clock.real()
  for (const { person, made, ...cart } of CARTS) {
    const who = { email: emailOf(person), country: countryOf(person) }
    await leave(tx, demo, { ...cart, ...who, left: now - made * DAY - HOUR })
  }
}

/**
 * Ends the recovery of carts that were left days ago, and has somebody leave another one now and then, so that there
 * is always one that mails would go to. Nobody is mailed.
 */
export async function keepCarts(tx: TxContext, demo: Demo): Promise<void> {
  const now = tx.clock.real()
  for (const which of ['first', 'other'] as const) {
    const scope = scopeIn(demo, which)
    for (const cart of await findCartsInRecovery(tx.db, scope.productId, toUtcTime(now - RECOVERY_MS))) {
      if (!isMadeUp(cart.email)) continue
      const ended = await setStage(tx.db, cart, { status: 'email_3_sent', recover_at: null, mail: null })
      await recordCart(tx, scope, ended, { type: 'cart.recovery.email_3_sent' })
    }
    const left = lastLeft(which, now)
    const { person, country } = newcomer(Math.floor(left / EVERY_MS))
    const cart = { which, email: person.email, country: country.toLowerCase(), left } as const
    if (await hasCartOf(tx.db, scope.productId, { email: person.email, since: toUtcTime(left) })) continue
    await leave(tx, demo, { ...cart, cycle: 12, now: 'email_1_sent' })
  }
}

/** Of two days, in milliseconds. */
const TIMES = { first: 15 * HOUR + 42 * MINUTE, other: 33 * HOUR + 17 * MINUTE }

/** When somebody has left a cart of a product last, some time ago. */
function lastLeft(which: Which, now: number): number {
  const latest = now - 2 * HOUR
  return latest - ((latest - TIMES[which]) % EVERY_MS)
}

/** The recovery of a cart is written as it went; the mails of the past are not sent again. */
async function leave(tx: TxContext, demo: Demo, cart: DemoCart): Promise<void> {
  const { which, email, country, left, cycle, now } = cart
  const scope = scopeIn(demo, which)
  const offer = (await findDemoPrices(tx.db, scope.productId)).find(({ currency }) => currency === 'usd')
  if (!offer) return
  const touched = await touchCart(asOf(tx, left), scope, {
    environment: 0,
    visitor: null,
    email,
    plan_id: offer.plan_id,
    pricing_id: offer.pricing_id,
    billing_cycle: cycle,
    country_code: country,
    // Of who has only typed an address nobody takes care.
    hasGoneOn: now !== 'visit',
  })
  if (now !== 'visit') await giveUp(asOf(tx, left + HOUR), demo, touched, { which, status: now })
}

interface GivenUp {
  readonly which: Which
  readonly status: Exclude<DemoCart['now'], 'visit'>
}

async function giveUp(tx: TxContext, demo: Demo, cart: CartRow, { which, status }: GivenUp): Promise<void> {
  const scope = scopeIn(demo, which)
  const recoverAt = status === 'email_3_sent' ? null : toUtcTime(tx.clock.real() + NEVER_MS)
  const stage = await setStage(tx.db, cart, { status, recover_at: recoverAt, mail: null })
  await recordCart(tx, scope, stage, { type: 'cart.abandoned' })
  if (status !== 'abandoned') await recordCart(tx, scope, stage, { type: 'cart.recovery.email_1_sent' })
}
