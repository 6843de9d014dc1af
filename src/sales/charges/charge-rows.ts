import { batched, inOrder } from '../../db/batched.ts'
import { changingRows } from '../../db/change-rows.ts'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { preparedRow, preparedRowFor, preparedRows } from '../../db/prepared.ts'
import { isFree } from '../../db/free-charges.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { ChargesTable } from '../../db/tables/payments.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'

export type ChargeRow = Selectable<ChargesTable>

type Given = Pick<
  ChargeRow,
  | 'key'
  | 'product_id'
  | 'user_id'
  | 'environment'
  | 'purpose'
  | 'subscription_id'
  | 'payment_id'
  | 'amount'
  | 'currency'
  | 'gateway'
  | 'details'
  | 'lease_until'
> &
  Partial<Pick<ChargeRow, 'of_charge_id' | 'is_owed' | 'is_unearned' | 'is_again' | 'token'>>

/** The row of a call to a gateway before it is made: nothing is known of it yet. `now` is real time. */
export const startedCharge = (now: number, given: Given): Omit<ChargeRow, 'id'> => ({
  of_charge_id: null,
  is_owed: false,
  is_unearned: false,
  is_again: false,
  token: null,
  ...given,
  state: 'started',
  external_id: null,
  outcome_id: null,
  settled_at: null,
  missed_at: null,
  look_at: null,
  created: toUtcTime(now),
  updated: null,
})

export async function insertCharge(db: Writer, row: Insertable<ChargesTable>): Promise<ChargeRow> {
  const [inserted] = await inserting(db, row, {})
  if (!inserted) throw new Error('An insert answers its row.')
  return inserted
}
const inserting = preparedRow((db, row: Insertable<ChargesTable>) =>
  db.insertInto('charges').values(row).returningAll(),
)

/** Writes a charge unless one of this key is there; undefined then. One statement decides. */
export const addCharge = batched({
  many: async (db: Writer, rows: readonly Insertable<ChargesTable>[]) =>
    inOrder(
      await adding(db, rows, {}),
      rows.map(({ key }) => key),
      ({ key }) => key,
    ),
})
const adding = preparedRows((db, rows: Insertable<ChargesTable>[]) =>
  db
    .insertInto('charges')
    .values(rows)
    .onConflict((known) => known.column('key').doNothing())
    .returningAll(),
)

/** Writes a charge; the row, or the one of this key that is there already. */
export async function beginCharge(db: Writer, row: Insertable<ChargesTable>): Promise<ChargeRow> {
  const added = await addCharge(db, row)
  const known = () =>
    unscoped(db, 'a key names one charge')
      .selectFrom('charges')
      .selectAll()
      .where('key', '=', row.key)
      .executeTakeFirstOrThrow()
  return added ?? known()
}

interface Numbering {
  /** A row that the caller holds, and all of whose charges of this purpose are numbered together. */
  readonly of: 'subscription_id' | 'payment_id' | 'of_charge_id'
  /** What of the key follows the number. */
  readonly rest?: string
}

/**
 * Begins a charge as `beginCharge`; where that of this key was decided, which is never asked for again, the next one:
 * its key is `{key}-{number}{rest}`.
 */
export async function beginNext(
  db: Writer,
  row: Omit<ChargeRow, 'id'>,
  { of, rest = '' }: Numbering,
): Promise<ChargeRow> {
  const first = await beginCharge(db, { ...row, key: `${row.key}${rest}` })
  if (first.state === 'started' || first.state === 'pending') return first
  const { count } = await unscoped(db, 'of a row that the caller holds')
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll().as('count'))
    .where(of, '=', row[of])
    .where('purpose', '=', row.purpose)
    .executeTakeFirstOrThrow()
  return beginCharge(db, { ...row, key: `${row.key}-${Number(count) + 1}${rest}` })
}

export const findCharge = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'charges', owner).select().selectAll().where('charges.id', '=', id).executeTakeFirst()

const undecidedRefunds = (db: Reader, owner: Owner, paymentId: number) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where('charges.payment_id', '=', paymentId)
    .where('charges.purpose', '=', 'refund')
    .where('charges.state', 'in', ['started', 'pending'])
    .orderBy('charges.id')

/** Refunds of a payment that are not decided and that nobody has in hand, the oldest first. */
export const openRefundsOf = (db: Reader, owner: Owner, paymentId: number, now: number) =>
  undecidedRefunds(db, owner, paymentId).where(isFree(now)).execute()

/** Refunds of a payment that are not decided, whoever has them in hand. */
export const refundsUnderWay = (db: Reader, owner: Owner, paymentId: number) =>
  undecidedRefunds(db, owner, paymentId).execute()

/** Refunds or renewals of every product that are not decided and that nobody has in hand, with whose they are. */
export const openCharges = (
  db: Reader,
  {
    purpose,
    now,
    limit,
  }: { readonly purpose: 'refund' | 'renewal'; readonly now: number; readonly limit: number },
) =>
  unscoped(db, 'the job that ends what was begun, for every seller')
    .selectFrom('charges')
    .innerJoin('products', 'products.id', 'charges.product_id')
    .select(['charges.id', 'charges.product_id', 'charges.created', 'products.developer_id'])
    .where(sql<boolean>`charges.state in ('started', 'pending')`)
    .where('charges.purpose', '=', purpose)
    .where(isFree(now))
    .orderBy('charges.lease_until')
    .orderBy('charges.id')
    .limit(limit)
    .execute()
export type OpenCharge = Awaited<ReturnType<typeof openCharges>>[number]

interface Taking {
  readonly id: number
  readonly now: number
  readonly leaseUntil: number
}

/** Takes in hand what nobody has; undefined when somebody has it, or it is decided. One statement decides. */
export const takeCharge = (db: Writer, owner: Owner, { id, now, leaseUntil }: Taking) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ lease_until: leaseUntil })
    .where('charges.id', '=', id)
    .where('charges.state', 'in', ['started', 'pending'])
    .where(isFree(now))
    .returningAll()
    .executeTakeFirst()

/** Notes that no answer came: whoever comes next takes it in hand from `leaseUntil` on. */
export const leaveCharge = (db: Writer, owner: Owner, id: number, leaseUntil: number) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ state: 'pending', lease_until: leaseUntil })
    .where('charges.id', '=', id)
    .where('charges.state', 'in', ['started', 'pending'])
    .execute()

interface Naming {
  readonly id: number
  readonly externalId: string
  readonly updated: UtcTime
}

/**
 * Notes under which name the gateway knows a charge that it has not decided; anybody may ask how it stands. `updated`
 * says since when, however often that is asked.
 */
export const nameCharge = (db: Writer, owner: Owner, { id, externalId, updated }: Naming) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({
      state: 'pending',
      external_id: externalId,
      lease_until: 0,
      updated: sql<UtcTime>`case when charges.external_id is null then ${updated} else charges.updated end`,
    })
    .where('charges.id', '=', id)
    .where('charges.state', 'in', ['started', 'pending'])
    .execute()

interface Decision {
  readonly id: number
  readonly state: 'settled' | 'declined' | 'unmade'
  readonly externalId: string | null
  readonly at: UtcTime
}

/** Writes how a charge was decided, once; undefined when it was before. One statement decides. */
export const decideCharge = (db: Writer, owner: Owner, decision: Decision): Promise<ChargeRow | undefined> =>
  decideOne(db, { owner, decision })

const decideOne = batched({
  alike: ({ owner }: Decided) => String(owner.productId),
  async one(db: Writer, { owner, decision }): Promise<ChargeRow | undefined> {
    const [decided] = await deciding(db, owner, changeOf(decision), { id: decision.id })
    return decided
  },
  async many(db, all) {
    const [first] = all
    const rows = all.map(({ decision }) => ({ id: decision.id, ...changeOf(decision) }))
    if (!first) return []
    return inOrder(
      await decidingMany(db, first.owner, rows),
      rows.map(({ id }) => id),
      ({ id }) => id,
    )
  },
})

interface Decided {
  readonly owner: Owner
  readonly decision: Decision
}

const changeOf = ({ state, externalId, at }: Decision) => ({
  state,
  external_id: externalId,
  settled_at: at,
  look_at: null,
  updated: at,
})

const decidingMany = changingRows('charges', {
  by: 'id',
  where: sql<boolean>`charges.state in ('started', 'pending')`,
})
const deciding = preparedRowFor((db, owner, change: Updateable<ChargesTable>, { id }: { id: number }) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set(change)
    .where('charges.id', '=', id)
    .where('charges.state', 'in', ['started', 'pending'])
    .returningAll(),
)

/** Writes anew with what a charge was to be asked for. */
export const setDetails = (db: Writer, owner: Owner, id: number, details: string) =>
  scopedWrite(db, 'charges', owner).update().set({ details }).where('charges.id', '=', id).execute()

/** Notes which payment a charge became. */
export const setOutcome = (db: Writer, owner: Owner, id: number, paymentId: number): Promise<unknown> =>
  noteOutcome(db, { owner, id, paymentId })

const noteOutcome = batched({
  alike: ({ owner }: Outcome) => String(owner.productId),
  one: (db: Writer, { owner, id, paymentId }): Promise<unknown> =>
    noting(db, owner, { outcome_id: paymentId }, { id }),
  async many(db, all) {
    const [first] = all
    const rows = all.map(({ id, paymentId }) => ({ id, outcome_id: paymentId }))
    if (first) await notingMany(db, first.owner, rows)
    return []
  },
})

interface Outcome {
  readonly owner: Owner
  readonly id: number
  readonly paymentId: number
}

const notingMany = changingRows('charges', { by: 'id' })
const noting = preparedRowFor((db, owner, change: Updateable<ChargesTable>, { id }: { id: number }) =>
  scopedWrite(db, 'charges', owner).update().set(change).where('charges.id', '=', id),
)
