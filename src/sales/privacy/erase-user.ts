import type { ReadContext, TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { recordEvents } from '../../events/log/record.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { keepInvoice } from '../invoices/keep-invoices-job.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'
import { clearAll, OWN_ROWS } from './own-rows.ts'
import { ADDRESSES_PLACE, type Person } from './person.ts'
import {
  emptyPerson,
  findErasure,
  findPerson,
  forgetAddress,
  formerAddresses,
  insertErasure,
  isPaying,
  productsOfUser,
  renewingOf,
  takePerson,
  unkeptOf,
} from './queries.ts'
import type { Erasure } from './schema.ts'

/** What ends with the person at once: a purchase that was begun, the visits, and who the person is. */
const AT_ONCE: readonly string[] = [
  'email_confirmations',
  'key_requests',
  'user_keys',
  'billing',
  'access_tokens',
  'product_users',
  'subscriptions',
]
const BEGUN = OWN_ROWS.filter(({ table, set }) => table === 'checkouts' && !set)

/**
 * Whether what was typed is the address of the person who is to be erased; also of one who was, whose address nobody
 * knows any more. 404 when the caller has no such person.
 */
export async function isAddressOf(
  ctx: ReadContext,
  scope: Scope,
  id: number,
  typed: string,
): Promise<boolean> {
  const person = await findPerson(ctx.db, scope, id)
  if (!person) throw notFound('user')
  return person.email === '' || fold(typed.trim()) === person.email_folded
}

/**
 * Erases a person at a seller: at once the person is a user no more, what was about to be bought is gone, and
 * subscriptions end without a mail; a job does the rest (`erase-job.ts`). What payments and invoices say stays. Whoever
 * is erased already stays so. 404 when the caller has no such person, 400 `payment_under_way` while money of the person
 * moves.
 */
export async function eraseUser(ctx: TxContext, scope: Scope, id: number): Promise<Erasure> {
  const known = await findPerson(ctx.db, scope, id)
  if (!known) throw notFound('user')
  const now = ctx.clock.now()
  const taken = await takePerson(ctx.db, id, now)
  if (!taken) return erasureOf(ctx, id)
  const { developer_id: developerId, email_folded: address } = taken
  const former = await formerAddresses(ctx.db, { userId: id, developerId })
  const addresses = [...new Set([known.email, ...former].flatMap((one) => [fold(one), one.toLowerCase()]))]
  const person: Person = { userId: id, developerId, addresses, created: now }
  for (const rows of BEGUN) await clearAll(ctx.db, rows, person)
  await endAll(ctx, scope, person)
  if (await isPaying(ctx.db, { userId: id, developerId, address })) throw underWay()
  await keepAll(ctx, id)
  await tell(ctx, scope, person)
  for (const one of addresses) await forgetAddress(ctx.db, { developerId, address: one })
  for (const rows of OWN_ROWS) if (AT_ONCE.includes(rows.table)) await clearAll(ctx.db, rows, person)
  await emptyPerson(ctx.db, id, now)
  const sealed = ctx.keys.seal(JSON.stringify(addresses), ADDRESSES_PLACE)
  const due_at = ctx.clock.real()
  const row = { developer_id: developerId, user_id: id, addresses: sealed, created: now, finished_at: null }
  await insertErasure(ctx.db, { ...row, due_at, lease_until: 0, fence: 0 })
  return erasureOf(ctx, id)
}

const underWay = () =>
  invalid('payment_under_way', 'A payment of this user is under way; try again when it is decided.')

/** The row of a renewal that has begun is changed by it too, so that one of both comes first. */
async function endAll(ctx: TxContext, scope: Scope, { userId, developerId }: Person): Promise<void> {
  for (const subscription of await renewingOf(ctx.db, userId)) {
    const within = asCaller(scope, { developerId, productId: subscription.product_id })
    await endSubscription(ctx, within, subscription, { ids: [], text: null })
  }
}

/** As the caller, in another product of the seller. */
const asCaller = (scope: Scope, owner: { developerId: number; productId: number }): Scope => ({
  ...systemScope(owner),
  kind: scope.kind,
  actor: scope.actor,
})

async function keepAll(ctx: TxContext, userId: number): Promise<void> {
  for (const invoice of await unkeptOf(ctx.db, userId)) await keepInvoice(ctx, invoice)
}

/** Every product of which the person is a user is told, with the number of the user alone. */
async function tell(ctx: TxContext, scope: Scope, { userId, developerId }: Person): Promise<void> {
  for (const productId of await productsOfUser(ctx.db, userId)) {
    await recordEvents(ctx, asCaller(scope, { developerId, productId }), [
      { type: 'user.erased', userId, data: { user_id: String(userId) } },
    ])
  }
}

async function erasureOf(ctx: ReadContext, userId: number): Promise<Erasure> {
  const row = await findErasure(ctx.db, userId)
  if (!row) throw notFound('user')
  return {
    user_id: String(userId),
    state: row.finished_at === null ? 'erasing' : 'erased',
    created: row.created,
    finished: row.finished_at,
  }
}
